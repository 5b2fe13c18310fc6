import { z } from 'zod';
import { type EventPeriod, eventDate, periodRefusal } from '../rules/event-period.ts';
import { code, date, flag, id, name, timestamp } from './fields.ts';

export const eventType = z.enum(['single_claim', 'multiple_claims']);
export type EventType = z.infer<typeof eventType>;
export const DEFAULT_EVENT_TYPE: EventType = 'multiple_claims';

/** A date and a time to the nanosecond with its zone has 35 characters. */
const MAX_TIME_LENGTH = 40;
/** A date, optionally followed by a time; only the date counts. */
export const eventTime = z
  .string(code('event.timesRequired'))
  .trim()
  .min(1, code('event.timesRequired'))
  .max(MAX_TIME_LENGTH, code('event.timesRequired'))
  .regex(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/)
  .refine((time) => date.safeParse(eventDate(time)).success);

export const event = z.object({
  id,
  name: z.string(),
  type: eventType,
  start_time: z.string(),
  end_time: z.string(),
  single_claim_template: z.string().nullable(),
  is_active: flag,
  claim_count: z.number().int().min(0),
  created_at: timestamp,
});
export type Event = z.infer<typeof event>;
/** The count of claims is left out: every claim changes it. */
export type ActiveEvent = Pick<
  Event,
  'id' | 'name' | 'type' | 'start_time' | 'end_time' | 'single_claim_template'
>;
/** The fields of an event that the rules need. */
export type EventFacts = Pick<Event, 'id' | 'type' | 'start_time' | 'end_time'>;

const eventFields = z.object({
  name: name('event.nameRequired'),
  type: eventType,
  start_time: eventTime,
  end_time: eventTime,
  single_claim_template: z.string().trim().max(2000).nullish(),
});

const newEventFields = eventFields.extend({ type: eventType.default(DEFAULT_EVENT_TYPE) });

function checkPeriod(event: EventPeriod, check: z.RefinementCtx): void {
  // A check of the whole runs beside those of its fields, also where they refused: only a period can be judged.
  if (![event.start_time, event.end_time].every((time) => eventTime.safeParse(time).success))
    return;
  const refusal = periodRefusal(event);
  if (refusal) check.addIssue({ code: 'custom', message: refusal, path: ['end_time'] });
}

export const eventInput = newEventFields.superRefine(checkPeriod);
export type EventInput = z.infer<typeof eventInput>;

/** `activate`: the new event is the active one at once. */
export const newEvent = newEventFields
  .extend({ activate: z.boolean().default(false) })
  .superRefine(checkPeriod);
export type NewEvent = z.infer<typeof newEvent>;

/** Only the fields it carries are changed. */
export const eventChange = eventFields.partial();
export type EventChange = z.infer<typeof eventChange>;

/** The upcoming claims within an event's dates that are of another event or of none, and those of them that fit into it. */
export const activationAnswer = z.object({ outside: z.number().int(), fitting: z.number().int() });
export type ActivationAnswer = z.infer<typeof activationAnswer>;

/** Whether the claims that fit into the event become its own. */
export const activation = z.object({ take_claims: z.boolean().default(false) });
export type Activation = z.infer<typeof activation>;
