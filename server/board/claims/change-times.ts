import { DomainError } from '../../../shared/errors.ts';
import { assertHoursAreFree, timeConflict } from '../../../shared/rules/conflicts.ts';
import { assertTimesValid } from '../../../shared/rules/edit-times.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { type HourRange, without } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { secondaryFollows } from '../../../shared/rules/secondary.ts';
import { datesBetween, HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { PlannedClaim } from '../../../shared/rules/submission.ts';
import type { Claim, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import type { Admin } from '../../auth/callers.ts';
import type { Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import { deadlineChanges } from '../../jobs/deadlines.ts';
import type { Writing } from '../../jobs/writing.ts';
import { type Ended, endedNow, type GivenUp, keepGivenUp } from '../claim-history/record-endings.ts';
import { findRespawns } from '../records/respawns.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';
import { readGuildNow, showClaims } from './board-view.ts';
import { tellUpdated } from './claim-events.ts';
import { heldInTheWay, takenRanges } from './claim-facts.ts';
import { claimRows, type DatedClaim, loadDatedClaims } from './claim-records.ts';
import { claimsCame, claimsWent, putMoved, recordClaims, tallyOf } from './claims-changed.ts';
import { occupyHours } from './occupancy.ts';
import { stillToConfirm } from './store-claims.ts';

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

/**
 * Moves a claim to another spot; its dates and hours stay, and so does a secondary claim that was submitted with it.
 * @returns its row as the board shows it
 * @throws DomainError claim.notFound, claim.splitNotMoved, claim.sameSpot; respawn.notFound, respawn.disabled for where it is to go;
 * secondary.samePrimary for where the other one of the two is; claim.timeConflict for hours that somebody holds
 * there, hold.taken for those held for somebody in line; hold.notEdited for a hold
 */
export function moveClaim(ctx: Writing, admin: Admin, id: number, respawn_id: number): Promise<ClaimRow> {
  return write(ctx, async (tx, changes) => {
    const [found] = await loadDatedClaims(tx, { of: 'ids', ids: [id] });
    if (!found) throw new DomainError('claim.notFound');
    const { claim: before, last_date } = found;
    if (before.is_held) throw new DomainError('hold.notEdited');
    if (before.is_split_claim) throw new DomainError('claim.splitNotMoved');
    if (respawn_id === before.respawn_id) throw new DomainError('claim.sameSpot');
    const to = await spotFor(tx, id, respawn_id);
    const after: Claim = { ...before, respawn_id };
    const [from] = await claimRows(tx, [before]);
    const { hour_start, hour_end } = before;
    const given = { claim_id: id, respawn_id: before.respawn_id, part_number: 1, hour_start, hour_end, last_date };
    await keepGivenUp(tx, [given], endedNow(ctx, 'edited', admin));
    await tx.updateTable('claim_parts').set({ respawn_id }).where('claim_id', '=', id).execute();
    if (!before.is_secondary_claim) await holdAnew(tx, after);
    changes.collect(affectedWaitlists).hours(before.respawn_id, before.date);
    const went = await claimsWent(tx, tallyOf([before]));
    const came = await claimsCame(tx, tallyOf([after]));
    showClaims(changes, [{ ...found, claim: after }], await readGuildNow(ctx, tx));
    // What it went from and came to; in its event there are as many as before.
    putMoved(changes, { respawns: [...went.respawns, ...came.respawns], events: [] });
    await tellUpdated(tx, changes, [{ before, claim: after }], admin.username);
    const rows = await claimRows(tx, [after]);
    const changed = { respawn_name: { from: from?.respawn_name ?? '', to: to.name } };
    await recordClaims(ctx, tx, changes, admin, 'claim_updated', [after], rows, (claim) => ({ details: { ...claim, changed } }));
    const [row] = rows;
    if (!row) throw new DomainError('claim.notFound');
    return row;
  });
}

/** Where a claim is to go: neither gone nor disabled, nor where the claim is that it was submitted with. */
async function spotFor(tx: Tx, claim_id: number, respawn_id: number): Promise<Respawn> {
  const [respawn] = await findRespawns(tx, { ids: [respawn_id] });
  if (!respawn) throw new DomainError('respawn.notFound');
  if (!respawn.is_enabled) throw new DomainError('respawn.disabled', { respawn_name: respawn.name });
  const primary = tx.selectFrom('claims').select('primary_claim_id').where('id', '=', claim_id);
  const secondaries = tx.selectFrom('claims').select('id').where('primary_claim_id', '=', claim_id);
  for (const ids of [primary, secondaries]) {
    const there = await tx.selectFrom('claim_parts').select('respawn_id').where('claim_id', 'in', ids).execute();
    if (there.some((part) => part.respawn_id === respawn_id)) throw new DomainError('secondary.samePrimary');
  }
  return respawn;
}

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

/** A secondary claim that followed its primary. */
export interface Followed extends DatedClaim {
  /** When it ended before. */
  ended: number;
}

/** How many hours of a claim's date have begun; of a whole event's none until it is over. */
function hoursBegun(last_date: string, date: string | null, { ended_date, ended_hour }: Ended): number {
  if (last_date < ended_date) return HOURS_IN_DAY;
  return date === ended_date ? ended_hour + 1 : 0;
}

/**
 * Lets the secondary claims that were submitted with a claim follow its new hours (R5.7). They occupy nothing, so nobody
 * stands in their way.
 * @param ended when, and why they give up hours, where they are shorter now
 * @returns those that are others now
 */
export async function followPrimary(tx: Tx, primary: HourRange & { id: number }, times: HourRange, ended: Ended): Promise<Followed[]> {
  const found = await tx.selectFrom('claims').select('id').where('primary_claim_id', '=', primary.id).execute();
  if (found.length === 0) return [];
  const followed: Followed[] = [];
  for (const dated of await loadDatedClaims(tx, { of: 'ids', ids: found.map(({ id }) => id) })) {
    const { claim, last_date } = dated;
    const { hour_end } = secondaryFollows(claim, primary, times, hoursBegun(last_date, claim.date, ended));
    if (hour_end === claim.hour_end) continue;
    await tx.updateTable('claim_parts').set({ hour_end }).where('claim_id', '=', claim.id).execute();
    // Its length is its primary's again, whatever it was given before.
    await tx.updateTable('claims').set({ custom_duration: null }).where('id', '=', claim.id).execute();
    const { id: claim_id, respawn_id } = claim;
    if (hour_end < claim.hour_end) {
      const given = { claim_id, respawn_id, part_number: 1, last_date, hour_start: hour_end, hour_end: claim.hour_end };
      await keepGivenUp(tx, [given], ended);
    }
    followed.push({ ...dated, claim: { ...claim, hour_end, custom_duration: null }, ended: claim.hour_end });
  }
  return followed;
}
