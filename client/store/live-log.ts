import { RecordTable } from '../../shared/record-table.ts';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';

/** So many entries of the log stay when there are too many: the newest. */
export const LIVE_LOG_KEPT = 500;
/** More than these are too many: cut seldom, for each cut looks at all. */
const TOO_MANY = 2 * LIVE_LOG_KEPT;

/** The log as it arrives live, with an end: a page that stays open for weeks hears of every deed. Its tab reads older ones. */
export function withEnd(log: RecordTable<ActivityEntry>): RecordTable<ActivityEntry> {
  if (log.size <= TOO_MANY) return log;
  const newest = [...log.values()].sort((a, b) => b.id - a.id).slice(0, LIVE_LOG_KEPT);
  return RecordTable.of(newest.map((entry) => [entry.id, entry] as const));
}
