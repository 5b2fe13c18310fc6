import { create } from 'zustand';

/** Where the board was left on this page: its filters, view and date as its address has them, and how far it was scrolled. */
let left = { search: '', scroll: 0 };

export function saveLastBoard(change: Partial<typeof left>): void {
  left = { ...left, ...change };
}

export const lastBoard = (): Readonly<typeof left> => left;

/**
 * The board as it was left, on the date of a claim.
 * @param date null: every date of an event; the board stays on its own
 * @param today a board on today goes on with the days: it names no date
 */
export function boardAddress(date: string | null, today: string): string {
  const query = new URLSearchParams(left.search);
  if (date !== null) query.set('date', date);
  if (date === today) query.delete('date');
  const search = query.toString();
  return search ? `/?${search}` : '/';
}

/** Which spot the board is to show, for the history: a link from elsewhere scrolls nobody's board. */
export const shownSpot = (id: number): { shown_spot: number } => ({ shown_spot: id });

export function shownSpotIn(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('shown_spot' in state)) return null;
  return typeof state.shown_spot === 'number' ? state.shown_spot : null;
}

/** Which claim an address from a calendar or a notice is about: `/?date=2026-11-21&claim=12`. */
export const claimIn = (search: string): number | null => idIn(search, 'claim');

/** Which wait the address of a notice is about: `/mine?wait=5`. */
export const waitIn = (search: string): number | null => idIn(search, 'wait');

function idIn(search: string, name: string): number | null {
  const id = new URLSearchParams(search).get(name);
  return id !== null && /^\d{1,10}$/.test(id) ? Number(id) : null;
}

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
