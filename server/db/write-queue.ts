import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { DomainError } from '../../shared/errors.ts';
import { DatabaseAway, isSilence, RETRY_AFTER_S } from './failures.ts';
import { createWriteTurns } from './fair-queue.ts';
import type { Db, Tx } from './open.ts';
import { inSavepoint } from './savepoint.ts';

/** Writes that may wait at once; the next is refused. */
const WRITES_WAITING = 500;
/** How long a write waits at most for its turn, in milliseconds, whatever those before it take. */
const WRITE_WAITS_MS = 10_000;
/** Writes that share a commit at most, and for how long, in milliseconds, one more may join: the first waits for the last. */
const WRITES_TOGETHER = 50;
const TOGETHER_WITHIN_MS = 20;

/** On whose behalf something is written: a key, an admin, an address. */
export interface Asker {
  name: string;
  /** True once nobody waits for the answer any more. */
  gone: () => boolean;
  /** Authenticates the caller again, inside the transaction: rights may end while a write waits in the queue. */
  authorize?: (tx: Tx) => Promise<void>;
}
const askers = new AsyncLocalStorage<Asker | undefined>();

/**
 * What `work` writes, now or later, is written on this asker's behalf; without one it is the server's own, which is
 * refused where the database is silent, and never for too many or too long.
 */
export function onBehalfOf<T>(asker: Asker, work: () => T): T {
  return askers.run(asker, work);
}

/** What `work` writes is the server's own, although somebody asked: others share what comes of it, who may stay when they leave. */
export function onBehalfOfAll<T>(work: () => T): T {
  return askers.run(undefined, work);
}

/** Authenticates whoever this is written for again; the server's own writes, and those of visitors, need it not. */
export const authorizationNow = (): Asker['authorize'] => askers.getStore()?.authorize;

export interface WriteQueue {
  /**
   * Runs `work` in a transaction when its turn comes. It sees all that was written before, and shares its commit
   * with those that wait at the same moment, unless it `takesLong`: then it has one of its own, and the event loop goes on.
   * @returns what `work` returns, once it is stored for good
   * @throws DomainError server.busy when too many wait or it waited too long; server.outcomeUnknown when the
   * database fell silent while it was told to commit; DatabaseAway; whatever `work` throws
   */
  transaction: <T>(work: (tx: Tx) => Promise<T>, takesLong?: boolean) => Promise<T>;
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

interface Waiting extends Write {
  asker: Asker | undefined;
  since: number;
  takesLong: boolean;
}

export interface WriteQueueOptions {
  /** Over which connection goes what takes long. */
  longWriter?: Db;
  /** Whether other servers write to the same database: then each group of writes locks the clock row first. */
  isShared?: boolean;
  /** Throws where nothing may be written now; asked before each commit's writes, and after it before they are acknowledged. */
  assertWritable?: () => void;
  limit?: number;
  waitsMs?: number;
  together?: number;
  togetherMs?: number;
}

/**
 * Lets the writes of this process go one at a time, their askers in turn, over one connection. They are serial
 * anyway, because each locks the clock: waiting here they hold no connection that a read could use, and a storm of
 * them has an end. When too many wait, the newest of whoever has most waiting is refused, so that nobody can keep
 * the others out.
 */
export function createWriteQueue(db: Db, options: WriteQueueOptions = {}): WriteQueue {
  const { longWriter = db, isShared = false, assertWritable = () => {}, limit = WRITES_WAITING, waitsMs = WRITE_WAITS_MS } = options;
  const { together = WRITES_TOGETHER, togetherMs = TOGETHER_WITHIN_MS } = options;
  const waiting = createWriteTurns<Waiting>();
  const target = (on: Db): WriteTarget => ({ db: on, isShared, assertWritable });
  /** Its turn has come, and those before it are to be stored first. */
  let apart: Waiting | null = null;
  let arriving = 0;
  let serving = false;
  let served: Promise<void> = Promise.resolve();

  const nextInTime = (): Waiting | null => {
    const postponed = apart;
    apart = null;
    if (postponed) return postponed;
    const now = performance.now();
    // All of them, whoever's turn it is: turns are no sooner for one who waits behind many of their own.
    const isLate = ({ asker, since }: Waiting): boolean => asker !== undefined && (asker.gone() || now - since > waitsMs);
    for (const each of waiting.takeWhere(isLate)) each.refuse(busy());
    return waiting.next();
  };

  /** Those that wait now, or others whose turn is before theirs: whoever keeps coming must not keep the first from being answered. */
  const withThem = (): (() => Promise<Waiting | null>) => {
    let room = Math.min(waiting.size(), together - 1);
    const since = performance.now();
    return async () => {
      if (room <= 0 || performance.now() - since > togetherMs) return null;
      room -= 1;
      // SQLite answers without turning the event loop, so a queue full of writes would keep everything else waiting.
      await setImmediate();
      const next = nextInTime();
      if (!next?.takesLong) return next;
      apart = next;
      return null;
    };
  };

  const serve = async (): Promise<void> => {
    serving = true;
    for (let first = nextInTime(); first; first = nextInTime()) {
      const failure = first.takesLong
        ? await writeTogether(target(longWriter), first, async () => null)
        : await writeTogether(target(db), first, withThem());
      // Those who wait would each find the same silence, one after another.
      if (isSilence(failure)) for (const each of waiting.takeWhere(() => true)) each.refuse(new DatabaseAway(failure));
      await setImmediate();
    }
    // In one go with finding nobody: whoever comes next begins anew.
    serving = false;
  };

  return {
    transaction: (work, takesLong = false) =>
      new Promise((resolve, reject) => {
        const begin = async (tx: Tx): Promise<() => void> => {
          const result = await work(tx);
          return () => resolve(result);
        };
        const asker = askers.getStore();
        waiting.add(asker?.name ?? null, { asker, since: performance.now(), takesLong, begin, refuse: reject });
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

/** One that waits to be written, and then to be told what became of it. */
interface Write {
  /** Writes. @returns what tells that it is stored for good */
  begin: (tx: Tx) => Promise<() => void>;
  refuse: (error: unknown) => void;
}

/** Where writes go. */
interface WriteTarget {
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
