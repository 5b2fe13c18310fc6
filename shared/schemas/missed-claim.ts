import { z } from 'zod';
import { date, id, timestamp } from './fields.ts';

/** A no-show that counts (R9.29): that of a claim, or of one part of a split one. */
const missedClaim = z.object({
  claim_id: id,
  date,
  /** When it was recorded. */
  ended_at: timestamp,
});
export type MissedClaim = z.infer<typeof missedClaim>;

/** An excused no-show. */
export const excused = z.object({
  /** Its entries of the claim history: one for each missed part. */
  ids: z.array(id),
  /** The entry of the activity log that undoes it. */
  activity_id: id,
});
export type Excused = z.infer<typeof excused>;
