import { nameKey } from '../../shared/rules/names.ts';
import { type AccessKey, accessKey } from '../../shared/schemas/access-key.ts';
import { type VerifiedCode, verifiedCode } from '../../shared/schemas/character.ts';
import { MAX_LIST, type PageQuery } from '../../shared/schemas/fields.ts';
import { DEFAULT_MEMBER_TYPE } from '../../shared/schemas/member-type.ts';
import { ACCESS_KEY_COLUMNS, isBanned, keyOfCharacter } from '../board/records/members.ts';
import {
  type Db,
  inBatches,
  pageBounds,
  readByIds,
  type Tx,
  writeInBatches,
} from '../db/database.ts';
import { MANY_CHANGES, type Unit } from '../db/unit-of-work.ts';
import { newestFirst, recordSource } from '../live/record-kinds.ts';

/** Keys, the newest first. */
export function allAccessKeys(db: Db | Tx, page: PageQuery = {}): Promise<AccessKey[]> {
  const { most, last_id } = pageBounds(page);
  return db
    .selectFrom('access_keys')
    .select(ACCESS_KEY_COLUMNS)
    .where('id', '<=', last_id)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** Keys by their ids; missing ones are left out. */
export const findAccessKeys = (db: Db | Tx, ids: readonly number[]): Promise<AccessKey[]> =>
  readByIds(ids, (some) =>
    db
      .selectFrom('access_keys')
      .select(ACCESS_KEY_COLUMNS)
      .where('id', 'in', some)
      .orderBy('id')
      .execute(),
  );

export async function findAccessKey(db: Db | Tx, id: number): Promise<AccessKey | null> {
  return (
    (await db
      .selectFrom('access_keys')
      .select(ACCESS_KEY_COLUMNS)
      .where('id', '=', id)
      .executeTakeFirst()) ?? null
  );
}

/** Which records to read. `start`: the ones an admin's snapshot has, without the oldest pending codes, of which visitors can create any number. */
type RecordScope =
  | ({ type: 'page' } & PageQuery)
  | { type: 'ids'; ids: readonly number[] }
  | { type: 'characters'; character_keys: readonly string[] }
  | { type: 'start' };

const newest = (db: Db | Tx, page: PageQuery = {}) => {
  const { most, last_id } = pageBounds(page);
  return db
    .selectFrom('verifications as v')
    .select('v.id')
    .where('v.id', '<=', last_id)
    .orderBy('v.id', 'desc')
    .limit(most);
};

/** Verification records with their characters' keys and bans, newest first. */
export async function verifiedCodes(db: Db | Tx, scope: RecordScope): Promise<VerifiedCode[]> {
  let query = db
    .selectFrom('verifications')
    .leftJoin('access_keys', 'access_keys.character_key', 'verifications.character_key')
    .leftJoin('bans', 'bans.character_key', 'verifications.character_key')
    .select([
      'verifications.id',
      'verifications.character_name',
      'verifications.code',
      'verifications.created_at',
      'verifications.verified_at',
      'access_keys.key_value as access_key',
      'access_keys.member_type as access_member_type',
      'access_keys.is_revoked',
      'bans.created_at as banned_at',
    ]);
  if (scope.type === 'ids') query = query.where('verifications.id', 'in', scope.ids);
  if (scope.type === 'page') query = query.where('verifications.id', 'in', newest(db, scope));
  if (scope.type === 'start') {
    const pending = newest(db).where('v.verified_at', 'is', null).where('v.code', 'is not', null);
    query = query.where(({ or, eb }) =>
      or([
        eb('verifications.verified_at', 'is not', null),
        eb('verifications.code', 'is', null),
        eb('bans.created_at', 'is not', null),
        eb('verifications.id', 'in', pending),
      ]),
    );
  }
  if (scope.type === 'characters')
    query = query.where('verifications.character_key', 'in', scope.character_keys);
  const rows = await query.orderBy('verifications.id', 'desc').execute();
  return rows.map(({ is_revoked, banned_at, ...row }) => ({
    ...row,
    member_type: row.access_member_type ?? DEFAULT_MEMBER_TYPE,
    access_revoked: is_revoked ? 1 : 0,
    banned: banned_at === null ? 0 : 1,
  }));
}

export async function keysOfCharacters(
  db: Db | Tx,
  character_keys: readonly string[],
): Promise<AccessKey[]> {
  const keys: AccessKey[] = [];
  for (const some of inBatches(character_keys)) {
    keys.push(
      ...(await db
        .selectFrom('access_keys')
        .select(ACCESS_KEY_COLUMNS)
        .where('character_key', 'in', some)
        .orderBy('id')
        .execute()),
    );
  }
  return keys;
}

/** Whether a character has a key that works: neither revoked nor banned. */
export async function isVerified(db: Db | Tx, character_name: string): Promise<boolean> {
  const character_key = nameKey(character_name);
  const key = await keyOfCharacter(db, character_key);
  return key !== null && !key.is_revoked && !(await isBanned(db, character_key));
}

/** Shows all verification records of a character, since they include its key and its ban. */
export const putCharacter = (unit: Unit, character_key: string): Promise<void> =>
  putCharacters(unit, [character_key]);

/** The same for several. For many, admins load the board again. */
export async function putCharacters(
  { tx, changes }: Unit,
  character_keys: readonly string[],
): Promise<void> {
  if (character_keys.length === 0) return;
  const records =
    character_keys.length > MANY_CHANGES
      ? null
      : await verifiedCodes(tx, { type: 'characters', character_keys });
  if (!records || records.length > MANY_CHANGES) changes.reset('admins');
  else for (const record of records) changes.put({ kind: 'verified_code', record });
}

/** Shows only these records, not the others of their characters. */
export async function putRecords({ tx, changes }: Unit, ids: readonly number[]): Promise<void> {
  for (const record of await verifiedCodes(tx, { type: 'ids', ids }))
    changes.put({ kind: 'verified_code', record });
}

/** A character: the name for comparing, and as it is spelled. */
export interface NamedCharacter {
  character_key: string;
  character_name: string;
}

/** Creates a record without a code for each banned character that has none: admins see and end bans in the table of records. */
export async function keepBansVisible(
  { tx, at }: Unit,
  characters: Iterable<NamedCharacter>,
): Promise<void> {
  for (const some of inBatches(characters)) {
    const unseen = await tx
      .selectFrom('bans')
      .select('bans.character_key')
      .where(
        'bans.character_key',
        'in',
        some.map(({ character_key }) => character_key),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('verifications as v')
              .select('v.id')
              .whereRef('v.character_key', '=', 'bans.character_key'),
          ),
        ),
      )
      .execute();
    if (unseen.length === 0) continue;
    const names = new Map(
      some.map(({ character_key, character_name }) => [character_key, character_name]),
    );
    const record = {
      code: null,
      token_hash: null,
      created_at: at.toISOString(),
      expires_at: null,
      verified_at: null,
    };
    await tx
      .insertInto('verifications')
      .values(
        unseen.map(({ character_key }) => ({
          ...record,
          character_key,
          character_name: names.get(character_key) ?? character_key,
        })),
      )
      .execute();
  }
}

export const accessKeyRecords = recordSource('access_key', {
  schema: accessKey,
  read: ({ tx }) => allAccessKeys(tx),
  order: newestFirst,
  limit: MAX_LIST,
});

export const verifiedCodeRecords = recordSource('verified_code', {
  schema: verifiedCode,
  read: ({ tx }) => verifiedCodes(tx, { type: 'start' }),
  order: newestFirst,
  limit: MAX_LIST,
});

/** Notes that the members who held these characters have left: claims from before are not theirs any more. */
export async function noteFormerMembers(
  tx: Tx,
  character_keys: readonly string[],
  left_at: string,
): Promise<void> {
  await writeInBatches(character_keys, (some) =>
    tx
      .insertInto('former_members')
      .values(some.map((character_key) => ({ character_key, left_at })))
      .onConflict((conflict) => conflict.column('character_key').doUpdateSet({ left_at }))
      .execute(),
  );
}

/** When the member who held a character before its current key left; null: none did. */
export async function formerMemberLeftAt(tx: Tx, character_key: string): Promise<string | null> {
  const row = await tx
    .selectFrom('former_members')
    .select('left_at')
    .where('character_key', '=', character_key)
    .executeTakeFirst();
  return row?.left_at ?? null;
}
