import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { VerifiedCode } from '../../../shared/schemas/character.ts';
import { DEFAULT_MEMBER_TYPE } from '../../../shared/schemas/member-type.ts';
import { keepUndo } from '../../activity/kept-undos.ts';
import { recordActivity } from '../../activity/record.ts';
import type { Admin } from '../../auth/callers.ts';
import type { Reading, Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { setKeyRevoked, storeKey } from '../access-keys/operations.ts';
import { banCharacters, deleteRecords, unbanCharacters } from './change-many.ts';
import { putCharacter, putRecords } from './changes.ts';
import { isBanned, keyOfCharacter, verifiedCodes } from './queries.ts';
import { deletedCodes } from './restore.ts';
import { forgetOldVerifications } from './room-for-codes.ts';

/**
 * Verifies a character by an admin's word, and makes its key where it has none. The admin hands the key over: no
 * browser that began a verification gets it, since nobody checked whose that is.
 * @throws DomainError session.banned, character.alreadyVerified
 */
export function verifyByHand(ctx: Writing, admin: Admin, character_name: string): Promise<VerifiedCode> {
  const character_key = nameKey(character_name);
  return write(ctx, async (tx, changes) => {
    if (await isBanned(tx, character_key)) throw new DomainError('session.banned');
    const now = ctx.now().toISOString();
    const records = await verifiedCodes(tx, { of: 'characters', character_keys: [character_key] });
    const pending = records.find((record) => record.verified_at === null);
    const key = await keyOfCharacter(tx, character_key);
    if (!pending && key && records.length > 0) throw new DomainError('character.alreadyVerified', { character_name });
    const id = pending ? pending.id : await storeRecord(tx, { character_name, character_key, now });
    await tx.updateTable('verifications').set({ verified_at: now, token_hash: null, address_hash: null }).where('id', '=', id).execute();
    const member_type = key?.member_type ?? DEFAULT_MEMBER_TYPE;
    await forgetOldVerifications(tx, changes, character_key, [id]);
    if (!key) await storeKey(ctx, tx, changes, { character_name, member_type, created_by_username: admin.username });
    if (key) await putRecords(tx, changes, [id]);
    else await putCharacter(tx, changes, character_key);
    await recordActivity(ctx, tx, changes, admin, 'user_verified', { character_name, member_type, key: key ? 'kept' : 'new' });
    return existing(tx, id);
  });
}

async function storeRecord(tx: Tx, character: { character_name: string; character_key: string; now: string }): Promise<number> {
  const { now: created_at, ...names } = character;
  const { id } = await tx
    .insertInto('verifications')
    .values({ ...names, code: null, token_hash: null, created_at, expires_at: null, verified_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function existing(tx: Tx, id: number): Promise<VerifiedCode> {
  const [record] = await verifiedCodes(tx, { of: 'ids', ids: [id] });
  if (!record) throw new DomainError('verification.notFound');
  return record;
}

/**
 * Revokes the key of a character, or restores it.
 * @throws DomainError key.notFound for a character without a key
 */
export async function setAccessRevoked(ctx: Reading & Writing, admin: Admin, character_name: string, revoked: boolean): Promise<void> {
  const key = await keyOfCharacter(ctx.db, nameKey(character_name));
  if (!key) throw new DomainError('key.notFound');
  await setKeyRevoked(ctx, admin, key.id, revoked);
}

/**
 * Bans a character, known or not: it gets no code, cannot verify, and its key opens nothing until the ban ends.
 * @throws DomainError character.alreadyBanned
 */
export async function banCharacter(ctx: Writing, admin: Admin, character_name: string): Promise<void> {
  const character_key = nameKey(character_name);
  await write(ctx, async (tx, changes) => {
    if (await isBanned(tx, character_key)) throw new DomainError('character.alreadyBanned', { character_name });
    await banCharacters(tx, changes, [{ character_key, character_name }], ctx.now().toISOString());
    await recordActivity(ctx, tx, changes, admin, 'user_banned', { character_name });
  });
}

/**
 * Ends a ban; the character's key works again, unless it was revoked.
 * @throws DomainError character.notBanned
 */
export async function unbanCharacter(ctx: Writing, admin: Admin, character_name: string): Promise<void> {
  const character_key = nameKey(character_name);
  await write(ctx, async (tx, changes) => {
    if (!(await isBanned(tx, character_key))) throw new DomainError('character.notBanned', { character_name });
    await unbanCharacters(tx, changes, [{ character_key, character_name }]);
    await recordActivity(ctx, tx, changes, admin, 'user_unbanned', { character_name });
  });
}

/**
 * Deletes a verification record; the character's key stays.
 * @throws DomainError verification.notFound; verification.bannedCharacter for the record that shows a ban
 */
export async function deleteVerification(ctx: Writing, admin: Admin, id: number): Promise<void> {
  await write(ctx, async (tx, changes) => {
    const record = await existing(tx, id);
    const undo = await keepUndo(ctx, tx, { records: await deletedCodes(tx, [id]) });
    await deleteRecords(tx, changes, [record]);
    const details = { character_name: record.character_name, verification_id: id };
    await recordActivity(ctx, tx, changes, admin, 'verification_deleted', details, undo);
  });
}
