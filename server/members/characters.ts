import { DomainError, existing } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { BulkAnswer, CharactersCommand } from '../../shared/schemas/bulk.ts';
import type { VerifiedCode } from '../../shared/schemas/character.ts';
import { DEFAULT_MEMBER_TYPE } from '../../shared/schemas/member-type.ts';
import { keepUndo } from '../activity/undo-store.ts';
import { allUnchanged, countAndNames, logActivity } from '../auth/activity-log.ts';
import { affectedWaitlists } from '../board/affected-waitlists.ts';
import { authorizedCharacter, isBanned, keyOfCharacter } from '../board/records/members.ts';
import { inBatches, type Reading, readByIds, type Tx, writeInBatches } from '../db/database.ts';
import {
  type ChangeRecorder,
  MANY_CHANGES,
  type Writing,
  write,
  writeMany,
} from '../db/unit-of-work.ts';
import type { Admin } from '../http/caller.ts';
import { setKeyRevoked, storeKey, turnInBulk } from './access-keys.ts';
import {
  endDiscordLinks,
  keepBansVisible,
  keysOfCharacters,
  type NamedCharacter,
  putCharacter,
  putCharacters,
  putRecords,
  verifiedCodes,
} from './records.ts';
import { keptBans, keptCodes, keptEntriesOf, madeBans } from './restore.ts';
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
  return write(ctx, async ({ tx, changes }) => {
    const { character_key } = await authorizedCharacter(tx, admin, character_name);
    const now = ctx.now().toISOString();
    const records = await verifiedCodes(tx, { of: 'characters', character_keys: [character_key] });
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
    await forgetOldVerifications(tx, changes, character_key, [id]);
    if (!key)
      await storeKey(ctx, tx, changes, {
        character_name,
        member_type,
        created_by_username: admin.username,
      });
    if (key) await putRecords(tx, changes, [id]);
    else await putCharacter(tx, changes, character_key);
    await logActivity({ changes }, admin, {
      action: 'user_verified',
      details: { character_name, member_type, key: key ? 'kept' : 'new' },
    });
    return existing(
      (await verifiedCodes(tx, { of: 'ids', ids: [id] }))[0],
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
  character_name: string,
  revoked: boolean,
): Promise<void> {
  const key = existing(await keyOfCharacter(ctx.db, nameKey(character_name)), 'key.notFound');
  await setKeyRevoked(ctx, admin, key.id, revoked);
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
  await write(ctx, async ({ tx, changes }) => {
    if (await isBanned(tx, character_key))
      throw new DomainError('character.alreadyBanned', { character_name });
    await banCharacters(tx, changes, [{ character_key, character_name }], ctx.now().toISOString());
    await logActivity({ changes }, admin, { action: 'user_banned', details: { character_name } });
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
  await write(ctx, async ({ tx, changes }) => {
    if (!(await isBanned(tx, character_key)))
      throw new DomainError('character.notBanned', { character_name });
    await unbanCharacters(tx, changes, [{ character_key, character_name }]);
    await logActivity({ changes }, admin, { action: 'user_unbanned', details: { character_name } });
  });
}

/**
 * Deletes a verification record; the character's key stays.
 * @throws DomainError verification.notFound; verification.bannedCharacter for the record that shows a ban
 */
export async function deleteVerification(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async ({ tx, changes }) => {
    const [found] = await verifiedCodes(tx, { of: 'ids', ids: [id] });
    const record = existing(found, 'verification.notFound');
    const undo = await keepUndo(ctx, tx, { records: await keptCodes(tx, [id]) });
    await deleteRecords(tx, changes, [record]);
    const details = { character_name: record.character_name, verification_id: id };
    await logActivity({ changes }, admin, { action: 'verification_deleted', details, undo });
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
  ids: readonly number[],
  command: CharactersCommand,
): Promise<BulkAnswer> {
  return writeMany(ctx, ids.length, async ({ tx, changes }) => {
    const found = await readByIds(ids, (some) => verifiedCodes(tx, { of: 'ids', ids: some }));
    const records = found.filter((record) => isConcerned(record, command));
    if (records.length === 0) return allUnchanged(ids);
    const activity_id = await carryOut(ctx, tx, changes, admin, records, command);
    return { changed: records.length, unchanged: ids.length - records.length, activity_id };
  });
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

async function carryOut(
  ctx: Reading,
  tx: Tx,
  changes: ChangeRecorder,
  admin: Admin,
  records: readonly VerifiedCode[],
  { do: what }: CharactersCommand,
): Promise<number | null> {
  const characters = charactersOf(records);
  const names = countAndNames(characters.map(({ character_name }) => character_name));
  switch (what) {
    case 'ban': {
      const created_at = ctx.now().toISOString();
      const undo = await keepUndo(ctx, tx, {
        records: [...madeBans(characters, created_at), ...(await keptEntriesOf(tx, characters))],
      });
      await banCharacters(tx, changes, characters, created_at);
      return logActivity({ changes }, admin, { action: 'characters_banned', details: names, undo });
    }
    case 'unban': {
      const keys = characters.map(({ character_key }) => character_key);
      const undo = await keepUndo(ctx, tx, { records: await keptBans(tx, keys) });
      await unbanCharacters(tx, changes, characters);
      return logActivity({ changes }, admin, {
        action: 'characters_unbanned',
        details: names,
        undo,
      });
    }
    case 'delete': {
      const ids = records.map(({ id }) => id);
      const undo = await keepUndo(ctx, tx, { records: await keptCodes(tx, ids) });
      await deleteRecords(tx, changes, records);
      return logActivity({ changes }, admin, {
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
      return (
        (await turnInBulk(ctx, tx, changes, admin, keys, what === 'revoke'))?.activity_id ?? null
      );
    }
  }
}

/** The distinct characters, in the spelling of their newest records. */
function charactersOf(records: readonly VerifiedCode[]): NamedCharacter[] {
  const names = new Map<string, string>();
  for (const { character_name } of records) {
    const key = nameKey(character_name);
    if (!names.has(key)) names.set(key, character_name);
  }
  return [...names].map(([character_key, character_name]) => ({ character_key, character_name }));
}

/* Changes of one or many characters within a caller's write: everything but the log's entry. */

/** Bans characters that are not banned yet. */
async function banCharacters(
  tx: Tx,
  changes: ChangeRecorder,
  characters: readonly NamedCharacter[],
  created_at: string,
): Promise<void> {
  await writeInBatches(characters, async (some) => {
    const bans = some.map(({ character_key, character_name }) => ({
      character_key,
      character_name,
      created_at,
    }));
    await tx.insertInto('bans').values(bans).execute();
  });
  for (const { character_key } of characters)
    changes.collect(affectedWaitlists).gone(character_key);
  await endDiscordLinks(tx, changes, keysOf(characters));
  await keepBansVisible(tx, created_at, characters);
  await putCharacters(tx, changes, keysOf(characters));
}

/** Ends bans, and deletes records that only showed a ban. */
async function unbanCharacters(
  tx: Tx,
  changes: ChangeRecorder,
  characters: readonly NamedCharacter[],
): Promise<void> {
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
  await putCharacters(tx, changes, keysOf(characters));
}

/**
 * Deletes verification records; the characters' keys stay.
 * @throws DomainError verification.bannedCharacter if no record would show the ban
 */
async function deleteRecords(
  tx: Tx,
  changes: ChangeRecorder,
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
