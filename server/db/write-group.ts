import { DomainError } from '../../shared/errors.ts';
import { apart } from './apart.ts';
import { isSilence } from './failures.ts';
import type { Db, Tx } from './open.ts';

/** One that waits to be written, and then to be told what became of it. */
export interface Write {
  /** Writes. @returns what tells that it is stored for good */
  begin: (tx: Tx) => Promise<() => void>;
  refuse: (error: unknown) => void;
}

/** What is asked about a place where nothing can be written any more. @throws what every write is then refused with */
type AssertWritable = () => void;

/**
 * Stores a write and those that `next` gives with one commit, which on a disk is what takes longest. Each is as if it
 * were alone: it sees those before it and nothing else, and fails without them. None is told anything before all
 * are stored, not even that it failed: what it ran into is not true before that. Where the database gives up
 * the whole of it (a full disk, a silence), nothing of it is stored, and all are refused.
 * @returns what it failed with as a whole, null for nothing
 */
export async function writeTogether(
  db: Db,
  assertWritable: AssertWritable,
  first: Write,
  next: () => Promise<Write | null>,
): Promise<unknown> {
  const begun = [first];
  const outcomes: (() => void)[] = [];
  let worked = false;
  try {
    assertWritable();
    await db.transaction().execute(async (tx) => {
      // Before the first there is nothing to keep: it fails with the whole.
      outcomes.push(await first.begin(tx));
      for (let write = await next(); write; write = await next()) {
        begun.push(write);
        outcomes.push(await beginApart(tx, write));
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
async function beginApart(tx: Tx, write: Write): Promise<() => void> {
  const begun = await apart(tx, () => write.begin(tx));
  return 'error' in begun ? () => write.refuse(begun.error) : begun.value;
}
