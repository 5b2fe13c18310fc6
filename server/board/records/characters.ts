import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { Db, Tx } from '../../db/database.ts';

/* The little that the board asks about characters. `members` owns their keys and bans, and the board must not import it. */

/** The columns that make an access key's record. */
export const ACCESS_KEY_COLUMNS = [
  'id',
  'character_name',
  'key_value',
  'created_by_username',
  'member_type',
  'created_at',
  'is_revoked',
] as const;

/** The access key of a character, active or revoked. */
export async function keyOfCharacter(db: Db | Tx, character_key: string): Promise<AccessKey | null> {
  return (
    (await db.selectFrom('access_keys').select(ACCESS_KEY_COLUMNS).where('character_key', '=', character_key).executeTakeFirst()) ?? null
  );
}

/** Whether a character is banned. */
export async function isBanned(db: Db | Tx, character_key: string): Promise<boolean> {
  const ban = await db.selectFrom('bans').select('character_key').where('character_key', '=', character_key).executeTakeFirst();
  return ban !== undefined;
}
