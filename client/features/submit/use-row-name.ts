import { useTranslation } from 'react-i18next';
import type { RowView } from './row-view.ts';
import { useShortDate } from './use-short-date.ts';

/** What a row is called: its date, or the days of the event that it covers. */
export function useRowName(): (view: Pick<RowView, 'row' | 'dates'>, isWholeEvent: boolean) => string {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  return ({ row, dates }, isWholeEvent) =>
    isWholeEvent ? t('submit.event.period', { start: shortDate(row.date), end: shortDate(dates.at(-1) ?? row.date) }) : shortDate(row.date);
}
