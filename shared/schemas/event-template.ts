import { z } from 'zod';
import { MAX_EVENT_DAYS } from '../rules/event-period.ts';
import { eventType } from './event.ts';
import { id, name, timestamp } from './fields.ts';

/** Event templates of a guild. */
export const MAX_TEMPLATES = 30;
/** Of the events that a template made, the last so many are remembered: where they are deleted, it goes on after the one before. */
export const MAX_MADE_KEPT = 20;

/** 0 for Sunday to 6 for Saturday; null: the day after the one before. */
const weekday = z.number().int().min(0).max(6).nullable();
/** Whether the previous event's claims are copied. */
const claims = z.enum(['none', 'all']);

/** Creates the next event of a series with one click. */
export const eventTemplate = z.object({
  id,
  /** The pattern of the events' names: `{n}` counts, `{start}` and `{end}` are their dates. */
  name: z.string(),
  type: eventType,
  /** How many dates each has. */
  days: z.number().int().min(1).max(MAX_EVENT_DAYS),
  weekday,
  /** The times of day. */
  start_clock: z.string(),
  end_clock: z.string(),
  single_claim_template: z.string().nullable(),
  claims,
  /** The events it was made of and those it created, the last one last; some may be deleted. */
  made_events: z.array(id),
  created_at: timestamp,
});
export type EventTemplate = z.infer<typeof eventTemplate>;

export const eventTemplateInput = z.object({
  /** The event that it is made of. */
  event_id: id,
  name: name('template.nameRequired'),
  weekday: weekday.default(null),
  claims: claims.default('none'),
});
export type EventTemplateInput = z.input<typeof eventTemplateInput>;

export const templateUse = z.object({
  /** The newest event the caller knows, after which the next one is created: two clicks don't create two. */
  after: id.nullish(),
  /** Only previews: nothing is written. */
  preview: z.boolean().default(false),
});
export type TemplateUse = z.input<typeof templateUse>;
