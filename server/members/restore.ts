import { z } from 'zod';
import { DomainError, type ErrorCode } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { revokedBecause } from '../../shared/schemas/access-key.ts';
import { flag, id, timestamp } from '../../shared/schemas/fields.ts';
import type { RecordUndo } from '../activity/undo.ts';
import { changedRecord, deletedRecord, type UndoRecord } from '../activity/undo-store.ts';
import { formerMembers, returnedMembers, retypedMembers } from '../auth/changed-members.ts';
import { firstNames } from '../board/claims/claim-facts.ts';
import { keptEntries } from '../board/kept-entries.ts';
import { openEntriesOf } from '../board/waitlist/waitlist-store.ts';
import { inBatches, readByIds, type Tx } from '../db/database.ts';
import { MANY_CHANGES, type Unit } from '../db/unit-of-work.ts';
import {
  findAccessKeys,
  keepBansVisible,
  keysOfCharacters,
  type NamedCharacter,
  noteFormerMembers,
  putCharacters,
} from './records.ts';

/** There was no such member type then either, so the restore does not require it. */
const without_type = z.literal(true).exactOptional();
const keyColumns = z.object({
  id,
  character_name: z.string(),
  key_value: z.string(),
  created_by_username: z.string().nullable(),
  member_type: z.string(),
  created_at: timestamp,
  is_revoked: flag,
});
const deletedKey = deletedRecord(
  'access_key',
  // Undo data of earlier versions lack the last two.
  keyColumns.extend({
    without_type,
    revoked_because: revokedBecause.nullable().exactOptional(),
    type_by_hand: flag.exactOptional(),
  }),
);
const changedKey = changedRecord('access_key', {
  member_type: z.string(),
  is_revoked: flag,
}).extend({ without_type });
const deletedCode = deletedRecord(
  'verified_code',
  z.object({
    id,
    character_name: z.string(),
    code: z.string().nullable(),
    token_hash: z.string().nullable(),
    created_at: timestamp,
    expires_at: timestamp.nullable(),
    verified_at: timestamp.nullable(),
    address_hash: z.string().nullable(),
    /** To see whether the character still has the same key; null: it had none. */
    access_key_id: id.nullable(),
  }),
);
const ban = z.object({ character_name: z.string(), created_at: timestamp });
const madeKey = z.object({
  kind: z.literal('access_key'),
  made: z.object({ id, character_name: z.string(), member_type: z.string() }),
});
const deletedBan = deletedRecord('ban', ban);
const madeBan = z.object({ kind: z.literal('ban'), made: ban });
const memberRecord = z.union([deletedKey, changedKey, madeKey, deletedCode, deletedBan, madeBan]);

type MemberRecord = z.infer<typeof memberRecord>;
type DeletedKey = z.infer<typeof deletedKey>['deleted'];
type ChangedKey = z.infer<typeof changedKey>;
type KeyColumns = ChangedKey['changed']['after'];
type DeletedCode = z.infer<typeof deletedCode>['deleted'];
type Ban = z.infer<typeof ban>;

/** Restores access keys, then verification records, then bans. */
export const memberUndo: RecordUndo<MemberRecord> = {
  kinds: ['access_key', 'verified_code', 'ban'],
  record: memberRecord,
  restore: async (unit, records) => {
    const { tx, changes } = unit;
    const keys = records.flatMap((record) =>
      record.kind === 'access_key' && 'deleted' in record ? record.deleted : [],
    );
    const changed = records.filter((record) => 'changed' in record);
    const codes = records.flatMap((record) =>
      record.kind === 'verified_code' ? record.deleted : [],
    );
    const made = records.flatMap((record) =>
      record.kind === 'ban' && 'made' in record ? record.made : [],
    );
    const madeKeys = records.flatMap((record) =>
      record.kind === 'access_key' && 'made' in record ? record.made : [],
    );
    const ended = records.flatMap((record) =>
      record.kind === 'ban' && 'deleted' in record ? record.deleted : [],
    );
    await deleteMadeKeys(unit, madeKeys);
    await restoreKeys(unit, keys);
    await changeKeysBack(unit, changed);
    await restoreCodes(unit, codes);
    await endBans(unit, made);
    await restoreBans(unit, ended);
    return async () => {
      const ids = [...keys, ...changed].map((key) => key.id);
      if (ids.length > MANY_CHANGES) changes.reset('admins');
      else
        for (const record of await findAccessKeys(tx, ids))
          changes.put({ kind: 'access_key', record });
      const names = [
        ...[...keys, ...madeKeys, ...codes, ...ended, ...made].map(
          ({ character_name }) => character_name,
        ),
        ...changed.map(({ name }) => name),
      ];
      await putCharacters(unit, [...new Set(names.map(nameKey))]);
    };
  },
};

