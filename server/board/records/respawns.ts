import { type ExpressionBuilder, sql } from 'kysely';
import { DomainError, existing } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { type Category, category } from '../../../shared/schemas/category.ts';
import { type Respawn, respawn } from '../../../shared/schemas/respawn.ts';
import {
  BATCH_SIZE,
  type BoundRows,
  type Db,
  preparedRows,
  readByIds,
  type Tx,
} from '../../db/database.ts';
import type { ClaimPartsTable, Database } from '../../db/schema.ts';
import { type ChangeRecorder, MANY_CHANGES } from '../../db/unit-of-work.ts';
import { byName, recordSource } from '../../live/record-kinds.ts';

interface RespawnFilter {
  /** Only these. */
  ids?: readonly number[];
  /** Only those that take claims: what members see. */
  enabled?: boolean;
}

/** The URL of a picture, which is stored as a name or as a path. */
export function imageUrl(image: string): string {
  return image.startsWith('/assets/') ? image : `/assets/respawns/${image}`;
}

/** The fields of a respawn that claims show. */
export type RespawnLabel = Pick<
  Respawn,
  'id' | 'name' | 'image' | 'image_url' | 'category_id' | 'category_name'
>;

/** By respawn id; undefined: there is none. */
export type RespawnLabels = ReadonlyMap<number, RespawnLabel | undefined>;

export async function findRespawnLabels(
  db: Db | Tx,
  ids: Iterable<number>,
): Promise<Map<number, RespawnLabel>> {
  const rows = await readByIds(ids, (some) =>
    db
      .selectFrom('respawns')
      .leftJoin('categories', 'categories.id', 'respawns.category_id')
      .select([
        'respawns.id',
        'respawns.name',
        'image',
        'category_id',
        'categories.name as category_name',
      ])
      .where('respawns.id', 'in', some)
      .execute(),
  );
  return new Map(rows.map((row) => [row.id, { ...row, image_url: imageUrl(row.image) }]));
}

/** The columns that make a respawn's record, beside its category's name. */
const RESPAWN_COLUMNS = [
  'respawns.id',
  'respawns.name',
  'image',
  'category_id',
  'is_enabled',
  'total_claims',
  'last_claim_date',
  'created_at',
] as const;

/** Respawns by name. */
export async function findRespawns(
  db: Db | Tx,
  { ids, enabled }: RespawnFilter = {},
): Promise<Respawn[]> {
  if (ids?.length === 0) return [];
  if (ids && ids.length > BATCH_SIZE) {
    const wanted = new Set(ids);
    return (await findRespawns(db, enabled ? { enabled } : {})).filter(({ id }) => wanted.has(id));
  }
  let respawns = db
    .selectFrom('respawns')
    .leftJoin('categories', 'categories.id', 'respawns.category_id')
    .select([...RESPAWN_COLUMNS, 'categories.name as category_name'])
    .orderBy('respawns.name_key');
  if (ids) respawns = respawns.where('respawns.id', 'in', ids);
  if (enabled) respawns = respawns.where('is_enabled', '=', 1);
  return (await respawns.execute()).map((row) => ({ ...row, image_url: imageUrl(row.image) }));
}

export const findRespawn = async (db: Db | Tx, id: number): Promise<Respawn | null> =>
  (await findRespawns(db, { ids: [id] }))[0] ?? null;

/** R4.10. @throws DomainError respawn.notFound, respawn.disabled */
export function assertTakesClaims(
  respawn: { name: string; is_enabled: number } | null,
  respawn_id: number,
): void {
  const { name, is_enabled } = existing(respawn, 'respawn.notFound', { respawn_id });
  if (!is_enabled) throw new DomainError('respawn.disabled', { respawn_name: name });
}

/** Shows respawns; members see only enabled ones. For many, everyone loads the board again. */
export function putRespawns(changes: ChangeRecorder, respawns: readonly Respawn[]): void {
  if (respawns.length > MANY_CHANGES) {
    changes.reset();
    return;
  }
  for (const record of respawns) {
    if (record.is_enabled) {
      changes.put({ kind: 'respawn', record });
    } else {
      changes.put({ kind: 'respawn', record }, 'dashboard');
      changes.remove('respawn', record.id, 'members');
    }
  }
}

