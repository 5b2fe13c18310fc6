import { DomainError, type ErrorCode } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { ChangedRow, DeletedRow, UndoRecord } from '../activity/undo-rows.ts';
import { namedFirst } from '../board/claims/claim-facts.ts';
import { affectedWaitlists } from '../board/waitlist/affected-waitlists.ts';
import { retypeWaits } from '../board/waitlist/retype.ts';
import { byIds, inBatches } from '../db/batches.ts';
import type { ChangeRecorder } from '../db/change-set.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../jobs/writing.ts';
import { findAccessKeys, keepBansVisible, keysOfCharacters, type NamedCharacter } from './records.ts';

type DeletedKey = DeletedRow<'access_key'>;
type ChangedKey = ChangedRow<'access_key'>;
type KeyColumns = ChangedKey['changed']['after'];

/** What keys that are about to be deleted are, for the undo of it, with the verification records of their characters. */
export async function deletedKeys(tx: Tx, ids: readonly number[]): Promise<UndoRecord[]> {
  const keys = await findAccessKeys(tx, ids);
  const has = await typesAmong(tx, keys);
  return [
    ...keys.map((key) => ({ kind: 'access_key' as const, deleted: { ...key, ...lacking(has, key.member_type) } })),
    ...(await deletedCodesOf(
      tx,
      keys.map(({ character_name }) => nameKey(character_name)),
    )),
  ];
}

/** What keys are that are about to be given these columns, as far as they have others, for the undo of it. */
export async function changedKeys(tx: Tx, ids: readonly number[], after: KeyColumns): Promise<UndoRecord[]> {
  const keys = await findAccessKeys(tx, ids);
  const has = await typesAmong(tx, keys);
  return keys.flatMap(({ id, character_name: name, member_type, is_revoked }) => {
    const before: KeyColumns = {
      ...(after.member_type !== undefined && after.member_type !== member_type && { member_type }),
      ...(after.is_revoked !== undefined && after.is_revoked !== is_revoked && { is_revoked }),
    };
    if (Object.keys(before).length === 0) return [];
    return [{ kind: 'access_key' as const, id, name, changed: { before, after }, ...lacking(has, member_type) }];
  });
}

/** The member types there are among those of some keys. */
async function typesAmong(tx: Tx, keys: readonly { member_type: string }[]): Promise<ReadonlySet<string>> {
  const types = new Set(keys.map(({ member_type }) => member_type));
  if (types.size === 0) return types;
  const found = await tx
    .selectFrom('member_types')
    .select('member_type')
    .where('member_type', 'in', [...types])
    .execute();
  return new Set(found.map(({ member_type }) => member_type));
}

const lacking = (has: ReadonlySet<string>, member_type: string) => (has.has(member_type) ? {} : { without_type: true as const });

/**
 * Puts deleted keys back with their values, so that whoever knows one is let in again. Which browsers were told of what, and who
 * waited for what, went for good.
 * @throws DomainError activity.keyReissued, activity.keyValueTaken, activity.typeGone, activity.changedMeanwhile
 */
export async function restoreKeys(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  keys: readonly DeletedKey[],
): Promise<void> {
  // Made anew: names may be compared otherwise than when the key was deleted.
  const rows = keys.map(({ without_type: _, ...key }) => ({ ...key, character_key: nameKey(key.character_name) }));
  const others = tx.selectFrom('access_keys').select('character_name').orderBy('id');
  for (const some of inBatches(rows)) {
    const [names, values] = [some.map(({ character_key }) => character_key), some.map(({ key_value }) => key_value)];
    const ids = some.map(({ id }) => id);
    await refuseAny('activity.keyReissued', others.where('character_key', 'in', names).execute());
    await refuseAny('activity.keyValueTaken', others.where('key_value', 'in', values).execute());
    await refuseAny('activity.changedMeanwhile', others.where('id', 'in', ids).execute());
  }
  await refuseTypesGone(tx, keys);
  for (const some of inBatches(rows)) await tx.insertInto('access_keys').values(some).execute();
  // An admin may have let the character wait meanwhile.
  for (const [member_type, some] of Map.groupBy(rows, (key) => key.member_type)) {
    const character_keys = some.map(({ character_key }) => character_key);
    await retypeWaits(ctx, tx, changes, { character_keys, member_type });
  }
}

async function refuseAny(code: ErrorCode, finding: Promise<readonly { character_name: string }[]>): Promise<void> {
  const names = (await finding).map(({ character_name }) => character_name);
  if (names.length > 0) throw new DomainError(code, { list: namedFirst(names) });
}

