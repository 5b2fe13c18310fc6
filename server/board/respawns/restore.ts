import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { flag, id, timestamp } from '../../../shared/schemas/fields.ts';
import type { RecordUndo } from '../../activity/undo.ts';
import { changedRecord, deletedRecord, type UndoRecord } from '../../activity/undo-store.ts';
import { inBatches, readByIds, type Tx } from '../../db/database.ts';
import { MANY_CHANGES, type Unit } from '../../db/unit-of-work.ts';
import { changedSpots } from '../changed-spots.ts';
import { firstNames } from '../claims/claim-facts.ts';
import { findRespawns, putRespawns } from '../records/respawns.ts';
import { sendStarsOf } from '../stars/stars.ts';

const deletedRespawn = deletedRecord(
  'respawn',
  z.object({
    id,
    name: z.string(),
    image: z.string(),
    category_id: id.nullable(),
    /** To name the category if it is gone. */
    category_name: z.string().nullable(),
    is_enabled: flag,
    created_at: timestamp,
  }),
);
const changedRespawn = changedRecord('respawn', {
  name: z.string(),
  is_enabled: flag,
  category_id: id.nullable(),
}).extend({
  /** It only changed along with what was deleted: if it was changed again since, the undo leaves it alone instead of refusing. */
  along: z.literal(true).exactOptional(),
  /** To name the category if it is gone. */
  category_name: z.string().nullable(),
});
/** A spot that an import made. */
const madeRespawn = z.object({
  kind: z.literal('respawn'),
  made: z.object({ id, name: z.string(), is_enabled: flag, category_id: id.nullable() }),
});
const respawnRecord = z.union([deletedRespawn, changedRespawn, madeRespawn]);

type RespawnRow = z.infer<typeof deletedRespawn>['deleted'];
type ChangedRespawn = z.infer<typeof changedRespawn>;
type SpotColumns = ChangedRespawn['changed']['after'];

/** Restores spots, and the names, enabled switches and categories of changed ones; deletes those that an import made. */
export const respawnUndo: RecordUndo<z.infer<typeof respawnRecord>> = {
  kinds: ['respawn'],
  record: respawnRecord,
  restore: async (write, records) => {
    const { tx, changes } = write;
    const deleted = records.flatMap((record) => ('deleted' in record ? record.deleted : []));
    await restoreRespawns(tx, deleted);
    for (const { id } of deleted) changes.collect(changedSpots).set(id, null);
    const changed = await changeRespawnsBack(
      write,
      records.filter((record) => 'changed' in record),
    );
    const made = records.flatMap((record) => ('made' in record ? record.made : []));
    await deleteMade(write, made);
    const restored = deleted.map(({ id }) => id);
    await sendStarsOf(write, restored);
    const ids = [...restored, ...changed];
    return async () => putRespawns(changes, await findRespawns(tx, { ids }));
  },
};

const respawnRows = (tx: Tx, ids: Iterable<number>): Promise<RespawnRow[]> =>
  readByIds(ids, (some) =>
    tx
      .selectFrom('respawns')
      .leftJoin('categories', 'categories.id', 'respawns.category_id')
      .select([
        'respawns.id',
        'respawns.name',
        'image',
        'category_id',
        'categories.name as category_name',
        'is_enabled',
        'created_at',
      ])
      .where('respawns.id', 'in', some)
      .orderBy('respawns.id')
      .execute(),
  );

/** Spots before they are deleted, for the undo. Their claims are kept by the caller. */
export const deletedRespawns = async (tx: Tx, ids: readonly number[]): Promise<UndoRecord[]> =>
  (await respawnRows(tx, ids)).map((deleted) => ({ kind: 'respawn', deleted }));

/**
 * Spots before their columns change to `after`, for the undo; spots that have these values already are left out.
 * @param after with `along` they only change along with something that is deleted
 */
