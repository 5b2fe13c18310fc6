import { useTranslation } from 'react-i18next';
import type { RowView } from '../state/row-view.ts';
import { useShortDate } from './use-short-date.ts';

/** What a row is called: its date, or the days of the event that it covers. */
export function useRowName(): (view: Pick<RowView, 'period'>, isWholeEvent: boolean) => string {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  return (view, isWholeEvent) => {
    const { first, last } = view.period;
    return isWholeEvent ? t('submit.event.period', { start: shortDate(first), end: shortDate(last) }) : shortDate(first);
  };
}
