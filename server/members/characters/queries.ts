import { nameKey } from '../../../shared/rules/names.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { VerifiedCode } from '../../../shared/schemas/character.ts';
import type { PageQuery } from '../../../shared/schemas/fields.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../shared/schemas/member-type.ts';
import { inBatches } from '../../db/batches.ts';
import type { Db, Tx } from '../../db/open.ts';
import { rowsOfPage } from '../../db/page.ts';
import { ACCESS_KEY_COLUMNS } from '../access-keys/queries.ts';

/**
 * Which records: a page of all, some, or some characters'; or what admins begin with, which leaves out the oldest codes that
 * nobody has put into a comment: a visitor may ask for any number of those.
 */
export type RecordScope =
  | ({ of: 'page' } & PageQuery)
  | { of: 'ids'; ids: readonly number[] }
  | { of: 'characters'; character_keys: readonly string[] }
  | { of: 'start' };

const newest = (db: Db | Tx, page: PageQuery = {}) => {
  const { most, last_id } = rowsOfPage(page);
  return db.selectFrom('verifications as v').select('v.id').where('v.id', '<=', last_id).orderBy('v.id', 'desc').limit(most);
};

/** Verification records with what their characters' keys and bans say, the newest first. */
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
  if (scope.of === 'ids') query = query.where('verifications.id', 'in', scope.ids);
  if (scope.of === 'page') query = query.where('verifications.id', 'in', newest(db, scope));
  if (scope.of === 'start') {
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
  if (scope.of === 'characters') query = query.where('verifications.character_key', 'in', scope.character_keys);
  const rows = await query.orderBy('verifications.id', 'desc').execute();
  return rows.map(({ is_revoked, banned_at, ...row }) => ({
    ...row,
    member_type: row.access_member_type ?? DEFAULT_MEMBER_TYPE,
    access_revoked: is_revoked ? 1 : 0,
    banned: banned_at === null ? 0 : 1,
  }));
}

export async function keyOfCharacter(db: Db | Tx, character_key: string): Promise<AccessKey | null> {
  return (
    (await db.selectFrom('access_keys').select(ACCESS_KEY_COLUMNS).where('character_key', '=', character_key).executeTakeFirst()) ?? null
  );
}

/** The keys of those of some characters that have one. */
export async function keysOfCharacters(db: Db | Tx, character_keys: readonly string[]): Promise<AccessKey[]> {
  const keys: AccessKey[] = [];
  for (const some of inBatches(character_keys)) {
    keys.push(
      ...(await db.selectFrom('access_keys').select(ACCESS_KEY_COLUMNS).where('character_key', 'in', some).orderBy('id').execute()),
    );
  }
  return keys;
}

export async function isBanned(db: Db | Tx, character_key: string): Promise<boolean> {
  const ban = await db.selectFrom('bans').select('character_key').where('character_key', '=', character_key).executeTakeFirst();
  return ban !== undefined;
}

/** True for a character whose key works: made by an admin or earned, neither revoked nor banned. */
export async function isVerified(db: Db | Tx, character_name: string): Promise<boolean> {
  const character_key = nameKey(character_name);
  const key = await keyOfCharacter(db, character_key);
  return key !== null && !key.is_revoked && !(await isBanned(db, character_key));
}
