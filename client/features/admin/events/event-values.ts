import type { FieldError, FieldErrors, Resolver } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import {
  type EventPeriod,
  eventDate,
  periodRefusal,
  wholeDays,
} from '../../../../shared/rules/event-period.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import { addDays } from '../../../../shared/rules/server-save.ts';
import {
  DEFAULT_EVENT_TYPE,
  type Event,
  type EventChange,
  type EventInput,
  eventInput,
} from '../../../../shared/schemas/event.ts';
import { type DayStyle, useDayText } from '../../../lib/time-text.ts';

/** An event as its form holds it: dates without a time of day, texts never null. */
export interface EventValues {
  name: string;
  type: Event['type'];
  start_time: string;
  end_time: string;
  single_claim_template: string;
}
const EVENT_FIELDS = ['name', 'type', 'start_time', 'end_time', 'single_claim_template'] as const;

/** The proposed length of a new event. */
const PROPOSED_DAYS = 14;

export function valuesOf({
  name,
  type,
  start_time,
  end_time,
  single_claim_template,
}: Event): EventValues {
  return {
    name,
    type,
    start_time: eventDate(start_time),
    end_time: eventDate(end_time),
    single_claim_template: single_claim_template ?? '',
  };
}

/** Two weeks from today. */
export function proposedValues(today: string): EventValues {
  return {
    name: '',
    type: DEFAULT_EVENT_TYPE,
    start_time: today,
    end_time: addDays(today, PROPOSED_DAYS - 1),
    single_claim_template: '',
  };
}

/** A template belongs to single_claim events only. */
const templateOf = ({ type, single_claim_template }: EventValues): string =>
  type === 'single_claim' ? single_claim_template.trim() : '';

export function inputOf(values: EventValues): EventInput {
  return {
    ...values,
    ...wholeDays(values),
    name: tidyName(values.name),
    single_claim_template: templateOf(values) || null,
  };
}

/** The fields in which two versions differ. */
export function differingFields(before: EventValues, after: EventValues): (keyof EventValues)[] {
  return EVENT_FIELDS.filter((field) =>
    field === 'single_claim_template'
      ? templateOf(before) !== templateOf(after)
      : before[field] !== after[field],
  );
}

/** The request that turns the stored event into the form's values; unchanged fields are left out. */
export function changeOf(stored: Event, values: EventValues): EventChange {
  const wanted = inputOf(values);
  const changed = new Set(differingFields(valuesOf(stored), { ...values, name: wanted.name }));
  // The stored time of day may be that of the other end, which one day would not allow.
  const isOneDay =
    values.start_time === values.end_time && (changed.has('start_time') || changed.has('end_time'));
  if (isOneDay) changed.add('start_time').add('end_time');
  return Object.fromEntries(
    EVENT_FIELDS.filter((field) => changed.has(field)).map((field) => [field, wanted[field]]),
  );
}

const refused = (message: string): FieldError => ({ type: 'refused', message });

/** Checks with the server's schema. A message is one of our error codes, or zod's own text. */
export const checkEvent: Resolver<EventValues> = (values) => {
  const errors: FieldErrors<EventValues> = {};
  for (const { path, message } of eventInput.safeParse(inputOf(values)).error?.issues ?? []) {
    const field = EVENT_FIELDS.find((one) => one === path[0]);
    if (field) errors[field] ??= refused(message);
  }
  // The schema checks the period only if each field is valid; the form reports both.
  if (!errors.start_time && !errors.end_time) {
    const refusal = periodRefusal(values);
    if (refusal) errors.end_time = refused(refusal);
  }
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
};

const LABEL = {
  name: 'name',
  type: 'type',
  start_time: 'start',
  end_time: 'end',
  single_claim_template: 'template',
} as const;

/** An event's dates in words; one date if it lasts one day. */
export function usePeriodText(): (period: EventPeriod, style?: DayStyle) => string {
  const { t } = useTranslation();
  const dayText = useDayText();
  return ({ start_time, end_time }, style = 'dayAndYear') => {
    const [first, last] = [eventDate(start_time), eventDate(end_time)];
    return first === last
      ? dayText(first, style)
      : t('admin.events.period', { start: dayText(first, style), end: dayText(last, style) });
  };
}

interface EventWords {
  labelOf: (field: keyof EventValues) => string;
  inWords: (field: keyof EventValues, values: EventValues) => string;
}

/** Labels and values of the fields, for the conflict notice. */
export function useEventWords(): EventWords {
  const { t } = useTranslation();
  const dayText = useDayText();
  return {
    labelOf: (field) => t(`admin.events.form.${LABEL[field]}`),
    inWords: (field, values) => {
      if (field === 'type') return t(`admin.events.type.${values.type}`);
      if (field !== 'start_time' && field !== 'end_time') return values[field];
      return dayText(values[field], 'dateAndYear');
    },
  };
}
