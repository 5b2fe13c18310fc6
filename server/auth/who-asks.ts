import { DomainError } from '../../shared/errors.ts';
import { accessKeyForm } from '../../shared/rules/access-keys.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Db, Tx } from '../db/open.ts';
import type { WrongTries } from '../http/limits/wrong-tries.ts';
import type { ChangeBus } from '../live/bus.ts';
import type { Admin, KeyHolder, Member, Principal, Visitor } from './callers.ts';
import { hashToken } from './hash-token.ts';
import { adminOfToken, memberOfKey } from './queries.ts';

/** The credentials that a request or a handshake carries. */
export interface Credentials {
  /** `access_key` in the body, which names who acts. */
  body_key: string | null;
  /** The admin's bearer token. */
  token: string | null;
  /** `X-Access-Key`, or `access_key` of a handshake. */
  key: string | null;
}

/** Members by the hashes of their keys, which are no more than there are keys. */
export interface KnownMembers {
  has: (key_hash: string) => boolean;
  /** The member whose key it is; `read` finds one that is not known. */
  find: (key_hash: string, read: () => Promise<Member>) => Promise<Member>;
  size: () => number;
}

/**
 * Members are remembered until a change set tells of their key or their ban, as whatever ends a key does. So the refresh of
 * a board, many a second in a large guild, asks the database nothing, nor do the claims of a storm, before they have their turns.
 */
export function createKnownMembers(bus: Pick<ChangeBus, 'listen' | 'onNewHistory'>): KnownMembers {
  const members = new Map<string, Member>();
  /** Moves with everything that may end a key: what was being read meanwhile may be old. */
  let generation = 0;
  const forget = (isConcerned: (member: Member) => boolean): void => {
    generation += 1;
    for (const [key_hash, member] of members) if (isConcerned(member)) members.delete(key_hash);
  };
  bus.listen(({ changes }) => {
    for (const { change } of changes) {
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
  bus.onNewHistory(() => forget(() => true));
  return {
    has: (key_hash) => members.has(key_hash),
    find: async (key_hash, read) => {
      const known = members.get(key_hash);
      if (known) return known;
      const begun = generation;
      const member = await read();
      if (generation === begun) members.set(key_hash, member);
      return member;
    },
    size: () => members.size,
  };
}

/** What it takes to authenticate a caller. */
export interface Doorkeeper {
  db: Db;
  now: () => Date;
  knownMembers: KnownMembers;
  wrongKeys: WrongTries;
}

/**
 * The caller by the one credential that counts: the access key in the body, else the admin's token, else the key in a
 * header. If that one is refused, no other is tried.
 * @param address where the request comes from, against which wrong keys are counted
 * @throws DomainError session.expired, or as `authenticateKey`
 */
export async function authenticate(
  ctx: Doorkeeper,
  { body_key, token, key }: Credentials,
  address: string,
): Promise<Admin | KeyHolder | Visitor> {
  if (body_key === null && token !== null) return adminOfToken(ctx.db, token, ctx.now());
  const access_key = body_key ?? key;
  return access_key === null ? { role: 'visitor' } : authenticateKey(ctx, access_key, address);
}

/** The principal as the transaction finds it: a key that was revoked a moment ago opens nothing. */
export const actorOf = async (tx: Tx, by: Principal): Promise<Admin | Member> =>
  by.role === 'admin' ? by : memberOfKey(tx, by.access_key);

/**
 * The member who holds a key. Wrong keys are counted by address; past the limit they are answered 429 and cost one indexed lookup. Right
 * keys are never refused for other people's wrong ones: keys are too long to be guessed, so a 429 need not hide whether one was right.
 * @throws DomainError session.invalidKey, session.keyRevoked, session.banned or request.tooManyTries
 */
export async function authenticateKey(ctx: Doorkeeper, access_key: string, address: string): Promise<KeyHolder> {
  try {
    return { ...(await memberWhoAsks(ctx, access_key)), access_key };
  } catch (error) {
    if (isWrongKey(error)) await ctx.wrongKeys.count({ secret: ['key'], address });
    throw error;
  }
}

const isWrongKey = (error: unknown): boolean => error instanceof DomainError && error.code === 'session.invalidKey';

/**
 * As `memberOfKey`, remembered: what is written asks again, in its transaction.
 * @throws DomainError session.invalidKey, session.keyRevoked or session.banned
 */
export function memberWhoAsks({ db, knownMembers }: Pick<Doorkeeper, 'db' | 'knownMembers'>, key: string): Promise<Member> {
  return knownMembers.find(hashOf(key), () => memberOfKey(db, key));
}

/** Whether it is remembered that this is a member; false says nothing. */
export const isKnownMember = ({ knownMembers }: Pick<Doorkeeper, 'knownMembers'>, { token, key }: Omit<Credentials, 'body_key'>): boolean =>
  token === null && key !== null && knownMembers.has(hashOf(key));

/** Or one key would be remembered in as many ways as it can be typed. */
const hashOf = (key: string): string => hashToken(accessKeyForm(key));
