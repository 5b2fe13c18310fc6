import type { Insertable } from 'kysely';
import { DomainError, existing } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { type RequestedHours, requestedHours } from '../../../shared/rules/budget.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import {
  assertStandingFits,
  firstStandingDates,
  liesAhead,
  STANDING_A_DAY,
} from '../../../shared/rules/standing.ts';
import { DEFAULT_MEMBER_TYPE, type MemberType } from '../../../shared/schemas/member-type.ts';
import {
  PREVIEW_DATES,
  type StandingChange,
  type StandingClaim,
  type StandingClaimCount,
  type StandingEnding,
  type StandingInput,
  type StandingOccurrence,
  type StandingPreviewInput,
} from '../../../shared/schemas/standing-claim.ts';
import { changedFields, logActivity } from '../../auth/activity-log.ts';
import { actorOf } from '../../auth/authenticate.ts';
import { serverSaveNow, serverSaveToday } from '../../db/clock/server-save-clock.ts';
import { type Reading, readOneState, type Tx } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin, Caller, Member } from '../../http/caller.ts';
import { assertAsSeen } from '../as-seen.ts';
import { readGuildNow } from '../claims/board-view.ts';
import { beginClaimWrite, type ClaimWrite } from '../claims/claims-changed.ts';
import { deleteClaims } from '../claims/end-claims.ts';
import { judgeSubmission } from '../claims/submit.ts';
import { readConfig } from '../records/guild.ts';
import {
  type AuthorizedCharacter,
  authorizedCharacter,
  keyOfCharacter,
  memberTypeOrFallback,
} from '../records/members.ts';
import { assertTakesClaims, findRespawn } from '../records/respawns.ts';
import { claimsToRelease, describeStanding, endStandingClaims } from './end-standing.ts';
import {
  assertNoSingleClaimEvent,
  claimOf,
  datesOfStanding,
  dueDates,
  isActive,
  isRetried,
  joinsAfter,
  lastDateMade,
  makeClaims,
  moveNextDates,
  showStandingClaims,
  triedDates,
  typeOfStanding,
} from './occurrences.ts';
import {
  currentStandingOf,
  findStanding,
  type StoredStanding,
  standingRecordsOf,
  weekdaysOf,
} from './records.ts';
import { endedRecord } from './restore.ts';

const DAY_MS = 86_400_000;

/**
 * Stores a standing claim and makes the claims that are due already.
 * @throws DomainError standing.*, respawn.*, times.*, claim.typeMayNotSubmit; character.banned for an admin's
 */
export function createStanding(
  ctx: Writing,
  by: Caller,
  input: StandingInput,
): Promise<StandingClaim> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const actor = await actorOf(tx, by);
    const { standing_per_character: max } = await assertEnabled(ctx, tx);
    const { character, type } = await characterOf(tx, actor, input);
    const { character_name, character_key } = character;
    const access_key_id = (await keyOfCharacter(tx, character_key))?.id ?? null;
    assertTakesClaims(await findRespawn(tx, input.respawn_id), input.respawn_id);
    const fields = await fieldsOf(ctx, input, type);
    const today = serverSaveToday(ctx);
    const current = (await currentStandingOf(tx, character_key)).filter(
      ({ until_date }) => until_date === null || until_date >= today,
    );
    if (current.length >= max) throw new DomainError('standing.tooMany', { character_name, max });
    if (actor.role === 'member') await assertNotTooOften(unit, actor);
    const row = {
      ...fields,
      member_type: type.member_type,
      is_paused: 0 as const,
      next_date: null,
      access_key_id,
      created_at: ctx.now().toISOString(),
    };
    const standing = await insertStanding(tx, character, row);
    await logActivity(unit, actor, {
      action: 'standing_created',
      details: await describeStanding(unit, standing),
    });
    return makeAndShow(unit, standing);
  });
}

function insertStanding(
  tx: Tx,
  { character_name, character_key }: AuthorizedCharacter,
  fields: Omit<Insertable<Database['standing_claims']>, 'character_name' | 'character_key'>,
): Promise<StoredStanding> {
  const row = { ...fields, character_name, character_key };
  return tx.insertInto('standing_claims').values(row).returningAll().executeTakeFirstOrThrow();
}

