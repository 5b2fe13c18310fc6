import { randomInt } from 'node:crypto';
import { ACCESS_KEY, READABLE_ALPHABET } from '../../shared/credentials.ts';
import { DomainError, existing } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type {
  AccessKey,
  AccessKeyInput,
  AccessKeyTypeInput,
  RevokedBecause,
} from '../../shared/schemas/access-key.ts';
import type { BulkAnswer, KeysCommand } from '../../shared/schemas/bulk.ts';
import { keepUndo } from '../activity/undo-store.ts';
import { allUnchanged, countAndNames, logActivity } from '../auth/activity-log.ts';
import {
  formerMembers,
  replacedKeys,
  returnedMembers,
  retypedMembers,
} from '../auth/changed-members.ts';
import {
  ACCESS_KEY_COLUMNS,
  authorizedCharacter,
  findMemberType,
} from '../board/records/members.ts';
import { type Tx, writeInBatches } from '../db/database.ts';
import { domainEvents, updateSubscribedTypes } from '../db/domain-events.ts';
import { MANY_CHANGES, type Unit, type Writing, write, writeMany } from '../db/unit-of-work.ts';
import type { Admin } from '../http/caller.ts';
import {
  findAccessKey,
  findAccessKeys,
  formerMemberLeftAt,
  keepBansVisible,
  noteFormerMembers,
  putCharacter,
  putCharacters,
} from './records.ts';
import { changedKeys, keptKeys } from './restore.ts';

/**
 * Creates an access key for a character that has none; a revoked key counts too.
 * @throws DomainError key.exists, memberType.notFound, character.banned
 */
export function createAccessKey(
  ctx: Writing,
  admin: Admin,
  { characterName, memberType }: AccessKeyInput,
): Promise<AccessKey> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const { member_type } = existing(await findMemberType(tx, memberType), 'memberType.notFound');
    const { character_key } = await authorizedCharacter(tx, admin, characterName);
    const other = await tx
      .selectFrom('access_keys')
      .select('character_name')
      .where('character_key', '=', character_key)
      .executeTakeFirst();
    if (other) throw new DomainError('key.exists', { character_name: other.character_name });
    const record = await storeKey(unit, {
      character_name: characterName,
      member_type,
      created_by_username: admin.username,
    });
    await putCharacter(unit, character_key);
    const { id } = record;
    await logActivity(unit, admin, {
      action: 'access_key_created',
      details: { access_key_id: id, character_name: characterName, member_type },
    });
    return record;
  });
}

type NewKey = Pick<AccessKey, 'character_name' | 'member_type' | 'created_by_username'> & {
  /** 0: the type may follow the guild rank; left out: an admin chose it. */
  type_by_hand?: 0 | 1;
};

/** Stores and shows a new key of a character that has none. The caller shows its records and logs the action. */
export async function storeKey(
  unit: Unit,
  { character_name, member_type, created_by_username, type_by_hand = 1 }: NewKey,
): Promise<AccessKey> {
  const key = { character_name, member_type, created_by_username, type_by_hand };
  const [record] = await storeKeys(unit, [key]);
  if (!record) throw new Error('a key was not stored');
  unit.changes.put({ kind: 'access_key', record });
  return record;
}

/**
 * Replaces the key of a traded character, because the seller knows it. The buyer is another member: what the seller left behind ends as
 * with a deleted key, and what belongs to the character rather than to its key is deleted. Connections with the old key end.
 * The game calls a character traded for months. A key that was made after a trade is most likely its buyer's own: another verification
 * still replaces it, but ends nothing of the buyer's.
 */
