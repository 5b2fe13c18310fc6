import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { DeletedRow, UndoRecord } from '../../activity/undo-rows.ts';
import { namedFirst } from '../../board/claims/claim-facts.ts';
import { affectedWaitlists } from '../../board/waitlist/affected-waitlists.ts';
import { byIds, inBatches } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';
import { keepBansVisible, type NamedCharacter } from './changes.ts';
import { keysOfCharacters } from './queries.ts';

type DeletedCode = DeletedRow<'verified_code'>;

const CODE_COLUMNS = [
  'v.id',
  'v.character_name',
  'code',
  'token_hash',
  'v.created_at',
  'expires_at',
  'verified_at',
  'address_hash',
] as const;

const codes = (tx: Tx) =>
  tx
    .selectFrom('verifications as v')
    .leftJoin('access_keys', 'access_keys.character_key', 'v.character_key')
    .select([...CODE_COLUMNS, 'access_keys.id as access_key_id'])
    .orderBy('v.id');

const keptCodes = (rows: readonly DeletedCode[]): UndoRecord[] => rows.map((deleted) => ({ kind: 'verified_code', deleted }));

/** Verification records that are about to be deleted, for the undo of it. */
export const deletedCodes = async (tx: Tx, ids: readonly number[]): Promise<UndoRecord[]> =>
  keptCodes(await byIds(ids, (some) => codes(tx).where('v.id', 'in', some).execute()));

/** All of some characters, for the same. */
export async function deletedCodesOf(tx: Tx, character_keys: readonly string[]): Promise<UndoRecord[]> {
  const rows: DeletedCode[] = [];
  for (const some of inBatches(character_keys)) rows.push(...(await codes(tx).where('v.character_key', 'in', some).execute()));
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
    // What came back shows the ban of a character that had no other record meanwhile.
    await dropBanners(tx, changes, characters);
    const verified = new Set(await verifiedAmong(tx, characters));
    const keys = new Map((await keysOfCharacters(tx, characters)).map(({ id, character_name }) => [nameKey(character_name), id]));
    const stored = some.map(({ access_key_id, ...row }) => {
      // Who verified since, or was given a key since, may be somebody else: an earlier one's browser is given nothing any more.
      const isStale = verified.has(row.character_key) || (keys.get(row.character_key) ?? null) !== access_key_id;
      return row.verified_at !== null && isStale ? { ...row, token_hash: null } : row;
    });
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

type Ban = DeletedRow<'ban'>;

const keyed = (bans: readonly Ban[]) => bans.map((ban) => ({ ...ban, character_key: nameKey(ban.character_name) }));

/** When those of some characters were banned that are. */
async function bannedAmong(tx: Tx, bans: readonly { character_key: string }[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const some of inBatches(bans.map(({ character_key }) => character_key))) {
    const rows = await tx.selectFrom('bans').select(['character_key', 'created_at']).where('character_key', 'in', some).execute();
    for (const { character_key, created_at } of rows) found.set(character_key, created_at);
  }
  return found;
}

function refuseChanged(changed: readonly Ban[]): void {
  if (changed.length === 0) return;
  throw new DomainError('activity.changedMeanwhile', { list: namedFirst(changed.map(({ character_name }) => character_name)) });
}

/**
 * Bans characters again whose bans were ended.
 * @throws DomainError activity.changedMeanwhile where one is banned by now
 */
export async function restoreBans(ctx: Pick<Writing, 'now'>, tx: Tx, changes: ChangeRecorder, bans: readonly Ban[]): Promise<void> {
  const rows = keyed(bans);
  const standing = await bannedAmong(tx, rows);
  refuseChanged(rows.filter(({ character_key }) => standing.has(character_key)));
  for (const some of inBatches(rows)) await tx.insertInto('bans').values(some).execute();
  for (const { character_key } of rows) changes.collect(affectedWaitlists).gone(character_key);
  await keepBansVisible(tx, ctx.now().toISOString(), rows);
}

/**
 * Ends bans that were put on.
 * @throws DomainError activity.changedMeanwhile where one was ended since, or put on once more
 */
export async function endBans(tx: Tx, changes: ChangeRecorder, bans: readonly Ban[]): Promise<void> {
  const rows = keyed(bans);
  const standing = await bannedAmong(tx, rows);
  refuseChanged(rows.filter(({ character_key, created_at }) => standing.get(character_key) !== created_at));
  for (const some of inBatches(rows.map(({ character_key }) => character_key))) {
    await tx.deleteFrom('bans').where('character_key', 'in', some).execute();
    await dropBanners(tx, changes, some);
  }
}

/** Deletes records that only showed a ban; one with a code, or verified, is more than that. */
async function dropBanners(tx: Tx, changes: ChangeRecorder, character_keys: readonly string[]): Promise<void> {
  const banners = tx.deleteFrom('verifications').where('character_key', 'in', character_keys).where('code', 'is', null);
  const gone = await banners.where('verified_at', 'is', null).returning('id').execute();
  for (const { id } of gone) changes.remove('verified_code', id);
}

/** The bans of some characters that are about to be ended, for the undo of it. */
export async function deletedBans(tx: Tx, character_keys: readonly string[]): Promise<UndoRecord[]> {
  const records: UndoRecord[] = [];
  for (const some of inBatches(character_keys)) {
    const bans = tx.selectFrom('bans').select(['character_name', 'created_at']).where('character_key', 'in', some);
    for (const deleted of await bans.orderBy('character_key').execute()) records.push({ kind: 'ban', deleted });
  }
  return records;
}

/** Bans that are put on now, for the undo of it. */
export const madeBans = (characters: readonly NamedCharacter[], created_at: string): UndoRecord[] =>
  characters.map(({ character_name }) => ({ kind: 'ban', made: { character_name, created_at } }));