/** Keys before they are deleted, and the verification records of their characters, for the undo. */
export async function keptKeys(tx: Tx, ids: readonly number[]): Promise<UndoRecord[]> {
  const keys = await findAccessKeys(tx, ids);
  const has = await typesAmong(tx, keys);
  const byHand = new Map(
    (
      await readByIds(ids, (some) =>
        tx
          .selectFrom('access_keys')
          .select(['id', 'type_by_hand'])
          .where('id', 'in', some)
          .execute(),
      )
    ).map((row) => [row.id, row.type_by_hand]),
  );
  return [
    ...(await keptEntriesOf(tx, keys)),
    ...keys.map((key) => ({
      kind: 'access_key' as const,
      deleted: {
        ...key,
        ...lacking(has, key.member_type),
        type_by_hand: byHand.get(key.id) ?? 1,
      },
    })),
    ...(await keptCodesOf(
      tx,
      keys.map(({ character_name }) => nameKey(character_name)),
    )),
  ];
}

/** Keys before their columns change to `after`, for the undo; keys that have these values already are left out. */
export async function changedKeys(
  tx: Tx,
  ids: readonly number[],
  after: KeyColumns,
): Promise<UndoRecord[]> {
  const keys = await findAccessKeys(tx, ids);
  const has = await typesAmong(tx, keys);
  const waits = after.is_revoked ? await keptEntriesOf(tx, keys) : [];
  const changed = keys.flatMap(({ id, character_name: name, member_type, is_revoked }) => {
    const before: KeyColumns = {
      ...(after.member_type !== undefined && after.member_type !== member_type && { member_type }),
      ...(after.is_revoked !== undefined && after.is_revoked !== is_revoked && { is_revoked }),
    };
    if (Object.keys(before).length === 0) return [];
    return [
      {
        kind: 'access_key' as const,
        id,
        name,
        changed: { before, after },
        ...lacking(has, member_type),
      },
    ];
  });
  return [...waits, ...changed];
}

/** The open waitlist entries of characters, which end with their membership. */
export const keptEntriesOf = async (
  tx: Tx,
  characters: readonly { character_name: string }[],
): Promise<UndoRecord[]> =>
  keptEntries(
    tx,
    await openEntriesOf(
      tx,
      characters.map(({ character_name }) => nameKey(character_name)),
    ),
  );

/** Which member types of these keys exist. */
async function typesAmong(
  tx: Tx,
  keys: readonly { member_type: string }[],
): Promise<ReadonlySet<string>> {
  const types = new Set(keys.map(({ member_type }) => member_type));
  if (types.size === 0) return types;
  const found = await tx
    .selectFrom('member_types')
    .select('member_type')
    .where('member_type', 'in', [...types])
    .execute();
  return new Set(found.map(({ member_type }) => member_type));
}

const lacking = (has: ReadonlySet<string>, member_type: string) =>
  has.has(member_type) ? {} : { without_type: true as const };

/**
 * Restores deleted keys with their values, so that they open the board again. Push subscriptions do not return.
 * @throws DomainError activity.keyReissued, activity.keyValueTaken, activity.typeGone, activity.changedMeanwhile
 */
