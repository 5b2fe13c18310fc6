import { DomainError, existing } from '../../../shared/errors.ts';
import { assertDateInTime, assertHoursExist } from '../../../shared/rules/claim-time.ts';
import { assertHoursAreFree, timeConflict } from '../../../shared/rules/conflicts.ts';
import { assertTimesValid } from '../../../shared/rules/edit-times.ts';
import { eventDate, isWithinEvent } from '../../../shared/rules/event-period.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { secondaryFollows } from '../../../shared/rules/secondary.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { PlannedClaim } from '../../../shared/rules/submission.ts';
import type { Claim, ClaimEdit, ClaimRow } from '../../../shared/schemas/claim.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Tx } from '../../db/database.ts';
import { type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { assertAsSeen } from '../as-seen.ts';
import { findEvent } from '../records/guild.ts';
import { findRespawn } from '../records/respawns.ts';
import { assertHasNoHold, datesOf, holdRefusal, takenRanges } from './claim-facts.ts';
import { type ClaimChange, type DatedClaim, loadDatedClaims } from './claim-records.ts';
import { answeredRows, beginClaimWrite, type ClaimWrite, claimsChanged } from './claims-changed.ts';
import { keepEdit } from './edit-undo.ts';
import { assertIsFree, chosenHolder, holdingFor, holdingOf, storeHolding } from './holders.ts';
import { freeClaim, occupy } from './occupancy.ts';
import { stillToConfirm } from './store-claims.ts';

interface Edit extends Omit<ClaimEdit, keyof HourRange> {
  id: number;
  times?: HourRange;
}

/**
 * Moves a claim to other hours (R4.13), another spot or date, and to another character (R11.6), in one write. A secondary claim submitted
 * with it stays on its spot, and follows to the date, in its length (R5.7), and to the character.
 * @returns its row as the board shows it
 * @throws DomainError claim.notFound, hold.notEdited, times.*, claim.splitNotMoved, claim.changedMeanwhile, claim.sameSpot,
 * respawn.notFound, respawn.disabled, secondary.*, claim.dateNotMoved, claim.dateOutsideEvent, claim.beyondHorizon,
 * claim.hourSkipped, claim.characterHasClaim, claim.timeConflict, hold.*, transfer.secondary, transfer.self, character.banned
 */
export function editClaim(
  ctx: Writing,
  admin: Admin,
  { id, times, seen, ...to }: Edit,
): Promise<ClaimRow> {
  return write(ctx, async (base) => {
    const { tx } = base;
    const before = await editableClaim(tx, id);
    const { claim } = before;
    if (claim.is_split_claim)
      throw new DomainError(times ? 'times.splitClaim' : 'claim.splitNotMoved');
    assertAsSeen(claim, seen, 'claim.changedMeanwhile');
    const { respawn_id = claim.respawn_id, date = claim.date } = to;
    const isElsewhere = respawn_id !== claim.respawn_id;
    const isOtherDate = date !== null && date !== claim.date;
    const unit = await beginClaimWrite(base, admin);
    const holder = await holderOf(unit, admin, { claim, ...to });
    if (!times && !isElsewhere && !isOtherDate) throw new DomainError('claim.sameSpot');
    if (times) assertTimesValid(times);
    if (times) assertHoursExist(times, date, { clock: serverSaveClock(ctx) });
    const resized = times ? await resize(unit, before, { ...times, date }) : before;
    if (isElsewhere) await assertMayMoveTo(tx, id, respawn_id);
    const { character_name } = holder?.character ?? claim;
    if (isOtherDate) await assertMayMoveToDate(unit, { ...resized.claim, character_name }, date);
    await tx.updateTable('claim_parts').set({ respawn_id }).where('claim_id', '=', id).execute();
    const moved = { ...resized, claim: { ...resized.claim, respawn_id } };
    const placed = isOtherDate ? await redate(unit, moved, date) : moved;
    const redated = isOtherDate ? await moveSecondaries(unit, id, date) : [];
    const followers = times ? await followPrimary(unit, claim, times) : [];
    const given = holder ? await give(unit, placed, holder) : [];
    const changes = eachOnce([{ before, after: placed }, ...redated, ...followers, ...given]);
    const [edited] = changes;
    if (edited?.after && !claim.is_secondary_claim) await occupyInstead(tx, edited.after.claim);
    await claimsChanged(unit, changes, {
      cause: holder?.type ? 'reassigned' : 'edited',
      undo: await keepEdit(unit, changes),
    });
    const [row] = await answeredRows(unit, edited?.after ? [edited.after.claim] : []);
    return existing(row, 'claim.notFound');
  });
}

type Holder = Awaited<ReturnType<typeof chosenHolder>>;

/** null: the claim stays its character's. */
async function holderOf(
  { tx }: Unit,
  admin: Admin,
  { claim, ...to }: Pick<Edit, 'character_name' | 'member_type'> & { claim: Claim },
): Promise<Holder | null> {
  const { character_name = claim.character_name, member_type = '' } = to;
  const isSameType = member_type === '' || member_type === claim.member_type;
  if (character_name === claim.character_name && isSameType) return null;
  const secondaries = await secondariesOf(tx, claim.id);
  return chosenHolder(tx, admin, { claim, secondaries, character_name, member_type });
}

/** Gives a claim that has its new place to a character, with its secondary claims. */
async function give(
  unit: ClaimWrite,
  placed: DatedClaim,
  { character, type }: Holder,
): Promise<ClaimChange[]> {
  const { tx } = unit;
  const { character_name } = character;
  const { claim } = placed;
  if (type) await assertIsFree(tx, { claim, dates: await datesOf(tx, claim) }, { character_name });
  const given: ClaimChange[] = [];
  for (const before of [placed, ...(await secondariesOf(tx, claim.id))]) {
    const holding = type ? holdingFor(unit, before.claim, type) : holdingOf(before.claim);
    const after = await storeHolding(tx, before, { ...holding, to: character });
    given.push({ before, after, ...(before !== placed && { follows: true as const }) });
  }
  return given;
}

/** Stores a claim's new hours, also if they are its own. @param to the hours, and the date that they will be on */
async function resize(
  { ctx, tx }: Unit,
  { claim, ...dates }: DatedClaim,
  { date, ...times }: HourRange & { date: string | null },
): Promise<DatedClaim> {
  const duration = times.hour_end - times.hour_start;
  const custom_duration = duration === claim.voucher_duration ? null : duration;
  const to_confirm = stillToConfirm(ctx, { ...claim, date }, times);
  const part = { ...times, to_confirm: to_confirm.length > 0 ? (1 as const) : (0 as const) };
  await tx.updateTable('claim_parts').set(part).where('claim_id', '=', claim.id).execute();
  await tx.updateTable('claims').set({ custom_duration }).where('id', '=', claim.id).execute();
  return { ...dates, claim: { ...claim, ...times, custom_duration, to_confirm } };
}

/** A claim that changes twice in one write is reported once. */
function eachOnce(changes: readonly ClaimChange[]): ClaimChange[] {
  const byId = new Map<number | undefined, ClaimChange>();
  for (const change of changes) {
    const id = change.after?.claim.id;
    byId.set(id, { ...change, before: byId.get(id)?.before ?? change.before });
  }
  return [...byId.values()];
}

/**
 * Admins may also move to past dates. A secondary claim has its primary claim's date.
 * @throws DomainError claim.dateNotMoved, claim.dateOutsideEvent, claim.beyondHorizon, claim.hourSkipped, hold.isYours
 */
async function assertMayMoveToDate({ ctx, tx }: Unit, claim: Claim, date: string): Promise<void> {
  if (claim.date === null || claim.is_secondary_claim) throw new DomainError('claim.dateNotMoved');
  const event = claim.event_id === null ? null : await findEvent(tx, claim.event_id);
  if (event && !isWithinEvent(date, event))
    throw new DomainError('claim.dateOutsideEvent', {
      date,
      start: eventDate(event.start_time),
      end: eventDate(event.end_time),
    });
  const { date: today, hour } = serverSaveNow(ctx);
  const clock = serverSaveClock(ctx);
  assertDateInTime(date, event !== null, {
    today,
    hour,
    horizon_days: ctx.env.HORIZON_DAYS,
    may_enter_past: true,
  });
  assertHoursExist(claim, date, { clock });
  await assertHasNoHold(tx, claim.character_name, [date]);
}

/** Stores a claim's new date. It has to be confirmed as if it had been made for that date. */
async function redate({ ctx, tx }: Unit, before: DatedClaim, date: string): Promise<DatedClaim> {
  const claim = { ...before.claim, date };
  const to_confirm = stillToConfirm(ctx, claim, claim);
  const part = { last_date: date, to_confirm: to_confirm.length > 0 ? (1 as const) : (0 as const) };
  await tx.updateTable('claims').set({ date }).where('id', '=', claim.id).execute();
  await tx.updateTable('claim_parts').set(part).where('claim_id', '=', claim.id).execute();
  return { ...before, claim: { ...claim, to_confirm }, first_date: date, last_date: date };
}

async function moveSecondaries(
  unit: Unit,
  primary_id: number,
  date: string,
): Promise<ClaimChange[]> {
  const moved: ClaimChange[] = [];
  for (const before of await secondariesOf(unit.tx, primary_id))
    moved.push({ before, after: await redate(unit, before, date), follows: true });
  return moved;
}

async function secondariesOf(tx: Tx, primary_id: number): Promise<DatedClaim[]> {
  const found = await tx
    .selectFrom('claims')
    .select('id')
    .where('primary_claim_id', '=', primary_id)
    .execute();
  return found.length === 0
    ? []
    : loadDatedClaims(tx, { type: 'ids', ids: found.map(({ id }) => id) });
}

async function editableClaim(tx: Tx, id: number): Promise<DatedClaim> {
  const [stored] = await loadDatedClaims(tx, { type: 'ids', ids: [id] });
  const found = existing(stored, 'claim.notFound');
  if (found.claim.is_held) throw new DomainError('hold.notEdited');
  return found;
}

/** @throws DomainError respawn.notFound, respawn.disabled; secondary.samePrimary if the claim's primary or secondary claim is there */
async function assertMayMoveTo(tx: Tx, claim_id: number, respawn_id: number): Promise<void> {
  const respawn = existing(await findRespawn(tx, respawn_id), 'respawn.notFound');
  if (!respawn.is_enabled)
    throw new DomainError('respawn.disabled', { respawn_name: respawn.name });
  const primary = tx.selectFrom('claims').select('primary_claim_id').where('id', '=', claim_id);
  const secondaries = tx.selectFrom('claims').select('id').where('primary_claim_id', '=', claim_id);
  for (const ids of [primary, secondaries]) {
    const there = await tx
      .selectFrom('claim_parts')
      .select('respawn_id')
      .where('claim_id', 'in', ids)
      .execute();
    if (there.some((part) => part.respawn_id === respawn_id))
      throw new DomainError('secondary.samePrimary');
  }
}

/**
 * Occupies a whole claim's new hours, spot or date instead of the old ones, which are freed first and so are not in the way.
 * @throws DomainError claim.timeConflict, claim.characterHasClaim, hold.taken
 */
async function occupyInstead(tx: Tx, claim: Claim): Promise<void> {
  await freeClaim(tx, claim.id);
  const dates = await datesOf(tx, claim);
  const { respawn_id, hour_start, hour_end } = claim;
  const part = { part_number: 1, respawn_id, hour_start, hour_end };
  const moved: PlannedClaim = { ...claim, dates, parts: [part], requested_start: hour_start };
  const taken = await takenRanges(tx, moved);
  const refusal = taken.length > 0 && (await holdRefusal(tx, moved));
  if (refusal) throw refusal;
  assertHoursAreFree(moved, taken);
  const occupation = {
    claim_id: claim.id,
    character_key: nameKey(claim.character_name),
    parts: [part],
    dates,
  };
  const collision = await occupy(tx, [occupation]);
  if (collision?.type === 'day')
    throw new DomainError('claim.characterHasClaim', {
      date: collision.date,
      character_name: claim.character_name,
    });
  if (collision) throw timeConflict(claim, part, collision.date);
}

/** How many hours of a claim's date have started; of a whole event's none until it has ended. */
function hoursBegun({ claim, last_date }: DatedClaim, now: { date: string; hour: number }): number {
  if (last_date < now.date) return HOURS_IN_DAY;
  return claim.date === now.date ? now.hour + 1 : 0;
}

/** Gives the secondary claims that were submitted with a claim the length of its new hours (R5.7). They occupy nothing. */
export async function followPrimary(
  { ctx, tx }: Unit,
  primary: HourRange & { id: number },
  times: HourRange,
): Promise<ClaimChange[]> {
  const followers: ClaimChange[] = [];
  for (const before of await secondariesOf(tx, primary.id)) {
    const { claim } = before;
    const begun = hoursBegun(before, serverSaveNow(ctx));
    const { hour_end } = secondaryFollows(claim, { before: primary, after: times }, begun);
    if (hour_end === claim.hour_end) continue;
    await tx
      .updateTable('claim_parts')
      .set({ hour_end })
      .where('claim_id', '=', claim.id)
      .execute();
    // It gets its primary's length again, even if an admin had set another.
    await tx
      .updateTable('claims')
      .set({ custom_duration: null })
      .where('id', '=', claim.id)
      .execute();
    followers.push({
      before,
      after: { ...before, claim: { ...claim, hour_end, custom_duration: null } },
      follows: true,
    });
  }
  return followers;
}
