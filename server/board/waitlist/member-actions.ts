import { DomainError, existing } from '../../../shared/errors.ts';
import { lengthOf } from '../../../shared/rules/budget.ts';
import { assertHoursInTime } from '../../../shared/rules/claim-time.ts';
import { assertNotPaused } from '../../../shared/rules/missed-claims.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import {
  assertMayWait,
  WAITS_A_DAY,
  type WaitFacts,
  wantedHours,
} from '../../../shared/rules/waits.ts';
import { DEFAULT_MEMBER_TYPE, type MemberType } from '../../../shared/schemas/member-type.ts';
import type { Wait, WaitInput } from '../../../shared/schemas/wait.ts';
import { type Actor, logActivities, logActivity } from '../../auth/activity-log.ts';
import { actorOf } from '../../auth/authenticate.ts';
import { serverSaveNow } from '../../db/clock/server-save-clock.ts';
import type { Reading, Tx } from '../../db/database.ts';
import { type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin, Caller, Member } from '../../http/caller.ts';
import { deadlineMoved } from '../../jobs/deadlines.ts';
import { assertHasNoHold, assertInBudget } from '../claims/claim-facts.ts';
import { loadDatedClaims } from '../claims/claim-records.ts';
import { beginClaimWrite, type ClaimWrite, claimsChanged } from '../claims/claims-changed.ts';
import { needsConfirmation } from '../claims/store-claims.ts';
import { endTransfersOfWaitlist } from '../end-transfers.ts';
import { freedHours } from '../freed-hours.ts';
import { pauseOf } from '../pauses.ts';
import { activePeriod, readConfig } from '../records/guild.ts';
import { authorizedCharacter, keyOfCharacter, memberTypeOrFallback } from '../records/members.ts';
import { assertTakesClaims, findRespawn } from '../records/respawns.ts';
import { closeEntries, describeEntries, endEntries, holdDetails } from './entries.ts';
import { offerFreedHours } from './offer-freed-hours.ts';
import {
  countEnded,
  findStoredEntry,
  findWait,
  openEntriesOf,
  type StoredEntry,
  storeEntry,
  updatePositions,
} from './waitlist-store.ts';

const DAY_MS = 86_400_000;

/**
 * Adds a character to a waitlist (R9.1 to R9.5). Hours that are free already are not offered: they can be claimed.
 * @returns the entry
 * @throws DomainError wait.*, hold.isYours, respawn.notFound, respawn.disabled; claim.* for a date or a member type that takes no claims
 */
export function joinWaitlist(ctx: Writing, by: Caller, input: WaitInput): Promise<Wait> {
  return write(ctx, async (unit) =>
    joinInWrite(unit, { actor: await actorOf(unit.tx, by), input }),
  );
}

interface Join {
  actor: Admin | Member;
  input: WaitInput;
  /** Whom the activity log names: the server acts for a weekly claim. By default the actor. */
  by?: Actor;
}

/** `joinWaitlist` in the caller's write. */
export async function joinInWrite(unit: Unit, { actor, input, by = actor }: Join): Promise<Wait> {
  const { ctx, tx, changes } = unit;
  const character = await authorizedCharacter(tx, by, nameOf(actor, input));
  const { character_name, character_key } = character;
  const type = await typeOf(tx, actor, { ...input, character_key });
  assertTypeMay(ctx, actor, type);
  await assertNotMissing(unit, actor);
  assertTakesClaims(await findRespawn(tx, input.respawn_id), input.respawn_id);
  const wanted = await judge(unit, {
    input,
    character_name,
    voucher: type.voucher_duration_hours,
  });
  const row = {
    ...wanted,
    member_type: type.member_type,
    status: 'waiting' as const,
    position: 0,
    is_by_admin: actor.role === 'admin' ? (1 as const) : (0 as const),
    created_at: ctx.now().toISOString(),
  };
  const id = await storeEntry(tx, character, row);
  const [details] = await describeEntries(
    tx,
    [{ ...row, character_name, id, held_claim_id: null, held_until: null }],
    [],
  );
  if (details)
    await logActivity(unit, by, {
      action: 'wait_created',
      details: { ...details.wait, min_hours: row.min_hours },
    });
  await endTransfersOfWaitlist({ ...unit, actor: by }, [row]);
  changes.collect(freedHours).at(row.respawn_id, row.date);
  deadlineMoved(unit);
  await offerFreedHours(unit);
  const wait = existing(await findWait(tx, id), 'wait.notFound');
  if (wait.position > 0) return wait;
  // Offers to its waitlist are backing off, and so is the numbering.
  const [numbered = wait] = await updatePositions(tx, [id]);
  changes.put({ kind: 'wait', record: numbered });
  return numbered;
}

