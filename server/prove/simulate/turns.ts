import { type Chance, chanceOf } from '../seeded.ts';

/** More turns of the event loop than anything here needs: whoever is not done by then never will be. */
const MAX_TURNS = 20_000;
/** Turns in which nothing may move before a world counts as quiet. */
const QUIET_TURNS = 3;

/** One turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * When things happen within one process: everything under way runs in turns of the event loop, and what waits for
 * the database waits some turns more, by chance, where a world is shaken.
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

  /** From now on the database keeps its callers waiting for up to so many turns. */
  shake(longest: number): void {
    this.#longest = longest;
  }

  /** What the database's callers wait. */
  readonly pause = async (): Promise<void> => {
    if (this.#longest === 0) return;
    this.#pausing += 1;
    for (let left = this.chance.below(this.#longest + 1); left > 0; left -= 1) await turn();
    this.#pausing -= 1;
  };

  async some(turns: number): Promise<void> {
    for (let left = turns; left > 0; left -= 1) await turn();
  }

  /**
   * Runs until nothing moves any more.
   * @param step moves one thing, and tells whether there was one
   * @throws Error when it never becomes quiet
   */
  async quiet(step: () => boolean): Promise<void> {
    let still = 0;
    for (let turns = 0; still < QUIET_TURNS; turns += 1) {
      const moved = step();
      await turn();
      still = moved || this.#pausing > 0 || this.open > 0 ? 0 : still + 1;
      if (turns > MAX_TURNS) throw new Error(`something never ends: ${this.open} calls are not answered`);
    }
  }
}