/** Of a type that was there then, and is not now, keys would be as good as none: what it let them do is not known any more. */
async function refuseTypesGone(tx: Tx, keys: readonly Pick<DeletedKey, 'member_type' | 'without_type'>[]): Promise<void> {
  const had = keys.filter(({ without_type }) => !without_type);
  const gone = new Set(had.map(({ member_type }) => member_type)).difference(await typesAmong(tx, had));
  if (gone.size > 0) throw new DomainError('activity.typeGone', { list: namedFirst([...gone]) });
}

/**
 * Sets columns of keys back to what they were.
 * @throws DomainError activity.changedMeanwhile where they are not what the deed made of them, or are gone; activity.typeGone
 */
export async function changeKeysBack(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  keys: readonly ChangedKey[],
): Promise<void> {
  const now = new Map(
    (
      await findAccessKeys(
        tx,
        keys.map(({ id }) => id),
      )
    ).map((key) => [key.id, key]),
  );
  const others = keys.filter(({ id, changed: { before, after } }) => {
    const key = now.get(id);
    const stands = (column: 'member_type' | 'is_revoked') => before[column] === undefined || key?.[column] === after[column];
    return !key || !stands('member_type') || !stands('is_revoked');
  });
  if (others.length > 0) throw new DomainError('activity.changedMeanwhile', { list: namedFirst(others.map(({ name }) => name)) });
  await refuseTypesGone(
    tx,
    keys.flatMap(({ changed: { before }, without_type }) =>
      before.member_type === undefined ? [] : { member_type: before.member_type, ...(without_type && { without_type }) },
    ),
  );
  const alike = Map.groupBy(keys, ({ changed: { before } }) => JSON.stringify([before.member_type, before.is_revoked]));
  for (const same of alike.values()) {
    const [first] = same;
    if (!first) continue;
    const ids = same.map(({ id }) => id);
    await byIds(ids, (some) => tx.updateTable('access_keys').set(first.changed.before).where('id', 'in', some).returning('id').execute());
  }
  for (const { name, changed } of keys) if (changed.before.is_revoked) changes.collect(affectedWaitlists).gone(nameKey(name));
  for (const [member_type, some] of Map.groupBy(keys, ({ changed }) => changed.before.member_type)) {
    const character_keys = some.map(({ name }) => nameKey(name));
    if (member_type !== undefined) await retypeWaits(ctx, tx, changes, { character_keys, member_type });
  }
}

type DeletedCode = DeletedRow<'verified_code'>;

const CODE_COLUMNS = [
  'v.id',
  'v.character_name',
  'code',
  'token_hash',
  'v.created_at',
  'expires_at',
  'verified_at',
  'address_hash',
] as const;

const codes = (tx: Tx) =>
  tx
    .selectFrom('verifications as v')
    .leftJoin('access_keys', 'access_keys.character_key', 'v.character_key')
    .select([...CODE_COLUMNS, 'access_keys.id as access_key_id'])
    .orderBy('v.id');

const keptCodes = (rows: readonly DeletedCode[]): UndoRecord[] => rows.map((deleted) => ({ kind: 'verified_code', deleted }));

/** Verification records that are about to be deleted, for the undo of it. */
export const deletedCodes = async (tx: Tx, ids: readonly number[]): Promise<UndoRecord[]> =>
  keptCodes(await byIds(ids, (some) => codes(tx).where('v.id', 'in', some).execute()));

/** All of some characters, for the same. */
export async function deletedCodesOf(tx: Tx, character_keys: readonly string[]): Promise<UndoRecord[]> {
  const rows: DeletedCode[] = [];
  for (const some of inBatches(character_keys)) rows.push(...(await codes(tx).where('v.character_key', 'in', some).execute()));
  return keptCodes(rows);
}

/**
 * Puts deleted verification records back.
 * @throws DomainError activity.changedMeanwhile where another record has its code
 */
export async function restoreCodes(tx: Tx, changes: ChangeRecorder, deleted: readonly DeletedCode[]): Promise<void> {
  const rows = deleted.map((code) => ({ ...code, character_key: nameKey(code.character_name) }));
  for (const some of inBatches(rows)) {
    await refuseTaken(tx, some);
    const characters = [...new Set(some.map(({ character_key }) => character_key))];
    // What came back shows the ban of a character that had no other record meanwhile.
    await dropBanners(tx, changes, characters);
    const verified = new Set(await verifiedAmong(tx, characters));
    const keys = new Map((await keysOfCharacters(tx, characters)).map(({ id, character_name }) => [nameKey(character_name), id]));
    const stored = some.map(({ access_key_id, ...row }) => {
      // Who verified since, or was given a key since, may be somebody else: an earlier one's browser is given nothing any more.
      const isStale = verified.has(row.character_key) || (keys.get(row.character_key) ?? null) !== access_key_id;
      return row.verified_at !== null && isStale ? { ...row, token_hash: null } : row;
    });
    await tx.insertInto('verifications').values(stored).execute();
  }
}