function nameOf(actor: Admin | Member, { character_name }: WaitInput): string {
  if (actor.role === 'member') {
    if (character_name && nameKey(character_name) !== actor.character_key)
      throw new DomainError('wait.otherCharacter');
    return actor.character_name;
  }
  if (!character_name) throw new DomainError('character.nameRequired');
  return character_name;
}

async function typeOf(
  tx: Tx,
  actor: Admin | Member,
  { character_key, member_type }: Pick<WaitInput, 'member_type'> & { character_key: string },
): Promise<MemberType> {
  if (actor.role === 'member') return memberTypeOrFallback(tx, actor.member_type);
  // R9.11: an admin names the type only of a character without a key.
  const known = (await keyOfCharacter(tx, character_key))?.member_type ?? member_type;
  return memberTypeOrFallback(tx, known || DEFAULT_MEMBER_TYPE);
}

/**
 * R4.3, R4.4: a member whose type may not claim can't join or accept; an admin can do it for any character.
 * @throws DomainError claim.typeMayNotSubmit, claim.beforeEarliestDate
 */
function assertTypeMay(
  ctx: Reading,
  actor: Admin | Member,
  { can_submit, earliest_submission_date: date }: MemberType,
): void {
  if (actor.role === 'admin') return;
  if (!can_submit) throw new DomainError('claim.typeMayNotSubmit');
  if (serverSaveNow(ctx).date < date) throw new DomainError('claim.beforeEarliestDate', { date });
}

/** R9.29. @throws DomainError claim.missedTooMany */
async function assertNotMissing({ ctx, tx }: Unit, actor: Actor): Promise<void> {
  if (actor.role !== 'member') return;
  const rules = await readConfig(ctx, tx);
  assertNotPaused(await pauseOf(ctx, tx, { character_name: actor.character_name, rules }));
}

interface JoinRequest {
  input: WaitInput;
  character_name: string;
  voucher: number;
}

