import { sql } from 'kysely';
import { DomainError } from '../../shared/errors.ts';
import type { Db, Tx } from '../db/database.ts';
import type { WrongTriesTable } from '../db/schema.ts';
import { onBehalfOf, type WriteQueue } from '../db/write-queue.ts';
import type { AddressHash } from './client-address.ts';

/** Wrong keys and passwords are counted for this long, from the first one on, in milliseconds. */
const WINDOW_MS = 5 * 60_000;
/** No window is longer, in milliseconds: one that ends later was stored by a clock that ran ahead. */
const LONGEST_WINDOW_MS = 10 * 60_000;
/** Above the limit, one try is checked in this time, in milliseconds. */
const ONE_IN_MS = 30_000;
/** The clocks of servers that share a database may differ by this much, in milliseconds. A stored time further ahead is wrong. */
const CLOCK_TOLERANCE_MS = 5_000;
/** Wrong keys and tokens of one address in 5 minutes; after that, wrong ones get a 429. A whole guild may share an address. */
export const WRONG_KEYS = 30;
/** Rows of the table; above it, those whose windows end first are deleted. */
export const MAX_ROWS = 10_000;
/** Addresses past the limit that this process remembers; above it, the oldest are read from the database again. */
const MAX_REMEMBERED = 10_000;

/** A try at a secret, for example `['password', 'thora']` or `['key']`, and where it came from. */
interface Guess {
  secret: readonly string[];
  address: string;
}

export interface WrongTries {
  /**
   * For secrets that can be guessed: counts wrong tries, and past the limit refuses further ones without evaluating them, except one in
   * 30 s. So the answer does not reveal whether the refused try was right.
   * @throws DomainError request.tooManyTries; errors of `evaluate`
   */
  attempt: <T>(
    guess: Guess,
    evaluate: () => Promise<T>,
    isWrong: (error: unknown) => boolean,
  ) => Promise<T>;
  /**
   * For short secrets: counts a try before it is evaluated, so that many at once on several servers can't pass the limit together, and
   * takes it back unless it was wrong. Past the limit none is evaluated until the window ends.
   * @throws DomainError request.tooManyTries; errors of `evaluate`
   */
  countFirst: <T>(
    guess: Guess,
    evaluate: () => Promise<T>,
    isWrong: (error: unknown) => boolean,
  ) => Promise<T>;
  /**
   * For secrets too long to be guessed: counts a try that turned out wrong. Past the limit it writes nothing, and reads nothing either
   * once this process knows that the limit is reached.
   * @throws DomainError request.tooManyTries past the limit
   */
  count: (guess: Guess) => Promise<void>;
}

interface Options {
  db: Db;
  writes: Pick<WriteQueue, 'transaction'>;
  hashAddress: AddressHash;
  now: () => Date;
  /** Wrong tries allowed in a window. */
  limit: number;
  /** How long a try is counted, in milliseconds; at most LONGEST_WINDOW_MS, by default WINDOW_MS. */
  window_ms?: number;
}

type Stored = Pick<WrongTriesTable, 'tries' | 'until' | 'next_at'>;

