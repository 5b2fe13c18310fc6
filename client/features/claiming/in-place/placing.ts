import { create } from 'zustand';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { hideTip } from '../../../ui/tooltip.tsx';
import type { Claimant } from '../draft/submission-body.ts';

/** A claim that is being put together on the board. */
export interface Placing {
  /** Tells one from the next: each is put together anew. */
  id: number;
  respawn_id: number;
  /** The server-save date in view. */
  date: string;
  /** What was chosen, as the board knew it then; null: nothing can be had, and the refusal says why. */
  range: HourRange | null;
  claimant: Claimant;
  /** The hours are being painted, or they stand and it is asked for whom. */
  phase: 'drawing' | 'asking';
  /** What was pressed: the focus returns there. */
  anchor: HTMLElement;
}

/** One at a time, for the whole board. Only what shows it listens to it: no card and no row does. */
export const usePlacing = create<{ placing: Placing | null }>(() => ({ placing: null }));

let lastId = 0;

export function startPlacing(begun: Omit<Placing, 'id'>): void {
  // The hour's own tip would lie on what is said of all that are chosen.
  hideTip();
  lastId += 1;
  usePlacing.setState({ placing: { ...begun, id: lastId } });
}

/** Goes on with what is being put together; nothing where it was given up. */
export function changePlacing(change: Partial<Pick<Placing, 'range' | 'phase' | 'claimant'>>): void {
  const { placing } = usePlacing.getState();
  if (placing) usePlacing.setState({ placing: { ...placing, ...change } });
}

export const stopPlacing = (): void => usePlacing.setState({ placing: null });

/** Closes this claim's panel, unless another one has been opened while its answer was under way. */
export function finishPlacing(id: number): void {
  if (usePlacing.getState().placing?.id === id) stopPlacing();
}
