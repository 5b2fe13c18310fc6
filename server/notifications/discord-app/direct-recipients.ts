import { type Db, inBatches, type Tx } from '../../db/database.ts';
import type { Recipient } from '../notices/medium.ts';

/* Members who are notified by direct message: those who linked their character to Discord. */

/** A linked character whose key works. Its id is the key's. */
export interface LinkedRecipient extends Recipient {
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
    .select(['id', 'character_key', 'discord_user_id', 'discord_channel_id', 'discord_closed_at'])
    // Discord is one receiver, with the limit of the job's kind.
    .select(({ lit }) => lit(null).as('receiver'))
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
export async function linkedRecipients(
  db: Db | Tx,
  character_keys: readonly string[],
): Promise<LinkedRecipient[]> {
  const found: LinkedRecipient[] = [];
  for (const batch of inBatches(character_keys))
    found.push(...(await recipients(db).where('character_key', 'in', batch).execute()));
  return found;
}

/** @returns null if the link ended */
export const findRecipient = async (
  db: Db | Tx,
  access_key_id: number,
): Promise<LinkedRecipient | null> =>
  (await recipients(db).where('id', '=', access_key_id).executeTakeFirst()) ?? null;

/** Whether any character is linked. */
export const hasLinks = async (db: Db | Tx): Promise<boolean> =>
  (await db
    .selectFrom('access_keys')
    .select('id')
    .where('discord_user_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;
