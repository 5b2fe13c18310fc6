import { DomainError, type ErrorCode, errors, isErrorCode } from '../../../shared/errors.ts';
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
import { recordsOf, type StoredRule, weekdaysOf } from './rules-store.ts';

/** A date with this stored refusal is tried again at the next server saves. */
export const isRetried = (code: string | null): boolean =>
  code !== null && isErrorCode(code) && errors[code].class === 'later';

export const joinsAfter = (rule: Pick<StoredRule, 'join_waitlist'>, code: ErrorCode): boolean =>
  rule.join_waitlist === 1 && errors[code].about === 'hours';

export const datesOfRule = (rule: StoredRule): StandingDates => ({
  weekdays: weekdaysOf(rule),
  from: rule.from_date,
  until: rule.until_date,
});

/** A rule and a date whose claim is to be made. */
interface Due {
  rule: StoredRule;
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

/** The dates from today on that rules were tried for. */
export async function triedDates(
  ctx: Reading,
  db: Db | Tx,
  rules: readonly Pick<StoredRule, 'id'>[],
): Promise<TriedDates> {
  const { date: today } = serverSaveNow(ctx);
  const ids = rules.map(({ id }) => id);
  const rows = await readByIds(ids, (some) =>
    db
      .selectFrom('standing_occurrences')
      .select(['standing_id', 'date', 'tried_on', 'claim_id', 'code', 'wait_id'])
      .where('standing_id', 'in', some)
      .where('date', '>=', today)
      .execute(),
  );
  const byRuleAndDate = new Map(rows.map((row) => [`${row.standing_id} ${row.date}`, row]));
  const byRule = Map.groupBy(rows, ({ standing_id }) => standing_id);
  return {
    of: (id, date) => byRuleAndDate.get(`${id} ${date}`),
    datesOf: (id) => (byRule.get(id) ?? []).map(({ date }) => date),
  };
}

/** The last date whose claim is made today. */
export async function lastDateMade(ctx: Reading, db: Db | Tx): Promise<string | null> {
  const { standing_enabled, standing_days_ahead } = await readConfig(ctx, db);
  return standing_enabled ? addDays(serverSaveNow(ctx).date, standing_days_ahead) : null;
}

interface RulesToMake {
  rules: readonly StoredRule[];
  /** They were changed: dates that the guild's state refused are tried again today. */
  isChanged?: boolean;
}

/**
 * The claims that rules have to make, in the order of making: by date, then in the order in which the rules were made. Dates that were
 * missed are among them as long as they lie ahead.
 */
export async function dueDates(
  ctx: Reading,
  db: Db | Tx,
  { rules, isChanged = false }: RulesToMake,
): Promise<Due[]> {
  const last = await lastDateMade(ctx, db);
  if (last === null) return [];
  const { date: today, hour } = serverSaveNow(ctx);
  const tried = await triedDates(ctx, db, rules);
  const isDue = (rule: StoredRule, date: string): boolean => {
    const before = tried.of(rule.id, date);
    const isOpen =
      !before ||
      (before.claim_id === null &&
        (isChanged || before.tried_on < today) &&
        isRetried(before.code));
    return isOpen && liesAhead(date, rule, { today, hour });
  };
  const due = rules
    .filter(({ is_paused }) => !is_paused)
    .flatMap((rule) =>
      standingDates(datesOfRule(rule), today, last)
        .filter((date) => isDue(rule, date))
        .map((date) => ({ rule, date })),
    );
  return due.sort((a, b) => (a.date === b.date ? a.rule.id - b.rule.id : a.date < b.date ? -1 : 1));
}

const current = (db: Db | Tx) =>
  db
    .selectFrom('standing_claims')
    .selectAll('standing_claims')
    .where('ended_at', 'is', null)
    .orderBy('standing_claims.id');

/** Rules that have not ended. */
export const currentRules = (db: Db | Tx): Promise<StoredRule[]> => current(db).execute();

/** Rules that make claims: they are not paused, their spots take claims, and their keys are not revoked. */
export const activeRules = (db: Db | Tx): Promise<StoredRule[]> => active(db).execute();

export const isActive = async (tx: Tx, { id }: StoredRule): Promise<boolean> =>
  (await active(tx).where('standing_claims.id', '=', id).executeTakeFirst()) !== undefined;

const active = (db: Db | Tx) =>
  current(db)
    .innerJoin('respawns', 'respawns.id', 'standing_claims.respawn_id')
    .leftJoin('access_keys', 'access_keys.id', 'standing_claims.access_key_id')
    .where('is_paused', '=', 0)
    .where('is_enabled', '=', 1)
    .where(({ or, eb }) => or([eb('is_revoked', 'is', null), eb('is_revoked', '=', 0)]));

/** The claim of a rule on a date, as its character would submit it. */
export const claimOf = (
  { respawn_id, character_name, hour_start, hour_end }: StoredRule,
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

/** The type that a rule's character has now: that of the key, or of a character without one the type that an admin named. */
export async function typeOfRule(
  tx: Db | Tx,
  { character_key, member_type }: Pick<StoredRule, 'character_key' | 'member_type'>,
): Promise<MemberType> {
  return memberTypeOrFallback(
    tx,
    (await keyOfCharacter(tx, character_key))?.member_type ?? member_type,
  );
}

/**
 * Makes the claims of rules for the given dates, each in a savepoint: a refusal skips the date. A rule makes a date at most once,
 * even if the claim is deleted.
 */
export async function makeClaims(unit: Unit, due: readonly Due[]): Promise<void> {
  for (const one of due) await makeClaim(unit, one);
}

async function makeClaim(unit: Unit, due: Due): Promise<void> {
  const { rule, date } = due;
  const member_type = await typeOfRule(unit.tx, rule);
  const refusal = await inOwnSavepoint(unit, async () => {
    const claimWrite = await beginClaimWrite(unit, { role: 'server' });
    assertNoSingleClaimEvent(claimWrite.guild);
    const submitter = { role: 'member', character_name: rule.character_name } as const;
    const [claim] = await submitInWrite(claimWrite, {
      submitter,
      member_type,
      claims: [claimOf(rule, date)],
      standing_id: rule.id,
    });
    await store(unit, due, { claim_id: claim?.id ?? null, code: null, wait_id: null });
  });
  if (!refusal) return;
  const wait_id = joinsAfter(rule, refusal.code)
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
  { rule: { respawn_id, character_name, hour_start, hour_end }, date }: Due,
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
  { rule: { id: standing_id }, date }: Due,
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
  if (stored.length === 0) throw new Error('a rule has made the claim of this date before');
  if (outcome.code !== null) await forgetOldSkipped(tx, standing_id, tried_on);
}

/** Deletes past skipped dates that the rule no longer shows. Those from today on keep a date from being tried again. */
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
 * Gives the rules of characters the type that their keys have now, so that their records show it. Rules that an admin made for a
 * character without a key belong to its first key from now on.
 */
export async function changeRuleType(
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
    await showRules(
      unit,
      moved.filter(({ ended_at }) => ended_at === null),
    );
  }
}

/** Stores the next date of rules after a change of them or of their claims. @returns the current rules */
export async function moveNextDates(
  { ctx, tx }: Unit,
  rules: readonly StoredRule[],
): Promise<StoredRule[]> {
  const { date: today, hour } = serverSaveNow(ctx);
  const { standing_days_ahead } = await readConfig(ctx, tx);
  const tried = await triedDates(ctx, tx, rules);
  const moved: StoredRule[] = [];
  for (const rule of rules) {
    const dates = datesOfRule(rule);
    const later = addDays(today, standing_days_ahead + 1);
    const triedLater = tried.datesOf(rule.id).filter((date) => date >= later).length;
    const ahead = [
      ...standingDates(dates, today, addDays(today, standing_days_ahead)),
      // Later dates were tried if more days ahead were allowed then, or the clock was wrong.
      ...firstStandingDates(dates, later, 1 + triedLater),
    ];
    const isOpen = (date: string): boolean =>
      !tried.of(rule.id, date) && liesAhead(date, rule, { today, hour });
    const next_date = rule.is_paused ? null : (ahead.find(isOpen) ?? null);
    if (next_date !== rule.next_date)
      await tx
        .updateTable('standing_claims')
        .set({ next_date })
        .where('id', '=', rule.id)
        .execute();
    moved.push({ ...rule, next_date });
  }
  return moved;
}

/** Shows rules to their owners and to admins. */
export async function showRules(
  { tx, changes }: Unit,
  rules: readonly StoredRule[],
): Promise<void> {
  if (rules.length > MANY_CHANGES) return changes.reset();
  for (const record of await recordsOf(tx, rules))
    changes.putOwned({ kind: 'standing_claim', record }, [nameKey(record.character_name)]);
}
