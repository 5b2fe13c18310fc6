import { useCallback, useEffect, useRef, useState } from 'react';
import type { AdminList } from '../../../../shared/schemas/admin.ts';
import { getAdmins } from '../../../api/admins.ts';

interface AdminsView {
  list: AdminList | null;
  /** Why it could not be had; null: it was. What was told last stays. */
  failure: unknown;
  /** Asks now; settles when the answer is in the list. */
  ask: () => Promise<void>;
}

/** The admins, who come by no live connection: asked when the tab opens, after each deed, and when somebody comes back to the page. */
export function useAdmins(): AdminsView {
  const [list, setList] = useState<AdminList | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const last = useRef<AbortController>(undefined);
  const ask = useCallback(async (): Promise<void> => {
    // An answer that was asked for before may come after this one.
    last.current?.abort();
    const controller = new AbortController();
    last.current = controller;
    try {
      const told = await getAdmins(controller.signal);
      if (controller.signal.aborted) return;
      setList(told);
      setFailure(null);
    } catch (error) {
      if (!controller.signal.aborted) setFailure(error);
    }
  }, []);
  useEffect(() => {
    const askAgain = (): void => void ask();
    askAgain();
    window.addEventListener('focus', askAgain);
    return () => {
      window.removeEventListener('focus', askAgain);
      last.current?.abort();
    };
  }, [ask]);
  return { list, failure, ask };
}
