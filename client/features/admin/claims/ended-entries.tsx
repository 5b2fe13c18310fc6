import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaitAndEnd, WaitStatus } from '../../../../shared/schemas/wait.ts';
import { getAdminWaits } from '../../../api/admin-calls.ts';
import { useServerPages } from '../../../api/query.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { MinuteText } from '../../../ui/hours/time-text.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { DownloadButton, PageEnd, readAllPages } from '../pages/pages.tsx';
import tab from '../tab.module.css';
import { AdminTable, type Column, serverTable } from '../table/admin-table.tsx';
import { LabelledFilters } from '../table/table-filters.tsx';
import { useTableView } from '../table/table-view.ts';
import { datesOf, useDateFilters } from './claim-history.tsx';
import { useDayInWords } from './claim-words.tsx';

/** Green: the member took the hours. Red: the member missed the offer. */
const TONES: { [S in WaitStatus]?: BadgeTone } = { accepted: 'good', lapsed: 'bad' };

/** Waitlist entries that have ended, newest first. The dates are in the address. */
export function EndedEntries(): ReactNode {
  const { t } = useTranslation();
  const filters = useDateFilters();
  const view = useTableView({ filters });
  const query = { state: 'ended', ...datesOf(view) } as const;
  const pages = useServerPages({
    queryKey: ['ended waits', query],
    read: (page, signal) => getAdminWaits({ ...query, ...page }, signal),
  });
  const table = serverTable({ columns: useEndedColumns(), filters, view, records: pages.records });
  return (
    <>
      <LabelledFilters view={view} filters={filters}>
        <DownloadEntries query={query} />
      </LabelledFilters>
      <AdminTable
        table={table}
        words={{
          list: t('admin.waitlist.past.list'),
          count: (count) => t('admin.waitlist.past.count', { count }),
          empty: { title: t('admin.waitlist.past.empty'), text: t('admin.waitlist.past.emptyText') },
          noMatch: { title: t('admin.waitlist.past.noMatch'), action: t('admin.table.clearFilters') },
        }}
        countText={t('admin.waitlist.past.count', { count: Math.max(pages.total, pages.count) })}
        loading={pages.status !== 'ready'}
      >
        <PageEnd pages={pages} failed={t('admin.waitlist.past.failed')} />
      </AdminTable>
    </>
  );
}

/** How an entry ended, in words. */
function useOutcome(): (status: WaitStatus) => string {
  const { t } = useTranslation();
  return (status) => (status === 'waiting' || status === 'offered' ? '' : t(`admin.waitlist.past.outcome.${status}`));
}

function useEndedColumns(): Column<WaitAndEnd>[] {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const outcome = useOutcome();
  const respawns = useBoard((board) => board.byKind.respawn);
  const heading = (id: EndedColumn): { id: EndedColumn; heading: string } => ({ id, heading: t(`admin.waitlist.past.columns.${id}`) });
  return [
    { ...heading('ended'), cell: ({ ended_at }) => (ended_at ? <MinuteText at={ended_at} /> : null) },
    {
      ...heading('character'),
      part: 'title',
      cell: ({ character_name, member_type }) => (
        <span className={tab.who}>
          {character_name} <MemberTypeBadge memberType={member_type} />
        </span>
      ),
    },
    { ...heading('spot'), cell: ({ respawn_id }) => respawns.get(respawn_id)?.name ?? '' },
    { ...heading('date'), cell: dayInWords },
    { ...heading('hours'), cell: ({ date, hour_start, hour_end }) => <HoursText date={date} start={hour_start} end={hour_end} /> },
    { ...heading('outcome'), cell: ({ status }) => <Badge tone={TONES[status] ?? 'plain'}>{outcome(status)}</Badge> },
  ];
}

type EndedColumn = 'ended' | 'character' | 'spot' | 'date' | 'hours' | 'outcome';

const FILE_COLUMNS = ['ended', 'outcome', 'spot', 'date', 'start', 'end', 'character', 'type', 'joined'] as const;

interface DownloadEntriesProps {
  query: { state: 'ended'; from?: string; to?: string };
}

/** Saves every ended entry of the dates, loaded or not. */
function DownloadEntries({ query }: DownloadEntriesProps): ReactNode {
  const { t } = useTranslation();
  const outcome = useOutcome();
  return (
    <DownloadButton
      name="waits"
      headings={FILE_COLUMNS.map((column) => t(`admin.waitlist.past.columns.${column}`))}
      rows={async (signal, onProgress) => {
        const waits = await readAllPages((page) => getAdminWaits({ ...query, ...page }, signal), signal, onProgress);
        const { respawn } = useBoard.getState().byKind;
        return waits.map((wait) => [
          wait.ended_at,
          outcome(wait.status),
          respawn.get(wait.respawn_id)?.name ?? wait.respawn_id,
          wait.date,
          wait.hour_start,
          wait.hour_end,
          wait.character_name,
          wait.member_type,
          wait.created_at,
        ]);
      }}
      failed={(reason) => t('admin.waitlist.past.downloadFailed', { reason })}
    />
  );
}
