import { errors, isErrorCode } from '../../../shared/error-codes.ts';
import { DomainError, type ErrorCode } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import {
  firstStandingDates,
  liesAhead,
  type StandingDates,
  standingDates,
} from '../../../shared/rules/standing.ts';
import type { ClaimInput } from '../../../shared/schemas/claim.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import { MAX_SKIPPED } from '../../../shared/schemas/standing-claim.ts';
import { serverSaveNow } from '../../db/clock/server-save-clock.ts';
import {
  type Db,
  inBatches,
  inSavepoint,
  type Reading,
  readByIds,
  type Tx,
} from '../../db/database.ts';
import { MANY_CHANGES, type Unit } from '../../db/unit-of-work.ts';
import type { GuildNow } from '../claims/board-view.ts';
import { beginClaimWrite } from '../claims/claims-changed.ts';
import { submitInWrite } from '../claims/submit.ts';
import { readConfig } from '../records/guild.ts';
import { keyOfCharacter, memberTypeOrFallback } from '../records/members.ts';
import { joinInWrite } from '../waitlist/member-actions.ts';
import { type StoredStanding, selectCurrent, standingRecordsOf, weekdaysOf } from './records.ts';

/** A date with this stored refusal is tried again at the next server saves. */
export const isRetried = (code: string | null): boolean =>
  code !== null && isErrorCode(code) && errors[code].class === 'later';

export const joinsAfter = (
  standing: Pick<StoredStanding, 'join_waitlist'>,
  code: ErrorCode,
): boolean => standing.join_waitlist === 1 && errors[code].about === 'hours';

export const datesOfStanding = (standing: StoredStanding): StandingDates => ({
  weekdays: weekdaysOf(standing),
  from: standing.from_date,
  until: standing.until_date,
});

/** A standing claim and a date whose claim is to be made. */
interface Due {
  standing: StoredStanding;
  date: string;
}

/** The result of a date: a claim, or a refusal and perhaps a waitlist entry. */
interface Outcome {
  claim_id: number | null;
  code: string | null;
  wait_id: number | null;
}

interface Tried extends Outcome {
  tried_on: string;
}

interface TriedDates {
  of: (id: number, date: string) => Tried | undefined;
  datesOf: (id: number) => string[];
}

/** The dates from today on that standing claims were tried for. */
export async function triedDates(
  ctx: Reading,
  db: Db | Tx,
  standingClaims: readonly Pick<StoredStanding, 'id'>[],
): Promise<TriedDates> {
  const { date: today } = serverSaveNow(ctx);
  const ids = standingClaims.map(({ id }) => id);
  const rows = await readByIds(ids, (some) =>
    db
      .selectFrom('standing_occurrences')
      .select(['standing_id', 'date', 'tried_on', 'claim_id', 'code', 'wait_id'])
      .where('standing_id', 'in', some)
      .where('date', '>=', today)
      .execute(),
  );
  const byIdAndDate = new Map(rows.map((row) => [`${row.standing_id} ${row.date}`, row]));
  const byId = Map.groupBy(rows, ({ standing_id }) => standing_id);
  return {
    of: (id, date) => byIdAndDate.get(`${id} ${date}`),
    datesOf: (id) => (byId.get(id) ?? []).map(({ date }) => date),
  };
}

/** The last date whose claim is made today. */
export async function lastDateMade(ctx: Reading, db: Db | Tx): Promise<string | null> {
  const { standing_enabled, standing_days_ahead } = await readConfig(ctx, db);
  return standing_enabled ? addDays(serverSaveNow(ctx).date, standing_days_ahead) : null;
}

interface StandingToMake {
  standingClaims: readonly StoredStanding[];
  /** They were changed: dates that the guild's state refused are tried again today. */
  isChanged?: boolean;
}

/**
 * The due dates of standing claims, in the order of making: by date, then in the order in which the standing claims were created.
 * Dates that were missed are among them as long as they lie ahead.
 */
export async function dueDates(
  ctx: Reading,
  db: Db | Tx,
  { standingClaims, isChanged = false }: StandingToMake,
): Promise<Due[]> {
  const last = await lastDateMade(ctx, db);
  if (last === null) return [];
  const { date: today, hour } = serverSaveNow(ctx);
  const tried = await triedDates(ctx, db, standingClaims);
  const isDue = (standing: StoredStanding, date: string): boolean => {
    const before = tried.of(standing.id, date);
    const isOpen =
      !before ||
      (before.claim_id === null &&
        (isChanged || before.tried_on < today) &&
        isRetried(before.code));
    return isOpen && liesAhead(date, standing, { today, hour });
  };
  const due = standingClaims
    .filter(({ is_paused }) => !is_paused)
    .flatMap((standing) =>
      standingDates(datesOfStanding(standing), today, last)
        .filter((date) => isDue(standing, date))
        .map((date) => ({ standing, date })),
    );
  return due.sort((a, b) =>
    a.date === b.date ? a.standing.id - b.standing.id : a.date < b.date ? -1 : 1,
  );
}

