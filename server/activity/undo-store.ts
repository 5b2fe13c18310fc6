import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { dropUnusedPictures, imageName, uploadedHash } from '../board/respawns/pictures.ts';
import { breathe, inBatches } from '../db/batches.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Writing } from '../jobs/writing.ts';
import { type StoredClaim, type StoredEvent, sortedRecords, storedClaim, storedEvent, type UndoRecord, undoRecord } from './undo-rows.ts';

/**
 * Of the shape in which undos are kept: it rises where an older program would misread them. A field more is none, since
 * readers skip what they do not know.
 */
export const UNDO_VERSION = 1;
/** Of those that have records besides: a program that knows none would put back a part and forget the rest. */
export const UNDO_VERSION_WITH_RECORDS = 2;
/** Claims a piece: some milliseconds to make, to read and to write. */
export const CLAIMS_A_PIECE = 500;

/** Records a piece: they are as long as a claim is. */
const RECORDS_A_PIECE = CLAIMS_A_PIECE;

/** What was kept for the undo of a deed, whose entry is still to be written. */
export interface KeptUndo {
  id: number;
  claims: number;
  pieces: number;
  records: number;
  record_pieces: number;
}

/** What an undo puts back. */
export interface ToKeep {
  /** An event that is deleted. */
  event?: StoredEvent | null;
  /** Rows that are deleted, changed or made: of a bulk deed some thousand at most. */
  records?: readonly UndoRecord[];
  /** Claims that are deleted, `CLAIMS_A_PIECE` at most each time. */
  claims?: AsyncIterable<readonly StoredClaim[]>;
}

/**
 * Keeps, in the transaction of a deed and before it, what an undo puts back: claims piece by piece, with turns of the event loop
 * in between, so that however many they are, no more than a piece is in memory. Pictures that only a deleted spot showed stay
 * where they are for as long as this is kept.
 */
export async function keepUndo(ctx: Pick<Writing, 'now'>, tx: Tx, { event, records = [], claims }: ToKeep): Promise<KeptUndo> {
  const version = records.length > 0 ? UNDO_VERSION_WITH_RECORDS : UNDO_VERSION;
  const values = { version, made_at: ctx.now().toISOString(), event: event ? JSON.stringify(event) : null, claims: 0, pieces: 0 };
  const { id } = await tx.insertInto('undos').values(values).returning('id').executeTakeFirstOrThrow();
  const kept: KeptUndo = { id, claims: 0, pieces: 0, records: 0, record_pieces: 0 };
  const keep = async (rows: readonly unknown[]): Promise<void> => {
    await tx
      .insertInto('undo_pieces')
      .values({ undo_id: id, piece: kept.pieces, body: JSON.stringify(rows) })
      .execute();
    kept.pieces += 1;
  };
  for await (const some of claims ?? []) {
    await keep(some);
    kept.claims += some.length;
    if (some.length === CLAIMS_A_PIECE) await breathe();
  }
  for (const some of inBatches(records, RECORDS_A_PIECE)) {
    await keep(some);
    kept.records += some.length;
    kept.record_pieces += 1;
  }
  await keepImages(tx, id, records);
  return kept;
}

async function keepImages(tx: Tx, undo_id: number, records: readonly UndoRecord[]): Promise<void> {
  const hashes = new Set(sortedRecords(records).deleted.respawn.map(({ image }) => uploadedHash(image)));
  const rows = [...hashes].flatMap((hash) => (hash === null ? [] : [{ undo_id, hash }]));
  for (const some of inBatches(rows)) await tx.insertInto('undo_images').values(some).execute();
}

/** The entry of the deed is written: its undo is found by it from now on. */
export async function linkUndo(tx: Tx, { id, ...counted }: KeptUndo, entry_id: number): Promise<void> {
  await tx
    .updateTable('undos')
    .set({ ...counted, entry_id })
    .where('id', '=', id)
    .execute();
}

/** An undo as it is begun: its claims follow piece by piece. */
export interface FoundUndo extends KeptUndo {
  event: StoredEvent | null;
}

/**
 * What is kept for an entry's undo; null for nothing.
 * @throws DomainError activity.otherVersion
 */
export async function findUndo(tx: Db | Tx, entry_id: number): Promise<FoundUndo | null> {
  const columns = ['id', 'version', 'event', 'claims', 'pieces', 'records', 'record_pieces'] as const;
  const found = await tx.selectFrom('undos').select(columns).where('entry_id', '=', entry_id).executeTakeFirst();
  if (!found) return null;
  const { version, event, ...undo } = found;
  if (version !== (undo.records > 0 ? UNDO_VERSION_WITH_RECORDS : UNDO_VERSION)) throw new DomainError('activity.otherVersion');
  return { ...undo, event: event === null ? null : readIn(storedEvent, event) };
}

const pieceOfClaims = z.array(storedClaim);
const pieceOfRecords = z.array(undoRecord);

/**
 * The claims of an undo, piece by piece, with turns of the event loop in between.
 * @throws DomainError activity.otherVersion; activity.undoIncomplete where a piece or a claim is missing: what was made of the
 * others must then be rolled back
 */
export async function* piecesOf(tx: Tx, { id, claims, pieces, record_pieces }: KeptUndo): AsyncGenerator<StoredClaim[], void> {
  let read = 0;
  for (let piece = 0; piece < pieces - record_pieces; piece += 1) {
    const some = readIn(pieceOfClaims, await bodyOf(tx, id, piece));
    read += some.length;
    yield some;
    await breathe();
  }
  if (read !== claims) throw new DomainError('activity.undoIncomplete');
}

/**
 * The other rows of an undo.
 * @throws DomainError activity.otherVersion, activity.undoIncomplete
 */
export async function recordsOf(tx: Tx, { id, pieces, records, record_pieces }: KeptUndo): Promise<UndoRecord[]> {
  const all: UndoRecord[] = [];
  for (let piece = pieces - record_pieces; piece < pieces; piece += 1) {
    all.push(...readIn(pieceOfRecords, await bodyOf(tx, id, piece)));
    await breathe();
  }
  if (all.length !== records) throw new DomainError('activity.undoIncomplete');
  return all;
}

async function bodyOf(tx: Tx, undo_id: number, piece: number): Promise<string> {
  const pieces = tx.selectFrom('undo_pieces').select('body').where('undo_id', '=', undo_id);
  const found = await pieces.where('piece', '=', piece).executeTakeFirst();
  if (!found) throw new DomainError('activity.undoIncomplete');
  return found.body;
}

function readIn<T>(shape: z.ZodType<T>, body: string): T {
  const { success, data } = shape.safeParse(JSON.parse(body));
  if (!success) throw new DomainError('activity.otherVersion');
  return data;
}

/** Forgets undos piece by piece: they are wiped, and that takes its time where they are long. With them go pictures that nothing else needs. */
export async function dropUndos(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const undos = await tx.selectFrom('undos').select(['id', 'pieces']).where('id', 'in', ids).execute();
  for (const { id, pieces } of undos) {
    for (let piece = 0; piece < pieces; piece += 1) {
      await tx.deleteFrom('undo_pieces').where('undo_id', '=', id).where('piece', '=', piece).execute();
      if (piece > 0) await breathe();
    }
  }
  const images = await tx.selectFrom('undo_images').select('hash').where('undo_id', 'in', ids).execute();
  await tx.deleteFrom('undo_images').where('undo_id', 'in', ids).execute();
  await tx.deleteFrom('undos').where('id', 'in', ids).execute();
  await dropUnusedPictures(tx, images.map(imageName));
}
