import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { DeletedRow, UndoRecord } from '../../activity/undo-rows.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { changedRespawns } from '../respawns/restore.ts';
import { categoryNamed, findCategory } from './queries.ts';

/**
 * What a category that is about to be deleted is, and which spots are in it, for the undo of it.
 * @param instead the category that its spots go to
 */
export async function deletedCategory(tx: Tx, category: DeletedRow<'category'>, instead: number): Promise<UndoRecord[]> {
  const spots = await tx.selectFrom('respawns').select('id').where('category_id', '=', category.id).orderBy('id').execute();
  const ids = spots.map(({ id }) => id);
  return [{ kind: 'category', deleted: category }, ...(await changedRespawns(tx, ids, { category_id: instead }, true))];
}

/**
 * Puts deleted categories back, without the spots that were in them.
 * @throws DomainError activity.categoryNameTaken, activity.changedMeanwhile
 */
export async function restoreCategories(tx: Tx, changes: ChangeRecorder, categories: readonly DeletedRow<'category'>[]): Promise<void> {
  for (const record of categories) {
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
}
