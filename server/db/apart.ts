import { CompiledQuery } from 'kysely';
import { isSilence, refusalOfDatabase } from './failures.ts';
import type { Tx } from './open.ts';

// One within another is another, also by the same name.
const SAVEPOINT = CompiledQuery.raw('savepoint apart');
const RELEASE = CompiledQuery.raw('release savepoint apart');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint apart');

/** What came of something that was written apart. */
export type Apart<T> = { value: T } | { error: unknown };

/**
 * Writes what may fail without the rest of its transaction: then nothing of it is left in the database.
 * @returns what `work` returns, or what it failed with
 * @throws what ends the whole transaction: a database that does not answer, or has rolled back everything by itself
 */
export async function apart<T>(tx: Tx, work: () => Promise<T>): Promise<Apart<T>> {
  await tx.executeQuery(SAVEPOINT);
  try {
    const value = await work();
    await tx.executeQuery(RELEASE);
    return { value };
  } catch (error) {
    if (isSilence(error)) throw error;
    await rollBack(tx, error);
    return { error };
  }
}

/** @throws where the database has rolled back everything by itself, as SQLite does on a full disk */
async function rollBack(tx: Tx, why: unknown): Promise<void> {
  try {
    await tx.executeQuery(ROLLBACK);
    await tx.executeQuery(RELEASE);
  } catch (error) {
    // A refusal by the rules is this one's own; the others are told what the database said.
    throw refusalOfDatabase(why) ? why : error;
  }
}
