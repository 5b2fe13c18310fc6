import { DomainError, existing } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { BulkAnswer, CharactersBulk, CharactersCommand } from '../../shared/schemas/bulk.ts';
import type { VerifiedCode } from '../../shared/schemas/character.ts';
import { DEFAULT_MEMBER_TYPE } from '../../shared/schemas/member-type.ts';
import { keepUndo } from '../activity/undo-store.ts';
import { allUnchanged, countAndNames, logActivity } from '../auth/activity-log.ts';
import { formerMembers } from '../auth/changed-members.ts';
import { authorizedCharacter, isBanned, keyOfCharacter } from '../board/records/members.ts';
import { inBatches, readByIds, type Tx, writeInBatches } from '../db/database.ts';
import { MANY_CHANGES, type Unit, type Writing, write, writeMany } from '../db/unit-of-work.ts';
import type { Admin } from '../http/caller.ts';
import { setKeyRevoked, storeKey, turnInBulk } from './access-keys.ts';
import {
  findAccessKeys,
  keepBansVisible,
  keysOfCharacters,
  type NamedCharacter,
  putCharacter,
  putCharacters,
  putRecords,
  verifiedCodes,
} from './records.ts';
import { bannedAmong, keptBans, keptCodes, keptEntriesOf, madeBans } from './restore.ts';
import { forgetOldVerifications } from './verification/codes.ts';

/**
 * Verifies a character for an admin, and creates its key if it has none. The admin hands the key over: no browser with a
 * verification token gets it, since the owner of that browser was not checked.
 * @throws DomainError character.banned, character.alreadyVerified
 */
export function verifyByHand(
  ctx: Writing,
  admin: Admin,
  character_name: string,
): Promise<VerifiedCode> {
  return write(ctx, async (unit) => {
    const { tx, at } = unit;
    const { character_key } = await authorizedCharacter(tx, admin, character_name);
    const now = at.toISOString();
    const records = await verifiedCodes(tx, {
      type: 'characters',
      character_keys: [character_key],
    });
    const pending = records.find((record) => record.verified_at === null);
    const key = await keyOfCharacter(tx, character_key);
    if (!pending && key && records.length > 0)
      throw new DomainError('character.alreadyVerified', { character_name });
    const id = pending ? pending.id : await storeRecord(tx, { character_name, character_key, now });
    await tx
      .updateTable('verifications')
      .set({ verified_at: now, token_hash: null, address_hash: null })
      .where('id', '=', id)
      .execute();
    const member_type = key?.member_type ?? DEFAULT_MEMBER_TYPE;
    await forgetOldVerifications(unit, { character_key, verified_now: [id] });
    if (!key)
      await storeKey(unit, {
        character_name,
        member_type,
        created_by_username: admin.username,
        type_by_hand: 0,
      });
    if (key) await putRecords(unit, [id]);
    else await putCharacter(unit, character_key);
    await logActivity(unit, admin, {
      action: 'user_verified',
      details: { character_name, member_type, key: key ? 'kept' : 'new' },
    });
    return existing(
      (await verifiedCodes(tx, { type: 'ids', ids: [id] }))[0],
      'verification.notFound',
    );
  });
}

