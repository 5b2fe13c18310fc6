import type { StandingEndReason } from '../../../shared/schemas/standing-claim.ts';
import { type Actor, type KeptUndo, logActivities } from '../../auth/activity-log.ts';
import { serverSaveNow } from '../../db/clock/server-save-clock.ts';
import { type Db, inBatches, type Reading, type Tx, writeInBatches } from '../../db/database.ts';
import { type ChangeRecorder, MANY_CHANGES, type Unit } from '../../db/unit-of-work.ts';
import { daysBefore, deleteOld, deleteOldRecords } from '../../jobs/job-kind.ts';
import { changedSpots } from '../changed-spots.ts';
import { findPlaces } from '../records/respawns.ts';
import { moveNextDates, showRules } from './occurrences.ts';
import { type StoredRule, weekdaysOf } from './rules-store.ts';

/** Ended rules are kept so long: until then the undo of a deletion resumes them. */
const ENDED_KEPT_DAYS = 30;

/** The details of rules for their entries in the activity log. */
async function describeRules({ tx, changes }: Unit, rules: readonly StoredRule[]) {
  const spots = await findPlaces(
    tx,
    rules.map(({ respawn_id }) => respawn_id),
  );
  const changed = changes.collect(changedSpots);
  return rules.map((rule) => {
    const { id: standing_id, character_name, member_type, respawn_id, hour_start, hour_end } = rule;
    const respawn_name =
      spots.get(respawn_id)?.name ?? changed.get(respawn_id) ?? rule.respawn_name ?? '';
    return {
      standing_id,
      character_name,
      member_type,
      weekdays: weekdaysOf(rule),
      places: [{ respawn_id, respawn_name, hour_start, hour_end }],
    };
  });
}

/** The same of one rule. */
export async function describeRule(unit: Unit, rule: StoredRule) {
  const [described] = await describeRules(unit, [rule]);
  if (!described) throw new Error('a rule is described');
  return described;
}

interface Ended {
  rules: readonly StoredRule[];
  reason: StandingEndReason;
  /** By default the server. */
  actor?: Actor;
  released_claims?: number;
  /** Of the one rule that an admin ended. */
  undo?: KeptUndo | null;
}

/** Their claims stay. The rows are kept, so that an undo resumes them. */
export async function endRules(
  unit: Unit,
  { rules, reason, actor = { role: 'server' }, released_claims = 0, undo = null }: Ended,
): Promise<void> {
  if (rules.length === 0) return;
  const { ctx, tx, changes } = unit;
  const described = await describeRules(unit, rules);
  const ended = { ended_at: ctx.now().toISOString(), end_reason: reason };
  const byName = Map.groupBy(described, ({ places: [place] }) => place?.respawn_name ?? '');
  for (const [respawn_name, some] of byName)
    await writeInBatches(some, (few) =>
      tx
        .updateTable('standing_claims')
        .set({ ...ended, respawn_name })
        .where(
          'id',
          'in',
          few.map(({ standing_id }) => standing_id),
        )
        .execute(),
    );
  hideRules(changes, rules);
  await logActivities(unit, actor, {
    action: 'standing_ended',
    entries: described.map((details) => ({
      details: { ...details, reason, released_claims },
      undo,
    })),
  });
}

/** Their owners are sent those that ended without them. */
function hideRules(
  changes: ChangeRecorder,
  rules: readonly Pick<StoredRule, 'id' | 'character_key'>[],
): void {
  if (rules.length > MANY_CHANGES) changes.reset();
  else
    for (const { id, character_key } of rules)
      changes.removeOwned('standing_claim', id, [character_key]);
}

/** Resumes rules after an undo of what ended them; the caller has their due claims made. */
export async function resumeRules(unit: Unit, rules: readonly StoredRule[]): Promise<StoredRule[]> {
  if (rules.length === 0) return [];
  const on = { ended_at: null, end_reason: null, respawn_name: null };
  const ids = rules.map(({ id }) => id);
  await writeInBatches(ids, (some) =>
    unit.tx.updateTable('standing_claims').set(on).where('id', 'in', some).execute(),
  );
  const resumed = await moveNextDates(
    unit,
    rules.map((rule) => ({ ...rule, ...on })),
  );
  await showRules(unit, resumed);
  const described = await describeRules(unit, resumed);
  await logActivities(
    unit,
    { role: 'server' },
    { action: 'standing_resumed', entries: described.map((details) => ({ details })) },
  );
  return resumed;
}

/** The rule's claims that have not begun and still are its character's, whether or not the board shows them. */
export async function claimsToRelease(
  ctx: Reading,
  tx: Tx,
  { id, character_key }: StoredRule,
): Promise<number[]> {
  const { date: today, hour } = serverSaveNow(ctx);
  const claims = await tx
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .select(({ fn }) => ['claims.id', 'date', fn.min<number>('hour_start').as('hour_start')])
    .where('standing_id', '=', id)
    .where('character_key', '=', character_key)
    .where('date', '>=', today)
    .groupBy(['claims.id', 'date'])
    .orderBy('claims.id')
    .execute();
  return claims
    .filter(({ date, hour_start }) => date !== today || hour_start > hour)
    .map((claim) => claim.id);
}

