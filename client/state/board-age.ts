import { create } from 'zustand';

/** A board of which nothing has said for so long that it is still so, tells since when, in milliseconds. */
export const STALE_AFTER_MS = 15_000;

/** Since when nothing has said that the board on the screen is still so, an instant of this computer's clock; null: it is fresh. */
export const useBoardAge = create<{ as_of: number | null }>(() => ({ as_of: null }));

/** When the board on the screen was last as the server has it; null: never yet. */
let heardAt: number | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function wait(): void {
  clearTimeout(timer);
  timer = setTimeout(() => useBoardAge.setState({ as_of: heardAt }), STALE_AFTER_MS);
}

/** Something has said that the board on the screen is as the server has it: a heartbeat is enough where changes follow by themselves. */
export function markBoardFresh(): void {
  heardAt = Date.now();
  if (useBoardAge.getState().as_of !== null) useBoardAge.setState({ as_of: null });
  wait();
}

/** Somebody watches the board on: it grows old from when it was last heard of, whoever watched then. */
export function startBoardAge(): void {
  if (heardAt !== null) wait();
}

/** Nobody watches. */
export const stopBoardAge = (): void => clearTimeout(timer);

/** There is no board any more that could be old. */
export function clearBoardAge(): void {
  clearTimeout(timer);
  heardAt = null;
  useBoardAge.setState({ as_of: null });
}