/**
 * Changes the given fields of a standing claim, and makes the claims that are due with them. Claims that it made stay as they are.
 * @throws DomainError as `createStanding`; standing.notFound, standing.otherCharacter, standing.changedMeanwhile
 */
export function changeStanding(
  ctx: Writing,
  by: Caller,
  { id, ...change }: StandingChange & { id: number },
): Promise<StandingClaim> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const actor = await actorOf(tx, by);
    await assertEnabled(ctx, tx);
    const before = await ownStanding(tx, actor, id);
    assertAsSeen(
      { ...summaryOf(before), from: before.from_date, until: before.until_date },
      change.seen,
      'standing.changedMeanwhile',
    );
    const after = await withChange(unit, before, change);
    const changed = changedFields(summaryOf(before), summaryOf(after), SUMMARY);
    if (Object.keys(changed).length === 0) return one(await standingRecordsOf(tx, [before]));
    const columns = omit(after, 'id', 'character_key');
    await tx.updateTable('standing_claims').set(columns).where('id', '=', id).execute();
    await logActivity(unit, actor, {
      action: 'standing_updated',
      details: { ...(await describeStanding(unit, after)), changed },
    });
    return makeAndShow(unit, after);
  });
}

/**
 * Ends a standing claim. With `claims: 'release'` its claims that have not begun are released.
 * @throws DomainError standing.notFound, standing.otherCharacter
 */
export async function endStanding(
  ctx: Writing,
  by: Caller,
  { id, claims }: StandingEnding & { id: number },
): Promise<void> {
  await write(ctx, async (unit) => {
    const actor = await actorOf(unit.tx, by);
    const standing = await ownStanding(unit.tx, actor, id);
    const ids = claims === 'release' ? await claimsToRelease(ctx, unit.tx, standing) : [];
    await endWithClaims(await beginClaimWrite(unit, actor), standing, ids);
  });
}

/** An admin's end can be undone from the log. Members may release a standing claim's claims even if they can't release others. */
async function endWithClaims(
  unit: ClaimWrite,
  standing: StoredStanding,
  ids: readonly number[],
): Promise<void> {
  const { actor } = unit;
  const ended = {
    standingClaims: [standing],
    reason: 'ended',
    actor,
    released_claims: ids.length,
  } as const;
  if (actor.role === 'admin') {
    const bulk = { action: 'claims_deleted', event: null, respawn: null } as const;
    const records = [await endedRecord(unit.tx, standing)];
    const { undo } = await deleteClaims(
      unit,
      { type: 'ids', ids },
      { cause: 'deleted_in_bulk', bulk, records },
    );
    await endStandingClaims(unit, { ...ended, undo });
  } else {
    if (ids.length > 0) await deleteClaims(unit, { type: 'ids', ids }, { cause: 'released' });
    await endStandingClaims(unit, ended);
  }
}

/**
 * Counts the claims that would be released with a standing claim. The board may not show them all: it shows the active event's.
 * @throws DomainError standing.notFound, standing.otherCharacter
 */
export function countStandingClaims(
  ctx: Reading,
  by: Caller,
  id: number,
): Promise<StandingClaimCount> {
  return readOneState(ctx, async (tx) => {
    const standing = await ownStanding(tx, await actorOf(tx, by), id);
    return { count: (await claimsToRelease(ctx, tx, standing)).length };
  });
}

/**
 * Previews the next dates of a standing claim by the stored claims. Writes nothing.
 * @throws DomainError as `createStanding`
 */
export function previewStanding(
  ctx: Reading,
  by: Caller,
  input: StandingPreviewInput,
): Promise<StandingOccurrence[]> {
  return readOneState(ctx, async (tx) => {
    const actor = await actorOf(tx, by);
    await assertEnabled(ctx, tx);
    const stored = input.id ? await ownStanding(tx, actor, input.id) : null;
    const { character, type } = stored
      ? { character: stored, type: await typeOfStanding(tx, stored) }
      : await characterOf(tx, actor, input);
    const { character_name } = character;
    assertTakesClaims(await findRespawn(tx, input.respawn_id), input.respawn_id);
    const fields = await fieldsOf(ctx, input, type);
    const standing: StoredStanding = {
      ...fields,
      id: stored?.id ?? 0,
      character_name,
      character_key: nameKey(character_name),
      member_type: type.member_type,
      is_paused: 0,
      next_date: null,
      created_at: '',
      access_key_id: null,
      ended_at: null,
      end_reason: null,
      respawn_name: null,
    };
    return outcomesOf(ctx, tx, { standing, type });
  });
}

