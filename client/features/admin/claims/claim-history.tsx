import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CsvCell } from '../../../../shared/csv.ts';
import { ENDING_REASONS, type Ending, type EndingReason, type EndingsQuery } from '../../../../shared/schemas/ending.ts';
import { getEndings } from '../../../api/admin-calls.ts';
import { useServerPages } from '../../../api/query.ts';
import { dayOfEnding } from '../../../lib/claims.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { MinuteText } from '../../../ui/hours/time-text.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { DownloadButton, PageEnd, readAllPages } from '../pages/pages.tsx';
import tab from '../tab.module.css';
import { AdminTable, type Column, serverTable } from '../table/admin-table.tsx';
import { LabelledFilters } from '../table/table-filters.tsx';
import { type TableFilter, type TableView, useTableView } from '../table/table-view.ts';
import { useDayInWords } from './claim-words.tsx';
import styles from './claims.module.css';

/** Red: hours that a member lost. Green: hours that a member gave back. Grey: the claim ran out. */
const TONES: { [R in EndingReason]?: BadgeTone } = { no_show: 'bad', admin: 'bad', cleared: 'bad', released: 'good' };

/** Why claims ended, newest first. The filters are in the address: `?view=history&reason=no_show&from=2026-11-01&to=2026-11-21`. */
export function ClaimHistory(): ReactNode {
  const { t } = useTranslation();
  const filters = useHistoryFilters();
  const view = useTableView({ filters });
  const query = queryOf(view);
  const pages = useServerPages({
    queryKey: ['claim history', query],
    read: (page, signal) => getEndings({ ...query, ...page }, signal),
  });
  const table = serverTable({ columns: useHistoryColumns(), filters, view, records: pages.records });
  return (
    <>
      <LabelledFilters view={view} filters={filters}>
        <DownloadHistory query={query} />
      </LabelledFilters>
      <AdminTable
        table={table}
        words={{
          list: t('admin.claimHistory.list'),
          count: (count) => t('admin.claimHistory.count', { count }),
          empty: { title: t('admin.claimHistory.empty'), text: t('admin.claimHistory.emptyText') },
          noMatch: { title: t('admin.claimHistory.noMatch'), action: t('admin.table.clearFilters') },
        }}
        countText={t('admin.claimHistory.count', { count: Math.max(pages.total, pages.count) })}
        loading={pages.status !== 'ready'}
      >
        <PageEnd pages={pages} failed={t('admin.claimHistory.failed')} />
      </AdminTable>
    </>
  );
}

/** The ends of a range of dates. */
export function useDateFilters(): [from: TableFilter<{ id: number }>, to: TableFilter<{ id: number }>] {
  const { t } = useTranslation();
  return [
    { id: 'from', kind: 'date', label: t('admin.claimHistory.from'), to: 'to' },
    { id: 'to', kind: 'date', label: t('admin.claimHistory.to'), from: 'from' },
  ];
}

function useHistoryFilters(): TableFilter<{ id: number }>[] {
  const { t } = useTranslation();
  const dates = useDateFilters();
  const reasons = ENDING_REASONS.map((value) => ({ value, label: t(`claimHistory.reason.${value}`) }));
  return [
    { id: 'reason', kind: 'select', label: t('admin.claimHistory.reason'), all: t('admin.claimHistory.allReasons'), options: reasons },
    ...dates,
  ];
}

function queryOf(view: TableView): EndingsQuery {
  const reason = ENDING_REASONS.find((one) => one === view.valueOf('reason'));
  return { ...(reason && { reason }), ...datesOf(view) };
}

/** The dates of a range as a query; an empty end is left out. */
export function datesOf(view: TableView): { from?: string; to?: string } {
  const [from, to] = [view.valueOf('from'), view.valueOf('to')];
  return { ...(from && { from }), ...(to && { to }) };
}

function useHistoryColumns(): Column<Ending>[] {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const clock = useServerSaveClock();
  const heading = (id: HistoryColumn): { id: HistoryColumn; heading: string } => ({ id, heading: t(`admin.claimHistory.columns.${id}`) });
  return [
    { ...heading('ended'), cell: ({ ended_at }) => <MinuteText at={ended_at} /> },
    {
      ...heading('character'),
      part: 'title',
      cell: ({ character_name, member_type }) => (
        <span className={tab.who}>
          {character_name} <MemberTypeBadge memberType={member_type} />
        </span>
      ),
    },
    { ...heading('respawn'), cell: ({ respawn_name }) => respawn_name },
    { ...heading('date'), cell: dayInWords },
    {
      ...heading('hours'),
      cell: (ending) => <HoursText date={dayOfEnding(ending, clock)} start={ending.hour_start} end={ending.hour_end} />,
    },
    { ...heading('reason'), cell: ({ reason }) => <Badge tone={TONES[reason] ?? 'plain'}>{t(`claimHistory.reason.${reason}`)}</Badge> },
    { ...heading('by'), cell: ({ by }) => by ?? <span className={styles.byItself}>{t('admin.claimHistory.automatic')}</span> },
  ];
}

type HistoryColumn = 'ended' | 'character' | 'respawn' | 'date' | 'hours' | 'reason' | 'by';

const FILE_COLUMNS = ['ended', 'reason', 'by', 'respawn', 'date', 'start', 'end', 'character', 'type', 'event', 'created'] as const;

/** Saves every matching entry, loaded or not. */
function DownloadHistory({ query }: { query: EndingsQuery }): ReactNode {
  const { t } = useTranslation();
  const rowOf = (ending: Ending): CsvCell[] => {
    const { event_id, reason } = ending;
    const event = event_id === null ? undefined : useBoard.getState().byKind.event.get(event_id);
    return [
      ending.ended_at,
      t(`claimHistory.reason.${reason}`),
      ending.by,
      ending.respawn_name,
      ending.date,
      ending.hour_start,
      ending.hour_end,
      ending.character_name,
      ending.member_type,
      event?.name ?? event_id,
      ending.made_at,
    ];
  };
  return (
    <DownloadButton
      name="endings"
      headings={FILE_COLUMNS.map((column) => t(`admin.claimHistory.columns.${column}`))}
      rows={async (signal, onProgress) =>
        (await readAllPages((page) => getEndings({ ...query, ...page }, signal), signal, onProgress)).map(rowOf)
      }
      failed={(reason) => t('admin.claimHistory.downloadFailed', { reason })}
    />
  );
}
