import { useTranslation } from 'react-i18next';
import { dayText, formatLocale } from '../../lib/time-text.ts';
import type { RuleRefusal } from './draft/check.ts';

/** A date in short words of the reader's language, such as "Sat 21 Nov". */
export function useShortDate(): (date: string) => string {
  const { i18n } = useTranslation();
  return (date) => dayText(date, formatLocale(i18n.language));
}

/** A refusal in the server's words, in the reader's language. */
export function useRefusalText(): (refusal: RuleRefusal) => string {
  const { t } = useTranslation();
  return ({ code, params }) => t(`errors.${code}`, { replace: params });
}
