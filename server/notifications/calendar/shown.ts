import { z } from 'zod';
import type { ServerSaveDate, Timestamp } from '../../db/columns.ts';

/** Where and when a part of a claim is, on one date. */
export interface Standing {
  claim_id: number;
  date: ServerSaveDate;
  part_number: number;
  respawn_id: number;
  respawn_name: string;
  hour_start: number;
  hour_end: number;
  starts_at: Timestamp;
  ends_at: Timestamp;
  is_secondary: boolean;
}

const shownEvent = z.object({
  claim_id: z.number(),
  date: z.string(),
  /** Which of its claim's events on that date: what is its own for good, while a claim's parts may be counted anew. */
  slot: z.number(),
  respawn_id: z.number(),
  respawn_name: z.string(),
  hour_start: z.number(),
  hour_end: z.number(),
  starts_at: z.string(),
  ends_at: z.string(),
  is_secondary: z.boolean(),
  is_cancelled: z.boolean(),
  /** The calendar's revision in which it last became another one. */
  sequence: z.number(),
  changed_at: z.string(),
});
/** An event as the calendar says it. */
export type ShownEvent = z.infer<typeof shownEvent>;

const shownEvents = z.array(shownEvent);

/** What a calendar said last, as it is stored. */
export const readShown = (stored: string): ShownEvent[] => shownEvents.parse(JSON.parse(stored));
