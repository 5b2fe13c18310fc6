import { compareText, orderOf } from './order.ts';

/** What a value is sorted by: names as every list has them, numbers by size. Made once a record, not once a comparison. */
export const sortKey = (value: string | number): string | number => (typeof value === 'number' ? value : orderOf(value));

export const compareKeys = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : compareText(String(a), String(b));

/** In the order in which a table shows them; those with the same value stay in the order they come in. */
export function sortRecords<R>(records: readonly R[], sortBy: (record: R) => string | number, desc: boolean): R[] {
  return records
    .map((record) => ({ record, key: sortKey(sortBy(record)) }))
    .sort((a, b) => (desc ? -1 : 1) * compareKeys(a.key, b.key))
    .map(({ record }) => record);
}
