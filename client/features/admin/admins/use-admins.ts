import { useCallback, useEffect, useRef, useState } from 'react';
import { ADMIN_LIST_ACTIONS } from '../../../../shared/activity-actions.ts';
import type { RecordTable } from '../../../../shared/record-table.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import type { AdminList } from '../../../../shared/schemas/admin.ts';
import { getAdmins } from '../../../api/admins.ts';
import { useBoard } from '../../../state/board-store.ts';

interface AdminsView {
  /** The last list that was read; null before the first. It stays when a later read fails. */
  list: AdminList | null;
  /** Why the last read failed; null if it succeeded. */
  failure: unknown;
  /** Reads the list now. Resolves when the answer is in `list`, or when a later read has replaced this one. */
  ask: () => Promise<void>;
}

/**
 * The admins and open invitations. The list itself is not sent live, but every change to it writes an activity entry, which is:
 * the list is read again when such an entry arrives. Also when the tab opens, after the live connection was lost, after each
 * change made here, and when the window gets the focus.
 */
export function useAdmins(): AdminsView {
  const [list, setList] = useState<AdminList | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const last = useRef<AbortController>(undefined);
  const ask = useCallback(async (): Promise<void> => {
    // An earlier read may be answered after this one.
    last.current?.abort();
    const controller = new AbortController();
    last.current = controller;
    try {
      const answer = await getAdmins(controller.signal);
      if (controller.signal.aborted) return;
      setList(answer);
      setFailure(null);
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error);
    }
  }, []);
  useEffect(() => {
    const askAgain = (): void => void ask();
    askAgain();
    window.addEventListener('focus', askAgain);
    const unsubscribe = useBoard.subscribe((board, before) => {
      const isBack = board.connection === 'live' && before.connection !== 'live';
      if (isBack || hasListChange(before.byKind.activity, board.byKind.activity)) askAgain();
    });
    return () => {
      window.removeEventListener('focus', askAgain);
      unsubscribe();
      last.current?.abort();
    };
  }, [ask]);
  return { list, failure, ask };
}

function hasListChange(before: RecordTable<ActivityEntry>, after: RecordTable<ActivityEntry>): boolean {
  return before !== after && newestListChange(before) !== newestListChange(after);
}

/** The id of the newest entry about the list; 0 if there is none. */
function newestListChange(log: RecordTable<ActivityEntry>): number {
  let newest = 0;
  for (const { id, action } of log.values()) if (id > newest && ADMIN_LIST_ACTIONS.has(action)) newest = id;
  return newest;
}