type OfRespawn = ExpressionBuilder<Database, 'respawns'>;

const ofThis = (
  of: ExpressionBuilder<
    Database & { part: Pick<ClaimPartsTable, 'respawn_id'> },
    'respawns' | 'part'
  >,
) => of('part.respawn_id', '=', of.ref('respawns.id'));

/** Reads one row of each of two indexes. A bound limit would make SQLite prepare the statement each time. */
const lastClaimDate = (of: OfRespawn) => {
  const one = of.lit(1);
  const current = of.selectFrom('claim_parts as part').select('part.last_date').where(ofThis);
  const archived = of
    .selectFrom('archived_claim_parts as part')
    .select('part.last_date')
    .where(ofThis);
  const both = of
    .selectFrom(current.orderBy('part.last_date', 'desc').limit(one).as('current'))
    .select('current.last_date')
    .unionAll(
      of
        .selectFrom(archived.orderBy('part.last_date', 'desc').limit(one).as('archived'))
        .select('archived.last_date'),
    );
  return of
    .selectFrom(both.as('last'))
    .select(({ fn }) => fn.max('last.last_date').as('last_date'));
};

const categoryName = (of: OfRespawn) =>
  of
    .selectFrom('categories')
    .select('categories.name')
    .whereRef('categories.id', '=', 'respawns.category_id');

/**
 * Updates the claim counts of respawns, after the claims' rows are written.
 * @param claims by how many each count changes
 * @returns the changed respawns
 */
export async function moveRespawnCounts(
  tx: Tx,
  claims: ReadonlyMap<number, number>,
): Promise<Respawn[]> {
  const moved: Respawn[] = [];
  // Mostly, all change by the same number.
  for (const [n, ids] of Map.groupBy(claims.keys(), (id) => claims.get(id) ?? 0)) {
    const rows = await readByIds(ids, (some) =>
      moveCounts(
        tx,
        some.map((id) => ({ id, n })),
      ),
    );
    for (const row of rows) moved.push({ ...row, image_url: imageUrl(row.image) });
  }
  return moved;
}

const moveCounts = preparedRows((tx, rows: BoundRows<{ id: number; n: number }>) => {
  const [first] = rows;
  return tx
    .updateTable('respawns')
    .set((of) => ({
      total_claims: sql<number>`total_claims + ${first('n')}`,
      last_claim_date: lastClaimDate(of),
    }))
    .where(
      'id',
      'in',
      rows.map((bound) => bound('id')),
    )
    .returning((of) => [...RESPAWN_COLUMNS, categoryName(of).as('category_name')])
    .compile();
});

/** Updates the last claim dates of an event's spots, after the event's dates changed. */
export async function keepLastClaimDates(tx: Tx, event_id: number): Promise<void> {
  await tx
    .updateTable('respawns')
    .set((of) => ({ last_claim_date: lastClaimDate(of) }))
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('claim_parts')
        .innerJoin('claims', 'claims.id', 'claim_parts.claim_id')
        .select('claim_parts.respawn_id')
        .where('claims.event_id', '=', event_id),
    )
    .execute();
}

export const respawnRecords = recordSource('respawn', {
  schema: respawn,
  read: ({ tx, room }) => findRespawns(tx, room === 'members' ? { enabled: true } : {}),
  order: (one, other) => byName(one.name, other.name) || one.id - other.id,
});

/** All categories, by name. */
export function allCategories(db: Db | Tx): Promise<Category[]> {
  return db.selectFrom('categories').select(['id', 'name']).orderBy('name_key').execute();
}

export async function findCategory(db: Db | Tx, id: number): Promise<Category | null> {
  return (
    (await db
      .selectFrom('categories')
      .select(['id', 'name'])
      .where('id', '=', id)
      .executeTakeFirst()) ?? null
  );
}

/** The category of this name; case does not count (R1.1). */
export async function categoryNamed(db: Db | Tx, name: string): Promise<Category | null> {
  return (
    (await db
      .selectFrom('categories')
      .select(['id', 'name'])
      .where('name_key', '=', nameKey(name))
      .executeTakeFirst()) ?? null
  );
}

export const categoryRecords = recordSource('category', {
  schema: category,
  read: ({ tx }) => allCategories(tx),
  order: (one, other) => byName(one.name, other.name) || one.id - other.id,
});
