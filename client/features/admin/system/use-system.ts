import { useCallback, useEffect, useRef, useState } from 'react';
import type { System } from '../../../../shared/schemas/system.ts';
import { getSystem } from '../../../api/calls.ts';

/** How often the server is asked while something is under way there, and else, in milliseconds. */
const SOON_MS = 1_000;
const LATER_MS = 15_000;

interface SystemView {
  system: System | null;
  /** Why it could not be asked; null: it was. What it told last stays. */
  failure: unknown;
  /** Asks now. */
  ask: () => void;
}

/** What the server knows of itself, asked again and again for as long as it is looked at. */
export function useSystem(): SystemView {
  const [system, setSystem] = useState<System | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const ask = useCallback(() => setTurn((before) => before + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks once
  useEffect(() => {
    const controller = new AbortController();
    const askOnce = async (): Promise<void> => {
      let isBusy = false;
      try {
        const told = await getSystem(controller.signal);
        isBusy = told.checkup.running !== null || told.backup.running !== null;
        setSystem(told);
        setFailure(null);
      } catch (error) {
        if (controller.signal.aborted) return;
        setFailure(error);
      }
      timer.current = setTimeout(ask, isBusy ? SOON_MS : LATER_MS);
    };
    void askOnce();
    return () => {
      controller.abort();
      clearTimeout(timer.current);
    };
  }, [turn, ask]);
  return { system, failure, ask };
}