export async function replaceKey(unit: Unit, old: AccessKey): Promise<AccessKey> {
  const { tx, changes, at } = unit;
  const character_key = nameKey(old.character_name);
  // Storing a key deletes this note, so a character with a key has it only if that key was made after a trade.
  const sold_at = await formerMemberLeftAt(tx, character_key);
  const { type_by_hand } = await tx
    .deleteFrom('access_keys')
    .where('id', '=', old.id)
    .returning('type_by_hand')
    .executeTakeFirstOrThrow();
  await noteLostSubscriptions(unit);
  changes.remove('access_key', old.id);
  if (sold_at === null) changes.collect(formerMembers).set(character_key, 'traded');
  const key = await storeKey(unit, { ...old, type_by_hand });
  if (sold_at !== null) changes.collect(replacedKeys).set(old.id, key.id);
  await noteFormerMembers(tx, [character_key], sold_at ?? at.toISOString());
  return key;
}

/**
 * Revokes or enables a key. A revoked key opens nothing, and its live connections end.
 * @throws DomainError key.notFound
 */
export function setKeyRevoked(
  ctx: Writing,
  admin: Admin,
  { id, revoked }: { id: number; revoked: boolean },
): Promise<AccessKey> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const key = existing(await findAccessKey(tx, id), 'key.notFound');
    const { character_name, member_type } = key;
    const [turned = key] = await turnKeys(unit, { keys: [key], revoked });
    const details = { access_key_id: id, character_name, member_type };
    await logActivity(unit, admin, {
      action: revoked ? 'access_key_revoked' : 'access_key_enabled',
      details,
    });
    return turned;
  });
}

/**
 * Gives an active key's holder another member type.
 * @throws DomainError key.notFound, key.notActive, memberType.notFound
 */
export function setKeyMemberType(
  ctx: Writing,
  admin: Admin,
  { id, memberType }: { id: number } & AccessKeyTypeInput,
): Promise<AccessKey> {
  return write(ctx, async (unit) => {
    const { tx } = unit;
    const before = existing(await findAccessKey(tx, id), 'key.notFound');
    const { character_name } = before;
    const { member_type } = existing(await findMemberType(tx, memberType), 'memberType.notFound');
    await moveKeys(unit, { keys: [before], member_type });
    const changed = { member_type: { from: before.member_type, to: member_type } };
    await logActivity(unit, admin, {
      action: 'access_key_updated',
      details: { access_key_id: id, character_name, member_type, changed },
    });
    return { ...before, member_type };
  });
}

/**
 * Deletes a key and every verification record of its character.
 * @throws DomainError key.notFound
 */
export async function deleteAccessKey(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (unit) => {
    const { tx } = unit;
    const key = existing(await findAccessKey(tx, id), 'key.notFound');
    const { character_name, member_type } = key;
    const undo = await keepUndo(unit, { records: await keptKeys(tx, [id]) });
    const details = {
      access_key_id: id,
      character_name,
      member_type,
      ...(await deleteKeys(unit, [key])),
    };
    await logActivity(unit, admin, { action: 'access_key_deleted', details, undo });
  });
}

/**
 * Changes many keys, all or nothing, with one entry and one undo. Keys that need no change or are gone are counted as unchanged.
 * @throws DomainError key.notActive, memberType.notFound
 */
export function changeKeysInBulk(
  ctx: Writing,
  admin: Admin,
  { ids, command }: { ids: readonly number[]; command: KeyChange },
): Promise<BulkAnswer> {
  return writeMany(ctx, ids.length, async (unit) => {
    const found = await findAccessKeys(unit.tx, ids);
    const done = await changeKeys(unit, admin, { found, command });
    return done ? { ...done, unchanged: ids.length - done.changed } : allUnchanged(ids);
  });
}

type KeyChange = Exclude<KeysCommand, { do: 'ban' }>;
type Done = Omit<BulkAnswer, 'unchanged'>;

