import type { ErrorCode } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { inBatches, type Tx } from '../../db/database.ts';
import { authorizedCharacters } from '../records/members.ts';

type Key = { character_name: string; member_type: string; is_revoked: number };

/** The current state of claims' characters. */
export interface People {
  /** Its key; none if an admin claims for a character without one. */
  keyOf: (claim: Claim) => Key | undefined;
  refusalOf: (claim: Claim) => Extract<ErrorCode, `copy.${string}`> | null;
}

export async function readPeople(tx: Tx, claims: readonly Claim[]): Promise<People> {
  const keys = new Map<string, Key>();
  const authorized = await authorizedCharacters(
    tx,
    claims.map(({ character_name }) => character_name),
  );
  const left = new Map<string, string>();
  const characters = new Set(claims.map(({ character_name }) => nameKey(character_name)));
  for (const some of inBatches(characters)) {
    const columns = ['character_key', 'character_name', 'member_type', 'is_revoked'] as const;
    for (const { character_key, ...key } of await tx
      .selectFrom('access_keys')
      .select(columns)
      .where('character_key', 'in', some)
      .execute())
      keys.set(character_key, key);
    for (const row of await tx
      .selectFrom('former_members')
      .selectAll()
      .where('character_key', 'in', some)
      .execute())
      left.set(row.character_key, row.left_at);
  }
  return {
    keyOf: ({ character_name }) => keys.get(nameKey(character_name)),
    refusalOf: ({ character_name, created_at }) => {
      const character = nameKey(character_name);
      if (!authorized.of(character_name)) return 'copy.banned';
      // Admins also claim for characters that never had a key.
      if ((left.get(character) ?? '') > created_at) return 'copy.keyDeleted';
      return keys.get(character)?.is_revoked ? 'copy.keyRevoked' : null;
    },
  };
}