async function restoreKeys(unit: Unit, keys: readonly DeletedKey[]): Promise<void> {
  const { tx, changes } = unit;
  // Computed again: the rule for comparing names may have changed since.
  const rows = keys.map((key) => ({
    ...keyColumns.parse(key),
    revoked_because: key.revoked_because ?? null,
    type_by_hand: key.type_by_hand ?? 1,
    character_key: nameKey(key.character_name),
  }));
  const others = tx.selectFrom('access_keys').select('character_name').orderBy('id');
  for (const some of inBatches(rows)) {
    const names = some.map(({ character_key }) => character_key);
    const values = some.map(({ key_value }) => key_value);
    const ids = some.map(({ id }) => id);
    await refuseAny('activity.keyReissued', others.where('character_key', 'in', names).execute());
    await refuseAny('activity.keyValueTaken', others.where('key_value', 'in', values).execute());
    await refuseAny('activity.changedMeanwhile', others.where('id', 'in', ids).execute());
  }
  await refuseTypesGone(tx, keys);
  for (const some of inBatches(rows)) {
    await tx.insertInto('access_keys').values(some).execute();
    const names = some.map(({ character_key }) => character_key);
    await tx.deleteFrom('former_members').where('character_key', 'in', names).execute();
  }
  for (const { character_key, member_type } of rows) {
    changes.collect(retypedMembers).set(character_key, member_type);
    changes.collect(returnedMembers).set(character_key, null);
  }
}

async function refuseAny(
  code: ErrorCode,
  finding: Promise<readonly { character_name: string }[]>,
): Promise<void> {
  const names = (await finding).map(({ character_name }) => character_name);
  if (names.length > 0) throw new DomainError(code, { list: firstNames(names) });
}

/** Refuses keys whose member type was deleted since: its rights are unknown. */
async function refuseTypesGone(
  tx: Tx,
  keys: readonly Pick<DeletedKey, 'member_type' | 'without_type'>[],
): Promise<void> {
  const had = keys.filter(({ without_type }) => !without_type);
  const gone = new Set(had.map(({ member_type }) => member_type)).difference(
    await typesAmong(tx, had),
  );
  if (gone.size > 0) throw new DomainError('activity.typeGone', { list: firstNames([...gone]) });
}

/**
 * Sets columns of keys back.
 * @throws DomainError activity.changedMeanwhile if a key was changed again or is gone; activity.typeGone
 */
async function changeKeysBack(unit: Unit, keys: readonly ChangedKey[]): Promise<void> {
  const { tx, changes } = unit;
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
    const stands = (column: 'member_type' | 'is_revoked') =>
      before[column] === undefined || key?.[column] === after[column];
    return !key || !stands('member_type') || !stands('is_revoked');
  });
  if (others.length > 0)
    throw new DomainError('activity.changedMeanwhile', {
      list: firstNames(others.map(({ name }) => name)),
    });
  await refuseTypesGone(
    tx,
    keys.flatMap(({ changed: { before }, without_type }) =>
      before.member_type === undefined
        ? []
        : { member_type: before.member_type, ...(without_type && { without_type }) },
    ),
  );
  const alike = Map.groupBy(keys, ({ changed: { before } }) =>
    JSON.stringify([before.member_type, before.is_revoked]),
  );
  for (const same of alike.values()) {
    const [first] = same;
    if (!first) continue;
    const ids = same.map(({ id }) => id);
    await readByIds(ids, (some) =>
      tx
        .updateTable('access_keys')
        .set({
          ...first.changed.before,
          ...(first.changed.before.is_revoked === 0 && { revoked_because: null }),
        })
        .where('id', 'in', some)
        .returning('id')
        .execute(),
    );
  }
  for (const { id, name, changed } of keys) {
    const { is_revoked, member_type } = changed.before;
    // It may have another name since.
    const character_key = nameKey(now.get(id)?.character_name ?? name);
    if (is_revoked === 1) changes.collect(formerMembers).set(character_key, 'revoked');
    if (is_revoked === 0) changes.collect(returnedMembers).set(character_key, null);
    if (member_type !== undefined) changes.collect(retypedMembers).set(character_key, member_type);
  }
}

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

const codeRecords = (rows: readonly DeletedCode[]): MemberRecord[] =>
  rows.map((deleted) => ({ kind: 'verified_code', deleted }));

/** Verification records before they are deleted, for the undo. */
export const keptCodes = async (tx: Tx, ids: readonly number[]): Promise<MemberRecord[]> =>
  codeRecords(await readByIds(ids, (some) => codes(tx).where('v.id', 'in', some).execute()));

