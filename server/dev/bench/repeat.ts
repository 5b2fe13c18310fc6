/** The median; of an even count the upper of the middle two. @throws Error for an empty list */
export function median(numbers: readonly number[]): number {
  const middle = [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
  if (middle === undefined) throw new Error('there is no median of nothing');
  return middle;
}

/**
 * Measures several things alternately, so that other load on the machine affects all of them equally.
 * @returns the median of each, in order
 */
export async function measureAlternately(
  times: number,
  ...measures: readonly (() => Promise<number>)[]
): Promise<number[]> {
  const taken = measures.map((measure) => ({ measure, figures: [] as number[] }));
  for (let time = 0; time < times; time++) {
    for (const { measure, figures } of taken) figures.push(await measure());
  }
  return taken.map(({ figures }) => median(figures));
}
