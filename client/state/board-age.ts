import { create } from 'zustand';

/** A board is out of date after this long without confirmation, in milliseconds. */
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

/** The server confirmed the board; a heartbeat is enough on a live connection. */
export function markBoardFresh(): void {
  heardAt = Date.now();
  if (useBoardAge.getState().as_of !== null) useBoardAge.setState({ as_of: null });
  wait();
}

/** Watching resumes: count from the last confirmation. */
export function startBoardAge(): void {
  if (heardAt !== null) wait();
}

export const stopBoardAge = (): void => clearTimeout(timer);

/** There is no board any more that could be old. */
export function clearBoardAge(): void {
  clearTimeout(timer);
  heardAt = null;
  useBoardAge.setState({ as_of: null });
}
