import { z } from 'zod';
import { timestamp } from './fields.ts';
import { MAX_SECRET_LENGTH } from './session.ts';

const calendarLanguage = z.enum(['en', 'es', 'pt']);
export type CalendarLanguage = z.infer<typeof calendarLanguage>;

/** The caller's access key where none is in a header. */
export const calendarActor = z.object({ access_key: z.string().max(MAX_SECRET_LENGTH).nullish() });

export const calendarInput = calendarActor.extend({ language: calendarLanguage.default('en') });

/** Whether a member has a calendar, and since when; never again where it is. */
export const calendarState = z.object({ exists: z.boolean(), made_at: timestamp.nullable() });
export type CalendarState = z.infer<typeof calendarState>;

/** The address of a new calendar: knowing it is enough to read it. A path if the server doesn't know its public address. */
export const calendarAddress = z.object({
  url: z.string().regex(/^(https?:\/\/[^/]+)?\/calendar\//),
});
