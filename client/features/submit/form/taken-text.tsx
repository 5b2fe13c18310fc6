import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Taken } from '../taken/availability.ts';
import { useShortDate } from './use-short-date.ts';

/** Who stands in the way, and what can be done. */
export function TakenText({ taken, isWholeEvent }: { taken: Taken; isWholeEvent: boolean }): ReactNode {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  const name = taken.character_name;
  const hours = t('time.range', { start: taken.hour_start, end: taken.hour_end });
  return isWholeEvent ? t('submit.takenByOn', { name, hours, date: shortDate(taken.date) }) : t('submit.takenBy', { name, hours });
}
