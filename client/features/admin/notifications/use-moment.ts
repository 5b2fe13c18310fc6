import { useTranslation } from 'react-i18next';
import { formatterIn, useTimeZone } from '../../../lib/time-zone.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

/** An instant in the reader's own time: "14:35:07" where it is today's, else "21 Nov, 14:35:07". */
export function useMoment(): (at: string) => string {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  const locale = formatLocale(i18n.language);
  const day = formatterIn(here, locale, DAY);
  const clock = formatterIn(here, locale, CLOCK);
  return (at) => {
    const instant = new Date(at);
    const date = day.format(instant);
    return date === day.format(new Date()) ? clock.format(instant) : `${date}, ${clock.format(instant)}`;
  };
}
