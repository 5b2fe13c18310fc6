import { DomainError } from '../../shared/errors.ts';
import type { Kind } from '../../shared/kinds.ts';
import type { Db } from '../db/open.ts';
import type { ChangeBus } from '../live/bus.ts';
import type { Caller, Member } from './callers.ts';
import { hashToken } from './hash-token.ts';
import { adminOfToken, memberOfKey, storedForm } from './queries.ts';

/** What somebody shows: an admin's token counts before a member's key. */
export interface Credentials {
  token: string | null;
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

/** Who a credential stands for; a refused one makes a visitor who knows why. */
export async function whoAsks(ctx: Doorkeeper, { token, key }: Credentials): Promise<Caller> {
  if (token === null && key !== null) return orRefused(() => memberWhoAsks(ctx, key));
  return orRefused(async () => (token === null ? { role: 'visitor' } : adminOfToken(ctx.db, token, ctx.now())));
}

async function orRefused(look: () => Promise<Caller>): Promise<Caller> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof DomainError) return { role: 'visitor', refused: error };
    throw error;
  }
}

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
export const isKnownMember = ({ knownMembers }: Pick<Doorkeeper, 'knownMembers'>, { token, key }: Credentials): boolean =>
  token === null && key !== null && knownMembers.now().has(nameOf(key));

/** Or one key would be remembered in as many ways as it can be typed. */
const nameOf = (key: string): string => hashToken(storedForm(key));
