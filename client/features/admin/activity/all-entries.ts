import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { getActivityLog } from '../../../api/calls.ts';
import { queryOf } from './matches-filter.ts';
import type { ActivityFilter } from './use-activity-view.ts';

/** The most that the server answers at once. */
const MOST_AT_ONCE = 500;

/**
 * Every entry that matches, the newest first, read page by page.
 * @param onProgress told how many of how many are here
 * @throws ApiError; what the signal is aborted with
 */
export async function allEntries(
  filter: ActivityFilter,
  signal: AbortSignal,
  onProgress: (done: number, all: number) => void,
): Promise<ActivityEntry[]> {
  const entries: ActivityEntry[] = [];
  for (;;) {
    const last = entries.at(-1);
    const page = { limit: MOST_AT_ONCE, page: 1, ...queryOf(filter), ...(last ? { before: last.id } : {}) };
    const { logs, filtered } = await getActivityLog(page, signal);
    signal.throwIfAborted();
    entries.push(...logs);
    onProgress(entries.length, Math.max(filtered, entries.length));
    if (logs.length < MOST_AT_ONCE) return entries;
  }
}
