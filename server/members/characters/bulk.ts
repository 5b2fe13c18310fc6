import { nameKey } from '../../../shared/rules/names.ts';
import type { BulkAnswer, CharactersDeed } from '../../../shared/schemas/bulk.ts';
import type { VerifiedCode } from '../../../shared/schemas/character.ts';
import { keepUndo } from '../../activity/kept-undos.ts';
import { allUnchanged, manyOf } from '../../activity/many.ts';
import { recordActivity } from '../../activity/record.ts';
import type { Admin } from '../../auth/callers.ts';
import { byIds } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { writeMany } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { turnInBulk } from '../access-keys/bulk.ts';
import { banCharacters, deleteRecords, unbanCharacters } from './change-many.ts';
import type { NamedCharacter } from './changes.ts';
import { keysOfCharacters, verifiedCodes } from './queries.ts';
import { deletedBans, deletedCodes, madeBans } from './restore.ts';

/**
 * Does to many characters, by their verification records, what the single calls do to one, all or nothing. A record counts as
 * changed where its character is; those that are so already, or gone, stay as they are.
 * @throws DomainError verification.bannedCharacter
 */
export function changeCharactersInBulk(ctx: Writing, admin: Admin, ids: readonly number[], deed: CharactersDeed): Promise<BulkAnswer> {
  return writeMany(ctx, ids.length, async (tx, changes) => {
    const found = await byIds(ids, (some) => verifiedCodes(tx, { of: 'ids', ids: some }));
    const records = found.filter((record) => isConcerned(record, deed));
    if (records.length === 0) return allUnchanged(ids);
    const activity_id = await carryOut(ctx, tx, changes, admin, records, deed);
    return { changed: records.length, unchanged: ids.length - records.length, activity_id };
  });
}

function isConcerned({ banned, access_key, access_revoked }: VerifiedCode, { do: what }: CharactersDeed): boolean {
  if (what === 'ban' || what === 'unban') return (banned === 1) === (what === 'unban');
  return what === 'delete' || (access_key !== null && (access_revoked === 1) === (what === 'enable'));
}

async function carryOut(
  ctx: Writing,
  tx: Tx,
  changes: ChangeRecorder,
  admin: Admin,
  records: readonly VerifiedCode[],
  { do: what }: CharactersDeed,
): Promise<number | null> {
  const characters = charactersOf(records);
  const told = manyOf(characters.map(({ character_name }) => character_name));
  switch (what) {
    case 'ban': {
      const created_at = ctx.now().toISOString();
      const undo = await keepUndo(ctx, tx, { records: madeBans(characters, created_at) });
      await banCharacters(tx, changes, characters, created_at);
      return recordActivity(ctx, tx, changes, admin, 'characters_banned', told, undo);
    }
    case 'unban': {
      const keys = characters.map(({ character_key }) => character_key);
      const undo = await keepUndo(ctx, tx, { records: await deletedBans(tx, keys) });
      await unbanCharacters(tx, changes, characters);
      return recordActivity(ctx, tx, changes, admin, 'characters_unbanned', told, undo);
    }
    case 'delete': {
      const ids = records.map(({ id }) => id);
      const undo = await keepUndo(ctx, tx, { records: await deletedCodes(tx, ids) });
      await deleteRecords(tx, changes, records);
      return recordActivity(ctx, tx, changes, admin, 'verifications_deleted', { ...told, count: ids.length }, undo);
    }
    default: {
      const keys = await keysOfCharacters(
        tx,
        characters.map(({ character_key }) => character_key),
      );
      return (await turnInBulk(ctx, tx, changes, admin, keys, what === 'revoke'))?.activity_id ?? null;
    }
  }
}

/** Each once, by its newest record's spelling. */
function charactersOf(records: readonly VerifiedCode[]): NamedCharacter[] {
  const names = new Map<string, string>();
  for (const { character_name } of records) {
    const key = nameKey(character_name);
    if (!names.has(key)) names.set(key, character_name);
  }
  return [...names].map(([character_key, character_name]) => ({ character_key, character_name }));
}
