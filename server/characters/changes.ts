import type { Tx } from '../db/open.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { isBanned, verifiedCodes } from './queries.ts';

/** Shows all of a character's verification records as they are now, since they tell of its key and its ban, which changed. */
export async function putCharacter(tx: Tx, changes: ChangeRecorder, character_key: string): Promise<void> {
  for (const record of await verifiedCodes(tx, { of: 'character', character_key })) changes.put({ kind: 'verified_code', record });
}

/** Shows the records that changed, without their siblings. */
export async function putRecords(tx: Tx, changes: ChangeRecorder, ids: readonly number[]): Promise<void> {
  for (const record of await verifiedCodes(tx, { of: 'ids', ids })) changes.put({ kind: 'verified_code', record });
}

/**
 * Gives a banned character without any record one, without a code: the table of records is where admins see bans
 * and end them, and where the live connections learn of them.
 */
export async function keepBanVisible(
  tx: Tx,
  character: { character_key: string; character_name: string; created_at: string },
): Promise<void> {
  const { character_key } = character;
  if (!(await isBanned(tx, character_key))) return;
  const record = await tx.selectFrom('verifications').select('id').where('character_key', '=', character_key).executeTakeFirst();
  if (record) return;
  await tx
    .insertInto('verifications')
    .values({ ...character, code: null, token_hash: null, expires_at: null, verified_at: null })
    .execute();
}
