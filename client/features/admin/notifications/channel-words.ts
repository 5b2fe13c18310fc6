import { useTranslation } from 'react-i18next';
import { failureSentence } from '../../../../shared/rules/delivery-failures.ts';
import { formatLocale, formatterIn, useTimeZone } from '../../../lib/time-text.ts';

export function useFailureText(): (error: string) => string {
  const { t } = useTranslation();
  return (error) => {
    const sentence = failureSentence(error);
    return sentence ? t(sentence.key, { ...sentence.params }) : error;
  };
}

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
const DAY = { day: 'numeric', month: 'short' } as const;

/** Formats an instant in the reader's time zone: "14:35:07" today, else "21 Nov, 14:35:07". */
export function useTimeText(): (at: string) => string {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  const locale = formatLocale(i18n.language);
  const day = formatterIn(here, locale, DAY);
  const clock = formatterIn(here, locale, CLOCK);
  return (at) => {
    const instant = new Date(at);
    const date = day.format(instant);
    return date === day.format(new Date())
      ? clock.format(instant)
      : `${date}, ${clock.format(instant)}`;
  };
}