export async function changedRespawns(
  tx: Tx,
  ids: readonly number[],
  { along = false, ...after }: SpotColumns & { along?: boolean },
): Promise<UndoRecord[]> {
  return (await respawnRows(tx, ids)).flatMap(
    ({ id, name, category_id, category_name, is_enabled }): ChangedRespawn[] => {
      const before: SpotColumns = {
        ...(after.name !== undefined && after.name !== name && { name }),
        ...(after.category_id !== undefined &&
          after.category_id !== category_id && { category_id }),
        ...(after.is_enabled !== undefined && after.is_enabled !== is_enabled && { is_enabled }),
      };
      if (Object.keys(before).length === 0) return [];
      return [
        {
          kind: 'respawn',
          id,
          name,
          category_name,
          changed: { before, after },
          ...(along && { along }),
        },
      ];
    },
  );
}

/**
 * Restores deleted spots without claims, but with the counts of archived ones.
 * @throws DomainError activity.spotNameTaken, activity.goneMeanwhile for a category, activity.changedMeanwhile
 */
async function restoreRespawns(tx: Tx, spots: readonly RespawnRow[]): Promise<void> {
  // Computed again: the rule for comparing names may have changed since.
  const rows = spots.map((spot) => ({
    ...omit(spot, 'category_name'),
    name_key: nameKey(spot.name),
  }));
  await refuseCategoriesGone(
    tx,
    spots.map(({ category_id, category_name }) => ({ category_id, category_name })),
  );
  for (const some of inBatches(rows)) {
    const keys = some.map(({ name_key }) => name_key);
    const named = await tx
      .selectFrom('respawns')
      .select('name')
      .where('name_key', 'in', keys)
      .orderBy('id')
      .execute();
    if (named.length > 0)
      throw new DomainError('activity.spotNameTaken', {
        list: firstNames(named.map(({ name }) => name)),
      });
    const ids = some.map(({ id }) => id);
    const taken = await tx
      .selectFrom('respawns')
      .select('name')
      .where('id', 'in', ids)
      .orderBy('id')
      .execute();
    if (taken.length > 0)
      throw new DomainError('activity.changedMeanwhile', {
        list: firstNames(taken.map(({ name }) => name)),
      });
    const archived = new Map(
      (await archivedOf(tx, ids)).map(({ respawn_id, ...counts }) => [respawn_id, counts]),
    );
    const values = some.map((row) => ({
      ...row,
      ...(archived.get(row.id) ?? { total_claims: 0, last_claim_date: null }),
    }));
    await tx.insertInto('respawns').values(values).execute();
  }
}

/** The counts of archived claims, which outlive their spots. */
const archivedOf = (tx: Tx, ids: readonly number[]) =>
  tx
    .selectFrom('archived_claim_parts')
    .select(({ fn }) => [
      'respawn_id',
      fn.count<number>('claim_id').distinct().as('total_claims'),
      fn.max('last_date').as('last_claim_date'),
    ])
    .where('respawn_id', 'in', ids)
    .groupBy('respawn_id')
    .execute();

async function refuseCategoriesGone(
  tx: Tx,
  of: readonly { category_id?: number | null | undefined; category_name: string | null }[],
): Promise<void> {
  const wanted = new Map(
    of.flatMap(({ category_id, category_name }) =>
      category_id ? [[category_id, category_name ?? '']] : [],
    ),
  );
  const found = await readByIds(wanted.keys(), (some) =>
    tx.selectFrom('categories').select('id').where('id', 'in', some).execute(),
  );
  for (const { id } of found) wanted.delete(id);
  if (wanted.size > 0)
    throw new DomainError('activity.goneMeanwhile', { list: firstNames([...wanted.values()]) });
}

/**
 * Sets columns of spots back.
 * @returns the ids of the spots that were set back
 * @throws DomainError activity.changedMeanwhile, activity.goneMeanwhile for a category
 */
