import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import type { KeptUndo } from '../auth/activity-log.ts';
import { type Db, inBatches, type Tx, yieldToEventLoop } from '../db/database.ts';
import { dropUnusedPictures, imageName, uploadedHash } from '../db/pictures.ts';
import type { Unit } from '../db/unit-of-work.ts';

/** Raised when an older program would misread the stored shape. A new field needs no new version: readers skip unknown fields. */
export const UNDO_VERSION = 2;
/** Claims or records in one stored piece: a few ms to write or read. */
export const CLAIMS_A_PIECE = 500;

/** A row that a change deleted, changed or made. The feature that owns the kind describes the rest (`RecordUndo`). */
export interface UndoRecord {
  kind: string;
  /** A deleted row. An uploaded picture that is its `image` is kept as long as the undo. */
  deleted?: object;
  changed?: object;
  made?: object;
}

export const deletedRecord = <K extends string, R extends z.ZodType>(kind: K, row: R) =>
  z.object({ kind: z.literal(kind), deleted: row });

/** The shape of a record of changed columns. `name` tells admins which record conflicts. */
export const changedRecord = <K extends string, C extends z.ZodRawShape>(kind: K, columns: C) => {
  const some = z.object(columns).partial();
  return z.object({
    kind: z.literal(kind),
    id: z.number().int(),
    name: z.string(),
    changed: z.object({ before: some, after: some }),
  });
};

export interface ToKeep {
  /** The row of a deleted event. */
  event?: object | null;
  /** Other rows: a few thousand at most, of a bulk action. */
  records?: readonly UndoRecord[];
  /** Rows of deleted claims, at most `CLAIMS_A_PIECE` at a time. */
  claims?: AsyncIterable<readonly object[]>;
}

/**
 * Stores what an undo restores, before the change and in its transaction. Claims are written piece by piece and the event loop is yielded
 * to in between, so that memory holds one piece however many there are.
 */
export async function keepUndo(
  { tx, at }: Unit,
  { event, records = [], claims }: ToKeep,
): Promise<KeptUndo> {
  const values = {
    version: UNDO_VERSION,
    made_at: at.toISOString(),
    event: event ? JSON.stringify(event) : null,
    claims: 0,
    pieces: 0,
  };
  const { id } = await tx
    .insertInto('undos')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow();
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
    if (some.length === CLAIMS_A_PIECE) await yieldToEventLoop();
  }
  for (const some of inBatches(records, CLAIMS_A_PIECE)) {
    await keep(some);
    kept.records += some.length;
    kept.record_pieces += 1;
  }
  await keepPictures(tx, id, records);
  return kept;
}

async function keepPictures(
  tx: Tx,
  undo_id: number,
  records: readonly UndoRecord[],
): Promise<void> {
  const images = records.flatMap(({ deleted }) =>
    deleted && 'image' in deleted && typeof deleted.image === 'string' ? [deleted.image] : [],
  );
  const rows = [...new Set(images.flatMap((image) => uploadedHash(image) ?? []))].map((hash) => ({
    undo_id,
    hash,
  }));
  for (const some of inBatches(rows)) await tx.insertInto('undo_images').values(some).execute();
}

/** Links an undo to the entry of its change, by which it is found from now on. */
export async function linkUndo(
  tx: Tx,
  { id, ...counts }: KeptUndo,
  entry_id: number,
): Promise<void> {
  await tx
    .updateTable('undos')
    .set({ ...counts, entry_id })
    .where('id', '=', id)
    .execute();
}

/** An undo without its pieces. */
export interface FoundUndo extends KeptUndo {
  /** The stored row of a deleted event, to be read with `parseStored`. */
  event: unknown;
}

/**
 * The undo of an entry; null if there is none.
 * @throws DomainError activity.otherVersion
 */
export async function findUndo(tx: Db | Tx, entry_id: number): Promise<FoundUndo | null> {
  const columns = [
    'id',
    'version',
    'event',
    'claims',
    'pieces',
    'records',
    'record_pieces',
  ] as const;
  const found = await tx
    .selectFrom('undos')
    .select(columns)
    .where('entry_id', '=', entry_id)
    .executeTakeFirst();
  if (!found) return null;
  const { version, event, ...undo } = found;
  if (version > UNDO_VERSION) throw new DomainError('activity.otherVersion');
  return { ...undo, event: event === null ? null : JSON.parse(event) };
}

