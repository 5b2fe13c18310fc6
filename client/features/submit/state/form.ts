import type { SecondaryPlace } from '../../../../shared/rules/secondary.ts';
import type { SplitPart } from '../../../../shared/schemas/claim.ts';

export type SplitParts = readonly [SplitPart, SplitPart];

/** One date of the form (section 3 of the specification, "Claim form row"). */
export interface ClaimFormRow {
  date: string;
  /** null: not chosen yet. Kept while the row is split, for when that is cancelled. */
  hour_start: number | null;
  /** Whole hours; null: the whole voucher. */
  custom_duration: number | null;
  /** null: not split. */
  split: SplitParts | null;
  /** The claim that waits elsewhere, beside the primary one. */
  secondary: SecondaryPlace | null;
}

/** What a server save did to the form while it was open. */
export interface DayTurn {
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
