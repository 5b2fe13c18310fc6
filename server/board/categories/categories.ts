import { z } from 'zod';
import { DomainError, existing } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import {
  type Category,
  type CategoryInput,
  DEFAULT_CATEGORY_ID,
} from '../../../shared/schemas/category.ts';
import { id } from '../../../shared/schemas/fields.ts';
import type { RecordUndo } from '../../activity/undo.ts';
import { deletedRecord, keepUndo, type UndoRecord } from '../../activity/undo-store.ts';
import { logActivity } from '../../auth/activity-log.ts';
import { type Tx, writeInBatches } from '../../db/database.ts';
import { assertNameIsFree } from '../../db/unique-names.ts';
import { type Unit, type Writing, write } from '../../db/unit-of-work.ts';
import type { Admin } from '../../http/caller.ts';
import { categoryNamed, findCategory, findRespawns, putRespawns } from '../records/respawns.ts';
import { changedRespawns } from '../respawns/restore.ts';

/** @throws DomainError category.nameExists */
export function createCategory(
  ctx: Writing,
  admin: Admin,
  { name }: CategoryInput,
): Promise<Category> {
  return write(ctx, async (unit) => {
    await assertNameIsFree(unit.tx, 'categories', { name });
    const [inserted] = await insertCategories(unit, [name]);
    const record = existing(inserted, 'category.notFound');
    await logActivity(unit, admin, {
      action: 'category_created',
      details: { category_id: record.id, name },
    });
    return record;
  });
}

/** Stores new categories within a caller's write. */
export async function insertCategories(
  { tx, changes }: Unit,
  names: readonly string[],
): Promise<Category[]> {
  const stored: Category[] = [];
  await writeInBatches(names, async (some) => {
    const rows = some.map((name) => ({ name, name_key: nameKey(name) }));
    stored.push(
      ...(await tx.insertInto('categories').values(rows).returning(['id', 'name']).execute()),
    );
  });
  for (const record of stored) changes.put({ kind: 'category', record });
  return stored;
}

/**
 * Renames a category, also in its respawns' records.
 * @throws DomainError category.notFound, category.nameExists
 */
export async function renameCategory(
  ctx: Writing,
  admin: Admin,
  { id, name }: CategoryInput & { id: number },
): Promise<Category> {
  const known = existing(await findCategory(ctx.db, id), 'category.notFound');
  if (known.name === name) return known;
  return write(ctx, async (unit) => {
    const { tx, changes } = unit;
    const before = existing(await findCategory(tx, id), 'category.notFound');
    await assertNameIsFree(tx, 'categories', { name, id });
    await tx
      .updateTable('categories')
      .set({ name, name_key: nameKey(name) })
      .where('id', '=', id)
      .execute();
    const record = { id, name };
    changes.put({ kind: 'category', record });
    putRespawns(
      changes,
      (await findRespawns(tx)).filter((respawn) => respawn.category_id === id),
    );
    const changed = { name: { from: before.name, to: name } };
    await logActivity(unit, admin, {
      action: 'category_updated',
      details: { category_id: id, name, changed },
    });
    return record;
  });
}

/**
 * Deletes a category; its respawns move to the default one.
 * @throws DomainError category.notFound, category.isDefault
 */
export async function deleteCategory(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (unit) => {
    const { tx, changes } = unit;
    const { name } = existing(await findCategory(tx, id), 'category.notFound');
    if (id === DEFAULT_CATEGORY_ID) throw new DomainError('category.isDefault');
    const undo = await keepUndo(unit, {
      records: await keptCategory(tx, { id, name }, DEFAULT_CATEGORY_ID),
    });
    const moved = await tx
      .updateTable('respawns')
      .set({ category_id: DEFAULT_CATEGORY_ID })
      .where('category_id', '=', id)
      .returning('id')
      .execute();
    await tx.deleteFrom('categories').where('id', '=', id).execute();
    changes.remove('category', id);
    putRespawns(changes, await findRespawns(tx, { ids: moved.map((respawn) => respawn.id) }));
    const details = { category_id: id, name, respawns_moved: moved.length };
    await logActivity(unit, admin, { action: 'category_deleted', details, undo });
  });
}

const categoryRecord = z.union([
  deletedRecord('category', z.object({ id, name: z.string() })),
  z.object({ kind: z.literal('category'), made: z.object({ id, name: z.string() }) }),
]);

export const madeCategories = (categories: readonly Category[]): UndoRecord[] =>
  categories.map(({ id, name }) => ({ kind: 'category', made: { id, name } }));

/** A category before it is deleted, and its spots before they move to another one, for the undo. */
async function keptCategory(tx: Tx, category: Category, moveTo: number): Promise<UndoRecord[]> {
  const spots = await tx
    .selectFrom('respawns')
    .select('id')
    .where('category_id', '=', category.id)
    .orderBy('id')
    .execute();
  const ids = spots.map(({ id }) => id);
  return [
    { kind: 'category', deleted: category },
    ...(await changedRespawns(tx, ids, { category_id: moveTo, along: true })),
  ];
}

/**
 * Restores deleted categories; their spots are records of their own. Deletes those that an import made, unless they have other spots now.
 * @throws DomainError activity.categoryNameTaken, activity.changedMeanwhile
 */
export const categoryUndo: RecordUndo<z.infer<typeof categoryRecord>> = {
  kinds: ['category'],
  record: categoryRecord,
  restore: async (write, records) => {
    const { tx, changes } = write;
    for (const each of records) {
      if (!('deleted' in each)) continue;
      const record = each.deleted;
      const other = await categoryNamed(tx, record.name);
      if (other) throw new DomainError('activity.categoryNameTaken', { list: other.name });
      const taken = await findCategory(tx, record.id);
      if (taken) throw new DomainError('activity.changedMeanwhile', { list: taken.name });
      await tx
        .insertInto('categories')
        .values({ ...record, name_key: nameKey(record.name) })
        .execute();
      changes.put({ kind: 'category', record });
    }
    const made = records.flatMap((each) => ('made' in each ? each.made : []));
    // After the spots, which may be in them.
    return () => deleteMade(write, made);
  },
};

async function deleteMade({ tx, changes }: Unit, made: readonly Category[]): Promise<void> {
  for (const { id } of made) {
    const spot = await tx
      .selectFrom('respawns')
      .select('id')
      .where('category_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (spot) continue;
    const gone = await tx.deleteFrom('categories').where('id', '=', id).returning('id').execute();
    if (gone.length > 0) changes.remove('category', id);
  }
}