async function refuseTaken(tx: Tx, rows: readonly DeletedCode[]): Promise<void> {
  const [ids, texts] = [rows.map(({ id }) => id), rows.flatMap(({ code }) => code ?? [])];
  const taken = await tx
    .selectFrom('verifications')
    .select('character_name')
    .where(({ or, eb }) => or([eb('id', 'in', ids), ...(texts.length > 0 ? [eb('code', 'in', texts)] : [])]))
    .orderBy('id')
    .execute();
  if (taken.length === 0) return;
  throw new DomainError('activity.changedMeanwhile', { list: namedFirst(taken.map(({ character_name }) => character_name)) });
}

async function verifiedAmong(tx: Tx, character_keys: readonly string[]): Promise<string[]> {
  const verified = tx.selectFrom('verifications').select('character_key').where('verified_at', 'is not', null);
  return (await verified.where('character_key', 'in', character_keys).execute()).map(({ character_key }) => character_key);
}

type Ban = DeletedRow<'ban'>;

const keyed = (bans: readonly Ban[]) => bans.map((ban) => ({ ...ban, character_key: nameKey(ban.character_name) }));

/** When those of some characters were banned that are. */
async function bannedAmong(tx: Tx, bans: readonly { character_key: string }[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const some of inBatches(bans.map(({ character_key }) => character_key))) {
    const rows = await tx.selectFrom('bans').select(['character_key', 'created_at']).where('character_key', 'in', some).execute();
    for (const { character_key, created_at } of rows) found.set(character_key, created_at);
  }
  return found;
}

function refuseChanged(changed: readonly Ban[]): void {
  if (changed.length === 0) return;
  throw new DomainError('activity.changedMeanwhile', { list: namedFirst(changed.map(({ character_name }) => character_name)) });
}

/**
 * Bans characters again whose bans were ended.
 * @throws DomainError activity.changedMeanwhile where one is banned by now
 */
export async function restoreBans(ctx: Pick<Writing, 'now'>, tx: Tx, changes: ChangeRecorder, bans: readonly Ban[]): Promise<void> {
  const rows = keyed(bans);
  const standing = await bannedAmong(tx, rows);
  refuseChanged(rows.filter(({ character_key }) => standing.has(character_key)));
  for (const some of inBatches(rows)) await tx.insertInto('bans').values(some).execute();
  for (const { character_key } of rows) changes.collect(affectedWaitlists).gone(character_key);
  await keepBansVisible(tx, ctx.now().toISOString(), rows);
}

/**
 * Ends bans that were put on.
 * @throws DomainError activity.changedMeanwhile where one was ended since, or put on once more
 */
export async function endBans(tx: Tx, changes: ChangeRecorder, bans: readonly Ban[]): Promise<void> {
  const rows = keyed(bans);
  const standing = await bannedAmong(tx, rows);
  refuseChanged(rows.filter(({ character_key, created_at }) => standing.get(character_key) !== created_at));
  for (const some of inBatches(rows.map(({ character_key }) => character_key))) {
    await tx.deleteFrom('bans').where('character_key', 'in', some).execute();
    await dropBanners(tx, changes, some);
  }
}

/** Deletes records that only showed a ban; one with a code, or verified, is more than that. */
async function dropBanners(tx: Tx, changes: ChangeRecorder, character_keys: readonly string[]): Promise<void> {
  const banners = tx.deleteFrom('verifications').where('character_key', 'in', character_keys).where('code', 'is', null);
  const gone = await banners.where('verified_at', 'is', null).returning('id').execute();
  for (const { id } of gone) changes.remove('verified_code', id);
}

/** The bans of some characters that are about to be ended, for the undo of it. */
export async function deletedBans(tx: Tx, character_keys: readonly string[]): Promise<UndoRecord[]> {
  const records: UndoRecord[] = [];
  for (const some of inBatches(character_keys)) {
    const bans = tx.selectFrom('bans').select(['character_name', 'created_at']).where('character_key', 'in', some);
    for (const deleted of await bans.orderBy('character_key').execute()) records.push({ kind: 'ban', deleted });
  }
  return records;
}

/** Bans that are put on now, for the undo of it. */
export const madeBans = (characters: readonly NamedCharacter[], created_at: string): UndoRecord[] =>
  characters.map(({ character_name }) => ({ kind: 'ban', made: { character_name, created_at } }));