/** @returns null if there was nothing to change */
async function changeKeys(
  unit: Unit,
  admin: Admin,
  { found, command }: { found: readonly AccessKey[]; command: KeyChange },
): Promise<Done | null> {
  const { tx } = unit;
  if (command.do === 'move') {
    const { member_type } = existing(
      await findMemberType(tx, command.member_type),
      'memberType.notFound',
    );
    const keys = found.filter((key) => key.member_type !== member_type);
    if (keys.length === 0) return null;
    const undo = await keepUndo(unit, {
      records: await changedKeys(tx, idsOf(keys), { member_type }),
    });
    await moveKeys(unit, { keys, member_type });
    const details = { ...countAndNames(namesOf(keys)), member_type };
    return {
      changed: keys.length,
      activity_id: await logActivity(unit, admin, {
        action: 'access_keys_moved',
        details,
        undo,
      }),
    };
  }
  if (command.do === 'delete') {
    if (found.length === 0) return null;
    const undo = await keepUndo(unit, { records: await keptKeys(tx, idsOf(found)) });
    const details = {
      ...countAndNames(namesOf(found)),
      ...(await deleteKeys(unit, found)),
    };
    return {
      changed: found.length,
      activity_id: await logActivity(unit, admin, {
        action: 'access_keys_deleted',
        details,
        undo,
      }),
    };
  }
  return turnInBulk(unit, admin, { found, revoked: command.do === 'revoke' });
}

/** Revokes or enables many keys as one action; keys that are in that state already are left alone. */
export async function turnInBulk(
  unit: Unit,
  admin: Admin,
  { found, revoked }: { found: readonly AccessKey[]; revoked: boolean },
): Promise<Done | null> {
  const { tx } = unit;
  const keys = found.filter((key) => (key.is_revoked === 1) !== revoked);
  if (keys.length === 0) return null;
  const undo = await keepUndo(unit, {
    records: await changedKeys(tx, idsOf(keys), { is_revoked: revoked ? 1 : 0 }),
  });
  await turnKeys(unit, { keys, revoked });
  const action = revoked ? 'access_keys_revoked' : 'access_keys_enabled';
  return {
    changed: keys.length,
    activity_id: await logActivity(unit, admin, {
      action,
      details: countAndNames(namesOf(keys)),
      undo,
    }),
  };
}

const idsOf = (keys: readonly AccessKey[]): number[] => keys.map(({ id }) => id);
const namesOf = (keys: readonly AccessKey[]): string[] =>
  keys.map(({ character_name }) => character_name);

/*
 * Changes of one or many keys within a caller's write: everything but the log's entry. The keys are passed as they were read
 * in that write.
 */

export async function storeKeys(unit: Unit, characters: readonly NewKey[]): Promise<AccessKey[]> {
  const { tx, at } = unit;
  const made: AccessKey[] = [];
  const created_at = at.toISOString();
  await writeInBatches(characters, async (some) => {
    const rows = some.map((character) => ({
      ...character,
      character_key: nameKey(character.character_name),
      key_value: newKeyValue(),
      created_at,
    }));
    made.push(
      ...(await tx.insertInto('access_keys').values(rows).returning(ACCESS_KEY_COLUMNS).execute()),
    );
    const character_keys = rows.map(({ character_key }) => character_key);
    await tx.deleteFrom('former_members').where('character_key', 'in', character_keys).execute();
  });
  noteTypes(unit, made);
  return made;
}

function noteTypes({ changes }: Unit, keys: readonly AccessKey[]): void {
  for (const { character_name, member_type } of keys)
    changes.collect(retypedMembers).set(nameKey(character_name), member_type);
}

interface KeyTurn {
  keys: readonly AccessKey[];
  revoked: boolean;
  /** Why the server revokes them. */
  because?: RevokedBecause;
}

/** Revokes or enables keys. */
export async function turnKeys(
  unit: Unit,
  { keys, revoked, because }: KeyTurn,
): Promise<AccessKey[]> {
  const is_revoked = revoked ? 1 : 0;
  const revoked_because = because ?? null;
  await updateKeys(unit.tx, keys, { is_revoked, revoked_because });
  for (const { character_name } of keys)
    if (revoked) unit.changes.collect(formerMembers).set(nameKey(character_name), 'revoked');
    else unit.changes.collect(returnedMembers).set(nameKey(character_name), null);
  const turned = keys.map(
    (key): AccessKey => ({
      ...key,
      is_revoked,
      revoked_because,
      // A link to Discord ends with this write.
      ...(revoked && { discord_user_id: null, discord_name: null }),
    }),
  );
  await showKeys(unit, turned);
  return turned;
}

