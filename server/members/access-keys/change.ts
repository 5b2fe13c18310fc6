import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { affectedWaitlists } from '../../board/waitlist/affected-waitlists.ts';
import { retypeWaits } from '../../board/waitlist/retype.ts';
import { inTurns } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { domainEvents } from '../../notifications/outbox/told.ts';
import { keepBansVisible, putCharacters } from '../characters/changes.ts';
import { newKeyValue } from './key-value.ts';
import { ACCESS_KEY_COLUMNS } from './queries.ts';

/*
 * What is done to keys, one or many, in the write of whoever does it: everything that it owes but the log's entry.
 * Each key is given as it was found in that write.
 */

/** Makes keys for characters that have none. What whoever makes them owes besides, showing them for one, they know. */
export async function storeKeys(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  characters: readonly Pick<AccessKey, 'character_name' | 'member_type' | 'created_by_username'>[],
): Promise<AccessKey[]> {
  const made: AccessKey[] = [];
  const created_at = ctx.now().toISOString();
  await inTurns(characters, async (some) => {
    const rows = some.map((character) => ({
      ...character,
      character_key: nameKey(character.character_name),
      key_value: newKeyValue(),
      created_at,
    }));
    made.push(...(await tx.insertInto('access_keys').values(rows).returning(ACCESS_KEY_COLUMNS).execute()));
  });
  // An admin may have let a character wait before it had a key.
  for (const [member_type, all] of Map.groupBy(made, (key) => key.member_type)) {
    const character_keys = all.map(({ character_name }) => nameKey(character_name));
    await retypeWaits(ctx, tx, changes, { character_keys, member_type });
  }
  return made;
}

/** Revokes keys: they open nothing from now on, and their live connections end. Or enables them again. */
export async function turnKeys(tx: Tx, changes: ChangeRecorder, keys: readonly AccessKey[], revoked: boolean): Promise<AccessKey[]> {
  const is_revoked = revoked ? 1 : 0;
  await updateKeys(tx, keys, { is_revoked });
  if (revoked) for (const { character_name } of keys) changes.collect(affectedWaitlists).gone(nameKey(character_name));
  const turned = keys.map((key): AccessKey => ({ ...key, is_revoked }));
  await showKeys(tx, changes, turned);
  return turned;
}

/**
 * Gives the holders of active keys another member type.
 * @throws DomainError key.notActive
 */
export async function moveKeys(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  keys: readonly AccessKey[],
  member_type: string,
): Promise<AccessKey[]> {
  if (keys.some((key) => key.is_revoked)) throw new DomainError('key.notActive');
  await updateKeys(tx, keys, { member_type });
  const character_keys = keys.map(({ character_name }) => nameKey(character_name));
  await retypeWaits(ctx, tx, changes, { character_keys, member_type });
  const moved = keys.map((key): AccessKey => ({ ...key, member_type }));
  await showKeys(tx, changes, moved);
  return moved;
}

/** Deletes keys and every verification record of their characters. @returns how many records */
export async function deleteKeys(
  ctx: Pick<Writing, 'now' | 'outbox'>,
  tx: Tx,
  changes: ChangeRecorder,
  keys: readonly AccessKey[],
): Promise<{ verification_records: number }> {
  const characters = keys.map(({ character_name }) => ({ character_name, character_key: nameKey(character_name) }));
  await inTurns(keys, (some) => tx.deleteFrom('access_keys').where('id', 'in', idsOf(some)).execute());
  await noteLost(ctx, tx, changes);
  const records: { id: number }[] = [];
  await inTurns(characters, async (some) => {
    const of = some.map(({ character_key }) => character_key);
    records.push(...(await tx.deleteFrom('verifications').where('character_key', 'in', of).returning('id').execute()));
  });
  await keepBansVisible(tx, ctx.now().toISOString(), characters);
  for (const { character_key } of characters) changes.collect(affectedWaitlists).gone(character_key);
  if (keys.length + records.length > MANY_CHANGES) changes.reset('admins');
  else {
    for (const { id } of keys) changes.remove('access_key', id);
    for (const { id } of records) changes.remove('verified_code', id);
    await putCharacters(
      tx,
      changes,
      characters.map(({ character_key }) => character_key),
    );
  }
  return { verification_records: records.length };
}

/** The browsers that were told by a key go with it: they may have been the last who heard anything. */
export async function noteLost({ outbox }: Pick<Writing, 'outbox'>, tx: Tx, changes: ChangeRecorder): Promise<void> {
  if (changes.collect(domainEvents).hears('event.moved')) await outbox.noteHeard(tx);
}

/** Shows keys as they are now, with what their characters' records tell of them. Of many, the admins load the board anew. */
export async function showKeys(tx: Tx, changes: ChangeRecorder, keys: readonly AccessKey[]): Promise<void> {
  if (keys.length > MANY_CHANGES) return changes.reset('admins');
  for (const record of keys) changes.put({ kind: 'access_key', record });
  await putCharacters(
    tx,
    changes,
    keys.map(({ character_name }) => nameKey(character_name)),
  );
}

async function updateKeys(tx: Tx, keys: readonly AccessKey[], set: Partial<Pick<AccessKey, 'is_revoked' | 'member_type'>>): Promise<void> {
  await inTurns(keys, (some) => tx.updateTable('access_keys').set(set).where('id', 'in', idsOf(some)).execute());
}

const idsOf = (keys: readonly AccessKey[]): number[] => keys.map(({ id }) => id);
