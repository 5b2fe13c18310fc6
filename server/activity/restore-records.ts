import { nameKey } from '../../shared/rules/names.ts';
import { findAccessKeys } from '../access-keys/queries.ts';
import { changeKeysBack, restoreKeys } from '../access-keys/restore.ts';
import { putCharacter } from '../characters/changes.ts';
import { restoreCodes } from '../characters/restore.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { MANY_CHANGES } from '../live/many-changes.ts';
import { sortedRecords, type UndoRecord } from './undo-rows.ts';

/** What rows came back, to be shown once what else the undo puts back is there, too. */
export interface RestoredRecords {
  show: () => Promise<void>;
}

/**
 * Puts rows back as they were, all or nothing, since the caller's transaction is rolled back where it throws.
 * @throws DomainError for what happened since: activity.keyReissued, activity.keyValueTaken, activity.typeGone,
 * activity.changedMeanwhile
 */
export async function restoreRecords(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  records: readonly UndoRecord[],
): Promise<RestoredRecords> {
  const { deleted, changed } = sortedRecords(records);
  await restoreKeys(ctx, tx, changes, deleted.access_key);
  await restoreCodes(tx, changes, deleted.verified_code);
  await changeKeysBack(ctx, tx, changes, changed.access_key);
  const keys = [...deleted.access_key, ...changed.access_key].map(({ id }) => id);
  const names = [...deleted.access_key, ...deleted.verified_code].map(({ character_name }) => character_name);
  const characters = new Set([...names, ...changed.access_key.map(({ name }) => name)].map(nameKey));
  return {
    show: async () => {
      const isMany = keys.length + characters.size > MANY_CHANGES;
      // The connections of those that were there are told by each, whatever everybody else loads anew.
      const named = isMany ? changed.access_key.map(({ id }) => id) : keys;
      for (const record of await findAccessKeys(tx, named)) changes.put({ kind: 'access_key', record });
      if (isMany) changes.reset('admins');
      else for (const character of characters) await putCharacter(tx, changes, character);
    },
  };
}