async function keptCodesOf(tx: Tx, character_keys: readonly string[]): Promise<MemberRecord[]> {
  const rows: DeletedCode[] = [];
  for (const some of inBatches(character_keys))
    rows.push(...(await codes(tx).where('v.character_key', 'in', some).execute()));
  return codeRecords(rows);
}

/**
 * Restores deleted verification records.
 * @throws DomainError activity.changedMeanwhile if another record has the code
 */
async function restoreCodes(unit: Unit, deleted: readonly DeletedCode[]): Promise<void> {
  const { tx } = unit;
  const rows = deleted.map((code) => ({ ...code, character_key: nameKey(code.character_name) }));
  for (const some of inBatches(rows)) {
    await refuseTaken(tx, some);
    const characters = [...new Set(some.map(({ character_key }) => character_key))];
    // The restored record shows the ban now; the record that was made only to show it goes.
    await dropBanners(unit, characters);
    const verified = new Set(await verifiedAmong(tx, characters));
    const keys = new Map(
      (await keysOfCharacters(tx, characters)).map(({ id, character_name }) => [
        nameKey(character_name),
        id,
      ]),
    );
    const stored = some.map(({ access_key_id, ...row }) => {
      // A character that verified or got a key since may belong to another person, so the earlier browser's token must not fetch the key.
      const isStale =
        verified.has(row.character_key) || (keys.get(row.character_key) ?? null) !== access_key_id;
      return row.verified_at !== null && isStale ? { ...row, token_hash: null } : row;
    });
    await tx.insertInto('verifications').values(stored).execute();
  }
}

async function refuseTaken(tx: Tx, rows: readonly DeletedCode[]): Promise<void> {
  const ids = rows.map(({ id }) => id);
  const texts = rows.flatMap(({ code }) => code ?? []);
  const taken = await tx
    .selectFrom('verifications')
    .select('character_name')
    .where(({ or, eb }) =>
      or([eb('id', 'in', ids), ...(texts.length > 0 ? [eb('code', 'in', texts)] : [])]),
    )
    .orderBy('id')
    .execute();
  if (taken.length === 0) return;
  throw new DomainError('activity.changedMeanwhile', {
    list: firstNames(taken.map(({ character_name }) => character_name)),
  });
}

async function verifiedAmong(tx: Tx, character_keys: readonly string[]): Promise<string[]> {
  const verified = tx
    .selectFrom('verifications')
    .select('character_key')
    .where('verified_at', 'is not', null);
  return (await verified.where('character_key', 'in', character_keys).execute()).map(
    ({ character_key }) => character_key,
  );
}

const keyed = (bans: readonly Ban[]) =>
  bans.map((ban) => ({ ...ban, character_key: nameKey(ban.character_name) }));

/** The bans' times of those characters that are banned. */
export async function bannedAmong(
  tx: Tx,
  bans: readonly { character_key: string }[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const some of inBatches(bans.map(({ character_key }) => character_key))) {
    const rows = await tx
      .selectFrom('bans')
      .select(['character_key', 'created_at'])
      .where('character_key', 'in', some)
      .execute();
    for (const { character_key, created_at } of rows) found.set(character_key, created_at);
  }
  return found;
}

function refuseChanged(changed: readonly Ban[]): void {
  if (changed.length === 0) return;
  throw new DomainError('activity.changedMeanwhile', {
    list: firstNames(changed.map(({ character_name }) => character_name)),
  });
}

/**
 * Restores ended bans.
 * @throws DomainError activity.changedMeanwhile if a character is banned again
 */
async function restoreBans(unit: Unit, bans: readonly Ban[]): Promise<void> {
  const { tx, changes } = unit;
  const rows = keyed(bans);
  const banned = await bannedAmong(tx, rows);
  refuseChanged(rows.filter(({ character_key }) => banned.has(character_key)));
  for (const some of inBatches(rows)) await tx.insertInto('bans').values(some).execute();
  for (const { character_key } of rows) changes.collect(formerMembers).set(character_key, 'banned');
  await keepBansVisible(unit, rows);
}

/**
 * Ends bans, to undo them.
 * @throws DomainError activity.changedMeanwhile if one was ended since, or the character was banned again
 */