/** Standing claims that make claims: they are not paused, their spots take claims, and their keys are not revoked. */
export const activeStanding = (db: Db | Tx): Promise<StoredStanding[]> => active(db).execute();

export const isActive = async (tx: Tx, { id }: StoredStanding): Promise<boolean> =>
  (await active(tx).where('standing_claims.id', '=', id).executeTakeFirst()) !== undefined;

const active = (db: Db | Tx) =>
  selectCurrent(db)
    .innerJoin('respawns', 'respawns.id', 'standing_claims.respawn_id')
    .leftJoin('access_keys', 'access_keys.id', 'standing_claims.access_key_id')
    .where('is_paused', '=', 0)
    .where('is_enabled', '=', 1)
    .where(({ or, eb }) => or([eb('is_revoked', 'is', null), eb('is_revoked', '=', 0)]));

/** The claim of a standing claim on a date, as its character would submit it. */
export const claimOf = (
  { respawn_id, character_name, hour_start, hour_end }: StoredStanding,
  date: string,
): ClaimInput => ({
  respawn_id,
  character_name,
  hour_start,
  hour_end,
  date,
  is_secondary_claim: 0,
  is_split_claim: 0,
});

/** @throws DomainError standing.singleClaim */
export function assertNoSingleClaimEvent({ active_event }: Pick<GuildNow, 'active_event'>): void {
  if (active_event?.type === 'single_claim') throw new DomainError('standing.singleClaim');
}

/** The type that a standing claim's character has now: that of the key, or of a character without one the type that an admin named. */
export async function typeOfStanding(
  tx: Db | Tx,
  { character_key, member_type }: Pick<StoredStanding, 'character_key' | 'member_type'>,
): Promise<MemberType> {
  return memberTypeOrFallback(
    tx,
    (await keyOfCharacter(tx, character_key))?.member_type ?? member_type,
  );
}

/**
 * Makes the due claims, each in a savepoint: a refusal skips the date. A standing claim makes a date at most once, even if the
 * claim is deleted.
 */
export async function makeClaims(unit: Unit, due: readonly Due[]): Promise<void> {
  for (const one of due) await makeClaim(unit, one);
}

async function makeClaim(unit: Unit, due: Due): Promise<void> {
  const { standing, date } = due;
  const member_type = await typeOfStanding(unit.tx, standing);
  const refusal = await inOwnSavepoint(unit, async () => {
    const claimWrite = await beginClaimWrite(unit, { role: 'server' });
    assertNoSingleClaimEvent(claimWrite.guild);
    const submitter = { role: 'member', character_name: standing.character_name } as const;
    const [claim] = await submitInWrite(claimWrite, {
      submitter,
      member_type,
      claims: [claimOf(standing, date)],
      standing_id: standing.id,
    });
    await store(unit, due, { claim_id: claim?.id ?? null, code: null, wait_id: null });
  });
  if (!refusal) return;
  const wait_id = joinsAfter(standing, refusal.code)
    ? await join(unit, due, member_type.member_type)
    : null;
  await store(unit, due, { claim_id: null, code: refusal.code, wait_id });
}

/** @returns the refusal that undid the work; null: it is done */
async function inOwnSavepoint(
  { tx, changes }: Unit,
  work: () => Promise<void>,
): Promise<DomainError | null> {
  const discard = changes.mark();
  const done = await inSavepoint(tx, work);
  if (!('error' in done)) return null;
  if (!(done.error instanceof DomainError)) throw done.error;
  discard();
  return done.error;
}

/** @returns the waitlist entry; null: the waitlist takes none of the character either */
async function join(
  unit: Unit,
  { standing: { respawn_id, character_name, hour_start, hour_end }, date }: Due,
  member_type: string,
): Promise<number | null> {
  const actor = {
    role: 'member',
    access_key_id: 0,
    character_name,
    character_key: nameKey(character_name),
    member_type,
  } as const;
  let wait_id: number | null = null;
  await inOwnSavepoint(unit, async () => {
    const input = { respawn_id, date, hour_start, hour_end, min_hours: 1 };
    const wait = await joinInWrite(unit, { actor, input, by: { role: 'server' } });
    wait_id = wait.id;
  });
  return wait_id;
}

