import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaitAndEnd, WaitStatus } from '../../../../shared/schemas/wait.ts';
import { getAdminWaits } from '../../../api/admin-calls.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import type { Column } from '../table/admin-table.tsx';
import { PagedAdminTable } from '../table/paged-admin-table.tsx';
import { useTableView } from '../table/table-view.ts';
import { useClaimColumns } from './claim-columns.tsx';
import { datesOf, useDateFilters } from './date-filters.ts';

/** Green: the member took the hours. Red: the member missed the offer. */
const TONES: { [S in WaitStatus]?: BadgeTone } = { accepted: 'good', lapsed: 'bad' };

/** Waitlist entries that have ended, newest first. The dates are in the address. */
export function EndedEntries(): ReactNode {
  const filters = useDateFilters();
  const view = useTableView({ filters });
  return (
    <PagedAdminTable
      sentences="waitlist.past"
      view={view}
      filters={filters}
      query={{ state: 'ended' as const, ...datesOf(view) }}
      read={getAdminWaits}
      columns={useColumns()}
      file={{ name: 'waits', columns: useFileColumns() }}
    />
  );
}

function useOutcome(): (status: WaitStatus) => string {
  const { t } = useTranslation();
  return (status) =>
    status === 'waiting' || status === 'offered' ? '' : t(`admin.waitlist.past.outcome.${status}`);
}

function useColumns(): Column<WaitAndEnd>[] {
  const { heading, ...columns } = useClaimColumns();
  const outcome = useOutcome();
  return [
    columns.ended,
    columns.character,
    columns.spot,
    columns.date,
    columns.hours(({ date }) => date),
    {
      ...heading('outcome'),
      cell: ({ status }) => <Badge tone={TONES[status] ?? 'plain'}>{outcome(status)}</Badge>,
    },
  ];
}

function useFileColumns(): Column<WaitAndEnd>[] {
  const { heading, ...columns } = useClaimColumns();
  const outcome = useOutcome();
  return [
    columns.ended,
    { ...heading('outcome'), csv: ({ status }) => outcome(status) },
    { ...columns.spot, csv: (entry) => columns.spotOf(entry) || entry.respawn_id },
    columns.date,
    columns.start,
    columns.end,
    columns.character,
    columns.type,
    { ...heading('joined'), csv: ({ created_at }) => created_at },
  ];
}
