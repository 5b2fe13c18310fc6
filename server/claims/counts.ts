import { respawnsOf } from '../../shared/rules/claim-parts.ts';
import type { Claim } from '../../shared/schemas/claim.ts';
import type { Event } from '../../shared/schemas/event.ts';
import type { Respawn } from '../../shared/schemas/respawn.ts';
import type { Tx } from '../db/open.ts';
import { moveEventCounts, putEvent } from '../events/changes.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { moveRespawnCounts, putRespawns } from '../respawns/changes.ts';
import { type ClaimScope, idsIn } from './queries.ts';

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

export function tallyOf(claims: readonly Claim[]): Tally {
  const [respawns, events] = [new Map<number, number>(), new Map<number, number>()];
  const count = (of: Map<number, number>, id: number): void => void of.set(id, (of.get(id) ?? 0) + 1);
  for (const claim of claims) {
    for (const id of respawnsOf(claim)) count(respawns, id);
    if (claim.event_id !== null) count(events, claim.event_id);
  }
  return { respawns, events };
}

/** The same of stored claims, however many they are. */
export async function tallyIn(tx: Tx, scope: ClaimScope): Promise<Tally> {
  const ids = idsIn(tx, scope);
  const respawns = await tx
    .selectFrom('claim_parts')
    .select(({ fn }) => ['respawn_id', fn.count<number>('claim_id').distinct().as('n')])
    .where('claim_id', 'in', ids)
    .groupBy('respawn_id')
    .execute();
  const events = await tx
    .selectFrom('claims')
    .select(({ fn }) => ['event_id', fn.countAll<number>().as('n')])
    .where('id', 'in', ids)
    .where('event_id', 'is not', null)
    .groupBy('event_id')
    .execute();
  return {
    respawns: new Map(respawns.map(({ respawn_id, n }) => [respawn_id, n])),
    events: new Map(events.flatMap(({ event_id, n }) => (event_id === null ? [] : [[event_id, n] as const]))),
  };
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
