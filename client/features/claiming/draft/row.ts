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

/** A date with nothing chosen for it. */
export const emptyRow = (date: string): ClaimFormRow => ({
  date,
  hour_start: null,
  custom_duration: null,
  split: null,
  secondary: null,
});
