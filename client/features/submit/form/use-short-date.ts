import { useTranslation } from 'react-i18next';
import { formatLocale } from '../../../lib/format-locale.ts';
import { dateInWords } from '../../../lib/local-time.ts';

/** A date in short words of the reader's language, such as "Sat 21 Nov". */
export function useShortDate(): (date: string) => string {
  const { i18n } = useTranslation();
  return (date) => dateInWords(date, formatLocale(i18n.language));
}