/** Counts wrong tries in the database, so that all servers that share it count together. Stores no names and no addresses. */
export function createWrongTries({
  db,
  writes,
  hashAddress,
  now,
  limit,
  window_ms = WINDOW_MS,
}: Options): WrongTries {
  /** Tries of this process that are not counted yet: many at once must not all be evaluated or stored. */
  const pending = createUsage();
  /** When the window of those ends that reached the limit. */
  const overLimit = new Map<string, string>();
  const after = (ms: number): string => new Date(now().getTime() + ms).toISOString();
  const secondsUntil = (time: string): number =>
    Math.max(1, Math.ceil((Date.parse(time) - now().getTime()) / 1_000));
  /** True also for times that only a clock that ran ahead can have stored: nothing ends later than `ms` from now. */
  const isOver = (time: string, ms: number): boolean =>
    time <= after(0) || time > after(ms + CLOCK_TOLERANCE_MS);

  const read = async (who: string): Promise<Stored | null> => {
    const row = await db
      .selectFrom('wrong_tries')
      .select(['tries', 'until', 'next_at'])
      .where('subject_hash', '=', who)
      .executeTakeFirst();
    return row && !isOver(row.until, window_ms) ? row : null;
  };

  // By the address, also where the request has another caller or none: a flood must not push members' writes out of the queue.
  const writeFor = <T>({ address }: Guess, work: (tx: Tx) => Promise<T>): Promise<T> =>
    onBehalfOf({ name: `address ${address}`, gone: () => false }, () => writes.transaction(work));

  /** Of several tries at once past the limit, one may be evaluated. */
  const takeNext = async (guess: Guess, who: string, { next_at }: Stored): Promise<boolean> => {
    const taken = await writeFor(guess, (tx) =>
      tx
        .updateTable('wrong_tries')
        .set({ next_at: after(ONE_IN_MS) })
        .where('subject_hash', '=', who)
        .where('next_at', '=', next_at)
        .executeTakeFirst(),
    );
    return taken.numUpdatedRows === 1n;
  };

  /** The seconds until the next try is evaluated; null where this one may be. */
  const secondsToWait = async (
    guess: Guess,
    who: string,
    others: number,
  ): Promise<number | null> => {
    const row = await read(who);
    if (!row || row.tries < limit) return (row?.tries ?? 0) + others < limit ? null : 1;
    if (!isOver(row.next_at, ONE_IN_MS)) return secondsUntil(row.next_at);
    return (await takeNext(guess, who, row)) ? null : ONE_IN_MS / 1_000;
  };

  const store = (guess: Guess, who: string): Promise<Stored> =>
    writeFor(guess, async (tx) => {
      const at = after(0);
      const latest = after(window_ms + CLOCK_TOLERANCE_MS);
      const isPast = sql<boolean>`(wrong_tries.until <= ${at} or wrong_tries.until > ${latest})`;
      const until = after(window_ms);
      const next_at = after(ONE_IN_MS);
      const stored = await tx
        .insertInto('wrong_tries')
        .values({ subject_hash: who, tries: 1, until, next_at })
        .onConflict((conflict) =>
          conflict.column('subject_hash').doUpdateSet({
            tries: sql`case when ${isPast} then 1 else wrong_tries.tries + 1 end`,
            until: sql`case when ${isPast} then ${until} else wrong_tries.until end`,
            next_at,
          }),
        )
        .returning(['tries', 'until', 'next_at'])
        .executeTakeFirstOrThrow();
      if (stored.tries === 1)
        await deletePastWindows(tx, at, after(LONGEST_WINDOW_MS + CLOCK_TOLERANCE_MS));
      return stored;
    });

  const remember = (who: string, until: string): void => {
    overLimit.set(who, until);
    const [oldest] = overLimit.keys();
    if (overLimit.size > MAX_REMEMBERED && oldest !== undefined) overLimit.delete(oldest);
  };

  /** @param work gets the number of other tries that are pending */
  const whilePending = async <T>(who: string, work: (others: number) => Promise<T>): Promise<T> => {
    const others = pending.add(who) - 1;
    try {
      return await work(others);
    } finally {
      pending.remove(who);
    }
  };

  /** The seconds until the window ends where the limit was reached before this try, else null. */
  const countOne = async (guess: Guess, who: string, others: number): Promise<number | null> => {
    const before = await read(who);
    if (before && before.tries >= limit) {
      remember(who, before.until);
      return secondsUntil(before.until);
    }
    if ((before?.tries ?? 0) + others >= limit) return 1;
    const { tries, until } = await store(guess, who);
    if (tries >= limit) remember(who, until);
    return tries > limit ? secondsUntil(until) : null;
  };

  /** Takes back a try that was counted in this window. */
  const uncount = (guess: Guess, who: string, { until }: Pick<Stored, 'until'>): Promise<unknown> =>
    writeFor(guess, (tx) =>
      tx
        .updateTable('wrong_tries')
        .set({ tries: sql`tries - 1` })
        .where('subject_hash', '=', who)
        .where('until', '=', until)
        .where('tries', '>', 0)
        .execute(),
    );

  return {
    countFirst: async (guess, evaluate, isWrong) => {
      const who = await hashAddress(idOf(guess));
      const before = await read(who);
      if (before && before.tries >= limit) throw tooMany(secondsUntil(before.until));
      const counted = await store(guess, who);
      if (counted.tries > limit) throw tooMany(secondsUntil(counted.until));
      try {
        const result = await evaluate();
        await uncount(guess, who, counted);
        return result;
      } catch (error) {
        if (!isWrong(error)) await uncount(guess, who, counted);
        throw error;
      }
    },
    count: async (guess) => {
      const who = await hashAddress(idOf(guess));
      const until = overLimit.get(who);
      if (until !== undefined && !isOver(until, window_ms)) throw tooMany(secondsUntil(until));
      overLimit.delete(who);
      const seconds = await whilePending(who, (others) => countOne(guess, who, others));
      if (seconds !== null) throw tooMany(seconds);
    },
    attempt: async (guess, evaluate, isWrong) => {
      const who = await hashAddress(idOf(guess));
      return whilePending(who, async (others) => {
        const seconds = await secondsToWait(guess, who, others);
        if (seconds !== null) throw tooMany(seconds);
        try {
          return await evaluate();
        } catch (error) {
          if (isWrong(error)) await store(guess, who);
          throw error;
        }
      });
    },
  };
}

const idOf = ({ secret, address }: Guess): string => JSON.stringify([...secret, address]);

const tooMany = (seconds: number): DomainError =>
  new DomainError('request.tooManyTries', { seconds });

