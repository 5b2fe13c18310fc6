import { type ActivityAction, isActivityAction } from '../../../../shared/activity-actions.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { addDays, instantOf, type ServerSaveClock } from '../../../../shared/rules/server-save.ts';
import type { ActivityEntry, ActivityQuery } from '../../../../shared/schemas/activity.ts';
import { date as dateSchema } from '../../../../shared/schemas/fields.ts';
import { useQueryState } from '../../../lib/use-query-state.ts';

const PARAMETERS = ['action', 'admin', 'from', 'to'];

/** What of the log is shown. Empty: any. The dates are server-save dates, both included. */
export interface ActivityFilter {
  action: ActivityAction | '';
  admin: string;
  from: string;
  to: string;
}

export interface ActivityView {
  filter: ActivityFilter;
  /** The dates as they are typed: the first digit of a year is none yet, but has to stand. */
  typed: { from: string; to: string };
  isFiltered: boolean;
  change: (change: Partial<ActivityFilter>) => void;
  clear: () => void;
}

/** What is no date filters nothing: anybody may write an address. */
const dateIn = (text: string): string => (dateSchema.safeParse(text).success ? text : '');

/** `?action=claim_deleted&admin=thora&from=2026-11-01&to=2026-11-21`. */
export function useActivityView(): ActivityView {
  const [{ action = '', admin = '', from = '', to = '' }, change] = useQueryState(PARAMETERS);
  const filter: ActivityFilter = { action: isActivityAction(action) ? action : '', admin, from: dateIn(from), to: dateIn(to) };
  return {
    filter,
    typed: { from, to },
    isFiltered: [action, admin, from, to].some((value) => value.trim() !== ''),
    change,
    clear: () => change({ action: '', admin: '', from: '', to: '' }),
  };
}

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
