import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ENDING_REASONS,
  type Ending,
  type EndingReason,
  type EndingsQuery,
} from '../../../../shared/schemas/ending.ts';
import { getEndings } from '../../../api/admin-calls.ts';
import { dayOfEnding } from '../../../lib/claims.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import type { Column } from '../table/admin-table.tsx';
import { PagedAdminTable } from '../table/paged-admin-table.tsx';
import { type TableFilter, type TableView, useTableView } from '../table/table-view.ts';
import { isOfCharacter, lastClaimChange } from './claim-changes.ts';
import { useClaimColumns } from './claim-columns.tsx';

/** Red: hours that a member lost. Green: hours that a member gave back. Grey: the claim ran out. */
const TONES: { [R in EndingReason]?: BadgeTone } = {
  no_show: 'bad',
  admin: 'bad',
  cleared: 'bad',
  released: 'good',
};

/** The id of the newest log entry that may have ended claims of this character, or brought them back; 0 if there is none. */
export const useLastEnding = (character: string): number =>
  useBoard(({ byKind }) => lastClaimChange(byKind.activity.values(), isOfCharacter(character)));

interface ClaimHistoryProps {
  /** Only of this character, live; by default of all. */
  character?: string;
}

/** Why claims ended, newest first. The filters are in the address: `?view=history&reason=no_show&from=2026-11-01&to=2026-11-21`. */
export function ClaimHistory({ character }: ClaimHistoryProps): ReactNode {
  const filters = useHistoryFilters();
  const view = useTableView({ filters });
  const columns = useColumns();
  const lastEnding = useLastEnding(character ?? '');
  return (
    <PagedAdminTable
      sentences="claimHistory"
      view={view}
      filters={filters}
      query={{ ...queryOf(view), ...(character !== undefined && { character }) }}
      read={getEndings}
      columns={character === undefined ? columns : columns.filter(({ id }) => id !== 'character')}
      // Of all characters, a busy evening would load the list again and again.
      lastChange={character === undefined ? 0 : lastEnding}
      file={{ name: 'endings', columns: useFileColumns() }}
    />
  );
}

export function useDateFilters(): [
  from: TableFilter<{ id: number }>,
  to: TableFilter<{ id: number }>,
] {
  const { t } = useTranslation();
  return [
    { id: 'from', kind: 'date', label: t('admin.claimHistory.from'), to: 'to' },
    { id: 'to', kind: 'date', label: t('admin.claimHistory.to'), from: 'from' },
  ];
}

function useHistoryFilters(): TableFilter<{ id: number }>[] {
  const { t } = useTranslation();
  const dates = useDateFilters();
  const reasons = ENDING_REASONS.map((value) => ({
    value,
    label: t(`claimHistory.reason.${value}`),
  }));
  return [
    {
      id: 'reason',
      kind: 'select',
      label: t('admin.claimHistory.reason'),
      all: t('admin.claimHistory.allReasons'),
      options: reasons,
    },
    ...dates,
  ];
}

function queryOf(view: TableView): EndingsQuery {
  const reason = ENDING_REASONS.find((one) => one === view.valueOf('reason'));
  return { ...(reason && { reason }), ...datesOf(view) };
}

/** The dates of a range as a query; an empty end is left out. */
export function datesOf(view: TableView): { from?: string; to?: string } {
  const from = view.valueOf('from');
  const to = view.valueOf('to');
  return { ...(from && { from }), ...(to && { to }) };
}

function useColumns(): Column<Ending>[] {
  const { t } = useTranslation();
  const { heading, ...columns } = useClaimColumns();
  const clock = useServerSaveClock();
  return [
    columns.ended,
    columns.character,
    { ...heading('spot'), cell: ({ respawn_name }) => respawn_name },
    columns.date,
    columns.hours((ending) => dayOfEnding(ending, clock)),
    {
      ...heading('reason'),
      cell: ({ reason, to_name }) => (
        <>
          <Badge tone={TONES[reason] ?? 'plain'}>{t(`claimHistory.reason.${reason}`)}</Badge>
          {to_name === null ? null : ` ${t('claimHistory.to', { name: to_name })}`}
        </>
      ),
    },
    {
      ...heading('by'),
      cell: ({ by }) => by ?? <span className="muted">{t('admin.claimHistory.automatic')}</span>,
    },
  ];
}

function useFileColumns(): Column<Ending>[] {
  const { t } = useTranslation();
  const { heading, ...columns } = useClaimColumns();
  const eventOf = (id: number | null): string | number | null =>
    id === null ? null : (useBoard.getState().byKind.event.get(id)?.name ?? id);
  return [
    columns.ended,
    { ...heading('reason'), csv: ({ reason }) => t(`claimHistory.reason.${reason}`) },
    { ...heading('by'), csv: ({ by }) => by },
    { ...heading('spot'), csv: ({ respawn_name }) => respawn_name },
    columns.date,
    columns.start,
    columns.end,
    columns.character,
    columns.type,
    { ...heading('event'), csv: ({ event_id }) => eventOf(event_id) },
    { ...heading('created'), csv: ({ made_at }) => made_at },
    { ...heading('to'), csv: ({ to_name }) => to_name },
  ];
}
