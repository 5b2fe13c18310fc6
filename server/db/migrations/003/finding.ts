import type { Json } from '../../../../shared/errors.ts';

/** Two rows with one name, and what became of them: the details of an entry in the activity log. */
export type Finding = Readonly<Record<string, Json>>;

/** Rows read at a time. */
export const BATCH = 1_000;
