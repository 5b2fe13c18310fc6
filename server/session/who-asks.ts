import { DomainError } from '../../shared/errors.ts';
import type { Db } from '../db/open.ts';
import type { ChangeBus } from '../live/bus.ts';
import type { Caller } from './callers.ts';
import { hashToken } from './hash-token.ts';
import { adminOfToken, memberOfKey, storedForm } from './queries.ts';

/** What somebody shows: an admin's token counts before a member's key. */
export interface Credentials {
  token: string | null;
  key: string | null;
}

/** Members by the hashes of their keys, as they were at one clock of one history. */
export interface KnownMembers {
  epoch: string;
  clock: number;
  members: Map<string, Caller>;
}

export const createKnownMembers = (): KnownMembers => ({ epoch: '', clock: 0, members: new Map() });

/** What tells who asks. */
export interface Doorkeeper {
  db: Db;
  now: () => Date;
  bus: Pick<ChangeBus, 'epoch' | 'clock'>;
  knownMembers: KnownMembers;
}

type Kept = Pick<Doorkeeper, 'bus' | 'knownMembers'>;

/** Who a credential stands for; a refused one makes a visitor who knows why. */
export async function whoAsks(ctx: Doorkeeper, { token, key }: Credentials): Promise<Caller> {
  if (token === null && key !== null) return memberOrVisitor(ctx, key);
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
 * Members are remembered until the clock moves: whatever ends a key moves it. So the refresh of an unchanged
 * board, many a second in a large guild, asks the database nothing.
 */
async function memberOrVisitor({ db, ...kept }: Doorkeeper, key: string): Promise<Caller> {
  // Whom it finds is remembered of this moment, whatever is written meanwhile.
  const members = membersNow(kept);
  const name = nameOf(key);
  const known = members.get(name);
  if (known) return known;
  const caller = await orRefused(() => memberOfKey(db, key));
  if (caller.role === 'member') members.set(name, caller);
  return caller;
}

/** Whether it is remembered that this is a member; false says nothing. */
export const isKnownMember = (kept: Kept, { token, key }: Credentials): boolean =>
  token === null && key !== null && membersNow(kept).has(nameOf(key));

/** Or one key would be remembered in as many ways as it can be typed. */
const nameOf = (key: string): string => hashToken(storedForm(key));

function membersNow({ bus, knownMembers }: Kept): Map<string, Caller> {
  const { epoch } = bus;
  const clock = bus.clock();
  if (knownMembers.clock !== clock || knownMembers.epoch !== epoch) Object.assign(knownMembers, { epoch, clock, members: new Map() });
  return knownMembers.members;
}
