import { create } from 'zustand';

/** A board is stale after this long without confirmation, in milliseconds. */
export const STALE_AFTER_MS = 15_000;

/** When the board on the screen was last confirmed, by this computer's clock, if it is stale; null: it is fresh. */
export const useStaleBoard = create<{ confirmed_at: number | null }>(() => ({
  confirmed_at: null,
}));

/** null: never yet. */
let lastConfirmedAt: number | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function restartTimer(): void {
  clearTimeout(timer);
  timer = setTimeout(
    () => useStaleBoard.setState({ confirmed_at: lastConfirmedAt }),
    STALE_AFTER_MS,
  );
}

/** The server confirmed the board; a heartbeat is enough on a live connection. */
export function confirmBoard(): void {
  lastConfirmedAt = Date.now();
  if (useStaleBoard.getState().confirmed_at !== null)
    useStaleBoard.setState({ confirmed_at: null });
  restartTimer();
}

export function startStaleTimer(): void {
  if (lastConfirmedAt !== null) restartTimer();
}

export const stopStaleTimer = (): void => clearTimeout(timer);

/** The board is empty, so it can't be stale. */
export function resetBoardFreshness(): void {
  clearTimeout(timer);
  lastConfirmedAt = null;
  useStaleBoard.setState({ confirmed_at: null });
}
