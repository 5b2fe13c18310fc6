import type { Selectable } from 'kysely';
import { MAX_SKIPPED, type StandingClaim, standingClaim } from '../../../shared/schemas/standing-claim.ts';
import { type Db, readByIds, type Tx } from '../../db/database.ts';
import type { StandingClaimsTable } from '../../db/schema.ts';
import { oldestFirst, recordSource } from '../../live/record-kinds.ts';

/** A rule as it is stored. */
export type StoredRule = Selectable<StandingClaimsTable>;

export const weekdaysOf = ({ weekdays }: Pick<StoredRule, 'weekdays'>): number[] => [...weekdays].map(Number);

type Skipped = StandingClaim['skipped'];

function recordOf(
  { character_key: _, weekdays, from_date: from, until_date: until, ...rule }: StoredRule,
  skipped: Skipped | undefined,
): StandingClaim {
  return { ...rule, weekdays: weekdaysOf({ weekdays }), from, until, skipped: skipped ?? [] };
}

/** The last skipped dates of each rule, the newest first. */
async function skippedDates(db: Db | Tx, ids: readonly number[]): Promise<Map<number, Skipped>> {
  const rows = await readByIds(ids, (some) =>
    db
      .selectFrom('standing_occurrences')
      .select(['standing_id', 'date', 'code', 'wait_id'])
      .where('standing_id', 'in', some)
      .where('code', 'is not', null)
      .orderBy('standing_id')
      .orderBy('date', 'desc')
      .execute(),
  );
  const skipped = new Map<number, Skipped>();
  for (const [id, dates] of Map.groupBy(rows, ({ standing_id }) => standing_id))
    skipped.set(
      id,
      dates.slice(0, MAX_SKIPPED).map(({ date, code, wait_id }) => ({ date, code: code ?? '', wait_id })),
    );
  return skipped;
}

export async function recordsOf(db: Db | Tx, rules: readonly StoredRule[]): Promise<StandingClaim[]> {
  const skipped = await skippedDates(
    db,
    rules.map(({ id }) => id),
  );
  return rules.map((rule) => recordOf(rule, skipped.get(rule.id)));
}

/** In the order in which they were made. */
const rules = (db: Db | Tx) => db.selectFrom('standing_claims').selectAll().orderBy('id');

const allRules = (db: Db | Tx): Promise<StoredRule[]> => rules(db).execute();
export const rulesOf = (db: Db | Tx, character_key: string): Promise<StoredRule[]> =>
  rules(db).where('character_key', '=', character_key).execute();
export const findRule = async (db: Db | Tx, id: number): Promise<StoredRule | null> =>
  (await rules(db).where('id', '=', id).executeTakeFirst()) ?? null;

export const allStanding = async (db: Db | Tx): Promise<StandingClaim[]> => recordsOf(db, await allRules(db));
export const standingOf = async (db: Db | Tx, character_key: string): Promise<StandingClaim[]> =>
  recordsOf(db, await rulesOf(db, character_key));

export const standingRecords = recordSource('standing_claim', {
  schema: standingClaim,
  read: ({ tx }) => allStanding(tx),
  order: oldestFirst,
});
