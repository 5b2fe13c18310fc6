import { useTranslation } from 'react-i18next';
import type { TableFilter, TableView } from '../table/table-view.ts';

/** The ends of a range of dates. */
export function useDateFilters(): [
  from: TableFilter<{ id: number }>,
  to: TableFilter<{ id: number }>,
] {
  const { t } = useTranslation();
  return [
    { id: 'from', kind: 'date', label: t('admin.activity.from'), to: 'to' },
    { id: 'to', kind: 'date', label: t('admin.activity.to'), from: 'from' },
  ];
}

/** The dates of a range as a query; an empty end is left out. */
export function datesOf(view: TableView): { from?: string; to?: string } {
  const from = view.valueOf('from');
  const to = view.valueOf('to');
  return { ...(from && { from }), ...(to && { to }) };
}
