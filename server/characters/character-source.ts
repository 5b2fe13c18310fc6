import type { Logger } from 'pino';
import { nameKey } from '../../shared/rules/names.ts';
import type { Context } from '../context.ts';
import { askTibiaData, type Finding, type TibiaDataAnswer } from './tibiadata.ts';

/** What was seen of a character, how old that was, and when another look can tell more. */
export interface Sighting {
  finding: Finding;
  taken_at: Date;
  next_at: Date;
}

export interface CharacterSource {
  /**
   * The latest sighting of a character, after a new look where one is due and may be made now; null when its turn
   * has not come yet. Everybody who asks for one name meanwhile waits for the same look.
   */
  look: (name: string) => Promise<Sighting | null>;
}

export interface CharacterSourceOptions {
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
/** After a failure nobody is looked up for the first of these; it doubles with each further failure. */
const FIRST_REST_MS = 15_000;
const LONGEST_REST_MS = 300_000;
/** An answer that takes longer is a failure. */
const TIMEOUT_MS = 8_000;
/** Sightings are forgotten this long after they could have been renewed. */
const FORGOTTEN_AFTER_MS = 3_600_000;

interface Looked extends Sighting {
  looked_at: number;
}

/**
 * Looks at characters for one server process: shared, paced and with rests after failures. Whose turn it is is
 * decided when somebody asks, so there are no timers. Several servers on one PostgreSQL pace themselves each.
 */
export function createCharacterSource({ ask, pace_ms, now, log }: CharacterSourceOptions): CharacterSource {
  const seen = new Map<string, Looked>();
  const looking = new Map<string, Promise<void>>();
  /** Names that are due, first come first served: a name whose askers always come at a bad moment gets its turn, too. */
  const waiting = new Map<string, string>();
  let started_at = Number.NEGATIVE_INFINITY;
  let failures = 0;
  let rest: { finding: Finding; from: number; to: number } | null = null;

  // A clock that was set back must not hold anybody up.
  const within = (at: number, from: number, to: number): boolean => from <= at && at < to;

  const look = async (key: string, name: string): Promise<void> => {
    const looked_at = now().getTime();
    started_at = looked_at;
    const { finding, age_seconds } = await ask(name);
    const answered_at = now().getTime();
    const taken_at = answered_at - (age_seconds ?? 0) * 1_000;
    let next_at = looked_at + pace_ms;
    // An answer from a cache stays the same until the cache lets go of it; very old ones may change any time.
    if (age_seconds !== null) next_at = Math.max(next_at, taken_at + CACHED_FOR_MS);
    if (finding.of === 'failure') {
      failures += 1;
      const doubled = Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS);
      const to = answered_at + Math.max(doubled, (finding.retry_after_seconds ?? 0) * 1_000);
      rest = { finding, from: answered_at, to };
      next_at = Math.max(looked_at + pace_ms, to);
      log.warn({ reason: finding.reason, failures }, 'the game’s data could not be read');
    } else {
      failures = 0;
      rest = null;
    }
    seen.set(key, { finding, looked_at, taken_at: new Date(taken_at), next_at: new Date(next_at) });
  };

  const startNext = (at: number): void => {
    if (within(at, started_at, started_at + GAP_MS)) return;
    if (rest && within(at, rest.from, rest.to)) return;
    for (const [key, name] of waiting) {
      waiting.delete(key);
      const running = look(key, name).finally(() => looking.delete(key));
      looking.set(key, running);
      break;
    }
    for (const [key, { next_at }] of seen) if (next_at.getTime() + FORGOTTEN_AFTER_MS < at) seen.delete(key);
  };

  return {
    look: async (name) => {
      const key = nameKey(name);
      const at = now().getTime();
      const last = seen.get(key);
      const isDue = !last || !within(at, last.looked_at, last.next_at.getTime());
      if (isDue && !looking.has(key)) waiting.set(key, name);
      startNext(at);
      await looking.get(key);
      const latest = seen.get(key);
      if (latest) return latest;
      if (rest && within(at, rest.from, rest.to))
        return { finding: rest.finding, taken_at: new Date(rest.from), next_at: new Date(rest.to) };
      return null;
    },
  };
}

const sources = new WeakMap<Context, CharacterSource>();

/** The one source of a server. */
export function characterSource(ctx: Context): CharacterSource {
  const known = sources.get(ctx);
  if (known) return known;
  const { CHARACTER_API_URL, CHARACTER_CHECK_SECONDS } = ctx.env;
  const source = createCharacterSource({
    ask: (name) => askTibiaData(CHARACTER_API_URL, name, TIMEOUT_MS),
    pace_ms: CHARACTER_CHECK_SECONDS * 1_000,
    now: ctx.now,
    log: ctx.log,
  });
  sources.set(ctx, source);
  return source;
}
