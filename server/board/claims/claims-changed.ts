import { respawnsOf } from '../../../shared/rules/claim-parts.ts';
import type { Claim, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { type Actor, type Entry, logActivities } from '../../auth/activity-log.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import { moveEventCounts, putEvent } from '../records/events.ts';
import { moveRespawnCounts, putRespawns } from '../records/respawns.ts';

/** How many claims some respawns and events have: a split one counts once on each of its spots, and once in its event. */
export interface Tally {
  respawns: ReadonlyMap<number, number>;
  events: ReadonlyMap<number, number>;
}

/** The respawns and events whose counts were moved, as they are now. */
export interface Moved {
  respawns: readonly Respawn[];
  events: readonly Event[];
}

/** A tally of claims that come or go a few at a time. */
export interface GrowingTally extends Tally {
  /** @param event_id of a claim, null for none; on which respawns it stands, each once */
  add: (event_id: number | null, respawns: Iterable<number>) => void;
}

export function growingTally(): GrowingTally {
  const [respawns, events] = [new Map<number, number>(), new Map<number, number>()];
  const count = (of: Map<number, number>, id: number): void => void of.set(id, (of.get(id) ?? 0) + 1);
  return {
    respawns,
    events,
    add: (event_id, itsRespawns) => {
      for (const id of itsRespawns) count(respawns, id);
      if (event_id !== null) count(events, event_id);
    },
  };
}

export function tallyOf(claims: readonly Claim[]): Tally {
  const tally = growingTally();
  for (const claim of claims) tally.add(claim.event_id, respawnsOf(claim));
  return tally;
}

/** Keeps the counts of what claims came to, once their rows are there. */
export const claimsCame = (tx: Tx, tally: Tally): Promise<Moved> => move(tx, tally, 1);

/** Keeps the counts of what claims went from, once their rows are gone. */
export const claimsWent = (tx: Tx, tally: Tally): Promise<Moved> => move(tx, tally, -1);

async function move(tx: Tx, { respawns, events }: Tally, sign: 1 | -1): Promise<Moved> {
  const signed = (of: ReadonlyMap<number, number>): Map<number, number> => new Map([...of].map(([id, n]) => [id, sign * n]));
  return { respawns: await moveRespawnCounts(tx, signed(respawns)), events: await moveEventCounts(tx, signed(events)) };
}

/** Shows the counts that were moved. */
export function putMoved(changes: ChangeRecorder, { respawns, events }: Moved): void {
  putRespawns(changes, respawns);
  for (const event of events) putEvent(changes, event);
}

/** What the entry of a claim tells of it. */
type Told = Entry<'claim_created'>['details'];
type OfClaim = 'claim_created' | 'claim_updated' | 'claim_deleted' | 'claim_released' | 'claim_confirmed' | 'claim_no_show';

/**
 * The activity entry that each claim which came, changed or went owes.
 * @param deedOf what an entry of this action tells, of what it tells of a claim
 */
export async function recordClaims<A extends OfClaim>(
  _ctx: Pick<Writing, 'now'>,
  _tx: Tx,
  changes: ChangeRecorder,
  actor: Actor,
  action: A,
  claims: readonly Claim[],
  rows: readonly ClaimRow[],
  deedOf: (told: Told) => Entry<A>,
): Promise<void> {
  const rowsOf = Map.groupBy(rows, (row) => row.id);
  const deeds = claims.map((claim) => {
    const places = (rowsOf.get(claim.id) ?? []).map(({ respawn_id, respawn_name, hour_start, hour_end }) => {
      return { respawn_id, respawn_name, hour_start, hour_end };
    });
    const { id, character_name, member_type, date, event_id, is_secondary_claim, is_split_claim } = claim;
    return deedOf({ claim_id: id, character_name, member_type, date, event_id, is_secondary_claim, is_split_claim, places });
  });
  await logActivities(changes, actor, action, deeds);
}
