import { CompiledQuery } from 'kysely';
import { isSilence, refusalOfDatabase } from './failures.ts';
import type { Tx } from './open.ts';

// Savepoints nest, also under the same name.
const SAVEPOINT = CompiledQuery.raw('savepoint attempt');
const RELEASE = CompiledQuery.raw('release savepoint attempt');
const ROLLBACK = CompiledQuery.raw('rollback to savepoint attempt');

export type Attempt<T> = { value: T } | { error: unknown };

/**
 * Runs work that may fail without failing the rest of its transaction: what it wrote is then rolled back.
 * @returns what `work` returns, or the error that it threw
 * @throws what ends the whole transaction: a database that does not answer, or has rolled back everything by itself
 */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<T>): Promise<Attempt<T>> {
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
    // A refusal by the rules belongs to this caller; the others get the database's error.
    throw refusalOfDatabase(why) ? why : error;
  }
}
