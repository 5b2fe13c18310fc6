import { create } from 'zustand';
import type { HourRange } from '../../shared/rules/hours.ts';

/** Hours that somebody else holds, and that it was asked to wait for. */
export interface AskedWait extends HourRange {
  /** Tells one press from the next: each is asked about anew. */
  id: number;
  respawn_id: number;
  date: string;
  /** What was pressed: the focus returns there. */
  anchor: HTMLElement;
}

/** What is asked about at the moment, on the whole board; only what shows it listens to it. */
export const useAskedWait = create<{ asked: AskedWait | null }>(() => ({ asked: null }));

let lastId = 0;

/** Opens "Wait for these hours" beside what was pressed. */
export function askToWait(asked: Omit<AskedWait, 'id'>): void {
  lastId += 1;
  useAskedWait.setState({ asked: { ...asked, id: lastId } });
}

export const stopAskingToWait = (): void => useAskedWait.setState({ asked: null });

/** Closes this question, unless another one has been opened while its answer was under way. */
export function finishAskingToWait(id: number): void {
  if (useAskedWait.getState().asked?.id === id) stopAskingToWait();
}
