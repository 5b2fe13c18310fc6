import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { DomainError } from '../../shared/errors.ts';
import { type Db, inSavepoint, type Tx } from './database.ts';
import { DatabaseAway, isSilence, RETRY_AFTER_S } from './errors.ts';
import { createFairQueue } from './fair-queue.ts';

/** Writes that may wait at the same time. Beyond it, the newest write of the caller with the most waiting writes is refused. */
const WRITES_WAITING = 500;
/** How long a write may wait in the queue, in milliseconds. */
const WRITE_WAITS_MS = 10_000;
/** Writes that share a commit at most. */
const WRITES_TOGETHER = 50;
/** How long more writes may join a commit, in milliseconds: the first waits for the last. */
const TOGETHER_WITHIN_MS = 20;

/** On whose behalf something is written: a key, an admin or an address. */
export interface QueueCaller {
  name: string;
  /** True once the client has disconnected and no longer waits for the answer. */
  gone: () => boolean;
  /** Authenticates the caller again, inside the transaction: rights may end while a write waits in the queue. */
  authorize?: (tx: Tx) => Promise<void>;
}
const callers = new AsyncLocalStorage<QueueCaller | undefined>();

/**
 * Attributes what `work` writes, now or later, to this caller. Without a caller a write is the server's own: it is refused only while the
 * database does not answer, never because too many wait or it waited too long.
 */
export function onBehalfOf<T>(caller: QueueCaller, work: () => T): T {
  return callers.run(caller, work);
}

/** Attributes what `work` writes to the server although a caller triggered it: its result is shared with callers who may stay longer. */
export function onBehalfOfAll<T>(work: () => T): T {
  return callers.run(undefined, work);
}

/** Authenticates the caller of the current write again. The server's own writes and those of visitors need no check. */
export const authorizationNow = (): QueueCaller['authorize'] => callers.getStore()?.authorize;

export interface WriteQueue {
  /**
   * Runs `work` in a transaction, in the queue's order. It sees all earlier writes, and shares its commit with those that wait at the same
   * time, unless it `takesLong`: then it gets its own commit and connection, and the event loop stays free.
   * @returns what `work` returns, once it is durable
   * @throws DomainError server.busy if too many wait or it waited too long; server.outcomeUnknown if the database stopped answering
   * during the commit; DatabaseAway; errors of `work`
   */
  transaction: <T>(work: (tx: Tx) => Promise<T>, takesLong?: boolean) => Promise<T>;
  /**
   * Looks up who is about to write, which costs a read. At most as many at the same time as may wait in the queue, so that other reads are
   * not delayed.
   * @throws DomainError server.busy beyond that
   */
  admit: <T>(lookUp: () => Promise<T>) => Promise<T>;
  /** Number of waiting writes, without the one under way. */
  waiting: () => number;
  /** Resolves when no write waits or is under way. */
  idle: () => Promise<void>;
}

interface Waiting extends Write {
  caller: QueueCaller | undefined;
  since: number;
  takesLong: boolean;
}

export interface WriteQueueOptions {
  /** The worker connection for writes that take long. */
  longWriter?: Db;
  /** Whether other servers write to the same database. Then each group of writes locks the clock row first. */
  isShared?: boolean;
  /** Throws while nothing may be written. Called before the writes of each commit, and after it before they are acknowledged. */
  assertWritable?: () => void;
  limit?: number;
  waitsMs?: number;
  together?: number;
  togetherMs?: number;
}

/**
 * Runs the writes of this process one at a time over one connection, callers in turn. They are serial anyway, since each locks the clock;
 * waiting here, they hold no connection that a read could use. If too many wait, the newest write of the caller with most of them is
 * refused, so that no caller can keep the others out.
 */
