import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { DeletedRow, UndoRecord } from '../activity/undo-rows.ts';
import { namedFirst } from '../claims/in-the-way.ts';
import { byIds, inBatches } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import type { ChangeRecorder } from '../live/change-log.ts';

type DeletedCode = DeletedRow<'verified_code'>;

const CODE_COLUMNS = ['id', 'character_name', 'code', 'token_hash', 'created_at', 'expires_at', 'verified_at', 'address_hash'] as const;

const codes = (tx: Tx) => tx.selectFrom('verifications').select(CODE_COLUMNS).orderBy('id');

const keptCodes = (rows: readonly DeletedCode[]): UndoRecord[] => rows.map((deleted) => ({ kind: 'verified_code', deleted }));

/** Verification records that are about to be deleted, for the undo of it. */
export const deletedCodes = async (tx: Tx, ids: readonly number[]): Promise<UndoRecord[]> =>
  keptCodes(await byIds(ids, (some) => codes(tx).where('id', 'in', some).execute()));

/** All of some characters, for the same. */
export async function deletedCodesOf(tx: Tx, character_keys: readonly string[]): Promise<UndoRecord[]> {
  const rows: DeletedCode[] = [];
  for (const some of inBatches(character_keys)) rows.push(...(await codes(tx).where('character_key', 'in', some).execute()));
  return keptCodes(rows);
}

/**
 * Puts deleted verification records back.
 * @throws DomainError activity.changedMeanwhile where another record has its code
 */
export async function restoreCodes(tx: Tx, changes: ChangeRecorder, deleted: readonly DeletedCode[]): Promise<void> {
  const rows = deleted.map((code) => ({ ...code, character_key: nameKey(code.character_name) }));
  for (const some of inBatches(rows)) {
    await refuseTaken(tx, some);
    const characters = [...new Set(some.map(({ character_key }) => character_key))];
    // What only showed the ban of a character that had no other record meanwhile; a code's expires.
    const banners = tx.deleteFrom('verifications').where('character_key', 'in', characters).where('code', 'is', null);
    const gone = await banners.where('verified_at', 'is', null).returning('id').execute();
    for (const { id } of gone) changes.remove('verified_code', id);
    const verified = new Set(await verifiedAmong(tx, characters));
    // Who verified since holds what its browser is given: an earlier one's is given nothing any more.
    const stored = some.map((row) => (row.verified_at !== null && verified.has(row.character_key) ? { ...row, token_hash: null } : row));
    await tx.insertInto('verifications').values(stored).execute();
  }
}

async function refuseTaken(tx: Tx, rows: readonly DeletedCode[]): Promise<void> {
  const [ids, texts] = [rows.map(({ id }) => id), rows.flatMap(({ code }) => code ?? [])];
  const taken = await tx
    .selectFrom('verifications')
    .select('character_name')
    .where(({ or, eb }) => or([eb('id', 'in', ids), ...(texts.length > 0 ? [eb('code', 'in', texts)] : [])]))
    .orderBy('id')
    .execute();
  if (taken.length === 0) return;
  throw new DomainError('activity.changedMeanwhile', { list: namedFirst(taken.map(({ character_name }) => character_name)) });
}

async function verifiedAmong(tx: Tx, character_keys: readonly string[]): Promise<string[]> {
  const verified = tx.selectFrom('verifications').select('character_key').where('verified_at', 'is not', null);
  return (await verified.where('character_key', 'in', character_keys).execute()).map(({ character_key }) => character_key);
}
