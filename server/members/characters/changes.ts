import { inBatches } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { verifiedCodes } from './queries.ts';

/** Shows all of a character's verification records as they are now, since they tell of its key and its ban, which changed. */
export const putCharacter = (tx: Tx, changes: ChangeRecorder, character_key: string): Promise<void> =>
  putCharacters(tx, changes, [character_key]);

/** The same for several. Of many, the admins load the board anew. */
export async function putCharacters(tx: Tx, changes: ChangeRecorder, character_keys: readonly string[]): Promise<void> {
  if (character_keys.length === 0) return;
  const records = character_keys.length > MANY_CHANGES ? null : await verifiedCodes(tx, { of: 'characters', character_keys });
  if (!records || records.length > MANY_CHANGES) changes.reset('admins');
  else for (const record of records) changes.put({ kind: 'verified_code', record });
}

/** Shows the records that changed, without their siblings. */
export async function putRecords(tx: Tx, changes: ChangeRecorder, ids: readonly number[]): Promise<void> {
  for (const record of await verifiedCodes(tx, { of: 'ids', ids })) changes.put({ kind: 'verified_code', record });
}

/** A character by the name it is compared by, and as it is written. */
export interface NamedCharacter {
  character_key: string;
  character_name: string;
}

/**
 * Gives each banned character without any record one, without a code: the table of records is where admins see bans
 * and end them, and where the live connections learn of them.
 */
export async function keepBansVisible(tx: Tx, created_at: string, characters: Iterable<NamedCharacter>): Promise<void> {
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
        not(exists(selectFrom('verifications as v').select('v.id').whereRef('v.character_key', '=', 'bans.character_key'))),
      )
      .execute();
    if (unseen.length === 0) continue;
    const names = new Map(some.map(({ character_key, character_name }) => [character_key, character_name]));
    const record = { code: null, token_hash: null, created_at, expires_at: null, verified_at: null };
    await tx
      .insertInto('verifications')
      .values(unseen.map(({ character_key }) => ({ ...record, character_key, character_name: names.get(character_key) ?? character_key })))
      .execute();
  }
}
