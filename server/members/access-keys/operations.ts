import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { AccessKey, AccessKeyInput } from '../../../shared/schemas/access-key.ts';
import { keepUndo } from '../../activity/kept-undos.ts';
import { recordActivity } from '../../activity/record.ts';
import type { Admin } from '../../auth/callers.ts';
import { findMemberType } from '../../board/member-types/queries.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { putCharacter } from '../characters/changes.ts';
import { isBanned } from '../characters/queries.ts';
import { deleteKeys, moveKeys, noteLost, storeKeys, turnKeys } from './change.ts';
import { findAccessKey } from './queries.ts';
import { deletedKeys } from './restore.ts';

async function existing(tx: Tx, id: number): Promise<AccessKey> {
  const key = await findAccessKey(tx, id);
  if (!key) throw new DomainError('key.notFound');
  return key;
}

/** @throws DomainError memberType.notFound */
export async function existingType(tx: Tx, name: string): Promise<string> {
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

/** Stores a new key of a character that has none, and shows it. What it owes besides, whoever makes it knows. */
export async function storeKey(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  { character_name, member_type, created_by_username }: Pick<AccessKey, 'character_name' | 'member_type' | 'created_by_username'>,
): Promise<AccessKey> {
  const [record] = await storeKeys(ctx, tx, changes, [{ character_name, member_type, created_by_username }]);
  if (!record) throw new Error('a key was not stored');
  changes.put({ kind: 'access_key', record });
  return record;
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
    const key = await existing(tx, id);
    const { character_name, member_type } = key;
    await turnKeys(tx, changes, [key], revoked);
    const details = { access_key_id: id, character_name, member_type };
    await recordActivity(ctx, tx, changes, admin, revoked ? 'access_key_revoked' : 'access_key_enabled', details);
    return { ...key, is_revoked: revoked ? 1 : 0 };
  });
}

/**
 * Gives an active key's holder another member type.
 * @throws DomainError key.notFound, key.notActive, memberType.notFound
 */
export function setKeyMemberType(ctx: Writing, admin: Admin, id: number, memberType: string): Promise<AccessKey> {
  return write(ctx, async (tx, changes) => {
    const before = await existing(tx, id);
    const { character_name } = before;
    const member_type = await existingType(tx, memberType);
    await moveKeys(ctx, tx, changes, [before], member_type);
    const changed = { member_type: { from: before.member_type, to: member_type } };
    await recordActivity(ctx, tx, changes, admin, 'access_key_updated', { access_key_id: id, character_name, member_type, changed });
    return { ...before, member_type };
  });
}

/**
 * Deletes a key and every verification record of its character.
 * @throws DomainError key.notFound
 */
export async function deleteAccessKey(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (tx, changes) => {
    const key = await existing(tx, id);
    const { character_name, member_type } = key;
    const undo = await keepUndo(ctx, tx, { records: await deletedKeys(tx, [id]) });
    const details = { access_key_id: id, character_name, member_type, ...(await deleteKeys(ctx, tx, changes, [key])) };
    await recordActivity(ctx, tx, changes, admin, 'access_key_deleted', details, undo);
  });
}
