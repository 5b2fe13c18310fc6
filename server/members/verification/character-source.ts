import type { Logger } from 'pino';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Env } from '../../env.ts';
import { askTibiaData, type Failure, type Finding, type TibiaDataAnswer } from './tibiadata.ts';
import { createTurns } from './turns.ts';

/** What was seen of a character, how old that was, and when another look can tell more. */
export interface Sighting {
  finding: Finding;
  taken_at: Date;
  next_at: Date;
}

/** Nobody has looked: the turn of this name comes about so many seconds from now, as long as it is asked for. */
export interface TurnAwaited {
  wait_seconds: number;
}

export interface CharacterSource {
  /**
   * The latest sighting of a character, after a new look where one is due and it is its turn. Everybody who asks for
   * one name meanwhile waits for the same look.
   * @param address who asks: turns go round addresses
   */
  look: (name: string, address: string) => Promise<Sighting | TurnAwaited>;
}

interface CharacterSourceOptions {
  ask: (name: string) => Promise<TibiaDataAnswer>;
  /** The least time between two looks at one character, in milliseconds. */
  pace_ms: number;
  now: () => Date;
  log: Logger;
}

/** How long the source keeps an answer: within it, another look shows the same comment. */
const CACHED_FOR_MS = 300_000;
/** The least time between two looks at any characters. */
const GAP_MS = 1_000;
/** After a failure a name, or the source, is left alone for the first of these; it doubles with each further failure. */
const FIRST_REST_MS = 15_000;
const LONGEST_REST_MS = 300_000;
/** The source may ask for a longer rest, up to this. */
const LONGEST_ASKED_REST_MS = 3_600_000;
/** Failures of so many different names in a row are the source's own. */
const NAMES_THAT_FAIL = 3;
/** An answer that takes longer is a failure. */
const TIMEOUT_MS = 8_000;
/** Sightings are forgotten this long after they could have been renewed, and the oldest when there are too many. */
const FORGOTTEN_AFTER_MS = 3_600_000;
export const MAX_SIGHTINGS = 2_000;

interface Looked extends Sighting {
  looked_at: number;
  /** Failures of this name in a row. */
  failures: number;
}

interface Rest {
  finding: Failure;
  from: number;
  to: number;
}

const restAfter = (failures: number, { retry_after_seconds = 0 }: Failure): number =>
  Math.max(Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS), Math.min(retry_after_seconds * 1_000, LONGEST_ASKED_REST_MS));

// A clock that was set back must not hold anybody up.
const within = (at: number, from: number, to: number): boolean => from <= at && at < to;

/**
 * Looks at characters for one server process: shared, paced and with rests after failures. Whose turn it is is
 * decided when somebody asks, so there are no timers. Several servers on one PostgreSQL pace themselves each.
 */
export function createCharacterSource({ ask, pace_ms, now, log }: CharacterSourceOptions): CharacterSource {
  /** The oldest first. */
  const seen = new Map<string, Looked>();
  const looking = new Map<string, Promise<Sighting>>();
  const turns = createTurns();
  let started_at = Number.NEGATIVE_INFINITY;
  /** Names that failed since anything was last answered, and how often the source had to rest since. */
  let failing = new Set<string>();
  let rests = 0;
  let rest: Rest | null = null;

  const restSource = (key: string, finding: Failure, at: number): void => {
    if (failing.size < NAMES_THAT_FAIL) failing.add(key);
    if (!finding.is_of_source && failing.size < NAMES_THAT_FAIL) return;
    rests += 1;
    rest = { finding, from: at, to: at + restAfter(rests, finding) };
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
    if (finding.of === 'failure') {
      failures = (seen.get(key)?.failures ?? 0) + 1;
      next_at = Math.max(looked_at + pace_ms, answered_at + restAfter(failures, finding));
      restSource(key, finding, answered_at);
      log.warn({ reason: finding.reason, failures, resting: rest !== null }, 'the game’s data could not be read');
    } else {
      failing = new Set();
      rests = 0;
      rest = null;
    }
    const sighting = { finding, taken_at: new Date(taken_at), next_at: new Date(next_at) };
    seen.delete(key);
    seen.set(key, { ...sighting, looked_at, failures });
    return sighting;
  };

  const resting = (at: number): Rest | null => (rest && within(at, rest.from, rest.to) ? rest : null);

  const startNext = (at: number): void => {
    if (within(at, started_at, started_at + GAP_MS) || resting(at)) return;
    const turn = turns.next(at);
    if (!turn) return;
    const { key, name } = turn;
    looking.set(
      key,
      look(key, name).finally(() => looking.delete(key)),
    );
    for (const [each, { next_at }] of seen) {
      if (seen.size > MAX_SIGHTINGS || next_at.getTime() + FORGOTTEN_AFTER_MS < at) seen.delete(each);
    }
  };

  const secondsUntil = (at: number): number => Math.max(1, Math.ceil((at - now().getTime()) / 1_000));

  return {
    look: async (name, address) => {
      const key = nameKey(name);
      const at = now().getTime();
      const last = seen.get(key);
      const isDue = !last || !within(at, last.looked_at, last.next_at.getTime());
      if (isDue && !looking.has(key)) turns.ask(address, key, name, at);
      startNext(at);
      const running = looking.get(key);
      if (running) return running;
      if (last && !isDue) return last;
      const pause = resting(at);
      if (pause) return { finding: pause.finding, taken_at: new Date(pause.from), next_at: new Date(pause.to) };
      const gap_ends = within(at, started_at, started_at + GAP_MS) ? started_at + GAP_MS : at;
      return { wait_seconds: secondsUntil(gap_ends + turns.before(address, key) * GAP_MS) };
    },
  };
}

/** The source that a server's settings name. */
export function sourceOf({ env, now, log }: { env: Env; now: () => Date; log: Logger }): CharacterSource {
  return createCharacterSource({
    ask: (name) => askTibiaData(env.CHARACTER_API_URL, name, TIMEOUT_MS),
    pace_ms: env.CHARACTER_CHECK_SECONDS * 1_000,
    now,
    log,
  });
}
