import { nameKey } from '../../../../shared/rules/names.ts';
import { addDays, instantOf, type ServerSaveClock } from '../../../../shared/rules/server-save.ts';
import type { ActivityEntry, ActivityQuery } from '../../../../shared/schemas/activity.ts';
import type { ActivityFilter } from './use-activity-view.ts';

/** What the server is asked; what is empty is left out. */
export function queryOf({ action, admin, from, to }: ActivityFilter): Partial<ActivityQuery> {
  return { ...(action && { action }), ...(admin.trim() && { admin: admin.trim() }), ...(from && { from }), ...(to && { to }) };
}

/** The server's own filter, for entries that arrive live. */
export function matchesFilter(filter: ActivityFilter, clock: ServerSaveClock): (entry: ActivityEntry) => boolean {
  const { action, from, to } = filter;
  const admin = nameKey(filter.admin);
  const begins = from ? instantOf(from, 0, clock).toISOString() : '';
  const ends = to ? instantOf(addDays(to, 1), 0, clock).toISOString() : '';
  return (entry) =>
    (action === '' || entry.action === action) &&
    (admin === '' || nameKey(entry.admin_username ?? '') === admin) &&
    entry.timestamp >= begins &&
    (ends === '' || entry.timestamp < ends);
}
