import fc from 'fast-check';
import type { Proof, ProofOptions, Tried } from './proof.ts';
import { Broken } from './simulate/broken.ts';
import { tryClockWorld } from './simulate/clock-world.ts';
import type { Sabotage } from './simulate/place.ts';
import { inWords, type Script, script } from './simulate/script.ts';
import { type Failure, shorten } from './simulate/shorten.ts';
import { makeTemplate } from './simulate/template.ts';
import { World } from './simulate/world.ts';

/** Shortening a failing script ends after this long, in milliseconds, with the shortest one found by then. */
const SHORTEN_MS = 60_000;
const TELL_EVERY_MS = 30_000;

export interface SimulateOptions extends ProofOptions {
  /** Breaks every world's server on purpose. */
  sabotage?: Sabotage;
  /** After so many failed worlds it is plain that something is wrong. */
  enough?: number;
}

/** The template of every world, made once. */
let template: ReturnType<typeof makeTemplate> | null = null;

/** Runs worlds of consecutive seeds, so that `--seed` of a failed one with `--runs 1` runs it again. */
export async function simulateWorlds({
  seed,
  runs,
  say,
  sabotage,
  enough = 5,
}: SimulateOptions): Promise<readonly Tried[]> {
  template ??= makeTemplate();
  const begin = await template;
  const failed: string[] = [];
  let worlds = 0;
  let steps = 0;
  let reported_at = performance.now();
  const outcomes = new Map<string, number>();
  const onOutcome = (outcome: string): unknown =>
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const run = async (one: Script, world_seed: number): Promise<void> => {
    steps += one.steps.length;
    await new World({
      seed: world_seed,
      script: one,
      template: begin,
      onOutcome,
      ...(sabotage ? { sabotage } : {}),
    }).run();
  };
  for (; worlds < runs && failed.length < enough; worlds += 1) {
    const failure = await tryWorld(seed + worlds, run);
    if (failure) failed.push(failure);
    if (performance.now() - reported_at > TELL_EVERY_MS) {
      reported_at = performance.now();
      say(`${worlds + 1} worlds, ${steps} steps, ${failed.length} failed`);
    }
  }
  say(
    [...outcomes]
      .sort(([, a], [, b]) => b - a)
      .map(([outcome, times]) => `${outcome} ${times}`)
      .join(', '),
  );
  return [{ what: `worlds of ${steps} steps in all, from seed ${seed}`, tried: worlds, failed }];
}

/** Runs worlds in which clocks jump and servers are away, of consecutive seeds as well. */
export async function simulateClocks({
  seed,
  runs,
  enough = 5,
}: Pick<SimulateOptions, 'seed' | 'runs' | 'enough'>): Promise<Tried> {
  template ??= makeTemplate();
  const { copy } = await template;
  const failed: string[] = [];
  let worlds = 0;
  for (; worlds < runs && failed.length < enough; worlds += 1) {
    const failure = await tryClockWorld(seed + worlds, copy);
    if (failure) failed.push(failure);
  }
  return {
    what: `worlds of clocks that jump, of one server or two, from seed ${seed}`,
    tried: worlds,
    failed,
  };
}

/** Runs a world as it is written down. @throws Broken */
export async function playScript(one: Script): Promise<void> {
  template ??= makeTemplate();
  await new World({ seed: 1, script: one, template: await template }).run();
}

/** @returns what failed and the shortest script that fails, in lines; null: nothing */
async function tryWorld(
  seed: number,
  run: (script: Script, seed: number) => Promise<void>,
): Promise<string | null> {
  const fails = async (one: Script): Promise<Failure> => {
    try {
      await run(one, seed);
      return null;
    } catch (error) {
      if (error instanceof Broken) return { at: error.at, why: error.message };
      throw error;
    }
  };
  const [whole] = fc.sample(script, { seed, numRuns: 1 });
  const failure = whole && (await fails(whole));
  if (!failure) return null;
  const shortest = await shorten(whole, failure, fails, SHORTEN_MS);
  const lines = [
    `again: npm run prove -- simulate --seed ${seed} --runs 1`,
    ...inWords(shortest.script),
  ];
  return [`step ${shortest.failure.at}: ${shortest.failure.why}`, ...lines].join('\n      ');
}

export const simulate: Proof = {
  summary:
    'whole guilds in one process, cut, slowed, restarted and with jumping clocks, against a small model',
  unit: 'worlds',
  long: 10_000,
  run: async (options) => [...(await simulateWorlds(options)), await simulateClocks(options)],
};