async function storeRecord(
  tx: Tx,
  character: { character_name: string; character_key: string; now: string },
): Promise<number> {
  const { now: created_at, ...names } = character;
  const { id } = await tx
    .insertInto('verifications')
    .values({
      ...names,
      code: null,
      token_hash: null,
      created_at,
      expires_at: null,
      verified_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Revokes or enables the key of a character.
 * @throws DomainError key.notFound for a character without a key
 */
export async function setAccessRevoked(
  ctx: Writing,
  admin: Admin,
  { character_name, revoked }: { character_name: string; revoked: boolean },
): Promise<void> {
  const key = existing(await keyOfCharacter(ctx.db, nameKey(character_name)), 'key.notFound');
  await setKeyRevoked(ctx, admin, { id: key.id, revoked });
}

/**
 * Bans a character, even an unknown one: it gets no code, cannot verify, and its key opens nothing until the ban ends.
 * @throws DomainError character.alreadyBanned
 */
export async function banCharacter(
  ctx: Writing,
  admin: Admin,
  character_name: string,
): Promise<void> {
  const character_key = nameKey(character_name);
  await write(ctx, async (unit) => {
    const { tx } = unit;
    if (await isBanned(tx, character_key))
      throw new DomainError('character.alreadyBanned', { character_name });
    await banCharacters(unit, [{ character_key, character_name }]);
    await logActivity(unit, admin, { action: 'user_banned', details: { character_name } });
  });
}

/**
 * Ends a ban; the character's key works again, unless it was revoked.
 * @throws DomainError character.notBanned
 */
export async function unbanCharacter(
  ctx: Writing,
  admin: Admin,
  character_name: string,
): Promise<void> {
  const character_key = nameKey(character_name);
  await write(ctx, async (unit) => {
    const { tx } = unit;
    if (!(await isBanned(tx, character_key)))
      throw new DomainError('character.notBanned', { character_name });
    await unbanCharacters(unit, [{ character_key, character_name }]);
    await logActivity(unit, admin, { action: 'user_unbanned', details: { character_name } });
  });
}

/**
 * Deletes a verification record; the character's key stays.
 * @throws DomainError verification.notFound; verification.bannedCharacter for the record that shows a ban
 */
export async function deleteVerification(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (unit) => {
    const { tx } = unit;
    const [found] = await verifiedCodes(tx, { type: 'ids', ids: [id] });
    const record = existing(found, 'verification.notFound');
    const undo = await keepUndo(unit, { records: await keptCodes(tx, [id]) });
    await deleteVerifications(unit, [record]);
    const details = { character_name: record.character_name, verification_id: id };
    await logActivity(unit, admin, { action: 'verification_deleted', details, undo });
  });
}

/**
 * Changes many characters by their verification records, all or nothing, with one entry and one undo. A record counts as changed if its
 * character was.
 * @throws DomainError verification.bannedCharacter
 */
export function changeCharactersInBulk(
  ctx: Writing,
  admin: Admin,
  { ids, command }: CharactersBulk,
): Promise<BulkAnswer> {
  return writeMany(ctx, ids.length, async (unit) => {
    const found = await readByIds(ids, (some) =>
      verifiedCodes(unit.tx, { type: 'ids', ids: some }),
    );
    const records = found.filter((record) => isConcerned(record, command));
    if (records.length === 0) return allUnchanged(ids);
    const activity_id = await changeCharacters(unit, admin, { records, command });
    return { changed: records.length, unchanged: ids.length - records.length, activity_id };
  });
}

/**
 * Bans the characters of many keys, verified or not, all or nothing, with one entry and one undo. Keys that are gone or whose character is
 * banned are counted as unchanged.
 */
export function banKeyHolders(
  ctx: Writing,
  admin: Admin,
  ids: readonly number[],
): Promise<BulkAnswer> {
  return writeMany(ctx, ids.length, async (unit) => {
    const { tx } = unit;
    const holders = distinctCharacters(await findAccessKeys(tx, ids));
    const banned = await bannedAmong(tx, holders);
    const characters = holders.filter(({ character_key }) => !banned.has(character_key));
    if (characters.length === 0) return allUnchanged(ids);
    const activity_id = await banInBulk(unit, admin, characters);
    return { changed: characters.length, unchanged: ids.length - characters.length, activity_id };
  });
}

async function banInBulk(
  unit: Unit,
  admin: Admin,
  characters: readonly NamedCharacter[],
): Promise<number> {
  const { tx, at } = unit;
  const made = madeBans(characters, at.toISOString());
  const undo = await keepUndo(unit, {
    records: [...made, ...(await keptEntriesOf(tx, characters))],
  });
  await banCharacters(unit, characters);
  const details = countAndNames(characters.map(({ character_name }) => character_name));
  return logActivity(unit, admin, { action: 'characters_banned', details, undo });
}

function isConcerned(
  { banned, access_key, access_revoked }: VerifiedCode,
  { do: what }: CharactersCommand,
): boolean {
  if (what === 'ban' || what === 'unban') return (banned === 1) === (what === 'unban');
  return (
    what === 'delete' || (access_key !== null && (access_revoked === 1) === (what === 'enable'))
  );
}

async function changeCharacters(
  unit: Unit,
  admin: Admin,
  { records, command }: { records: readonly VerifiedCode[]; command: CharactersCommand },
): Promise<number | null> {
  const { tx } = unit;
  const characters = distinctCharacters(records);
  const names = countAndNames(characters.map(({ character_name }) => character_name));
  switch (command.do) {
    case 'ban':
      return banInBulk(unit, admin, characters);
    case 'unban': {
      const keys = characters.map(({ character_key }) => character_key);
      const undo = await keepUndo(unit, { records: await keptBans(tx, keys) });
      await unbanCharacters(unit, characters);
      return logActivity(unit, admin, {
        action: 'characters_unbanned',
        details: names,
        undo,
      });
    }
    case 'delete': {
      const ids = records.map(({ id }) => id);
      const undo = await keepUndo(unit, { records: await keptCodes(tx, ids) });
      await deleteVerifications(unit, records);
      return logActivity(unit, admin, {
        action: 'verifications_deleted',
        details: { ...names, count: ids.length },
        undo,
      });
    }
    default: {
      const keys = await keysOfCharacters(
        tx,
        characters.map(({ character_key }) => character_key),
      );
      const revoked = command.do === 'revoke';
      const done = await turnInBulk(unit, admin, { found: keys, revoked });
      return done?.activity_id ?? null;
    }
  }
}

/** The distinct characters, in the spelling of their newest records. */
function distinctCharacters(records: readonly { character_name: string }[]): NamedCharacter[] {
  const names = new Map<string, string>();
  for (const { character_name } of records) {
    const key = nameKey(character_name);
    if (!names.has(key)) names.set(key, character_name);
  }
  return [...names].map(([character_key, character_name]) => ({ character_key, character_name }));
}

/* Changes of one or many characters within a caller's write: everything but the log's entry. */

async function banCharacters(unit: Unit, characters: readonly NamedCharacter[]): Promise<void> {
  const { tx, changes, at } = unit;
  const created_at = at.toISOString();
  await writeInBatches(characters, async (some) => {
    const bans = some.map(({ character_key, character_name }) => ({
      character_key,
      character_name,
      created_at,
    }));
    await tx.insertInto('bans').values(bans).execute();
  });
  for (const { character_key } of characters)
    changes.collect(formerMembers).set(character_key, 'banned');
  await keepBansVisible(unit, characters);
  await putCharacters(unit, keysOf(characters));
}

/** Ends bans, and deletes records that only showed a ban. */
async function unbanCharacters(unit: Unit, characters: readonly NamedCharacter[]): Promise<void> {
  const { tx, changes } = unit;
  const gone: { id: number }[] = [];
  await writeInBatches(keysOf(characters), async (some) => {
    await tx.deleteFrom('bans').where('character_key', 'in', some).execute();
    const rowsOfBans = tx.deleteFrom('verifications').where('character_key', 'in', some);
    gone.push(
      ...(await rowsOfBans
        .where('code', 'is', null)
        .where('verified_at', 'is', null)
        .returning('id')
        .execute()),
    );
  });
  if (gone.length + characters.length > MANY_CHANGES) return changes.reset('admins');
  for (const { id } of gone) changes.remove('verified_code', id);
  await putCharacters(unit, keysOf(characters));
}

/**
 * Deletes verification records; the characters' keys stay.
 * @throws DomainError verification.bannedCharacter if no record would show the ban
 */
async function deleteVerifications(
  { tx, changes }: Unit,
  records: readonly VerifiedCode[],
): Promise<void> {
  await writeInBatches(
    records.map(({ id }) => id),
    (some) => tx.deleteFrom('verifications').where('id', 'in', some).execute(),
  );
  const banned = new Map(
    records.flatMap(({ banned, character_name }) =>
      banned ? [[nameKey(character_name), character_name]] : [],
    ),
  );
  for (const some of inBatches(banned.keys())) {
    const left = await tx
      .selectFrom('verifications')
      .select('character_key')
      .where('character_key', 'in', some)
      .execute();
    const [unseen] = new Set(some).difference(
      new Set(left.map(({ character_key }) => character_key)),
    );
    if (unseen !== undefined)
      throw new DomainError('verification.bannedCharacter', {
        character_name: banned.get(unseen) ?? unseen,
      });
  }
  if (records.length > MANY_CHANGES) return changes.reset('admins');
  for (const { id } of records) changes.remove('verified_code', id);
}

const keysOf = (characters: readonly NamedCharacter[]): string[] =>
  characters.map(({ character_key }) => character_key);
