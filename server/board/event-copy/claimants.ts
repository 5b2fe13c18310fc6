import { z } from 'zod';
import { DomainError, type ErrorCode } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { findUndo, recordsOfUndo } from '../../activity/undo-store.ts';
import { IDS_A_STATEMENT, inBatches, type Tx } from '../../db/database.ts';
import { authorizedCharacters } from '../records/members.ts';

type Key = { character_name: string; member_type: string; is_revoked: number };

/** The current state of claims' characters. */
export interface People {
  /** Its key; none if an admin claims for a character without one. */
  keyOf: (claim: Claim) => Key | undefined;
  /** Why its claims are not copied; null: they are. */
  refusalOf: (claim: Claim) => Extract<ErrorCode, `copy.${string}`> | null;
}

export async function readPeople(tx: Tx, claims: readonly Claim[]): Promise<People> {
  const keys = new Map<string, Key>();
  const authorized = await authorizedCharacters(
    tx,
    claims.map(({ character_name }) => character_name),
  );
  const characters = new Set(claims.map(({ character_name }) => nameKey(character_name)));
  for (const some of inBatches(characters, IDS_A_STATEMENT)) {
    const columns = ['character_key', 'character_name', 'member_type', 'is_revoked'] as const;
    for (const { character_key, ...key } of await tx.selectFrom('access_keys').select(columns).where('character_key', 'in', some).execute())
      keys.set(character_key, key);
  }
  const without = claims.filter(({ character_name }) => !keys.has(nameKey(character_name)));
  const deleted = await keysDeletedSince(tx, without);
  return {
    keyOf: ({ character_name }) => keys.get(nameKey(character_name)),
    refusalOf: ({ character_name, created_at }) => {
      const character = nameKey(character_name);
      if (!authorized.of(character_name)) return 'copy.banned';
      const key = keys.get(character);
      if (key) return key.is_revoked ? 'copy.keyRevoked' : null;
      return (deleted.get(character) ?? '') > created_at ? 'copy.keyDeleted' : null;
    },
  };
}

const deletionDetails = z.object({
  character_name: z.string().exactOptional(),
  count: z.number().exactOptional(),
  names: z.array(z.string()).exactOptional(),
});

/**
 * When the keys of characters without one were deleted, by the activity log: admins also claim for characters that never had a key.
 * @returns the last deletion by character
 */
async function keysDeletedSince(tx: Tx, claims: readonly Claim[]): Promise<ReadonlyMap<string, string>> {
  const deleted = new Map<string, string>();
  const [first] = claims;
  if (!first) return deleted;
  const since = claims.reduce((earliest, { created_at }) => (created_at < earliest ? created_at : earliest), first.created_at);
  const entries = await tx
    .selectFrom('activity')
    .select(['id', 'timestamp', 'details'])
    .where('action', 'in', ['access_key_deleted', 'access_keys_deleted'])
    .where('timestamp', '>=', since)
    .orderBy('id')
    .execute();
  for (const { id, timestamp, details } of entries) {
    const { success, data } = deletionDetails.safeParse(JSON.parse(details));
    if (!success) continue;
    const { character_name, count = 0, names = [] } = data;
    // A bulk entry has only the first names; its undo has all.
    const others = count > names.length ? await namesInUndo(tx, id) : [];
    for (const name of [...(character_name === undefined ? [] : [character_name]), ...names, ...others])
      deleted.set(nameKey(name), timestamp);
  }
  return deleted;
}

const deletedKey = z.object({ kind: z.literal('access_key'), deleted: z.object({ character_name: z.string() }) });

/** The names in the undo of an entry; none if it was deleted or another version stored it. */
async function namesInUndo(tx: Tx, entry_id: number): Promise<string[]> {
  try {
    const undo = await findUndo(tx, entry_id);
    const records = undo ? await recordsOfUndo(tx, undo) : [];
    return records.flatMap((record) => deletedKey.safeParse(record).data?.deleted.character_name ?? []);
  } catch (error) {
    if (error instanceof DomainError) return [];
    throw error;
  }
}
