import { z } from 'zod';
import { DomainError } from '../../shared/errors.ts';
import { breathe } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { type StoredClaim, type StoredEvent, storedClaim, storedEvent } from './undo-rows.ts';

/**
 * Of the shape in which undos are kept: it rises where an older program would misread them. A field more is none, since
 * readers skip what they do not know.
 */
export const UNDO_VERSION = 1;
/** Claims a piece: some milliseconds to make, to read and to write. */
export const CLAIMS_A_PIECE = 500;

/** What was kept for the undo of a deletion, whose entry is still to be written. */
export interface KeptUndo {
  id: number;
  claims: number;
  pieces: number;
}

/**
 * Keeps, in the transaction of a deletion and before it, what an undo puts back: piece by piece, with turns of the event loop
 * in between, so that however much it is, no more than a piece is in memory.
 * @param pieces of `CLAIMS_A_PIECE` claims at most
 */
export async function keepUndo(
  ctx: Pick<Writing, 'now'>,
  tx: Tx,
  event: StoredEvent | null,
  pieces: AsyncIterable<readonly StoredClaim[]>,
): Promise<KeptUndo> {
  const values = { version: UNDO_VERSION, made_at: ctx.now().toISOString(), event: event && JSON.stringify(event), claims: 0, pieces: 0 };
  const { id } = await tx.insertInto('undos').values(values).returning('id').executeTakeFirstOrThrow();
  const kept: KeptUndo = { id, claims: 0, pieces: 0 };
  for await (const claims of pieces) {
    await tx
      .insertInto('undo_pieces')
      .values({ undo_id: id, piece: kept.pieces, body: JSON.stringify(claims) })
      .execute();
    kept.claims += claims.length;
    kept.pieces += 1;
    if (claims.length === CLAIMS_A_PIECE) await breathe();
  }
  return kept;
}

/** The entry of the deletion is written: its undo is found by it from now on. */
export async function entryOfUndo(tx: Tx, { id, ...counted }: KeptUndo, entry_id: number): Promise<void> {
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
export async function findUndo(tx: Tx, entry_id: number): Promise<FoundUndo | null> {
  const columns = ['id', 'version', 'event', 'claims', 'pieces'] as const;
  const found = await tx.selectFrom('undos').select(columns).where('entry_id', '=', entry_id).executeTakeFirst();
  if (!found) return null;
  const { version, event, ...undo } = found;
  if (version !== UNDO_VERSION) throw new DomainError('activity.otherVersion');
  return { ...undo, event: event === null ? null : readIn(storedEvent, event) };
}

const pieceOfClaims = z.array(storedClaim);

/**
 * The claims of an undo, piece by piece, with turns of the event loop in between.
 * @throws DomainError activity.otherVersion; activity.undoIncomplete where a piece or a claim is missing: what was made of the
 * others must then be rolled back
 */
export async function* piecesOf(tx: Tx, { id, claims, pieces }: KeptUndo): AsyncGenerator<StoredClaim[], void> {
  let read = 0;
  for (let piece = 0; piece < pieces; piece += 1) {
    const found = await tx.selectFrom('undo_pieces').select('body').where('undo_id', '=', id).where('piece', '=', piece).executeTakeFirst();
    if (!found) throw new DomainError('activity.undoIncomplete');
    const some = readIn(pieceOfClaims, found.body);
    read += some.length;
    yield some;
    await breathe();
  }
  if (read !== claims) throw new DomainError('activity.undoIncomplete');
}

function readIn<T>(shape: z.ZodType<T>, body: string): T {
  const { success, data } = shape.safeParse(JSON.parse(body));
  if (!success) throw new DomainError('activity.otherVersion');
  return data;
}

/** Forgets undos piece by piece: they are wiped, and that takes its time where they are long. */
export async function dropUndos(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const undos = await tx.selectFrom('undos').select(['id', 'pieces']).where('id', 'in', ids).execute();
  for (const { id, pieces } of undos) {
    for (let piece = 0; piece < pieces; piece += 1) {
      await tx.deleteFrom('undo_pieces').where('undo_id', '=', id).where('piece', '=', piece).execute();
      if (piece > 0) await breathe();
    }
  }
  await tx.deleteFrom('undos').where('id', 'in', ids).execute();
}
