import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { AccessKey, AccessKeyInput } from '../../shared/schemas/access-key.ts';
import type { ActivityDetails } from '../../shared/schemas/activity-details.ts';
import { keepUndo } from '../activity/kept-undos.ts';
import { recordActivity } from '../activity/record.ts';
import { keepBanVisible, putCharacter } from '../characters/changes.ts';
import { isBanned } from '../characters/queries.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { write } from '../db/write.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { findMemberType } from '../member-types/queries.ts';
import type { Admin } from '../session/callers.ts';
import { retypeWaits } from '../waits/retype.ts';
import { newKeyValue } from './key-value.ts';
import { findAccessKey } from './queries.ts';
import { deletedKeys } from './restore.ts';

async function existing(tx: Tx, id: number): Promise<AccessKey> {
  const key = await findAccessKey(tx, id);
  if (!key) throw new DomainError('key.notFound');
  return key;
}

async function existingType(tx: Tx, name: string): Promise<string> {
  const type = await findMemberType(tx, name);
  if (!type) throw new DomainError('memberType.notFound');
  return type.member_type;
}

/**
 * Makes an access key for a character; a character has at most one, active or revoked.
 * @throws DomainError key.exists, memberType.notFound, session.banned
 */
export function createAccessKey(ctx: Writing, admin: Admin, { characterName, memberType }: AccessKeyInput): Promise<AccessKey> {
  return write(ctx, async (tx, changes) => {
    const character_key = nameKey(characterName);
    const member_type = await existingType(tx, memberType);
    if (await isBanned(tx, character_key)) throw new DomainError('session.banned');
    const other = await tx.selectFrom('access_keys').select('character_name').where('character_key', '=', character_key).executeTakeFirst();
    if (other) throw new DomainError('key.exists', { character_name: other.character_name });
    const record = await storeKey(ctx, tx, changes, {
      character_name: characterName,
      member_type,
      created_by_username: admin.username,
    });
    await putCharacter(tx, changes, character_key);
    const { id } = record;
    await recordActivity(ctx, tx, changes, admin, 'access_key_created', { access_key_id: id, character_name: characterName, member_type });
    return record;
  });
}

/** Stores a new key of a character that has none. What it owes besides, whoever makes it knows. */
export async function storeKey(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  { character_name, member_type, created_by_username }: Pick<AccessKey, 'character_name' | 'member_type' | 'created_by_username'>,
): Promise<AccessKey> {
  const { id } = await tx
    .insertInto('access_keys')
    .values({
      character_name,
      character_key: nameKey(character_name),
      key_value: newKeyValue(),
      created_by_username,
      member_type,
      created_at: ctx.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const record = await existing(tx, id);
  changes.put({ kind: 'access_key', record });
  // An admin may have let the character wait before it had a key.
  await retypeWaits(ctx, tx, changes, { character_key: nameKey(character_name), member_type: record.member_type });
  return record;
}

/** The browsers that were told by a key go with it: they may have been the last who heard anything. */
async function noteLost({ outbox }: Pick<Writing, 'outbox'>, tx: Tx, { news }: ChangeRecorder): Promise<void> {
  if (news.hears('event.moved')) await outbox.noteHeard(tx);
}

/** Puts a new key in the place of one that somebody else may know; the old one's connections end. */
export async function replaceKey(
  ctx: Pick<Writing, 'env' | 'now' | 'outbox'>,
  tx: Tx,
  changes: ChangeRecorder,
  old: AccessKey,
): Promise<AccessKey> {
  await tx.deleteFrom('access_keys').where('id', '=', old.id).execute();
  await noteLost(ctx, tx, changes);
  changes.remove('access_key', old.id);
  return storeKey(ctx, tx, changes, old);
}

/**
 * Revokes a key: it opens nothing from now on, and its live connections end. Or enables it again.
 * @throws DomainError key.notFound
 */
export function setKeyRevoked(ctx: Writing, admin: Admin, id: number, revoked: boolean): Promise<AccessKey> {
  return write(ctx, async (tx, changes) => {
    const { character_name } = await existing(tx, id);
    if (revoked) changes.touched.gone(nameKey(character_name));
    await tx
      .updateTable('access_keys')
      .set({ is_revoked: revoked ? 1 : 0 })
      .where('id', '=', id)
      .execute();
    return showKey(ctx, tx, changes, admin, id, revoked ? 'access_key_revoked' : 'access_key_enabled', (key) => key);
  });
}

/**
 * Gives an active key's holder another member type.
 * @throws DomainError key.notFound, key.notActive, memberType.notFound
 */
export function setKeyMemberType(ctx: Writing, admin: Admin, id: number, memberType: string): Promise<AccessKey> {
  return write(ctx, async (tx, changes) => {
    const before = await existing(tx, id);
    if (before.is_revoked) throw new DomainError('key.notActive');
    const member_type = await existingType(tx, memberType);
    await tx.updateTable('access_keys').set({ member_type }).where('id', '=', id).execute();
    await retypeWaits(ctx, tx, changes, { character_key: nameKey(before.character_name), member_type });
    return showKey(ctx, tx, changes, admin, id, 'access_key_updated', (key) => ({
      ...key,
      changed: { member_type: { from: before.member_type, to: member_type } },
    }));
  });
}

async function showKey<A extends 'access_key_revoked' | 'access_key_enabled' | 'access_key_updated'>(
  ctx: Pick<Writing, 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  admin: Admin,
  id: number,
  action: A,
  detailsOf: (key: ActivityDetails<'access_key_created'>) => ActivityDetails<A>,
): Promise<AccessKey> {
  const record = await existing(tx, id);
  changes.put({ kind: 'access_key', record });
  const { character_name, member_type } = record;
  await putCharacter(tx, changes, nameKey(character_name));
  await recordActivity(ctx, tx, changes, admin, action, detailsOf({ access_key_id: id, character_name, member_type }));
  return record;
}

/**
 * Deletes a key and every verification record of its character.
 * @throws DomainError key.notFound
 */
export async function deleteAccessKey(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (tx, changes) => {
    const { character_name, member_type } = await existing(tx, id);
    const undo = await keepUndo(ctx, tx, { records: await deletedKeys(tx, [id]) });
    await tx.deleteFrom('access_keys').where('id', '=', id).execute();
    await noteLost(ctx, tx, changes);
    changes.remove('access_key', id);
    const character_key = nameKey(character_name);
    changes.touched.gone(character_key);
    const records = await tx.deleteFrom('verifications').where('character_key', '=', character_key).returning('id').execute();
    for (const record of records) changes.remove('verified_code', record.id);
    await keepBanVisible(tx, { character_key, character_name, created_at: ctx.now().toISOString() });
    await putCharacter(tx, changes, character_key);
    const details = { access_key_id: id, character_name, member_type, verification_records: records.length };
    await recordActivity(ctx, tx, changes, admin, 'access_key_deleted', details, undo);
  });
}