/** @throws DomainError activity.otherVersion if another version of the program stored it in another shape */
export function parseStored<T>(shape: z.ZodType<T>, stored: unknown): T {
  const { success, data } = shape.safeParse(stored);
  if (!success) throw new DomainError('activity.otherVersion');
  return data;
}

/**
 * Reads the claims of an undo piece by piece, yielding to the event loop in between.
 * @throws DomainError activity.otherVersion; activity.undoIncomplete if a piece or a claim is missing: what was restored from the
 * others must then be rolled back
 */
export async function* claimsOfUndo<C>(
  tx: Tx,
  { id, claims, pieces, record_pieces }: KeptUndo,
  claim: z.ZodType<C>,
): AsyncGenerator<C[], void> {
  const shape = z.array(claim);
  let read = 0;
  for (let piece = 0; piece < pieces - record_pieces; piece += 1) {
    const some = parseStored(shape, await readPiece(tx, id, piece));
    read += some.length;
    yield some;
    await yieldToEventLoop();
  }
  if (read !== claims) throw new DomainError('activity.undoIncomplete');
}

const withId = z.looseObject({ id: z.number() });

/** Keeps only these claims in an undo whose other claims, records and event are restored. */
export async function keepClaimsLeft(
  tx: Tx,
  { id, pieces, record_pieces }: KeptUndo,
  left: ReadonlySet<number>,
): Promise<void> {
  const shape = z.array(withId);
  const claim_pieces = pieces - record_pieces;
  for (let piece = 0; piece < pieces; piece += 1) {
    if (piece >= claim_pieces) {
      await tx
        .deleteFrom('undo_pieces')
        .where('undo_id', '=', id)
        .where('piece', '=', piece)
        .execute();
      continue;
    }
    const rest = parseStored(shape, await readPiece(tx, id, piece)).filter((claim) =>
      left.has(claim.id),
    );
    const body = JSON.stringify(rest);
    await tx
      .updateTable('undo_pieces')
      .set({ body })
      .where('undo_id', '=', id)
      .where('piece', '=', piece)
      .execute();
    await yieldToEventLoop();
  }
  const counts = { claims: left.size, pieces: claim_pieces, records: 0, record_pieces: 0 };
  await tx
    .updateTable('undos')
    .set({ ...counts, event: null, version: UNDO_VERSION })
    .where('id', '=', id)
    .execute();
  await dropPictures(tx, [id]);
}

const pieceOfRecords = z.array(z.looseObject({ kind: z.string() }));

/**
 * The records of an undo. The handlers of their kinds check the rest of their shape.
 * @throws DomainError activity.otherVersion, activity.undoIncomplete
 */
export async function recordsOfUndo(
  tx: Tx,
  { id, pieces, records, record_pieces }: KeptUndo,
): Promise<UndoRecord[]> {
  const all: UndoRecord[] = [];
  for (let piece = pieces - record_pieces; piece < pieces; piece += 1) {
    all.push(...parseStored(pieceOfRecords, await readPiece(tx, id, piece)));
    await yieldToEventLoop();
  }
  if (all.length !== records) throw new DomainError('activity.undoIncomplete');
  return all;
}

async function readPiece(tx: Tx, undo_id: number, piece: number): Promise<unknown> {
  const pieces = tx.selectFrom('undo_pieces').select('body').where('undo_id', '=', undo_id);
  const found = await pieces.where('piece', '=', piece).executeTakeFirst();
  if (!found) throw new DomainError('activity.undoIncomplete');
  return JSON.parse(found.body);
}

/** Deletes undos, and pictures that nothing else refers to. Piece by piece: deleted rows are overwritten, which takes long for long undos. */
export async function dropUndos(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const undos = await tx
    .selectFrom('undos')
    .select(['id', 'pieces'])
    .where('id', 'in', ids)
    .execute();
  for (const { id, pieces } of undos) {
    for (let piece = 0; piece < pieces; piece += 1) {
      await tx
        .deleteFrom('undo_pieces')
        .where('undo_id', '=', id)
        .where('piece', '=', piece)
        .execute();
      if (piece > 0) await yieldToEventLoop();
    }
  }
  await dropPictures(tx, ids);
  await tx.deleteFrom('undos').where('id', 'in', ids).execute();
}

async function dropPictures(tx: Tx, undo_ids: readonly number[]): Promise<void> {
  const images = await tx
    .selectFrom('undo_images')
    .select('hash')
    .where('undo_id', 'in', undo_ids)
    .execute();
  await tx.deleteFrom('undo_images').where('undo_id', 'in', undo_ids).execute();
  await dropUnusedPictures(tx, images.map(imageName));
}
