import { type Chance, chanceOf } from '../seeded.ts';

/** More turns of the event loop than any step needs: work that is not done by then hangs. */
const MAX_TURNS = 20_000;
/** Turns without any work before a world counts as idle: the jobs of one moment share a commit, with a turn each. */
const QUIET_TURNS = 20;
/** How many times as long a caller's pauses may be: while the slowest waits, whole writes complete. */
const SLOWNESS = [0, 0, 1, 1, 25];

/** One turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Schedules work within one process: work runs in event-loop turns, and what waits for
 * the database waits some random turns more in a shaken world.
 */
export class Turns {
  readonly chance: Chance;
  #longest = 0;
  #pausing = 0;
  /** Calls whose answer is still to come. */
  open = 0;

  constructor(seed: number) {
    this.chance = chanceOf(seed);
  }

  /** From now on the database keeps its callers waiting for up to so many turns each time, the slowest ones for many more. */
  shake(longest: number): void {
    this.#longest = longest;
  }

  /** How long one of the database's callers waits, each time: some are always slow, and some are not. */
  pauses(): () => Promise<void> {
    if (this.#longest === 0) return async () => {};
    const longest = this.#longest * this.chance.oneOf(SLOWNESS);
    return async () => {
      this.#pausing += 1;
      for (let left = this.chance.below(longest + 1); left > 0; left -= 1) await turn();
      this.#pausing -= 1;
    };
  }

  /** Nothing is quiet until they are over. */
  async some(turns: number): Promise<void> {
    this.open += 1;
    for (let left = turns; left > 0; left -= 1) await turn();
    this.open -= 1;
  }

  /**
   * Runs until nothing moves any more.
   * @param step does one piece of work, and returns whether there was one
   * @throws Error when it never becomes quiet
   */
  async quiet(step: () => boolean): Promise<void> {
    let still = 0;
    for (let turns = 0; still < QUIET_TURNS; turns += 1) {
      const moved = step();
      await turn();
      still = moved || this.#pausing > 0 || this.open > 0 ? 0 : still + 1;
      if (turns > MAX_TURNS)
        throw new Error(`something never ends: ${this.open} calls are not answered`);
    }
  }
}
