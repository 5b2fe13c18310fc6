import type { FieldError, FieldErrors, Resolver } from 'react-hook-form';
import { eventDate, periodRefusal } from '../../../../shared/rules/event-period.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import { addDays } from '../../../../shared/rules/server-save.ts';
import { DEFAULT_EVENT_TYPE, type Event, type EventChange, type EventInput, eventInput } from '../../../../shared/schemas/event.ts';

/** An event as its form holds it: times as the date-and-time inputs have them, texts never null. */
export interface EventValues {
  name: string;
  type: Event['type'];
  start_time: string;
  end_time: string;
  single_claim_template: string;
}
export const EVENT_FIELDS = ['name', 'type', 'start_time', 'end_time', 'single_claim_template'] as const;

/** How long a new event is proposed to last, in days. */
const PROPOSED_DAYS = 14;

const inputTime = (time: string, bareDate: '00:00' | '23:59'): string => `${eventDate(time)}T${time.slice(11, 16) || bareDate}`;

export function valuesOf({ name, type, start_time, end_time, single_claim_template }: Event): EventValues {
  return {
    name,
    type,
    start_time: inputTime(start_time, '00:00'),
    end_time: inputTime(end_time, '23:59'),
    single_claim_template: single_claim_template ?? '',
  };
}

/** Two weeks from today's server save on; the last day counts whole. */
export function proposedValues(today: string, ss_hour: number): EventValues {
  return {
    name: '',
    type: DEFAULT_EVENT_TYPE,
    start_time: `${today}T${String(ss_hour).padStart(2, '0')}:00`,
    end_time: `${addDays(today, PROPOSED_DAYS - 1)}T23:59`,
    single_claim_template: '',
  };
}

/** A template belongs to single_claim events only. */
const templateOf = ({ type, single_claim_template }: EventValues): string => (type === 'single_claim' ? single_claim_template.trim() : '');

export function inputOf(values: EventValues): EventInput {
  return { ...values, name: tidyName(values.name), single_claim_template: templateOf(values) || null };
}

/** The fields in which two versions differ. */
export function differingFields(before: EventValues, after: EventValues): (keyof EventValues)[] {
  return EVENT_FIELDS.filter((field) =>
    field === 'single_claim_template' ? templateOf(before) !== templateOf(after) : before[field] !== after[field],
  );
}

/** What has to be sent so that the stored event becomes what the form says; other fields stay whosever they are. */
export function changeOf(stored: Event, values: EventValues): EventChange {
  const wanted = inputOf(values);
  return Object.fromEntries(differingFields(valuesOf(stored), { ...values, name: wanted.name }).map((field) => [field, wanted[field]]));
}

const refused = (message: string): FieldError => ({ type: 'refused', message });

/** Checks with the schema of the server. A message is one of our error codes, or the schema's own words. */
export const checkEvent: Resolver<EventValues> = (values) => {
  const errors: FieldErrors<EventValues> = {};
  for (const { path, message } of eventInput.safeParse(inputOf(values)).error?.issues ?? []) {
    const field = EVENT_FIELDS.find((one) => one === path[0]);
    if (field) errors[field] ??= refused(message);
  }
  // The schema looks at the period only when every field is right by itself; the form says both at once.
  if (!errors.start_time && !errors.end_time) {
    const refusal = periodRefusal(values);
    if (refusal) errors.end_time = refused(refusal);
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
};