async function changeRespawnsBack(
  { tx, changes }: Unit,
  spots: readonly ChangedRespawn[],
): Promise<number[]> {
  const now = new Map(
    (
      await respawnRows(
        tx,
        spots.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  const isAsMade = ({ id, changed: { before, after } }: ChangedRespawn): boolean => {
    const spot = now.get(id);
    const stands = (column: keyof SpotColumns) =>
      before[column] === undefined || spot?.[column] === after[column];
    return spot !== undefined && stands('name') && stands('category_id') && stands('is_enabled');
  };
  const others = spots.filter((spot) => !spot.along && !isAsMade(spot));
  if (others.length > 0)
    throw new DomainError('activity.changedMeanwhile', {
      list: firstNames(others.map(({ name }) => name)),
    });
  const back = spots.filter(isAsMade);
  await refuseCategoriesGone(
    tx,
    back.map(({ changed, category_name }) => ({
      category_id: changed.before.category_id,
      category_name,
    })),
  );
  const alike = Map.groupBy(back, ({ changed: { before } }) => JSON.stringify(before));
  for (const [first, ...rest] of alike.values()) {
    if (!first) continue;
    const ids = [first, ...rest].map(({ id }) => id);
    const { name } = first.changed.before;
    if (name !== undefined) await refuseNameTaken(tx, name, ids);
    const columns = {
      ...first.changed.before,
      ...(name !== undefined && { name_key: nameKey(name) }),
    };
    await readByIds(ids, (some) =>
      tx.updateTable('respawns').set(columns).where('id', 'in', some).returning('id').execute(),
    );
    if (first.changed.before.is_enabled !== undefined)
      for (const id of ids) changes.collect(changedSpots).set(id, null);
  }
  return back.map(({ id }) => id);
}

/** @throws DomainError activity.spotNameTaken */
async function refuseNameTaken(tx: Tx, name: string, except: readonly number[]): Promise<void> {
  const named = tx
    .selectFrom('respawns')
    .select('name')
    .where('name_key', '=', nameKey(name))
    .where('id', 'not in', except);
  const other = await named.executeTakeFirst();
  if (other) throw new DomainError('activity.spotNameTaken', { list: other.name });
}

type MadeRespawn = z.infer<typeof madeRespawn>['made'];

/** Spots that an import made, for its undo. */
export const madeRespawns = (spots: readonly MadeRespawn[]): UndoRecord[] =>
  spots.map(({ id, name, is_enabled, category_id }) => ({
    kind: 'respawn',
    made: { id, name, is_enabled, category_id },
  }));

/**
 * Deletes spots that an import made.
 * @throws DomainError activity.changedMeanwhile, or activity.inUse for spots with claims, waitlists or weekly claims
 */
async function deleteMade({ tx, changes }: Unit, made: readonly MadeRespawn[]): Promise<void> {
  const ids = made.map(({ id }) => id);
  const now = new Map((await respawnRows(tx, ids)).map((row) => [row.id, row]));
  const others = made.filter(({ id, name, is_enabled, category_id }) => {
    const spot = now.get(id);
    return (
      spot?.name !== name || spot.is_enabled !== is_enabled || spot.category_id !== category_id
    );
  });
  if (others.length > 0)
    throw new DomainError('activity.changedMeanwhile', {
      list: firstNames(others.map(({ name }) => name)),
    });
  const used = new Set<number>();
  for (const table of ['claim_parts', 'waits', 'standing_claims'] as const) {
    const rows = await readByIds(ids, (some) =>
      tx
        .selectFrom(table)
        .select('respawn_id as id')
        .distinct()
        .where('respawn_id', 'in', some)
        .execute(),
    );
    for (const { id } of rows) used.add(id);
  }
  const inUse = made.filter(({ id }) => used.has(id));
  if (inUse.length > 0)
    throw new DomainError('activity.inUse', { list: firstNames(inUse.map(({ name }) => name)) });
  await readByIds(ids, (some) =>
    tx.deleteFrom('respawns').where('id', 'in', some).returning('id').execute(),
  );
  if (ids.length > MANY_CHANGES) changes.reset();
  else for (const id of ids) changes.remove('respawn', id);
}
