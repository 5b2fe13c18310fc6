import { create } from 'zustand';

/** The board's last filters, view and date (its query), and its scroll position. */
let left = { search: '', scroll: 0 };

export function saveLastBoard(change: Partial<typeof left>): void {
  left = { ...left, ...change };
}

export const lastBoard = (): Readonly<typeof left> => left;

/**
 * The address of the last board, on a claim's date.
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

/** History state that names a spot to show: a link from elsewhere can't scroll the board. */
export const shownSpot = (id: number): { shown_spot: number } => ({ shown_spot: id });

export function shownSpotIn(state: unknown): number | null {
  if (typeof state !== 'object' || state === null || !('shown_spot' in state)) return null;
  return typeof state.shown_spot === 'number' ? state.shown_spot : null;
}

/** The claim in an address from a calendar or notification: `/?date=2026-11-21&claim=12`. */
export const claimIn = (search: string): number | null => idIn(search, 'claim');

/** The waitlist entry in a notification's address: `/mine?wait=5`. */
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
  /** The keyboard goes on from there. */
  takesFocus?: boolean;
}

/** The spot to show: its card scrolls into view and is highlighted; null: none. */
export const useShownSpot = create<{ spot: ShownSpot | null }>(() => ({ spot: null }));

let timer: ReturnType<typeof setTimeout> | undefined;

/** A busy device draws the board late; a spot that isn't there by then is no longer wanted. In milliseconds. */
const DRAWN_WITHIN_MS = 15_000;

function forgetAfter(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => useShownSpot.setState({ spot: null }), ms);
}

/** Brings a spot's card into view as soon as the board shows it on that date, and rings it for a moment. */
export function showSpot(spot: ShownSpot): void {
  useShownSpot.setState({ spot });
  forgetAfter(DRAWN_WITHIN_MS);
}

/** The spot is in view: its ring goes after a moment. */
export const startRing = (): void => forgetAfter(RINGED_MS);
