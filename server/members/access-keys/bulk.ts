import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { BulkAnswer, KeysDeed } from '../../../shared/schemas/bulk.ts';
import { keepUndo } from '../../activity/kept-undos.ts';
import { allUnchanged, manyOf } from '../../activity/many.ts';
import { recordActivity } from '../../activity/record.ts';
import type { Admin } from '../../auth/callers.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { writeMany } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { deleteKeys, moveKeys, turnKeys } from './change.ts';
import { existingType } from './operations.ts';
import { findAccessKeys } from './queries.ts';
import { changedKeys, deletedKeys } from './restore.ts';

/**
 * Does to many keys what the single calls do to one, all or nothing. Those that are so already, or gone, stay as they are.
 * @throws DomainError key.notActive, memberType.notFound
 */
export function changeKeysInBulk(ctx: Writing, admin: Admin, ids: readonly number[], deed: KeysDeed): Promise<BulkAnswer> {
  return writeMany(ctx, ids.length, async (tx, changes) => {
    const found = await findAccessKeys(tx, ids);
    const done = await carryOut(ctx, tx, changes, admin, found, deed);
    return done ? { ...done, unchanged: ids.length - done.changed } : allUnchanged(ids);
  });
}

type Done = Omit<BulkAnswer, 'unchanged'>;

/** @returns null where nothing was to be done */
async function carryOut(
  ctx: Writing,
  tx: Tx,
  changes: ChangeRecorder,
  admin: Admin,
  found: readonly AccessKey[],
  deed: KeysDeed,
): Promise<Done | null> {
  if (deed.do === 'move') {
    const member_type = await existingType(tx, deed.member_type);
    const keys = found.filter((key) => key.member_type !== member_type);
    if (keys.length === 0) return null;
    const undo = await keepUndo(ctx, tx, { records: await changedKeys(tx, idsOf(keys), { member_type }) });
    await moveKeys(ctx, tx, changes, keys, member_type);
    const details = { ...manyOf(namesOf(keys)), member_type };
    return { changed: keys.length, activity_id: await recordActivity(ctx, tx, changes, admin, 'access_keys_moved', details, undo) };
  }
  if (deed.do === 'delete') {
    if (found.length === 0) return null;
    const undo = await keepUndo(ctx, tx, { records: await deletedKeys(tx, idsOf(found)) });
    const details = { ...manyOf(namesOf(found)), ...(await deleteKeys(ctx, tx, changes, found)) };
    return { changed: found.length, activity_id: await recordActivity(ctx, tx, changes, admin, 'access_keys_deleted', details, undo) };
  }
  return turnInBulk(ctx, tx, changes, admin, found, deed.do === 'revoke');
}

/** Revokes keys, or enables them, as one deed; those that are so already stay as they are. */
export async function turnInBulk(
  ctx: Writing,
  tx: Tx,
  changes: ChangeRecorder,
  admin: Admin,
  found: readonly AccessKey[],
  revoked: boolean,
): Promise<Done | null> {
  const keys = found.filter((key) => (key.is_revoked === 1) !== revoked);
  if (keys.length === 0) return null;
  const undo = await keepUndo(ctx, tx, { records: await changedKeys(tx, idsOf(keys), { is_revoked: revoked ? 1 : 0 }) });
  await turnKeys(tx, changes, keys, revoked);
  const action = revoked ? 'access_keys_revoked' : 'access_keys_enabled';
  return { changed: keys.length, activity_id: await recordActivity(ctx, tx, changes, admin, action, manyOf(namesOf(keys)), undo) };
}

const idsOf = (keys: readonly AccessKey[]): number[] => keys.map(({ id }) => id);
const namesOf = (keys: readonly AccessKey[]): string[] => keys.map(({ character_name }) => character_name);
