import { useEffect } from 'react';
import { ADMIN_LIST_ACTIONS } from '../../../../shared/activity-actions.ts';
import type { RecordTable } from '../../../../shared/record-table.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { refreshQuery } from '../../../api/query.ts';
import { useBoard } from '../../../state/board-store.ts';

/**
 * The list is not sent live, but each change to it writes an activity entry, which is: refreshes the list when such an entry arrives,
 * and when the window gets the focus.
 */
export function useFollowAdmins(): void {
  useEffect(() => {
    const refresh = (): void => void refreshQuery('admins');
    window.addEventListener('focus', refresh);
    const unsubscribe = useBoard.subscribe((board, before) => {
      const log = board.byKind.activity;
      const logBefore = before.byKind.activity;
      if (log !== logBefore && newestListChange(log) !== newestListChange(logBefore)) refresh();
    });
    return () => {
      window.removeEventListener('focus', refresh);
      unsubscribe();
    };
  }, []);
}

function newestListChange(log: RecordTable<ActivityEntry>): number {
  let newest = 0;
  for (const { id, action } of log.values())
    if (id > newest && ADMIN_LIST_ACTIONS.has(action)) newest = id;
  return newest;
}
