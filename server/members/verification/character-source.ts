import type { Logger } from 'pino';
import { nameKey } from '../../../shared/rules/names.ts';
import { endlessWaitAfter } from '../../db/back-off.ts';
import { createFairQueue } from '../../db/fair-queue.ts';
import type { Env } from '../../env.ts';
import { askTibiaData, type Failure, type Finding, type TibiaDataAnswer } from './tibiadata.ts';

/** A character's data, when the source read it, and when asking again may bring newer data. */
export interface Sighting {
  finding: Finding;
  taken_at: Date;
  next_at: Date;
}

/** Not looked up yet: the estimated seconds until it is, as long as the page keeps asking. */
export interface TurnAwaited {
  wait_seconds: number;
}

export interface CharacterSource {
  /**
   * The latest sighting of a character, after a new look if one is due and the queue gets to it. All callers of one name share a look.
   * @param address the caller's
   */
  look: (name: string, address: string) => Promise<Sighting | TurnAwaited>;
}

interface CharacterSourceOptions {
  ask: (name: string) => Promise<TibiaDataAnswer>;
  /** The least time between two looks at one character, in milliseconds. */
  pace_ms: number;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
}

/** How long the source keeps an answer: within it, another look shows the same comment. */
const CACHED_FOR_MS = 300_000;
/** The least time between two looks at any characters. */
const GAP_MS = 1_000;
/** Longest back-off that the character data source may ask for, in seconds. */
const MAX_REQUESTED_BACKOFF_S = 3_600;
/** If this many different names fail in a row, the source itself is failing. */
const MAX_FAILING_NAMES = 3;
/** An answer that takes longer is a failure. */
const TIMEOUT_MS = 8_000;
/** Forget a sighting this long after it could have been renewed, in milliseconds. */
const FORGOTTEN_AFTER_MS = 3_600_000;
/** Sightings (times at which a character was looked up) to remember; the oldest are forgotten. */
export const MAX_SIGHTINGS = 2_000;

/** A name that no browser asked for within this time, in milliseconds, leaves the queue: its page was closed. */
const ASKED_WITHIN_MS = 15_000;
/** Addresses in the queue for the character data. If it is full, the page waits and polls again. */
export const MAX_ADDRESSES = 1_000;
/** Names of one address in the queue for the character data. */
export const MAX_NAMES_OF_ADDRESS = 50;

/** The names to look up: turns go round the addresses, so that a visitor with a hundred invented names delays only their own. */
export interface LookQueue {
  /** An address asks for a name at a time (in milliseconds): it keeps its place in the queue, or gets the last one. */
  ask: (address: string, character: { key: string; name: string }, at: number) => void;
  /** Removes the next name that is still being asked for, for all addresses. */
  next: (at: number) => { key: string; name: string } | null;
  /** How many names are looked up before this one of an address. */
  before: (address: string, key: string) => number;
}

export function createLookQueue(): LookQueue {
  interface Waiting {
    key: string;
    name: string;
    asked_at: number;
  }
  const queue = createFairQueue<Waiting>();

  const dropAbandoned = (at: number): void => {
    // A time in the future: the clock was set back.
    queue.takeWhere(({ asked_at }) => asked_at > at || at - asked_at > ASKED_WITHIN_MS);
  };

  return {
    ask: (address, { key, name }, at) => {
      const caller = { group: address, member: key };
      const [waiting] = queue.itemsOf(caller);
      if (waiting) {
        waiting.asked_at = at;
        return;
      }
      const isNew = (): boolean => queue.membersOf(address) === 0;
      if (isNew() && queue.groups() >= MAX_ADDRESSES) dropAbandoned(at);
      if (isNew() && queue.groups() >= MAX_ADDRESSES) return;
      if (queue.membersOf(address) < MAX_NAMES_OF_ADDRESS)
        queue.add(caller, { key, name, asked_at: at });
    },
    next: (at) => {
      dropAbandoned(at);
      const next = queue.next();
      if (next) queue.takeWhere(({ key }) => key === next.key);
      return next;
    },
    before: (address, key) => queue.turnsBefore({ group: address, member: key }),
  };
}

interface Looked extends Sighting {
  looked_at: number;
  /** Failures of this name in a row. */
  failures: number;
}

interface BackOff {
  finding: Failure;
  from: number;
  to: number;
}

/** After failures of a name or of the source, in milliseconds. */
export const backOffAfter = (failures: number, { retry_after_seconds = 0 }: Failure): number =>
  Math.max(endlessWaitAfter(failures), Math.min(retry_after_seconds, MAX_REQUESTED_BACKOFF_S)) *
  1_000;

