import { z } from 'zod';
import { date, hourEnd, hourStart, id } from './fields.ts';

/**
 * Hours on the active event's dates that a claim of another event, or of none, occupies: the board does not list that claim, but
 * its hours are taken.
 */
export const occupancy = z.object({
  /** The claim's. */
  id,
  character_name: z.string(),
  /** null: the claim is of no event. */
  event_name: z.string().nullable(),
  /** The dates that the claim covers. */
  first_date: date,
  last_date: date,
  parts: z.array(z.object({ respawn_id: id, hour_start: hourStart, hour_end: hourEnd })),
});
export type Occupancy = z.infer<typeof occupancy>;

/** One part of it, as a respawn's list has it. */
export const occupiedHours = occupancy
  .omit({ parts: true })
  .extend({ hour_start: hourStart, hour_end: hourEnd });
export type OccupiedHours = z.infer<typeof occupiedHours>;