async function outcomesOf(
  ctx: Reading,
  tx: Tx,
  { standing, type }: { standing: StoredStanding; type: MemberType },
): Promise<StandingOccurrence[]> {
  const { date: today, hour } = serverSaveNow(ctx);
  const last = (await lastDateMade(ctx, tx)) ?? today;
  const guild = await readGuildNow(ctx, tx);
  const tried = await triedDates(ctx, tx, [standing]);
  // Of a stored standing claim more dates may have been tried than the window has today.
  const dates = firstStandingDates(datesOfStanding(standing), today, 2 * PREVIEW_DATES)
    .filter(
      (date) =>
        liesAhead(date, standing, { today, hour }) && !tried.of(standing.id, date)?.claim_id,
    )
    .slice(0, PREVIEW_DATES);
  const earlier: RequestedHours[] = [];
  const outcomes: StandingOccurrence[] = [];
  for (const date of dates) {
    const before = tried.of(standing.id, date);
    if (before && !isRetried(before.code)) {
      // Skipped for good, whatever the change.
      const refusal = { code: before.code ?? '', params: {} };
      outcomes.push({ date, outcome: before.wait_id === null ? 'skipped' : 'waitlist', refusal });
      continue;
    }
    const submitter = { role: 'member', character_name: standing.character_name } as const;
    const outcome = date <= last ? 'claimed' : 'later';
    try {
      assertNoSingleClaimEvent(guild);
      const { planned } = await judgeSubmission(ctx, tx, {
        guild,
        submitter,
        member_type: type,
        earlier,
        claims: [claimOf(standing, date)],
      });
      earlier.push(...requestedHours(planned));
      outcomes.push({ date, outcome, refusal: null });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { code, params } = error;
      // The guild's state may be another one by then, and a pause for missed claims be over.
      const mayPass = isRetried(code) || code === 'claim.missedTooMany';
      if (outcome === 'later' && mayPass) outcomes.push({ date, outcome, refusal: null });
      else
        outcomes.push({
          date,
          outcome: joinsAfter(standing, code) ? 'waitlist' : 'skipped',
          refusal: { code, params },
        });
    }
  }
  return outcomes;
}

/** @throws DomainError standing.disabled */
async function assertEnabled(ctx: Reading, tx: Tx) {
  const config = await readConfig(ctx, tx);
  if (!config.standing_enabled) throw new DomainError('standing.disabled');
  return config;
}

/** Ended standing claims count, too: they are kept for longer than a day. @throws DomainError standing.tooOften */
async function assertNotTooOften(
  { ctx, tx }: Unit,
  { character_key, character_name }: Member,
): Promise<void> {
  const { n } = await tx
    .selectFrom('standing_claims')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('character_key', '=', character_key)
    .where('created_at', '>', new Date(ctx.now().getTime() - DAY_MS).toISOString())
    .executeTakeFirstOrThrow();
  if (n >= STANDING_A_DAY)
    throw new DomainError('standing.tooOften', { character_name, max: STANDING_A_DAY });
}

/** A member's own character; an admin names any. @throws DomainError character.nameRequired, standing.otherCharacter */
async function characterOf(
  tx: Tx,
  actor: Admin | Member,
  { character_name, member_type }: Pick<StandingInput, 'character_name' | 'member_type'>,
): Promise<{ character: AuthorizedCharacter; type: MemberType }> {
  const type = await (actor.role === 'member'
    ? memberTypeOrFallback(tx, actor.member_type)
    : typeForAdmin(tx, character_name ?? '', member_type ?? null));
  if (actor.role === 'member') {
    if (character_name && nameKey(character_name) !== actor.character_key)
      throw new DomainError('standing.otherCharacter');
  } else if (!character_name) throw new DomainError('character.nameRequired');
  const character = await authorizedCharacter(
    tx,
    actor,
    actor.role === 'member' ? actor.character_name : (character_name ?? ''),
  );
  if (!type.can_submit) throw new DomainError('claim.typeMayNotSubmit');
  return { character, type };
}

