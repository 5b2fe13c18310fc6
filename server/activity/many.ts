import { type BulkAnswer, NAMED_IN_LOG } from '../../shared/schemas/bulk.ts';

/** What the one entry of a deed to many says of all of them: how many, and the first names, each once. */
export function manyOf(names: readonly string[]): { count: number; names: string[] } {
  return { count: names.length, names: [...new Set(names)].slice(0, NAMED_IN_LOG) };
}

/** The answer where nothing was to be done. */
export const allUnchanged = (ids: readonly number[]): BulkAnswer => ({ changed: 0, unchanged: ids.length, activity_id: null });
