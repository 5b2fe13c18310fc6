import { z } from 'zod';
import { MAX_EVENT_DAYS } from '../rules/event-period.ts';
import { addDays } from '../rules/server-save.ts';
import { date, id, idInPath } from './fields.ts';

const count = z.number().int().min(0);

/** Members and spots that statistics name: those with the most hours. */
export const MAX_RANKED = 1_000;

/**
 * Hours that claims have, had until they were over, or used before their claim ended; secondary claims
 * and holds are not counted.
 */
export const statistics = z.object({
  /** Of what they are: an event's claims, or those on dates. */
  event_id: id.nullable(),
  /** Also of one that is archived, which members have no other way to know. */
  event_name: z.string().nullable(),
  from: date,
  to: date,
  hours_by_member: z.array(
    z.object({
      character_name: z.string(),
      member_type: z.string(),
      hours: count,
      no_shows: count,
    }),
  ),
  hours_by_type: z.array(z.object({ member_type: z.string(), hours: count })),
  /** The hours among them of claims that standing claims made. */
  standing_hours: count,
  /** Claims that went to another character: handed over, or moved by an admin; and swapped. */
  transfers: z.object({ handed_over: count, swapped: count }),
  hours_by_hour: z.array(z.object({ hour: z.number().int().min(0).max(23), hours: count })),
  /** Spots for whose hours members wait: how many asked, got them, and lost them in the end. */
  wanted_spots: z.array(
    z.object({ respawn_id: id, respawn_name: z.string(), asked: count, got: count, lost: count }),
  ),
  no_shows: z.array(z.object({ character_name: z.string(), count })),
});
export type Statistics = z.infer<typeof statistics>;

/** Of an event, or of some dates, as many as the longest event has; of neither: the active event, else the last 30 days. */
export const statisticsQuery = z
  .object({ event_id: idInPath.optional(), from: date.optional(), to: date.optional() })
  // A check of the whole runs beside those of its fields, also where they refused.
  .refine(({ from, to }) => (from === undefined) === (to === undefined), { path: ['to'] })
  .refine(
    ({ from, to }) =>
      !isDate(from) || !isDate(to) || (from <= to && to < addDays(from, MAX_EVENT_DAYS)),
    { path: ['to'] },
  );
export type StatisticsQuery = z.infer<typeof statisticsQuery>;

const isDate = (value: string | undefined): value is string => date.safeParse(value).success;