// False also before `from`: a clock that was set back must not delay anyone.
const within = (at: number, from: number, to: number): boolean => from <= at && at < to;

/**
 * Looks up characters for one server process: shared, paced and with back-off after failures. Calls drive the queue, so there are no
 * timers. Each of several servers on one database paces itself.
 */
export function createCharacterSource({
  ask,
  pace_ms,
  now,
  log,
}: CharacterSourceOptions): CharacterSource {
  /** The oldest first. */
  const seen = new Map<string, Looked>();
  const looking = new Map<string, Promise<Sighting>>();
  const queue = createLookQueue();
  let started_at = Number.NEGATIVE_INFINITY;
  /** Names that failed, and how often the source backed off, since the last answer. */
  let failing = new Set<string>();
  let backOffs = 0;
  let backOff: BackOff | null = null;

  const backOffSource = (key: string, finding: Failure, at: number): void => {
    if (failing.size < MAX_FAILING_NAMES) failing.add(key);
    if (!finding.is_of_source && failing.size < MAX_FAILING_NAMES) return;
    backOffs += 1;
    backOff = { finding, from: at, to: at + backOffAfter(backOffs, finding) };
  };

  const look = async (key: string, name: string): Promise<Sighting> => {
    const looked_at = now().getTime();
    started_at = looked_at;
    const { finding, age_seconds } = await ask(name);
    const answered_at = now().getTime();
    const taken_at = answered_at - (age_seconds ?? 0) * 1_000;
    let next_at = looked_at + pace_ms;
    // An answer from a cache stays the same until the cache lets go of it; very old ones may change any time.
    if (age_seconds !== null) next_at = Math.max(next_at, taken_at + CACHED_FOR_MS);
    let failures = 0;
    if (finding.type === 'failure') {
      failures = (seen.get(key)?.failures ?? 0) + 1;
      next_at = Math.max(looked_at + pace_ms, answered_at + backOffAfter(failures, finding));
      backOffSource(key, finding, answered_at);
      log.warn(
        { reason: finding.reason, failures, backs_off: backOff !== null },
        'the game’s data could not be read',
      );
    } else {
      failing = new Set();
      backOffs = 0;
      backOff = null;
    }
    const sighting = { finding, taken_at: new Date(taken_at), next_at: new Date(next_at) };
    seen.delete(key);
    seen.set(key, { ...sighting, looked_at, failures });
    return sighting;
  };

  const backOffAt = (at: number): BackOff | null =>
    backOff && within(at, backOff.from, backOff.to) ? backOff : null;

  const startNext = (at: number): void => {
    if (within(at, started_at, started_at + GAP_MS) || backOffAt(at)) return;
    const turn = queue.next(at);
    if (!turn) return;
    const { key, name } = turn;
    looking.set(
      key,
      look(key, name).finally(() => looking.delete(key)),
    );
    for (const [each, { next_at }] of seen) {
      if (seen.size > MAX_SIGHTINGS || next_at.getTime() + FORGOTTEN_AFTER_MS < at)
        seen.delete(each);
    }
  };

  const secondsUntil = (at: number): number =>
    Math.max(1, Math.ceil((at - now().getTime()) / 1_000));

  return {
    look: async (name, address) => {
      const key = nameKey(name);
      const at = now().getTime();
      const last = seen.get(key);
      const isDue = !last || !within(at, last.looked_at, last.next_at.getTime());
      if (isDue && !looking.has(key)) queue.ask(address, { key, name }, at);
      startNext(at);
      const running = looking.get(key);
      if (running) return running;
      if (last && !isDue) return last;
      const pause = backOffAt(at);
      if (pause)
        return {
          finding: pause.finding,
          taken_at: new Date(pause.from),
          next_at: new Date(pause.to),
        };
      const gap_ends = within(at, started_at, started_at + GAP_MS) ? started_at + GAP_MS : at;
      return { wait_seconds: secondsUntil(gap_ends + queue.before(address, key) * GAP_MS) };
    },
  };
}

/** The source that a server's settings name. */
export function sourceOf({
  env,
  now,
  log,
}: {
  env: Env;
  now: () => Date;
  log: Pick<Logger, 'warn'>;
}): CharacterSource {
  return createCharacterSource({
    ask: (name) => askTibiaData(env.CHARACTER_API_URL, name, TIMEOUT_MS),
    pace_ms: env.CHARACTER_CHECK_SECONDS * 1_000,
    now,
    log,
  });
}
