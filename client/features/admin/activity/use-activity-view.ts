import type { ActivityAction } from '../../../../shared/schemas/activity.ts';
import { useQueryState } from '../../../lib/use-query-state.ts';
import { isAction } from './actions.ts';

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
  isFiltered: boolean;
  change: (change: Partial<ActivityFilter>) => void;
  clear: () => void;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const dateIn = (text: string): string => (DATE.test(text) ? text : '');

/** `?action=claim_deleted&admin=thora&from=2026-11-01&to=2026-11-21`. */
export function useActivityView(): ActivityView {
  const [{ action = '', admin = '', from = '', to = '' }, change] = useQueryState(PARAMETERS);
  const filter: ActivityFilter = { action: isAction(action) ? action : '', admin, from: dateIn(from), to: dateIn(to) };
  return {
    filter,
    isFiltered: Object.values(filter).some((value) => value.trim() !== ''),
    change,
    clear: () => change({ action: '', admin: '', from: '', to: '' }),
  };
}
