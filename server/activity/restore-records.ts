import { nameKey } from '../../shared/rules/names.ts';
import { restoreCategories } from '../board/categories/categories.ts';
import { restoreMemberTypes } from '../board/member-types/member-types.ts';
import { findRespawns, putRespawns } from '../board/records/respawns.ts';
import { changeRespawnsBack, restoreRespawns } from '../board/respawns/restore.ts';
import type { ChangeRecorder } from '../db/change-set.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../jobs/writing.ts';
import { MANY_CHANGES } from '../live/many-changes.ts';
import { findAccessKeys, putCharacters } from '../members/records.ts';
import { changeKeysBack, endBans, restoreBans, restoreCodes, restoreKeys } from '../members/restore.ts';
import { type SortedRecords, sortedRecords, type UndoRecord } from './undo-rows.ts';

/** What rows came back, to be shown once what else the undo puts back is there, too: spots say how many claims they have. */
export interface RestoredRecords {
  show: () => Promise<void>;
}

/**
 * Puts rows back as they were, all or nothing, since the caller's transaction is rolled back where it throws: what others stand on
 * before those that do.
 * @throws DomainError for what happened since: activity.spotNameTaken, activity.categoryNameTaken, activity.typeNameTaken,
 * activity.rankTaken, activity.keyReissued, activity.keyValueTaken, activity.typeGone, activity.goneMeanwhile,
 * activity.changedMeanwhile
 */
export async function restoreRecords(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  records: readonly UndoRecord[],
): Promise<RestoredRecords> {
  const sorted = sortedRecords(records);
  const { deleted, changed, made } = sorted;
  await restoreCategories(tx, changes, deleted.category);
  await restoreMemberTypes(tx, changes, deleted.member_type);
  await restoreRespawns(tx, deleted.respawn);
  const spots = [...deleted.respawn.map(({ id }) => id), ...(await changeRespawnsBack(tx, changes, changed.respawn))];
  await restoreKeys(ctx, tx, changes, deleted.access_key);
  await changeKeysBack(ctx, tx, changes, changed.access_key);
  await restoreCodes(tx, changes, deleted.verified_code);
  await endBans(tx, changes, made.ban);
  await restoreBans(ctx, tx, changes, deleted.ban);
  return {
    show: async () => {
      putRespawns(changes, await findRespawns(tx, { ids: spots }));
      await showPeople(tx, changes, sorted);
    },
  };
}

/** Shows keys and characters as they are now. Of many, admins load the board anew. */
async function showPeople(tx: Tx, changes: ChangeRecorder, { deleted, changed, made }: SortedRecords): Promise<void> {
  const keys = [...deleted.access_key, ...changed.access_key].map(({ id }) => id);
  const named = [...deleted.access_key, ...deleted.verified_code, ...deleted.ban, ...made.ban].map(({ character_name }) => character_name);
  const characters = new Set([...named, ...changed.access_key.map(({ name }) => name)].map(nameKey));
  if (keys.length > MANY_CHANGES) changes.reset('admins');
  else for (const record of await findAccessKeys(tx, keys)) changes.put({ kind: 'access_key', record });
  await putCharacters(tx, changes, [...characters]);
}