/** R9.1 to R9.4. @returns the columns to store */
async function judge({ ctx, tx }: Unit, { input, character_name, voucher }: JoinRequest) {
  const { respawn_id, date, hour_start, hour_end, min_hours } = input;
  const character_key = nameKey(character_name);
  const config = await readConfig(ctx, tx);
  const active_event = await activePeriod(tx);
  const own = await openEntriesOf(tx, [character_key]);
  const ended = await countEnded(tx, character_key, {
    since: new Date(ctx.now().getTime() - DAY_MS).toISOString(),
    most: WAITS_A_DAY,
  });
  const { open_waits: in_all } = await tx
    .selectFrom('clock')
    .select('open_waits')
    .executeTakeFirstOrThrow();
  const { n: on_waitlist } = await tx
    .selectFrom('waits')
    .where('respawn_id', '=', respawn_id)
    .where('date', '=', date)
    .where('ended_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  const hours = await tx
    .selectFrom('occupied_hours')
    .innerJoin('claims', 'claims.id', 'occupied_hours.claim_id')
    .select('hour')
    .where('respawn_id', '=', respawn_id)
    .where('occupied_hours.date', '=', date)
    .where('character_key', '!=', character_key)
    .execute();
  const day = await tx
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .select('held_until')
    .where('occupied_days.character_key', '=', character_key)
    .where('occupied_days.date', '=', date)
    .executeTakeFirst();
  const wanted = { respawn_id, date, hour_start, hour_end, min_hours };
  const { date: today, hour } = serverSaveNow(ctx);
  const facts: WaitFacts = {
    waits_enabled: config.waits_enabled,
    submission_enabled: config.submission_enabled,
    active_event,
    voucher,
    character_name,
    taken: hours.map((at) => ({ hour_start: at.hour, hour_end: at.hour + 1 })),
    own,
    ended,
    on_waitlist,
    in_all,
    has_claim: day !== undefined && day.held_until === null,
    today,
    hour,
    horizon_days: ctx.env.HORIZON_DAYS,
  };
  assertMayWait(wanted, facts);
  await assertHasNoHold(tx, character_name, [date]);
  return {
    ...wanted,
    wanted_hours: wantedHours(wanted, facts),
    event_id: active_event?.id ?? null,
  };
}

/** The entry, if the caller may act on it. */
async function findForActor(
  tx: Tx,
  by: Caller,
  id: number,
): Promise<{ actor: Admin | Member; wait: StoredEntry }> {
  const actor = await actorOf(tx, by);
  const wait = existing(await findStoredEntry(tx, id), 'wait.notFound');
  if (actor.role === 'member' && actor.character_key !== wait.character_key)
    throw new DomainError('wait.otherCharacter');
  return { actor, wait };
}

/**
 * Ends an entry; its hold becomes free.
 * @throws DomainError wait.notFound, also for one that has ended; wait.otherCharacter
 */
export async function leaveWaitlist(ctx: Writing, by: Caller, id: number): Promise<void> {
  await write(ctx, async (unit) => {
    const { actor, wait } = await findForActor(unit.tx, by, id);
    if (wait.status !== 'waiting' && wait.status !== 'offered')
      throw new DomainError('wait.notFound');
    await endEntries(unit, [wait], { status: 'withdrawn', actor });
  });
}

/** @throws DomainError hold.over, wait.notOpen, wait.notOffered */
function assertOffered({ status }: StoredEntry): void {
  if (status === 'offered') return;
  if (status === 'lapsed') throw new DomainError('hold.over');
  throw new DomainError(status === 'waiting' ? 'wait.notOffered' : 'wait.notOpen');
}

/**
 * Turns the hold into an ordinary claim, made now; the character's other entries of that date become void (R9.9). The claim belongs to
 * the active event, even if the hold was made before its activation (R9.12).
 * @throws DomainError budget.day, budget.event, wait.notFound, wait.otherCharacter, wait.notOffered, wait.notOpen; hold.over for one
 * that has lapsed, character.banned, claim.hoursOver where its hours are over before it is; claim.typeMayNotSubmit, claim.beforeEarliestDate
 */
export function acceptOffer(ctx: Writing, by: Caller, id: number): Promise<Wait> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const { actor, wait } = await findForActor(tx, by, id);
    assertOffered(wait);
    // The ban ends its entries in the same write, unless the waitlist was backing off.
    await authorizedCharacter(tx, actor, wait.character_name);
    const created_at = ctx.now().toISOString();
    // The expiry may be backing off.
    if (wait.held_until !== null && wait.held_until <= created_at)
      throw new DomainError('hold.over');
    const claim_id = wait.held_claim_id ?? 0;
    const claimWrite = await beginClaimWrite(unit, actor);
    const { guild } = claimWrite;
    await assertMayHave(claimWrite, wait, claim_id);
    const [before] = await loadDatedClaims(tx, { type: 'ids', ids: [claim_id] });
    if (!before) throw new Error('an offered hold has no claim');
    const event_id = wait.event_id ?? guild.active_event?.id ?? null;
    // R9.24: it is claimed now, and may begin late enough to be confirmed.
    const to_confirm = needsConfirmation(
      ctx,
      guild,
    )({ date: wait.date, hour_start: before.claim.hour_start })
      ? 1
      : 0;
    await tx
      .updateTable('claims')
      .set({ held_until: null, created_at, event_id })
      .where('id', '=', claim_id)
      .execute();
    if (to_confirm)
      await tx
        .updateTable('claim_parts')
        .set({ to_confirm })
        .where('claim_id', '=', claim_id)
        .execute();
    const [after] = await loadDatedClaims(tx, { type: 'ids', ids: [claim_id] });
    if (!after) throw new Error('an accepted hold has no claim');
    await closeEntries(unit, [wait], 'accepted');
    await claimsChanged(claimWrite, [{ before, after }], { cause: 'hold_accepted' });
    await logActivities(unit, actor, {
      action: 'hold_accepted',
      entries: holdDetails(await describeEntries(tx, [wait], [after.claim])),
    });
    return existing(await findWait(tx, id), 'wait.notFound');
  });
}

/** R4.3, R4.4; R4.14: a hold of the last minutes may outlast its hours; R9.27, R9.28: budgets count the accepted hours. */
async function assertMayHave(unit: ClaimWrite, wait: StoredEntry, claim_id: number): Promise<void> {
  const { ctx, tx, actor, guild } = unit;
  if (actor.role !== 'member') return;
  const type = await memberTypeOrFallback(tx, wait.member_type);
  assertTypeMay(ctx, actor, type);
  await assertNotMissing(unit, actor);
  const parts = await tx
    .selectFrom('claim_parts')
    .select(['hour_start', 'hour_end'])
    .where('claim_id', '=', claim_id)
    .execute();
  const { date: today, hour } = serverSaveNow(ctx);
  const time = { today, hour, horizon_days: ctx.env.HORIZON_DAYS, may_enter_past: false };
  for (const part of parts) assertHoursInTime(part, wait.date, time);
  await assertInBudget(tx, {
    character_name: wait.character_name,
    requested: [{ dates: [wait.date], hours: lengthOf(parts) }],
    type,
    event: guild.active_event,
  });
}

/**
 * Ends the entry and frees its hold for the next member on the waitlist.
 * @throws DomainError as `acceptOffer`
 */
export function declineOffer(ctx: Writing, by: Caller, id: number): Promise<Wait> {
  return write(ctx, async (unit) => {
    const { actor, wait } = await findForActor(unit.tx, by, id);
    assertOffered(wait);
    await endEntries(unit, [wait], { status: 'declined', actor });
    return existing(await findWait(unit.tx, id), 'wait.notFound');
  });
}
