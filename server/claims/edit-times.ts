import { DomainError } from '../../shared/errors.ts';
import { isOnBoard } from '../../shared/rules/board.ts';
import { assertHoursAreFree, timeConflict } from '../../shared/rules/conflicts.ts';
import { assertTimesValid } from '../../shared/rules/edit-times.ts';
import { eventDate } from '../../shared/rules/event-period.ts';
import type { HourRange } from '../../shared/rules/hours.ts';
import { datesBetween } from '../../shared/rules/server-save.ts';
import type { PlannedClaim } from '../../shared/rules/submission.ts';
import type { Claim, ClaimRow } from '../../shared/schemas/claim.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { write } from '../db/write.ts';
import type { Admin } from '../session/callers.ts';
import { recordClaims } from './changes.ts';
import { takenRanges } from './facts.ts';
import { followPrimary } from './follow-primary.ts';
import { readGuildNow } from './guild-now.ts';
import { occupyHours } from './occupancy.ts';
import { claimRows, loadDatedClaims } from './queries.ts';

/**
 * Moves a claim to other hours of its dates; its spot and dates stay (R4.13). A secondary claim that was submitted with it
 * follows its length (R5.7).
 * @returns its row as the board shows it
 * @throws DomainError claim.notFound, times.* for impossible hours, claim.timeConflict for hours that somebody holds
 */
export function editClaimTimes(ctx: Writing, admin: Admin, id: number, times: HourRange): Promise<ClaimRow> {
  return write(ctx, async (tx, changes) => {
    const [found] = await loadDatedClaims(tx, { of: 'ids', ids: [id] });
    if (!found) throw new DomainError('claim.notFound');
    const { claim: before, last_date } = found;
    if (before.is_split_claim) throw new DomainError('times.splitClaim');
    assertTimesValid(times);
    const duration = times.hour_end - times.hour_start;
    await tx.updateTable('claim_parts').set(times).where('claim_id', '=', id).execute();
    const custom_duration = duration === before.voucher_duration ? null : duration;
    await tx.updateTable('claims').set({ custom_duration }).where('id', '=', id).execute();
    if (!before.is_secondary_claim) await moveOccupancy(tx, before, times);
    const after: Claim = { ...before, ...times, custom_duration };
    const followed = await followPrimary(tx, before, times);
    const guild = await readGuildNow(ctx, tx);
    for (const { claim, last_date: last } of [{ claim: after, last_date }, ...followed])
      if (isOnBoard(claim, last, guild)) changes.put({ kind: 'claim', record: claim });
    const rows = await claimRows(tx, [after]);
    const { hour_start, hour_end } = before;
    // A claim is submitted with one secondary claim at most.
    const [secondary] = followed.map(({ claim, ended }) => ({ secondary_hour_end: { from: ended, to: claim.hour_end } }));
    const changed = {
      hour_start: { from: hour_start, to: times.hour_start },
      hour_end: { from: hour_end, to: times.hour_end },
      ...secondary,
    };
    await recordClaims(ctx, tx, changes, admin, 'claim_updated', [after], rows, (claim) => ({ details: { ...claim, changed } }));
    const [row] = rows;
    if (!row) throw new DomainError('claim.notFound');
    return row;
  });
}

/**
 * Its own hours do not stand in its way: they are given up first, in the same transaction. Its days stay as they are:
 * of two claims of one character on a date, from when its name had two spellings, only one holds the day.
 */
async function moveOccupancy(tx: Tx, claim: Claim, times: HourRange): Promise<void> {
  await tx.deleteFrom('occupied_hours').where('claim_id', '=', claim.id).execute();
  const dates = await datesOf(tx, claim);
  const part = { part_number: 1, respawn_id: claim.respawn_id, ...times };
  const moved: PlannedClaim = { ...claim, dates, parts: [part], asked_start: times.hour_start };
  assertHoursAreFree(moved, await takenRanges(tx, moved));
  const collision = await occupyHours(tx, [{ claim_id: claim.id, parts: [part], dates }]);
  if (collision) throw timeConflict(claim, part, collision.date);
}

async function datesOf(tx: Tx, { date, event_id }: Claim): Promise<string[]> {
  if (date !== null) return [date];
  const event = await tx.selectFrom('events').select(['start_time', 'end_time']).where('id', '=', event_id).executeTakeFirstOrThrow();
  return datesBetween(eventDate(event.start_time), eventDate(event.end_time));
}
