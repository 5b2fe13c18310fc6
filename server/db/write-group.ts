import { DomainError } from '../../shared/errors.ts';
import { isSilence } from './failures.ts';
import type { Db, Tx } from './open.ts';
import { inSavepoint } from './savepoint.ts';

/** One that waits to be written, and then to be told what became of it. */
export interface Write {
  /** Writes. @returns what tells that it is stored for good */
  begin: (tx: Tx) => Promise<() => void>;
  refuse: (error: unknown) => void;
}

/** Where writes go. */
export interface WriteTarget {
  db: Db;
  /** Whether other servers write to the same database. */
  isShared: boolean;
  /** @throws the error that every write is refused with while the database can't be written */
  assertWritable: () => void;
}

/**
 * Stores a write and those that `next` gives with one commit, which on a disk is what takes longest. Each is as if it
 * were alone: it sees those before it and nothing else, and fails without them. None is told anything before all
 * are stored, not even that it failed: what it ran into is not true before that. Where the database gives up
 * the whole of it (a full disk, a silence), nothing of it is stored, and all are refused.
 * @returns what it failed with as a whole, null for nothing
 */
export async function writeTogether(
  { db, isShared, assertWritable }: WriteTarget,
  first: Write,
  next: () => Promise<Write | null>,
): Promise<unknown> {
  const begun = [first];
  const outcomes: (() => void)[] = [];
  let worked = false;
  try {
    assertWritable();
    await db.transaction().execute(async (tx) => {
      // The same first lock on every server: two groups that locked the clock and other rows in opposite orders would deadlock.
      if (isShared) await tx.selectFrom('clock').select('value').forUpdate().execute();
      // Before the first there is nothing to keep: it fails with the whole.
      outcomes.push(await first.begin(tx));
      for (let write = await next(); write; write = await next()) {
        begun.push(write);
        outcomes.push(await beginInSavepoint(tx, write));
      }
      worked = true;
    });
    assertWritable();
  } catch (error) {
    const isUnknown = worked && isSilence(error);
    // Without a time to retry after: repeating what may be stored is not safe.
    for (const { refuse } of begun) refuse(isUnknown ? new DomainError('server.outcomeUnknown') : error);
    return error;
  }
  for (const tell of outcomes) tell();
  return null;
}

/**
 * Writes one of several.
 * @returns what tells its outcome, once all are stored
 * @throws what the whole fails with
 */
async function beginInSavepoint(tx: Tx, write: Write): Promise<() => void> {
  const begun = await inSavepoint(tx, () => write.begin(tx));
  return 'error' in begun ? () => write.refuse(begun.error) : begun.value;
}