/**
 * Gives the holders of active keys another member type.
 * @param move.type_by_hand 0: it is that of their guild rank, and may follow it
 * @throws DomainError key.notActive
 */
export async function moveKeys(
  unit: Unit,
  move: { keys: readonly AccessKey[]; member_type: string; type_by_hand?: 0 | 1 },
): Promise<AccessKey[]> {
  const { keys, member_type, type_by_hand = 1 } = move;
  if (keys.some((key) => key.is_revoked)) throw new DomainError('key.notActive');
  await updateKeys(unit.tx, keys, { member_type, type_by_hand });
  const moved = keys.map((key): AccessKey => ({ ...key, member_type }));
  noteTypes(unit, moved);
  await showKeys(unit, moved);
  return moved;
}

/** Deletes keys and every verification record of their characters. @returns how many records */
async function deleteKeys(
  unit: Unit,
  keys: readonly AccessKey[],
): Promise<{ verification_records: number }> {
  const { tx, changes, at } = unit;
  const characters = keys.map(({ character_name }) => ({
    character_name,
    character_key: nameKey(character_name),
  }));
  await writeInBatches(keys, (some) =>
    tx.deleteFrom('access_keys').where('id', 'in', idsOf(some)).execute(),
  );
  await noteFormerMembers(
    tx,
    characters.map(({ character_key }) => character_key),
    at.toISOString(),
  );
  await noteLostSubscriptions(unit);
  const records: { id: number }[] = [];
  await writeInBatches(characters, async (some) => {
    const of = some.map(({ character_key }) => character_key);
    records.push(
      ...(await tx
        .deleteFrom('verifications')
        .where('character_key', 'in', of)
        .returning('id')
        .execute()),
    );
  });
  await keepBansVisible(unit, characters);
  for (const { character_key } of characters)
    changes.collect(formerMembers).set(character_key, 'deleted');
  if (keys.length + records.length > MANY_CHANGES) changes.reset('admins');
  else {
    for (const { id } of keys) changes.remove('access_key', id);
    for (const { id } of records) changes.remove('verified_code', id);
    await putCharacters(
      unit,
      characters.map(({ character_key }) => character_key),
    );
  }
  return { verification_records: records.length };
}

/** The keys' push subscriptions are deleted with them, so an event type may have lost its last listener. */
async function noteLostSubscriptions(unit: Unit): Promise<void> {
  if (unit.changes.collect(domainEvents).hasSubscriber('event.moved'))
    await updateSubscribedTypes(unit.ctx, unit.tx);
}

/** Shows keys and the verification records that mention them. For many, admins load the board again. */
export async function showKeys(unit: Unit, keys: readonly AccessKey[]): Promise<void> {
  const { changes } = unit;
  if (keys.length > MANY_CHANGES) return changes.reset('admins');
  for (const record of keys) changes.put({ kind: 'access_key', record });
  await putCharacters(
    unit,
    keys.map(({ character_name }) => nameKey(character_name)),
  );
}

async function updateKeys(
  tx: Tx,
  keys: readonly AccessKey[],
  set: Partial<
    Pick<AccessKey, 'is_revoked' | 'revoked_because' | 'member_type'> & { type_by_hand: 0 | 1 }
  >,
): Promise<void> {
  await writeInBatches(keys, (some) =>
    tx.updateTable('access_keys').set(set).where('id', 'in', idsOf(some)).execute(),
  );
}

/** A random access key such as K7QM-2F9A-XW3C: 59 bits, beyond guessing. */
export function newKeyValue(): string {
  const group = (): string =>
    Array.from(
      { length: ACCESS_KEY.groupLength },
      () => READABLE_ALPHABET[randomInt(READABLE_ALPHABET.length)],
    ).join('');
  return Array.from({ length: ACCESS_KEY.groups }, group).join('-');
}