export function createWriteQueue(db: Db, options: WriteQueueOptions = {}): WriteQueue {
  const {
    longWriter = db,
    isShared = false,
    assertWritable = () => {},
    limit = WRITES_WAITING,
    waitsMs = WRITE_WAITS_MS,
  } = options;
  const { together = WRITES_TOGETHER, togetherMs = TOGETHER_WITHIN_MS } = options;
  const waiting = createFairQueue<Waiting>();
  const target = (on: Db): WriteTarget => ({ db: on, isShared, assertWritable });
  /** A long write whose turn came while a group was being formed: it runs after that group, alone. */
  let nextLong: Waiting | null = null;
  let arriving = 0;
  let serving = false;
  let served: Promise<void> = Promise.resolve();

  const nextInTime = (): Waiting | null => {
    const postponed = nextLong;
    nextLong = null;
    if (postponed) return postponed;
    const now = performance.now();
    // All expired writes, in any order: a caller with many waiting must not keep its last ones past their limit.
    const isLate = ({ caller, since }: Waiting): boolean =>
      caller !== undefined && (caller.gone() || now - since > waitsMs);
    for (const each of waiting.takeWhere(isLate)) each.refuse(busy());
    return waiting.next();
  };

  /**
   * The rest of a group: as many writes as wait now. Some may be later ones that are served earlier, but no more of them, so that a caller
   * who keeps writing does not delay the first answer.
   */
  const restOfGroup = (): (() => Promise<Waiting | null>) => {
    let room = Math.min(waiting.size(), together - 1);
    const since = performance.now();
    return async () => {
      if (room <= 0 || performance.now() - since > togetherMs) return null;
      room -= 1;
      // SQLite answers without yielding to the event loop: a queue full of writes would hold up everything else.
      await setImmediate();
      const next = nextInTime();
      if (!next?.takesLong) return next;
      nextLong = next;
      return null;
    };
  };

  const serve = async (): Promise<void> => {
    serving = true;
    for (let first = nextInTime(); first; first = nextInTime()) {
      const failure = first.takesLong
        ? await writeTogether(target(longWriter), first, async () => null)
        : await writeTogether(target(db), first, restOfGroup());
      // Otherwise each waiting write would run into the same silence, one after another.
      if (isSilence(failure))
        for (const each of waiting.takeWhere(() => true)) each.refuse(new DatabaseAway(failure));
      await setImmediate();
    }
    // In the same tick in which the queue was found empty: the next write starts a new loop.
    serving = false;
  };

  return {
    transaction: (work, takesLong = false) =>
      new Promise((resolve, reject) => {
        const begin = async (tx: Tx): Promise<() => void> => {
          const result = await work(tx);
          return () => resolve(result);
        };
        const caller = callers.getStore();
        waiting.add(
          { group: caller?.name ?? null },
          { caller, since: performance.now(), takesLong, begin, refuse: reject },
        );
        if (!serving) served = serve();
        else if (waiting.size() > limit) waiting.newestOfGreediest()?.refuse(busy());
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
    waiting: waiting.size,
    idle: async () => {
      while (serving) await served;
    },
  };
}

const busy = (): DomainError => new DomainError('server.busy', { seconds: RETRY_AFTER_S });

/** A write that waits to run, and then for its outcome. */
interface Write {
  /** Runs the write. @returns a function that reports its outcome once it is durable */
  begin: (tx: Tx) => Promise<() => void>;
  refuse: (error: unknown) => void;
}

interface WriteTarget {
  db: Db;
  /** Whether other servers write to the same database. */
  isShared: boolean;
  /** @throws the error that every write is refused with while the database can't be written */
  assertWritable: () => void;
}

/**
 * Runs a write, and those that `next` returns, in one commit: the commit is what takes longest on a disk. Each write runs in a savepoint:
 * it sees the ones before it and fails without them. None learns its outcome before all are durable, not even that it failed, because
 * what it ran into is not true before. If the database gives up the whole commit (a full disk, silence), all are refused.
 * @returns the error that the commit failed with; null: none
 */
async function writeTogether(
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
      // The same first lock on every server: two groups that lock the clock and other rows in opposite orders would deadlock.
      if (isShared) await tx.selectFrom('clock').select('value').forUpdate().execute();
      // Before the first write there is nothing to keep: it fails with the whole commit.
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
    // Without a time to retry after: repeating a write that may be durable is not safe.
    for (const { refuse } of begun)
      refuse(isUnknown ? new DomainError('server.outcomeUnknown') : error);
    return error;
  }
  for (const tell of outcomes) tell();
  return null;
}

/**
 * Runs one write of several.
 * @returns a function that reports its outcome, once all are durable
 * @throws the error that the whole commit fails with
 */
async function beginInSavepoint(tx: Tx, write: Write): Promise<() => void> {
  const begun = await inSavepoint(tx, () => write.begin(tx));
  return 'error' in begun ? () => write.refuse(begun.error) : begun.value;
}
