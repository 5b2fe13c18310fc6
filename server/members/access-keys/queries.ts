import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { PageQuery } from '../../../shared/schemas/fields.ts';
import { byIds } from '../../db/batches.ts';
import type { Db, Tx } from '../../db/open.ts';
import { rowsOfPage } from '../../db/page.ts';

export const ACCESS_KEY_COLUMNS = [
  'id',
  'character_name',
  'key_value',
  'created_by_username',
  'member_type',
  'created_at',
  'is_revoked',
] as const;

/** Keys, the newest first. */
export function allAccessKeys(db: Db | Tx, page: PageQuery = {}): Promise<AccessKey[]> {
  const { most, last_id } = rowsOfPage(page);
  return db.selectFrom('access_keys').select(ACCESS_KEY_COLUMNS).where('id', '<=', last_id).orderBy('id', 'desc').limit(most).execute();
}

/** Keys by their ids, in whichever order; those that are gone are left out. */
export const findAccessKeys = (db: Db | Tx, ids: readonly number[]): Promise<AccessKey[]> =>
  byIds(ids, (some) => db.selectFrom('access_keys').select(ACCESS_KEY_COLUMNS).where('id', 'in', some).orderBy('id').execute());

export async function findAccessKey(db: Db | Tx, id: number): Promise<AccessKey | null> {
  return (await db.selectFrom('access_keys').select(ACCESS_KEY_COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
}
