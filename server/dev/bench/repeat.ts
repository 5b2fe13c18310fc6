import { median } from './median.ts';

/**
 * Measures several things in turns, so that what else the machine does falls on all of them alike.
 * @returns the median of each, in their order
 */
export async function inTurns(times: number, ...measures: readonly (() => Promise<number>)[]): Promise<number[]> {
  const taken = measures.map((measure) => ({ measure, figures: [] as number[] }));
  for (let time = 0; time < times; time++) {
    for (const { measure, figures } of taken) figures.push(await measure());
  }
  return taken.map(({ figures }) => median(figures));
}