async function store(
  { ctx, tx }: Unit,
  { standing: { id: standing_id }, date }: Due,
  outcome: Outcome,
): Promise<void> {
  const tried_on = serverSaveNow(ctx).date;
  const stored = await tx
    .insertInto('standing_occurrences')
    .values({ standing_id, date, tried_on, ...outcome })
    .onConflict((row) =>
      row
        .columns(['standing_id', 'date'])
        .doUpdateSet({ tried_on, ...outcome })
        .where('standing_occurrences.claim_id', 'is', null),
    )
    .returning('date')
    .execute();
  if (stored.length === 0)
    throw new Error('a standing claim has made the claim of this date before');
  if (outcome.code !== null) await forgetOldSkipped(tx, standing_id, tried_on);
}

/** Deletes past skipped dates that the standing claim no longer shows. Those from today on keep a date from being tried again. */
async function forgetOldSkipped(tx: Tx, standing_id: number, today: string): Promise<void> {
  const skipped = await tx
    .selectFrom('standing_occurrences')
    .select('date')
    .where('standing_id', '=', standing_id)
    .where('code', 'is not', null)
    .orderBy('date', 'desc')
    .execute();
  const unseen = skipped.slice(MAX_SKIPPED).flatMap(({ date }) => (date < today ? date : []));
  if (unseen.length === 0) return;
  await tx
    .deleteFrom('standing_occurrences')
    .where('standing_id', '=', standing_id)
    .where('date', 'in', unseen)
    .execute();
}

/**
 * Gives the standing claims of characters the type that their keys have now, so that their records show it. Those that an admin
 * created for a character without a key belong to its first key from now on.
 */
export async function changeStandingType(
  unit: Unit,
  { character_keys, member_type }: { character_keys: readonly string[]; member_type: string },
): Promise<void> {
  for (const some of inBatches(character_keys)) {
    const theirs = unit.tx.updateTable('standing_claims').where('character_key', 'in', some);
    await theirs
      .set(({ selectFrom }) => ({
        access_key_id: selectFrom('access_keys')
          .select('access_keys.id')
          .whereRef('access_keys.character_key', '=', 'standing_claims.character_key'),
      }))
      .where('access_key_id', 'is', null)
      .execute();
    const moved = await theirs
      .set({ member_type })
      .where('member_type', '!=', member_type)
      .returningAll()
      .execute();
    await showStandingClaims(
      unit,
      moved.filter(({ ended_at }) => ended_at === null),
    );
  }
}

/** Stores the next date of standing claims after a change of them or of their claims. @returns the current standing claims */
export async function moveNextDates(
  { ctx, tx }: Unit,
  standingClaims: readonly StoredStanding[],
): Promise<StoredStanding[]> {
  const { date: today, hour } = serverSaveNow(ctx);
  const { standing_days_ahead } = await readConfig(ctx, tx);
  const tried = await triedDates(ctx, tx, standingClaims);
  const moved: StoredStanding[] = [];
  for (const standing of standingClaims) {
    const dates = datesOfStanding(standing);
    const later = addDays(today, standing_days_ahead + 1);
    const triedLater = tried.datesOf(standing.id).filter((date) => date >= later).length;
    const ahead = [
      ...standingDates(dates, today, addDays(today, standing_days_ahead)),
      // Later dates were tried if more days ahead were allowed then, or the clock was wrong.
      ...firstStandingDates(dates, later, 1 + triedLater),
    ];
    const isOpen = (date: string): boolean =>
      !tried.of(standing.id, date) && liesAhead(date, standing, { today, hour });
    const next_date = standing.is_paused ? null : (ahead.find(isOpen) ?? null);
    if (next_date !== standing.next_date)
      await tx
        .updateTable('standing_claims')
        .set({ next_date })
        .where('id', '=', standing.id)
        .execute();
    moved.push({ ...standing, next_date });
  }
  return moved;
}

/** Shows standing claims to their owners and to admins. */
export async function showStandingClaims(
  { tx, changes }: Unit,
  standingClaims: readonly StoredStanding[],
): Promise<void> {
  if (standingClaims.length > MANY_CHANGES) return changes.reset();
  for (const record of await standingRecordsOf(tx, standingClaims))
    changes.putOwned({ kind: 'standing_claim', record }, [nameKey(record.character_name)]);
}
