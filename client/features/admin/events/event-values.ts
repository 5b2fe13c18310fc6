import { useTranslation } from 'react-i18next';
import { type EventPeriod, eventDate, wholeDays } from '../../../../shared/rules/event-period.ts';
import { tidyName } from '../../../../shared/rules/names.ts';
import { addDays } from '../../../../shared/rules/server-save.ts';
import { DEFAULT_EVENT_TYPE, type Event } from '../../../../shared/schemas/event.ts';
import { type DayStyle, useDayText } from '../../../lib/time-text.ts';
import type { FormFields } from '../../../ui/form/fields.ts';

/** An event as its form holds it: dates without a time of day, texts never null. */
export interface EventValues {
  name: string;
  type: Event['type'];
  start_time: string;
  end_time: string;
  single_claim_template: string;
}

const PROPOSED_DAYS = 14;

/** A new event from today, or from the day after the last one. */
export function proposedValues(today: string, events: Iterable<EventPeriod>): EventValues {
  const ends = [...events].map(({ end_time }) => addDays(eventDate(end_time), 1));
  const start = [today, ...ends].sort().at(-1) ?? today;
  return {
    name: '',
    type: DEFAULT_EVENT_TYPE,
    start_time: start,
    end_time: addDays(start, PROPOSED_DAYS - 1),
    single_claim_template: '',
  };
}

/** A template belongs to single_claim events only. */
const templateOf = ({ type, single_claim_template }: EventValues): string =>
  type === 'single_claim' ? single_claim_template.trim() : '';

/** An event's dates in words; one date if it lasts one day. */
export function usePeriodText(): (period: EventPeriod, style?: DayStyle) => string {
  const { t } = useTranslation();
  const dayText = useDayText();
  return ({ start_time, end_time }, style = 'dayAndYear') => {
    const first = eventDate(start_time);
    const last = eventDate(end_time);
    return first === last
      ? dayText(first, style)
      : t('time.clockRange', { start: dayText(first, style), end: dayText(last, style) });
  };
}

export function useEventFields(): FormFields<Event, EventValues> {
  const { t } = useTranslation();
  const dayText = useDayText();
  const dateText = (date: string): string => dayText(date, 'dateAndYear');
  return {
    name: {
      label: t('admin.events.form.name'),
      from: ({ name }) => name,
      send: tidyName,
      codes: ['event.nameRequired', 'event.nameExists'],
    },
    type: {
      label: t('admin.events.form.type'),
      from: ({ type }) => type,
      words: (type) => t(`admin.events.type.${type}`),
    },
    start_time: {
      label: t('admin.events.form.start'),
      from: ({ start_time }) => eventDate(start_time),
      send: (_date, values) => wholeDays(values).start_time,
      words: dateText,
      codes: ['event.timesRequired'],
    },
    end_time: {
      label: t('admin.events.form.end'),
      from: ({ end_time }) => eventDate(end_time),
      send: (_date, values) => wholeDays(values).end_time,
      words: dateText,
      codes: ['event.endBeforeStart', 'event.tooLong'],
    },
    single_claim_template: {
      label: t('admin.events.form.template'),
      from: ({ single_claim_template }) => single_claim_template ?? '',
      send: (_text, values) => templateOf(values) || null,
    },
  };
}
