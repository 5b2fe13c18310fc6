import { useTranslation } from 'react-i18next';
import { formatterIn, useTimeZone } from '../../../lib/time-zone.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';

const MINUTE = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;

/** An instant in the reader's own time, such as "21 Nov, 14:35". */
export function useMinute(): (at: string) => string {
  const { i18n } = useTranslation();
  const format = formatterIn(useTimeZone(), formatLocale(i18n.language), MINUTE);
  return (at) => format.format(new Date(at));
}