/** Ends the rules of banned characters, even those that ended for another reason: the undo of that must not resume them. */
export async function endRulesOfBanned(
  unit: Unit,
  character_keys: Iterable<string>,
): Promise<void> {
  for (const some of inBatches(character_keys)) {
    const rules = await unit.tx
      .selectFrom('standing_claims')
      .selectAll()
      .where('character_key', 'in', some)
      .where(({ or, eb }) =>
        or([eb('end_reason', 'is', null), eb('end_reason', 'not in', ['ended', 'banned'])]),
      )
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('bans')
            .select('bans.character_key')
            .whereRef('bans.character_key', '=', 'standing_claims.character_key'),
        ),
      )
      .orderBy('id')
      .execute();
    await endRules(unit, { rules, reason: 'banned' });
  }
}

/** The rules that undone bans had ended. @param returned characters, and when their bans had been made */
export async function rulesEndedByBans(
  tx: Tx,
  returned: ReadonlyMap<string, string | null>,
): Promise<StoredRule[]> {
  const found: StoredRule[] = [];
  for (const [character_key, banned_at] of returned) {
    if (banned_at === null) continue;
    const theirs = tx
      .selectFrom('standing_claims')
      .selectAll()
      .where('character_key', '=', character_key);
    found.push(
      ...(await theirs
        .where('end_reason', '=', 'banned')
        .where('ended_at', '>=', banned_at)
        .orderBy('id')
        .execute()),
    );
  }
  return found;
}

/** Rules of which the key or the spot is gone although they go on, and rules that ended for that although both are there again. */
export async function rulesOutOfStep(
  tx: Tx,
): Promise<{ withoutKey: StoredRule[]; withoutSpot: StoredRule[]; restored: StoredRule[] }> {
  const rows = await tx
    .selectFrom('standing_claims')
    .leftJoin('respawns', 'respawns.id', 'standing_claims.respawn_id')
    .leftJoin('access_keys', 'access_keys.id', 'standing_claims.access_key_id')
    .selectAll('standing_claims')
    .select(['respawns.id as spot', 'access_keys.id as key'])
    .where(({ or, and, not, eb }) => {
      const isGone = or([
        eb('respawns.id', 'is', null),
        and([eb('access_key_id', 'is not', null), eb('access_keys.id', 'is', null)]),
      ]);
      return or([
        and([eb('end_reason', 'is', null), isGone]),
        and([eb('end_reason', 'in', ['key', 'spot']), not(isGone)]),
      ]);
    })
    .orderBy('standing_claims.id')
    .execute();
  const {
    withoutKey = [],
    withoutSpot = [],
    restored = [],
  } = Object.groupBy(rows, ({ end_reason, access_key_id, key }) => {
    if (end_reason !== null) return 'restored';
    return access_key_id !== null && key === null ? 'withoutKey' : 'withoutSpot';
  });
  const stored = (some: typeof rows): StoredRule[] =>
    some.map(({ spot: _, key: __, ...rule }) => rule);
  return {
    withoutKey: stored(withoutKey),
    withoutSpot: stored(withoutSpot),
    restored: stored(restored),
  };
}

/** Rules whose last date has passed, and those that a wrong clock ended. */
export async function rulesByLastDate(
  db: Db | Tx,
  today: string,
): Promise<{ over: StoredRule[]; early: StoredRule[] }> {
  const rules = db.selectFrom('standing_claims').selectAll().orderBy('id');
  return {
    over: await rules.where('ended_at', 'is', null).where('until_date', '<', today).execute(),
    early: await rules.where('end_reason', '=', 'over').where('until_date', '>=', today).execute(),
  };
}

/** Deletes rules that ended long ago. */
export const forgetRules = deleteOldRecords<Pick<StoredRule, 'id' | 'character_key'>>({
  kind: 'standing.forget',
  old: (db, now, most) =>
    db
      .selectFrom('standing_claims')
      .select(['id', 'character_key'])
      .where('ended_at', '<', daysBefore(now, ENDED_KEPT_DAYS))
      .orderBy('ended_at')
      .limit(most)
      .execute(),
  remove: async ({ tx, changes }, old) => {
    const ids = old.map(({ id }) => id);
    await tx.deleteFrom('standing_claims').where('id', 'in', ids).execute();
    hideRules(changes, old);
  },
});

/** Deletes the outcomes of long past dates: no rule makes them again. */
export const forgetOutcomes = deleteOld({
  kind: 'standing.forget-outcomes',
  table: 'standing_occurrences',
  column: 'date',
  key: 'date',
  kept_days: 367,
});
