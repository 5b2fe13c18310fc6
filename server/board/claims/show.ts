import { isOnBoard, occupiesBoard } from '../../../shared/rules/board.ts';
import { claimOnRespawns } from '../../../shared/rules/claim-parts.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import type { Occupancy } from '../../../shared/schemas/occupancy.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import type { GuildNow } from './guild-now.ts';
import { type DatedClaim, loadDatedClaimsInTurns } from './queries.ts';

/*
 * What watchers see of a claim: the board lists it, or, if it is not of the active event, shows only the hours that it occupies on that
 * event's dates. Whoever changes or deletes claims shows it by these two.
 */

type Showing = Pick<ChangeRecorder, 'put' | 'remove'>;

/** Shows claims as they are now. */
export function showClaims(changes: Showing, claims: Iterable<DatedClaim>, guild: GuildNow): void {
  for (const dated of claims) {
    if (isOnBoard(dated.claim, dated.last_date, guild)) changes.put({ kind: 'claim', record: dated.claim });
    else if (occupiesBoard(dated.claim, dated, guild.active_event)) changes.put({ kind: 'occupancy', record: occupancyOf(dated) });
  }
}

/** Takes claims off the board that are deleted. */
export function hideClaims(changes: Showing, claims: Iterable<DatedClaim>, guild: GuildNow): void {
  for (const dated of claims) {
    if (isOnBoard(dated.claim, dated.last_date, guild)) changes.remove('claim', dated.claim.id);
    else if (occupiesBoard(dated.claim, dated, guild.active_event)) changes.remove('occupancy', dated.claim.id);
  }
}

function occupancyOf({ claim, first_date, last_date, event_name }: DatedClaim): Occupancy {
  const parts = claimOnRespawns(claim).map(({ respawn_id, hour_start, hour_end }) => ({ respawn_id, hour_start, hour_end }));
  return { id: claim.id, character_name: claim.character_name, event_name, first_date, last_date, parts };
}

/** All that there are, by the ids of their claims: as many as the claims on the active event's dates at most. */
export async function allOccupancies(tx: Tx, { active_event: event }: Pick<GuildNow, 'active_event'>): Promise<Occupancy[]> {
  if (!event) return [];
  const [from, to] = [eventDate(event.start_time), eventDate(event.end_time)];
  const claims = await loadDatedClaimsInTurns(tx, { of: 'dates-elsewhere', event_id: event.id, from, to });
  return claims.filter((dated) => occupiesBoard(dated.claim, dated, event)).map(occupancyOf);
}
