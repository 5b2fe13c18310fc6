import { DomainError } from '../../../shared/errors.ts';
import { assertTimesValid } from '../../../shared/rules/edit-times.ts';
import { type HourRange, without } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Claim, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Admin } from '../../auth/callers.ts';
import { write } from '../../db/unit-of-work.ts';
import { deadlineChanges } from '../../jobs/deadlines/deadline-changes.ts';
import type { Writing } from '../../jobs/writing.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';
import { recordClaims } from './changes.ts';
import { endedNow, type GivenUp, keepGivenUp } from './endings.ts';
import { followPrimary } from './follow-primary.ts';
import { readGuildNow } from './guild-now.ts';
import { holdAnew } from './hold-anew.ts';
import { stillToConfirm } from './judge.ts';
import { tellUpdated } from './news.ts';
import { claimRows, loadDatedClaims } from './queries.ts';
import { showClaims } from './show.ts';

/**
 * Moves a claim to other hours of its dates; its spot and dates stay (R4.13). A secondary claim that was submitted with it
 * follows its length (R5.7).
 * @returns its row as the board shows it
 * @throws DomainError claim.notFound, times.* for impossible hours, claim.timeConflict for hours that
 * somebody holds, hold.taken for those held for somebody in line; hold.notEdited for a hold
 */
export function editClaimTimes(ctx: Writing, admin: Admin, id: number, times: HourRange): Promise<ClaimRow> {
  return write(ctx, async (tx, changes) => {
    const [found] = await loadDatedClaims(tx, { of: 'ids', ids: [id] });
    if (!found) throw new DomainError('claim.notFound');
    const { claim: before, last_date } = found;
    if (before.is_held) throw new DomainError('hold.notEdited');
    if (before.is_split_claim) throw new DomainError('times.splitClaim');
    assertTimesValid(times);
    const duration = times.hour_end - times.hour_start;
    const to_confirm = stillToConfirm(ctx, before, times);
    await tx
      .updateTable('claim_parts')
      .set({ ...times, to_confirm: to_confirm.length > 0 ? 1 : 0 })
      .where('claim_id', '=', id)
      .execute();
    const custom_duration = duration === before.voucher_duration ? null : duration;
    await tx.updateTable('claims').set({ custom_duration }).where('id', '=', id).execute();
    const ended = endedNow(ctx, 'edited', admin);
    await keepGivenUp(tx, givenUp(before, times, last_date), ended);
    if (!before.is_secondary_claim) await holdAnew(tx, { ...before, ...times });
    changes.collect(affectedWaitlists).hours(before.respawn_id, before.date);
    // Of whose budget some may be left by that.
    changes.collect(affectedWaitlists).character(nameKey(before.character_name));
    const after: Claim = { ...before, ...times, custom_duration, to_confirm };
    const followed = await followPrimary(tx, before, times, ended);
    const guild = await readGuildNow(ctx, tx);
    if (to_confirm.length > 0) changes.collect(deadlineChanges).moved = true;
    showClaims(changes, [{ ...found, claim: after }, ...followed], guild);
    const updated = followed.map(({ claim, ended: hour_end }) => ({ before: { ...claim, hour_end }, claim }));
    await tellUpdated(tx, changes, [{ before, claim: after }, ...updated], admin.username);
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

/** The hours that a whole claim has no longer once it has others. */
function givenUp({ id: claim_id, respawn_id, ...before }: Claim, times: HourRange, last_date: string): GivenUp[] {
  return without(before, times).map((hours) => ({ ...hours, claim_id, respawn_id, part_number: 1, last_date }));
}
