import type { Kind } from '../../shared/kinds.ts';
import type { Db, Tx } from '../db/open.ts';
import type { ChangeBus } from '../live/bus.ts';
import type { Admin, KeyHolder, Member, Principal, Visitor } from './callers.ts';
import { hashToken } from './hash-token.ts';
import { adminOfToken, memberOfKey, storedForm } from './queries.ts';

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
  /** Those that are known now; when what some key stands for may have changed, it is another map. */
  now: () => Map<string, Member>;
}

/** Records that show a key, or a ban. */
const OF_KEYS: ReadonlySet<string> = new Set<Kind>(['access_key', 'verified_code']);

/**
 * Members are remembered until something is told of keys or bans, as whatever ends a key tells. So the refresh of a board,
 * many a second in a large guild, asks the database nothing, nor do the claims of a storm, before they have their turns.
 */
export function createKnownMembers(bus: Pick<ChangeBus, 'listen' | 'onNewHistory'>): KnownMembers {
  let members = new Map<string, Member>();
  const forget = (): void => {
    members = new Map();
  };
  bus.listen(({ changes }) => {
    if (changes.some(({ change }) => change.op === 'reset' || OF_KEYS.has(change.kind))) forget();
  });
  bus.onNewHistory(forget);
  return { now: () => members };
}

/** What tells who asks. */
export interface Doorkeeper {
  db: Db;
  now: () => Date;
  knownMembers: KnownMembers;
}

/**
 * The caller by the one credential that counts: the access key in the body, else the admin's token, else the key in a
 * header. If that one is refused, no other is tried.
 * @throws DomainError session.expired, session.invalidKey, session.keyRevoked or session.banned
 */
export async function authenticate(ctx: Doorkeeper, { body_key, token, key }: Credentials): Promise<Admin | KeyHolder | Visitor> {
  if (body_key === null && token !== null) return adminOfToken(ctx.db, token, ctx.now());
  const access_key = body_key ?? key;
  return access_key === null ? { role: 'visitor' } : { ...(await memberWhoAsks(ctx, access_key)), access_key };
}

/** The principal as the transaction finds it: a key that was revoked a moment ago opens nothing. */
export const actorOf = async (tx: Tx, by: Principal): Promise<Admin | Member> =>
  by.role === 'admin' ? by : memberOfKey(tx, by.access_key);

/**
 * As `memberOfKey`, for who asks: what is written asks again, in its transaction.
 * @throws DomainError session.invalidKey, session.keyRevoked or session.banned
 */
export async function memberWhoAsks({ db, knownMembers }: Pick<Doorkeeper, 'db' | 'knownMembers'>, key: string): Promise<Member> {
  // Whom it finds is remembered of this moment, whatever is written meanwhile.
  const members = knownMembers.now();
  const name = nameOf(key);
  const known = members.get(name);
  if (known) return known;
  const member = await memberOfKey(db, key);
  members.set(name, member);
  return member;
}

/** Whether it is remembered that this is a member; false says nothing. */
export const isKnownMember = ({ knownMembers }: Pick<Doorkeeper, 'knownMembers'>, { token, key }: Omit<Credentials, 'body_key'>): boolean =>
  token === null && key !== null && knownMembers.now().has(nameOf(key));

/** Or one key would be remembered in as many ways as it can be typed. */
const nameOf = (key: string): string => hashToken(storedForm(key));