/** @param latest no window ends later, unless a clock that ran ahead stored it */
async function deletePastWindows(tx: Tx, at: string, latest: string): Promise<void> {
  await tx
    .deleteFrom('wrong_tries')
    .where((row) => row.or([row('until', '<=', at), row('until', '>', latest)]))
    .execute();
  const { rows } = await tx
    .selectFrom('wrong_tries')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  if (rows <= MAX_ROWS) return;
  const first = tx
    .selectFrom('wrong_tries')
    .select('subject_hash')
    .orderBy('until')
    .limit(rows - MAX_ROWS);
  await tx.deleteFrom('wrong_tries').where('subject_hash', 'in', first).execute();
}

/** Counts current uses by key, such as an address's open connections. */
export function createUsage(): {
  /** @returns how many are under way with this one */
  add: (who: string) => number;
  remove: (who: string) => void;
} {
  const counts = new Map<string, number>();
  return {
    add: (who) => {
      const count = (counts.get(who) ?? 0) + 1;
      counts.set(who, count);
      return count;
    },
    remove: (who) => {
      const left = (counts.get(who) ?? 1) - 1;
      if (left > 0) counts.set(who, left);
      else counts.delete(who);
    },
  };
}

/** Counts tries in memory, each for a window of time from its first. */
export interface Tries {
  /** Counts one more. @returns the tries in this window, and the seconds until it ends */
  count: (who: string) => { tries: number; seconds: number };
  /** Counts one more. @returns the tries in this window. @throws DomainError request.tooManyTries above the limit */
  admit: (who: string, limit: number) => number;
  /** Counts nothing. @returns the seconds until the window ends, if `limit` tries were counted in it, else null */
  secondsOver: (who: string, limit: number) => number | null;
  size: () => number;
}

interface Counted {
  tries: number;
  until: number;
}

/** @param most windows remembered; above it, the oldest is forgotten */
export function createTries({
  window_ms,
  most,
  now = Date.now,
}: {
  window_ms: number;
  most: number;
  now?: () => number;
}): Tries {
  // In the order in which the windows end, since all have the same length.
  const remembered = new Map<string, Counted>();
  /** A window that ends later than a new one would was started before the clock was set back. */
  const isOver = ({ until }: Counted): boolean => until <= now() || until > now() + window_ms;
  const forgetPast = (): void => {
    for (const [who, counted] of remembered) {
      if (!isOver(counted)) return;
      remembered.delete(who);
    }
  };
  const secondsLeft = ({ until }: Counted): number =>
    Math.max(1, Math.ceil((until - now()) / 1_000));
  const count: Tries['count'] = (who) => {
    forgetPast();
    const before = remembered.get(who);
    if (before && isOver(before)) remembered.delete(who);
    const counted = remembered.get(who) ?? { tries: 0, until: now() + window_ms };
    counted.tries += 1;
    remembered.set(who, counted);
    const [oldest] = remembered.keys();
    if (remembered.size > most && oldest !== undefined) remembered.delete(oldest);
    return { tries: counted.tries, seconds: secondsLeft(counted) };
  };
  return {
    count,
    admit: (who, limit) => {
      const { tries, seconds } = count(who);
      if (tries > limit) throw tooMany(seconds);
      return tries;
    },
    secondsOver: (who, limit) => {
      const counted = remembered.get(who);
      return counted && !isOver(counted) && counted.tries >= limit ? secondsLeft(counted) : null;
    },
    size: () => remembered.size,
  };
}

const CODES_WINDOW_MS = 60_000;
/** Codes for one name that an address gets in a minute. */
export const CODES_FOR_NAME = 5;
/**
 * Names that an address gets a first code for in a minute. A guild of 200 in one hall, behind one address, must get through; a code is
 * cheap, since it is not broadcast to members.
 */
const NAMES_FROM_ADDRESS = 240;
/** Addresses, and pairs of an address and a name, that are counted at the same time. */
const MAX_CODES_COUNTED = 10_000;

/** The address that a request comes from, and the character it is for. */
interface CodeRequest {
  address_hash: string;
  character_key: string;
}

export interface CodeRequests {
  /** @throws DomainError request.tooManyTries */
  admit: (request: CodeRequest) => void;
}

/**
 * Limits verification codes by name and address. Whatever the others in a hall do, only one's own name is limited; the bound on
 * different names keeps a stranger from writing without end.
 */
export function countCodeRequests(now: () => Date): CodeRequests {
  const tries = () =>
    createTries({
      window_ms: CODES_WINDOW_MS,
      most: MAX_CODES_COUNTED,
      now: () => now().getTime(),
    });
  const ofName = tries();
  const namesOfAddress = tries();
  return {
    admit: ({ address_hash, character_key }) => {
      const pair = `${address_hash} ${character_key}`;
      // A refused name is not counted, so that it is still new when it is asked for again.
      if (ofName.secondsOver(pair, 1) === null)
        namesOfAddress.admit(address_hash, NAMES_FROM_ADDRESS);
      ofName.admit(pair, CODES_FOR_NAME);
    },
  };
}
