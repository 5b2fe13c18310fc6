import { create } from 'zustand';
import type { HourRange } from '../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';

/** A claim on the board that an admin pressed, and the element that shows it. */
export interface AskedBar {
  claim: ClaimOnRespawn;
  anchor: HTMLElement;
  /** The hours that its end was dragged to; without them it is asked what to do. */
  times?: HourRange;
  /** The server-save date on which the admin may wait for its hours, too. */
  wait_on?: string;
}

/** What is asked about at the moment: the board knows what is pressed, and the admin's part what can be done with it. */
export const useAskedBar = create<{ asked: AskedBar | null }>(() => ({ asked: null }));

export const askAboutBar = (asked: AskedBar): void => useAskedBar.setState({ asked });
export const stopAskingAboutBar = (): void => useAskedBar.setState({ asked: null });

/** Closes what was opened for this press, unless another claim has been pressed while its answer was under way. */
export function finishAskingAboutBar(asked: AskedBar): void {
  if (useAskedBar.getState().asked === asked) stopAskingAboutBar();
}
