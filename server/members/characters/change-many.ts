import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { VerifiedCode } from '../../../shared/schemas/character.ts';
import { affectedWaitlists } from '../../board/waitlist/affected-waitlists.ts';
import { inBatches, inTurns } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { keepBansVisible, type NamedCharacter, putCharacters } from './changes.ts';

/*
 * What is done to characters and their records, one or many, in the write of whoever does it: everything that it owes but
 * the log's entry.
 */

/** Bans characters that are not: they get no code, cannot verify, and their keys open nothing until the ban ends. */
export async function banCharacters(
  tx: Tx,
  changes: ChangeRecorder,
  characters: readonly NamedCharacter[],
  created_at: string,
): Promise<void> {
  await inTurns(characters, async (some) => {
    const bans = some.map(({ character_key, character_name }) => ({ character_key, character_name, created_at }));
    await tx.insertInto('bans').values(bans).execute();
  });
  for (const { character_key } of characters) changes.collect(affectedWaitlists).gone(character_key);
  await keepBansVisible(tx, created_at, characters);
  await putCharacters(tx, changes, keysOf(characters));
}

/** Ends bans; the characters' keys work again, unless they were revoked. Records that only showed a ban go. */
export async function unbanCharacters(tx: Tx, changes: ChangeRecorder, characters: readonly NamedCharacter[]): Promise<void> {
  const gone: { id: number }[] = [];
  await inTurns(keysOf(characters), async (some) => {
    await tx.deleteFrom('bans').where('character_key', 'in', some).execute();
    const shown = tx.deleteFrom('verifications').where('character_key', 'in', some);
    gone.push(...(await shown.where('code', 'is', null).where('verified_at', 'is', null).returning('id').execute()));
  });
  if (gone.length + characters.length > MANY_CHANGES) return changes.reset('admins');
  for (const { id } of gone) changes.remove('verified_code', id);
  await putCharacters(tx, changes, keysOf(characters));
}

/**
 * Deletes verification records; the characters' keys stay.
 * @throws DomainError verification.bannedCharacter where nothing would show a ban any more
 */
export async function deleteRecords(tx: Tx, changes: ChangeRecorder, records: readonly VerifiedCode[]): Promise<void> {
  await inTurns(
    records.map(({ id }) => id),
    (some) => tx.deleteFrom('verifications').where('id', 'in', some).execute(),
  );
  const banned = new Map(records.flatMap(({ banned, character_name }) => (banned ? [[nameKey(character_name), character_name]] : [])));
  for (const some of inBatches(banned.keys())) {
    const left = await tx.selectFrom('verifications').select('character_key').where('character_key', 'in', some).execute();
    const [unseen] = new Set(some).difference(new Set(left.map(({ character_key }) => character_key)));
    if (unseen !== undefined) throw new DomainError('verification.bannedCharacter', { character_name: banned.get(unseen) ?? unseen });
  }
  if (records.length > MANY_CHANGES) return changes.reset('admins');
  for (const { id } of records) changes.remove('verified_code', id);
}

const keysOf = (characters: readonly NamedCharacter[]): string[] => characters.map(({ character_key }) => character_key);
