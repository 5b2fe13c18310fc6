import { create } from 'zustand';

/** How long a spot stays ringed, in milliseconds. */
export const RINGED_MS = 4_000;

interface ShownSpot {
  respawn_id: number;
  /** The server-save date it is to be shown on. */
  date: string;
}

/** The spot that somebody asked to be shown: its card comes into view with a ring; null: none, or long ago. */
export const useShownSpot = create<{ shown: ShownSpot | null }>(() => ({ shown: null }));

let timer: ReturnType<typeof setTimeout> | undefined;

/** Brings a spot's card into view as soon as the board shows it on that date, and rings it for a moment. */
export function showSpot(shown: ShownSpot): void {
  clearTimeout(timer);
  useShownSpot.setState({ shown });
  timer = setTimeout(() => useShownSpot.setState({ shown: null }), RINGED_MS);
}
