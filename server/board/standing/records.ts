import type { Selectable } from 'kysely';
import { omit } from '../../../shared/omit.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import {
  MAX_SKIPPED,
  type StandingClaim,
  type StandingQuery,
  standingClaim,
} from '../../../shared/schemas/standing-claim.ts';
import { type Db, pageBounds, readByIds, type Tx } from '../../db/database.ts';
import type { StandingClaimsTable } from '../../db/schema.ts';
import { oldestFirst, recordSource } from '../../live/record-kinds.ts';

/** A standing claim as it is stored. */
export type StoredStanding = Selectable<StandingClaimsTable>;

export const weekdaysOf = ({ weekdays }: Pick<StoredStanding, 'weekdays'>): number[] =>
  [...weekdays].map(Number);

/** Ended standing claims that their member is shown: the newest. */
const MAX_ENDED = 20;

type Skipped = StandingClaim['skipped'];

/** The last skipped dates of each standing claim, the newest first. */
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
      dates
        .slice(0, MAX_SKIPPED)
        .map(({ date, code, wait_id }) => ({ date, code: code ?? '', wait_id })),
    );
  return skipped;
}

export async function standingRecordsOf(
  db: Db | Tx,
  standingClaims: readonly StoredStanding[],
): Promise<StandingClaim[]> {
  const skipped = await skippedDates(
    db,
    standingClaims.map(({ id }) => id),
  );
  const spots = new Map(
    (
      await readByIds(new Set(standingClaims.map(({ respawn_id }) => respawn_id)), (some) =>
        db
          .selectFrom('respawns')
          .select(['id', 'name', 'is_enabled'])
          .where('id', 'in', some)
          .execute(),
      )
    ).map((spot) => [spot.id, spot]),
  );
  const keys = await readByIds(
    new Set(standingClaims.flatMap(({ access_key_id }) => access_key_id ?? [])),
    (some) =>
      db
        .selectFrom('access_keys')
        .select('id')
        .where('id', 'in', some)
        .where('is_revoked', '=', 1)
        .execute(),
  );
  const revoked = new Set(keys.map(({ id }) => id));
  return standingClaims.map((standing) => {
    const spot = spots.get(standing.respawn_id);
    const isRevoked = revoked.has(standing.access_key_id ?? 0);
    const stopped = isRevoked ? 'key' : spot?.is_enabled === 0 ? 'spot' : null;
    return {
      ...omit(standing, 'character_key', 'access_key_id', 'from_date', 'until_date'),
      weekdays: weekdaysOf(standing),
      from: standing.from_date,
      until: standing.until_date,
      respawn_name: spot?.name ?? standing.respawn_name ?? '',
      skipped: skipped.get(standing.id) ?? [],
      stopped: standing.ended_at === null ? stopped : null,
    };
  });
}

/** A query of standing claims that have not ended, in the order in which they were made. */
export const selectCurrent = (db: Db | Tx) =>
  db
    .selectFrom('standing_claims')
    .selectAll('standing_claims')
    .where('ended_at', 'is', null)
    .orderBy('standing_claims.id');

export const currentStandingOf = (db: Db | Tx, character_key: string): Promise<StoredStanding[]> =>
  selectCurrent(db).where('character_key', '=', character_key).execute();
/** A standing claim that goes on. */
export const findStanding = async (db: Db | Tx, id: number): Promise<StoredStanding | null> =>
  (await selectCurrent(db).where('id', '=', id).executeTakeFirst()) ?? null;

/** A member's standing claims, and those made with the same key that ended with their spot or their last date. */
export async function standingOf(db: Db | Tx, character_key: string): Promise<StandingClaim[]> {
  const ended = await db
    .selectFrom('standing_claims')
    .selectAll()
    .where('character_key', '=', character_key)
    .where(
      'access_key_id',
      'in',
      db.selectFrom('access_keys').select('id').where('character_key', '=', character_key),
    )
    .where('end_reason', 'in', ['spot', 'over'])
    .orderBy('id', 'desc')
    .limit(MAX_ENDED)
    .execute();
  return standingRecordsOf(db, [...(await currentStandingOf(db, character_key)), ...ended]);
}

const inState = (db: Db | Tx, { state, character }: StandingQuery) => {
  const standingClaims = db
    .selectFrom('standing_claims')
    .where('ended_at', state === 'ended' ? 'is not' : 'is', null);
  return character === undefined
    ? standingClaims
    : standingClaims.where('character_key', '=', nameKey(character));
};

/** A page of the guild's standing claims, in the order in which they were made. */
export async function standingPage(db: Db | Tx, query: StandingQuery): Promise<StandingClaim[]> {
  const { most, last_id } = pageBounds(query);
  const found = await inState(db, query)
    .selectAll()
    .where('id', '<=', last_id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  return standingRecordsOf(db, found.reverse());
}

export async function countStanding(db: Db | Tx, query: StandingQuery): Promise<number> {
  const { n } = await inState(db, query)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

export const standingRecords = recordSource('standing_claim', {
  schema: standingClaim,
  read: async ({ tx }) => standingRecordsOf(tx, await selectCurrent(tx).execute()),
  order: oldestFirst,
});
