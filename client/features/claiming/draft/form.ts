import type { ClaimFormRow } from './row.ts';

/** What a server save did to the form while it was open. */
interface DayTurn {
  /** The dates that ended, in order. */
  over: readonly string[];
  /** The date that the form stands on since. */
  to: string;
  /** What the row that stands there was before: it is still the same row, its focus and its place are kept. */
  row: string;
}

export interface FormState {
  respawn_id: number | null;
  /** By date, each date once. */
  rows: readonly ClaimFormRow[];
  /** The date whose hours are in view. */
  open_date: string | null;
  /** The date the form began with by itself, not on request. */
  suggested_date: string | null;
  /** The day that was asked for is over, and another one stands in its place; said until a date is added. */
  is_link_over: boolean;
  /** A chosen date ended while the form was open; said until a date is added. */
  turn: DayTurn | null;
  /** A submission was tried: from now on what is missing is said where it is missing. */
  tried: boolean;
}
