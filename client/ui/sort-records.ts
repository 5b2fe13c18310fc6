/** Letters without case or accents, numbers by size, dates as they are written. */
const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

export const compareValues = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

/** In the order in which a table shows them; those with the same value stay in the order they come in. */
export function sortRecords<R>(records: readonly R[], sortBy: (record: R) => string | number, desc: boolean): R[] {
  return [...records].sort((a, b) => (desc ? -1 : 1) * compareValues(sortBy(a), sortBy(b)));
}
