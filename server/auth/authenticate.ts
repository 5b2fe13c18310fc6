import { DomainError } from '../../shared/errors.ts';
import { accessKeyForm } from '../../shared/rules/access-keys.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Capability } from '../../shared/rules/roles.ts';
import type { Db, Tx } from '../db/database.ts';
import type { StoredChange } from '../db/unit-of-work.ts';
import {
  type Admin,
  type Authenticator,
  type Caller,
  type KeyHolder,
  type Member,
  requireCapability,
} from '../http/caller.ts';
import type { WrongTries } from '../http/rate-limits.ts';
import { adminOfSession, adminOfToken, hashToken, memberOfKey } from './sessions.ts';

/** The committed changes of all servers, as the live bus hands them out. */
export interface CommittedChanges {
  listen: (listener: (set: { changes: readonly Pick<StoredChange, 'change'>[] }) => void) => void;
  /** Calls back when what was remembered may be of another database. */
  onNewHistory: (listener: () => void) => void;
}

interface AuthenticatorOptions {
  db: Db;
  now: () => Date;
  /** Counts wrong keys, and wrong tokens of links, by the address they come from. */
  wrongKeys: Pick<WrongTries, 'count'>;
  committed: CommittedChanges;
}

/** The authenticator of one server, with what sign-in needs beside it. */
export interface SignInAuthenticator extends Authenticator {
  /**
   * The member who holds a key. Wrong keys are counted by address; past the limit they are answered 429 and cost one indexed lookup. Right
   * keys are never refused for other people's wrong ones: keys are too long to be guessed, so a 429 need not hide whether one was right.
   * @throws DomainError session.invalidKey, session.keyRevoked, session.banned or request.tooManyTries
   */
  authenticateKey: (access_key: string, address: string) => Promise<KeyHolder>;
}

export function createAuthenticator({
  db,
  now,
  wrongKeys,
  committed,
}: AuthenticatorOptions): SignInAuthenticator {
  const knownMembers = createKnownMembers(committed);
  const authenticateKey: SignInAuthenticator['authenticateKey'] = async (access_key, address) => {
    try {
      return { ...(await knownMembers.find(db, access_key)), access_key };
    } catch (error) {
      if (isWrongKey(error)) await wrongKeys.count({ secret: ['key'], address });
      throw error;
    }
  };
  return {
    authenticateKey,
    authenticate: async ({ body_key, token, key }, address) => {
      if (body_key === null && token !== null) return adminOfToken(db, token, now());
      const access_key = body_key ?? key;
      return access_key === null ? { role: 'visitor' } : authenticateKey(access_key, address);
    },
    authorizeAgain: (tx, admin, capability) =>
      authorizeAgain(tx, admin, { capability, now: now() }),
    countWrongToken: (address) => wrongKeys.count({ secret: ['token'], address }),
  };
}

const isWrongKey = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'session.invalidKey';

/**
 * Checks that an admin's session is still open and that the role still has this capability.
 * @throws DomainError session.expired or session.notAllowed
 */
export async function authorizeAgain(
  db: Db | Tx,
  { token_hash }: Pick<Admin, 'token_hash'>,
  { capability, now }: { capability: Capability; now: Date },
): Promise<void> {
  requireCapability(await adminOfSession(db, token_hash, now), capability);
}

/** The caller as the transaction finds it: a key that was revoked a moment ago opens nothing. */
export const actorOf = async (tx: Tx, by: Caller): Promise<Admin | Member> =>
  by.role === 'admin'
    ? by
    : { ...(await memberOfKey(tx, by.access_key)), ...(by.via && { via: by.via }) };

interface KnownMembers {
  /** As `memberOfKey`, from memory if the key was looked up before. */
  find: (db: Db, key: string) => Promise<Member>;
  size: () => number;
}

/**
 * Remembers the members of valid keys until a change set says that their key or ban changed. So a guild's board refreshes cost no query,
 * nor does authenticating a storm of claims before they wait in the write queue. Writes look the key up again in their transaction.
 */
export function createKnownMembers(
  committed: CommittedChanges,
  lookUp = memberOfKey,
): KnownMembers {
  const members = new Map<string, Member>();
  /** Increases with every change that may end a key: a read that started before may be outdated. */
  let generation = 0;
  const forget = (isConcerned: (member: Member) => boolean): void => {
    generation += 1;
    for (const [key_hash, member] of members) if (isConcerned(member)) members.delete(key_hash);
  };
  committed.listen(({ changes }) => {
    for (const { change } of changes) {
      if (change.op === 'own') continue;
      if (change.op === 'reset') forget(() => true);
      else if (change.kind === 'access_key') {
        const id = change.op === 'put' ? change.record.id : change.id;
        forget((member) => member.access_key_id === id);
      } else if (change.kind === 'verified_code' && change.op === 'put' && change.record.banned) {
        const character_key = nameKey(change.record.character_name);
        forget((member) => member.character_key === character_key);
      }
    }
  });
  committed.onNewHistory(() => forget(() => true));
  return {
    find: async (db, key) => {
      // One entry a key, however it is typed.
      const key_hash = hashToken(accessKeyForm(key));
      const known = members.get(key_hash);
      if (known) return known;
      const begun = generation;
      const member = await lookUp(db, key);
      if (generation === begun) members.set(key_hash, member);
      return member;
    },
    size: () => members.size,
  };
}
