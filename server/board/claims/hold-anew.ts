import { assertHoursAreFree, timeConflict } from '../../../shared/rules/conflicts.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../shared/rules/server-save.ts';
import type { PlannedClaim } from '../../../shared/rules/submission.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { Tx } from '../../db/open.ts';
import { takenRanges } from './facts.ts';
import { heldInTheWay } from './held.ts';
import { occupyHours } from './occupancy.ts';

/**
 * Lets a claim hold other hours, or another spot's, in place of its own: these are given up first, in the same transaction, and
 * do not stand in its way. Its days stay as they are: of two claims of one character on a date, from when its name had two
 * spellings, only one holds the day.
 * @param claim as it is to be; not a split one
 * @throws DomainError claim.timeConflict for hours that somebody holds, hold.taken for those held for somebody in line
 */
export async function holdAnew(tx: Tx, claim: Claim): Promise<void> {
  await tx.deleteFrom('occupied_hours').where('claim_id', '=', claim.id).execute();
  const dates = await datesOf(tx, claim);
  const { respawn_id, hour_start, hour_end } = claim;
  const part = { part_number: 1, respawn_id, hour_start, hour_end };
  const moved: PlannedClaim = { ...claim, dates, parts: [part], asked_start: hour_start };
  const taken = await takenRanges(tx, moved);
  const isHeld = taken.length > 0 && (await heldInTheWay(tx, moved));
  if (isHeld) throw isHeld;
  assertHoursAreFree(moved, taken);
  const collision = await occupyHours(tx, [{ claim_id: claim.id, parts: [part], dates }]);
  if (collision) throw timeConflict(claim, part, collision.date);
}

async function datesOf(tx: Tx, { date, event_id }: Claim): Promise<string[]> {
  if (date !== null) return [date];
  const event = await tx.selectFrom('events').select(['start_time', 'end_time']).where('id', '=', event_id).executeTakeFirstOrThrow();
  return datesBetween(eventDate(event.start_time), eventDate(event.end_time));
}