async function endBans(unit: Unit, bans: readonly Ban[]): Promise<void> {
  const { tx, changes } = unit;
  const rows = keyed(bans);
  const banned = await bannedAmong(tx, rows);
  refuseChanged(
    rows.filter(({ character_key, created_at }) => banned.get(character_key) !== created_at),
  );
  for (const some of inBatches(rows.map(({ character_key }) => character_key))) {
    await tx.deleteFrom('bans').where('character_key', 'in', some).execute();
    await dropBanners(unit, some);
  }
  for (const { character_key, created_at } of rows)
    changes.collect(returnedMembers).set(character_key, created_at);
}

/** Deletes records that only show a ban: they have no code and are not verified. */
async function dropBanners(
  { tx, changes }: Unit,
  character_keys: readonly string[],
): Promise<void> {
  const banners = tx
    .deleteFrom('verifications')
    .where('character_key', 'in', character_keys)
    .where('code', 'is', null);
  const gone = await banners.where('verified_at', 'is', null).returning('id').execute();
  for (const { id } of gone) changes.remove('verified_code', id);
}

/** Bans before they are ended, for the undo. */
export async function keptBans(tx: Tx, character_keys: readonly string[]): Promise<MemberRecord[]> {
  const records: MemberRecord[] = [];
  for (const some of inBatches(character_keys)) {
    const bans = tx
      .selectFrom('bans')
      .select(['character_name', 'created_at'])
      .where('character_key', 'in', some);
    for (const deleted of await bans.orderBy('character_key').execute())
      records.push({ kind: 'ban', deleted });
  }
  return records;
}

/** New bans, for the undo. */
export const madeBans = (
  characters: readonly NamedCharacter[],
  created_at: string,
): MemberRecord[] =>
  characters.map(({ character_name }) => ({ kind: 'ban', made: { character_name, created_at } }));

type MadeKey = z.infer<typeof madeKey>['made'];

export const madeKeys = (keys: readonly MadeKey[]): MemberRecord[] =>
  keys.map(({ id, character_name, member_type }) => ({
    kind: 'access_key',
    made: { id, character_name, member_type },
  }));

/**
 * Deletes keys that an import made.
 * @throws DomainError activity.changedMeanwhile, or activity.inUse for characters with claims, waitlist entries, weekly claims,
 * subscriptions or a link to Discord
 */
async function deleteMadeKeys({ tx, changes, at }: Unit, made: readonly MadeKey[]): Promise<void> {
  const ids = made.map(({ id }) => id);
  const now = new Map((await findAccessKeys(tx, ids)).map((key) => [key.id, key]));
  const others = made.filter(
    ({ id, character_name, member_type }) =>
      now.get(id)?.character_name !== character_name ||
      now.get(id)?.member_type !== member_type ||
      now.get(id)?.is_revoked !== 0,
  );
  if (others.length > 0)
    throw new DomainError('activity.changedMeanwhile', {
      list: firstNames(others.map((key) => key.character_name)),
    });
  const used = new Set<string>();
  const names = new Map(
    made.map(({ character_name }) => [nameKey(character_name), character_name]),
  );
  for (const some of inBatches(names.keys())) {
    for (const table of ['claims', 'waits', 'standing_claims', 'push_subscriptions'] as const) {
      const rows = await tx
        .selectFrom(table)
        .select('character_key')
        .distinct()
        .where('character_key', 'in', some)
        .execute();
      for (const { character_key } of rows) used.add(character_key);
    }
  }
  for (const { character_name, discord_user_id } of now.values())
    if (discord_user_id !== null) used.add(nameKey(character_name));
  const inUse = [...used].flatMap((character_key) => names.get(character_key) ?? []);
  if (inUse.length > 0) throw new DomainError('activity.inUse', { list: firstNames(inUse) });
  for (const some of inBatches(ids))
    await tx.deleteFrom('access_keys').where('id', 'in', some).execute();
  await noteFormerMembers(tx, [...names.keys()], at.toISOString());
  // Open offers to them end.
  for (const character_key of names.keys())
    changes.collect(formerMembers).set(character_key, 'deleted');
  if (ids.length > MANY_CHANGES) changes.reset('admins');
  else for (const id of ids) changes.remove('access_key', id);
}
