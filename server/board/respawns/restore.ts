import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ChangedRow, DeletedRow, UndoRecord } from '../../activity/undo-rows.ts';
import { byIds, inBatches } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { namedFirst } from '../claims/claim-facts.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';

type DeletedRespawn = DeletedRow<'respawn'>;
type ChangedRespawn = ChangedRow<'respawn'>;
type SpotColumns = ChangedRespawn['changed']['after'];

const rowsOf = (tx: Tx, ids: Iterable<number>): Promise<DeletedRespawn[]> =>
  byIds(ids, (some) =>
    tx
      .selectFrom('respawns')
      .leftJoin('categories', 'categories.id', 'respawns.category_id')
      .select(['respawns.id', 'respawns.name', 'image', 'category_id', 'categories.name as category_name', 'is_enabled', 'created_at'])
      .where('respawns.id', 'in', some)
      .orderBy('respawns.id')
      .execute(),
  );

/** What spots that are about to be deleted are, for the undo of it; what is kept of their claims is the caller's to add. */
export const deletedRespawns = async (tx: Tx, ids: readonly number[]): Promise<UndoRecord[]> =>
  (await rowsOf(tx, ids)).map((deleted) => ({ kind: 'respawn', deleted }));

/**
 * What spots are that are about to be given these columns, as far as they have others, for the undo of it.
 * @param along they only go along with what is deleted: the undo lets those be that were changed once more
 */
export async function changedRespawns(tx: Tx, ids: readonly number[], after: SpotColumns, along = false): Promise<UndoRecord[]> {
  return (await rowsOf(tx, ids)).flatMap(({ id, name, category_id, category_name, is_enabled }): UndoRecord[] => {
    const before: SpotColumns = {
      ...(after.category_id !== undefined && after.category_id !== category_id && { category_id }),
      ...(after.is_enabled !== undefined && after.is_enabled !== is_enabled && { is_enabled }),
    };
    if (Object.keys(before).length === 0) return [];
    return [{ kind: 'respawn', id, name, category_name, changed: { before, after }, ...(along && { along }) }];
  });
}

/**
 * Puts deleted spots back, without claims but with what the archive counts of them; their pictures never went.
 * @throws DomainError activity.spotNameTaken, activity.goneMeanwhile for a category, activity.changedMeanwhile
 */
export async function restoreRespawns(tx: Tx, spots: readonly DeletedRespawn[]): Promise<void> {
  // Made anew: names may be compared otherwise than when the spot was deleted.
  const rows = spots.map(({ category_name: _, ...spot }) => ({ ...spot, name_key: nameKey(spot.name) }));
  await refuseCategoriesGone(
    tx,
    spots.map(({ category_id, category_name }) => ({ category_id, category_name })),
  );
  for (const some of inBatches(rows)) {
    const keys = some.map(({ name_key }) => name_key);
    const named = await tx.selectFrom('respawns').select('name').where('name_key', 'in', keys).orderBy('id').execute();
    if (named.length > 0) throw new DomainError('activity.spotNameTaken', { list: namedFirst(named.map(({ name }) => name)) });
    const ids = some.map(({ id }) => id);
    const taken = await tx.selectFrom('respawns').select('name').where('id', 'in', ids).orderBy('id').execute();
    if (taken.length > 0) throw new DomainError('activity.changedMeanwhile', { list: namedFirst(taken.map(({ name }) => name)) });
    const archived = new Map((await archivedOf(tx, ids)).map(({ respawn_id, ...counts }) => [respawn_id, counts]));
    const values = some.map((row) => ({ ...row, ...(archived.get(row.id) ?? { total_claims: 0, last_claim_date: null }) }));
    await tx.insertInto('respawns').values(values).execute();
  }
}

/** What spots count of claims that are archived, which outlive them. */
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
  of: readonly { category_id?: number | null | undefined; category_name?: string | null }[],
): Promise<void> {
  const wanted = new Map(of.flatMap(({ category_id, category_name }) => (category_id ? [[category_id, category_name ?? '']] : [])));
  const found = await byIds(wanted.keys(), (some) => tx.selectFrom('categories').select('id').where('id', 'in', some).execute());
  for (const { id } of found) wanted.delete(id);
  if (wanted.size > 0) throw new DomainError('activity.goneMeanwhile', { list: namedFirst([...wanted.values()]) });
}

/**
 * Sets columns of spots back to what they were.
 * @returns the ids of those that are changed: spots that only went along are let be where they were changed once more, or are gone
 * @throws DomainError activity.changedMeanwhile, activity.goneMeanwhile for a category
 */
export async function changeRespawnsBack(tx: Tx, changes: ChangeRecorder, spots: readonly ChangedRespawn[]): Promise<number[]> {
  const now = new Map(
    (
      await rowsOf(
        tx,
        spots.map(({ id }) => id),
      )
    ).map((row) => [row.id, row]),
  );
  const isAsMade = ({ id, changed: { before, after } }: ChangedRespawn): boolean => {
    const spot = now.get(id);
    const stands = (column: keyof SpotColumns) => before[column] === undefined || spot?.[column] === after[column];
    return spot !== undefined && stands('category_id') && stands('is_enabled');
  };
  const others = spots.filter((spot) => !spot.along && !isAsMade(spot));
  if (others.length > 0) throw new DomainError('activity.changedMeanwhile', { list: namedFirst(others.map(({ name }) => name)) });
  const back = spots.filter(isAsMade);
  await refuseCategoriesGone(
    tx,
    back.map(({ changed, category_name = null }) => ({ category_id: changed.before.category_id, category_name })),
  );
  const alike = Map.groupBy(back, ({ changed: { before } }) => JSON.stringify(before));
  for (const [first, ...rest] of alike.values()) {
    if (!first) continue;
    const ids = [first, ...rest].map(({ id }) => id);
    await byIds(ids, (some) => tx.updateTable('respawns').set(first.changed.before).where('id', 'in', some).returning('id').execute());
    if (first.changed.before.is_enabled !== undefined) for (const id of ids) changes.collect(affectedWaitlists).spot(id);
  }
  return back.map(({ id }) => id);
}
