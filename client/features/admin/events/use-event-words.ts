import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { formatLocale } from '../../../lib/format-locale.ts';
import { dateInWords } from '../../../lib/local-time.ts';
import type { EventValues } from './event-values.ts';

const LABEL = { name: 'name', type: 'type', start_time: 'start', end_time: 'end', single_claim_template: 'template' } as const;

interface EventWords {
  labelOf: (field: keyof EventValues) => string;
  inWords: (field: keyof EventValues, values: EventValues) => string;
}

/** An event's fields and what they hold, as a person reads them. */
export function useEventWords(): EventWords {
  const { t, i18n } = useTranslation();
  return {
    labelOf: (field) => t(`admin.events.form.${LABEL[field]}`),
    inWords: (field, values) => {
      if (field === 'type') return t(`admin.events.type.${values.type}`);
      if (field !== 'start_time' && field !== 'end_time') return values[field];
      const time = values[field];
      const date = dateInWords(eventDate(time), formatLocale(i18n.language), { day: 'numeric', month: 'short', year: 'numeric' });
      return `${date}, ${time.slice(11, 16)}`;
    },
  };
}
