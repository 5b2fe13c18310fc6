import { type Db, inBatches, type Tx } from '../../db/database.ts';

/* Members who are notified by direct message: those who linked their character to Discord. */

/** A linked character whose key works. */
export interface DirectRecipient {
  access_key_id: number;
  character_key: string;
  character_name: string;
  discord_user_id: string;
  /** Discord's channel for direct messages to the user; null: none was opened. */
  discord_channel_id: string | null;
  /** Since when the user accepts no direct messages; null: they arrive. */
  discord_closed_at: string | null;
}

/** None without a Discord app. */
const recipients = (db: Db | Tx) =>
  db
    .selectFrom('access_keys')
    .select(['id as access_key_id', 'character_key', 'character_name', 'discord_user_id'])
    .select(['discord_channel_id', 'discord_closed_at'])
    .$narrowType<{ discord_user_id: string }>()
    .where('discord_user_id', 'is not', null)
    .where('is_revoked', '=', 0)
    .where(({ exists, selectFrom }) => exists(selectFrom('discord_app').select('discord_app.id')))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bans')
            .select('bans.character_key')
            .whereRef('bans.character_key', '=', 'access_keys.character_key'),
        ),
      ),
    );

/** Those of some characters, by their keys, who are linked. */
export async function directRecipientsOf(
  db: Db | Tx,
  character_keys: readonly string[],
): Promise<DirectRecipient[]> {
  const found: DirectRecipient[] = [];
  for (const batch of inBatches(character_keys))
    found.push(...(await recipients(db).where('character_key', 'in', batch).execute()));
  return found;
}

/** @returns null if the link ended */
export const findRecipient = async (
  db: Db | Tx,
  access_key_id: number,
): Promise<DirectRecipient | null> =>
  (await recipients(db).where('id', '=', access_key_id).executeTakeFirst()) ?? null;

/** Whether any character is linked. */
export const hasLinks = async (db: Db | Tx): Promise<boolean> =>
  (await db
    .selectFrom('access_keys')
    .select('id')
    .where('discord_user_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;
