import type { AccessKey } from '../../shared/schemas/access-key.ts';
import type { Db, Tx } from '../db/open.ts';

export const ACCESS_KEY_COLUMNS = [
  'id',
  'character_name',
  'key_value',
  'created_by_username',
  'member_type',
  'created_at',
  'is_revoked',
] as const;

/** All keys, the newest first. */
export function allAccessKeys(db: Db | Tx): Promise<AccessKey[]> {
  return db.selectFrom('access_keys').select(ACCESS_KEY_COLUMNS).orderBy('id', 'desc').execute();
}

export async function findAccessKey(db: Db | Tx, id: number): Promise<AccessKey | null> {
  return (await db.selectFrom('access_keys').select(ACCESS_KEY_COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}
