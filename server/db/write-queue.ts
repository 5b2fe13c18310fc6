import { AsyncLocalStorage } from 'node:async_hooks';
import { DomainError } from '../../shared/errors.ts';
import { DatabaseAway, isSilence, RETRY_AFTER_S } from './failures.ts';
import type { Db, Tx } from './open.ts';

/** Writes that may wait at once; the next is refused. */
export const WRITES_WAITING = 500;
/** How long a write waits at most for its turn, in milliseconds, whatever those before it take. */
export const WRITE_WAITS_MS = 10_000;

/** On whose behalf something is written: a key, an admin, an address. */
export interface Asker {
  name: string;
  /** True once nobody waits for the answer any more. */
  gone: () => boolean;
}
const askers = new AsyncLocalStorage<Asker>();

/** What `work` writes, now or later, is written on this asker's behalf; without one it is the server's own and never refused. */
export function onBehalfOf<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work);
}

/** The asker turned out to be somebody we know better than by address. */
export function knownAs(name: string): void {
  const asker = askers.getStore();
  if (asker) asker.name = name;
}

export interface WriteQueue {
  /**
   * Runs `work` in a transaction when its turn comes.
   * @returns what `work` returns, once it is stored for good
   * @throws DomainError server.busy when too many wait or it waited too long; server.outcomeUnknown when the
   * database fell silent while it was told to commit; DatabaseAway; whatever `work` throws
   */
  transaction: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;
  /**
   * Finds out who is about to write, which costs a read: for as many at once as may wait, so that those reads keep
   * nobody else's waiting.
   * @throws DomainError server.busy beyond that
   */
  admit: <T>(lookUp: () => Promise<T>) => Promise<T>;
  /** How many wait, without the one whose turn it is. */
  waiting: () => number;
  /** Resolves when none waits and none is under way. */
  idle: () => Promise<void>;
}

interface Waiting {
  asker: Asker | undefined;
  since: number;
  /** Resolves with what it failed with, null for nothing. */
  begin: () => Promise<unknown>;
  refuse: (error: unknown) => void;
}

export interface WriteQueueOptions {
  /** Throws where nothing may be written now; asked before each transaction, and after it before it is acknowledged. */
  assertWritable?: () => void;
  limit?: number;
  waitsMs?: number;
}

/**
 * Lets the writes of this process go one at a time, first come, first served, over one connection. They are serial
 * anyway, because each locks the clock: waiting here they hold no connection that a read could use, and a storm of
 * them has an end. When too many wait, the newest of whoever has most waiting is refused, so that nobody can keep
 * the others out.
 */
export function createWriteQueue(db: Db, options: WriteQueueOptions = {}): WriteQueue {
  const { assertWritable = () => {}, limit = WRITES_WAITING, waitsMs = WRITE_WAITS_MS } = options;
  const waiting: Waiting[] = [];
  let arriving = 0;
  let serving = false;
  let served: Promise<void> = Promise.resolve();

  const serve = async (): Promise<void> => {
    serving = true;
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      if (next.asker && (next.asker.gone() || performance.now() - next.since > waitsMs)) {
        next.refuse(busy());
        continue;
      }
      const failure = await next.begin();
      // Those who wait would each find the same silence, one after another.
      if (isSilence(failure)) for (const each of waiting.splice(0)) each.refuse(new DatabaseAway(failure));
    }
    // In one go with finding nobody: whoever comes next begins anew.
    serving = false;
  };

  return {
    transaction: (work) =>
      new Promise((resolve, reject) => {
        const begin = (): Promise<unknown> =>
          inTransaction(db, assertWritable, work).then(
            (result) => {
              resolve(result);
              return null;
            },
            (error: unknown) => {
              reject(error);
              return error;
            },
          );
        waiting.push({ asker: askers.getStore(), since: performance.now(), begin, refuse: reject });
        if (!serving) served = serve();
        else if (waiting.length > limit) takeNewestOfGreediest(waiting)?.refuse(busy());
      }),
    admit: async (lookUp) => {
      if (arriving >= limit) throw busy();
      arriving += 1;
      try {
        return await lookUp();
      } finally {
        arriving -= 1;
      }
    },
    waiting: () => waiting.length,
    idle: async () => {
      while (serving) await served;
    },
  };
}

const busy = (): DomainError => new DomainError('server.busy', { seconds: RETRY_AFTER_S });

async function inTransaction<T>(db: Db, assertWritable: () => void, work: (tx: Tx) => Promise<T>): Promise<T> {
  assertWritable();
  let worked = false;
  try {
    const result = await db.transaction().execute(async (tx) => {
      const result = await work(tx);
      worked = true;
      return result;
    });
    assertWritable();
    return result;
  } catch (error) {
    if (worked && isSilence(error)) throw new DomainError('server.outcomeUnknown', { seconds: RETRY_AFTER_S });
    throw error;
  }
}

/** Takes the last who came of the asker with most waiting out of the queue; none where all are the server's own. */
function takeNewestOfGreediest(waiting: Waiting[]): Waiting | null {
  const counts = new Map<string, number>();
  for (const { asker } of waiting) if (asker) counts.set(asker.name, (counts.get(asker.name) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const index = waiting.findLastIndex(({ asker }) => asker !== undefined && counts.get(asker.name) === most);
  return index < 0 ? null : (waiting.splice(index, 1)[0] ?? null);
}
