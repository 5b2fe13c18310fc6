/** The middle one, or of an even number the upper of the two. @throws Error for no numbers */
export function median(numbers: readonly number[]): number {
  const middle = [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
  if (middle === undefined) throw new Error('there is no median of nothing');
  return middle;
}