/** An admin names the type only of a character without a key. */
async function typeForAdmin(
  tx: Tx,
  character_name: string,
  member_type: string | null,
): Promise<MemberType> {
  const key = await keyOfCharacter(tx, nameKey(character_name));
  if (key?.is_revoked) throw new DomainError('session.keyRevoked');
  return memberTypeOrFallback(tx, key?.member_type ?? (member_type || DEFAULT_MEMBER_TYPE));
}

type Fields = Pick<
  StoredStanding,
  | 'respawn_id'
  | 'weekdays'
  | 'hour_start'
  | 'hour_end'
  | 'from_date'
  | 'until_date'
  | 'join_waitlist'
>;

/** The columns of a new standing claim. @throws DomainError standing.*, times.* */
async function fieldsOf(ctx: Reading, input: StandingInput, type: MemberType): Promise<Fields> {
  const { respawn_id, weekdays, hour_start, hour_end, until = null, join_waitlist = 0 } = input;
  const today = serverSaveToday(ctx);
  const from = input.from ?? today;
  assertStandingFits(
    { weekdays, hour_start, hour_end, from, until },
    { voucher: type.voucher_duration_hours, today },
  );
  return {
    respawn_id,
    weekdays: weekdays.join(''),
    hour_start,
    hour_end,
    from_date: from,
    until_date: until,
    join_waitlist,
  };
}

async function withChange(
  { ctx, tx }: Unit,
  before: StoredStanding,
  change: StandingChange,
): Promise<StoredStanding> {
  const type = await typeOfStanding(tx, before);
  const after: StoredStanding = {
    ...before,
    member_type: type.member_type,
    respawn_id: change.respawn_id ?? before.respawn_id,
    weekdays: change.weekdays?.join('') ?? before.weekdays,
    hour_start: change.hour_start ?? before.hour_start,
    hour_end: change.hour_end ?? before.hour_end,
    from_date: change.from ?? before.from_date,
    until_date: change.until === undefined ? before.until_date : change.until,
    join_waitlist: change.join_waitlist ?? before.join_waitlist,
    is_paused: change.is_paused ?? before.is_paused,
  };
  if (after.respawn_id !== before.respawn_id)
    assertTakesClaims(await findRespawn(tx, after.respawn_id), after.respawn_id);
  // A standing claim that the voucher no longer allows can still be paused.
  const judged = ['weekdays', 'hour_start', 'hour_end', 'from_date', 'until_date'] as const;
  if (judged.some((field) => after[field] !== before[field])) {
    const hours = { hour_start: after.hour_start, hour_end: after.hour_end };
    assertStandingFits(
      { ...datesOfStanding(after), ...hours },
      { voucher: type.voucher_duration_hours, today: serverSaveToday(ctx) },
    );
  }
  return after;
}

const SUMMARY = [
  'respawn_id',
  'weekdays',
  'hour_start',
  'hour_end',
  'from_date',
  'until_date',
  'join_waitlist',
  'is_paused',
] as const;
const summaryOf = (standing: StoredStanding) => ({ ...standing, weekdays: weekdaysOf(standing) });

/** @throws DomainError standing.notFound, standing.otherCharacter */
async function ownStanding(tx: Tx, actor: Admin | Member, id: number): Promise<StoredStanding> {
  const standing = existing(await findStanding(tx, id), 'standing.notFound');
  if (actor.role === 'member' && actor.character_key !== standing.character_key)
    throw new DomainError('standing.otherCharacter');
  return standing;
}

/** Makes the due claims of a new or changed standing claim, unless its spot is disabled or its key revoked. */
async function makeAndShow(unit: Unit, standing: StoredStanding): Promise<StandingClaim> {
  const { ctx, tx } = unit;
  if (await isActive(tx, standing))
    await makeClaims(
      unit,
      await dueDates(ctx, tx, { standingClaims: [standing], isChanged: true }),
    );
  const moved = await moveNextDates(unit, [standing]);
  await showStandingClaims(unit, moved);
  return one(await standingRecordsOf(tx, moved));
}

function one(records: readonly StandingClaim[]): StandingClaim {
  const [record] = records;
  if (!record) throw new Error('a standing claim has a record');
  return record;
}
