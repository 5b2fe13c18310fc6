import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaitAndEnd, WaitStatus } from '../../../../shared/schemas/wait.ts';
import { getAdminWaits } from '../../../api/admin-calls.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Badge, type BadgeTone } from '../../../ui/badge.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { MinuteText } from '../../../ui/hours/time-text.tsx';
import type { Column } from '../table/admin-table.tsx';
import { PagedAdminTable } from '../table/paged-admin-table.tsx';
import { useTableView } from '../table/table-view.ts';
import { datesOf, useDateFilters } from './claim-history.tsx';
import { CharacterCell, useDayInWords } from './claim-words.tsx';

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

type ColumnId =
  | 'ended'
  | 'character'
  | 'spot'
  | 'date'
  | 'hours'
  | 'outcome'
  | 'start'
  | 'end'
  | 'type'
  | 'joined';

function useHeading(): (id: ColumnId) => { id: ColumnId; heading: string } {
  const { t } = useTranslation();
  return (id) => ({ id, heading: t(`admin.waitlist.past.columns.${id}`) });
}

/** How an entry ended, in words. */
function useOutcome(): (status: WaitStatus) => string {
  const { t } = useTranslation();
  return (status) =>
    status === 'waiting' || status === 'offered' ? '' : t(`admin.waitlist.past.outcome.${status}`);
}

function useColumns(): Column<WaitAndEnd>[] {
  const heading = useHeading();
  const dayInWords = useDayInWords();
  const outcome = useOutcome();
  const respawns = useBoard((board) => board.byKind.respawn);
  return [
    {
      ...heading('ended'),
      cell: ({ ended_at }) => (ended_at ? <MinuteText at={ended_at} /> : null),
    },
    { ...heading('character'), part: 'title', cell: (entry) => <CharacterCell {...entry} /> },
    { ...heading('spot'), cell: ({ respawn_id }) => respawns.get(respawn_id)?.name ?? '' },
    { ...heading('date'), cell: dayInWords },
    {
      ...heading('hours'),
      cell: ({ date, hour_start, hour_end }) => (
        <HoursText date={date} start={hour_start} end={hour_end} />
      ),
    },
    {
      ...heading('outcome'),
      cell: ({ status }) => <Badge tone={TONES[status] ?? 'plain'}>{outcome(status)}</Badge>,
    },
  ];
}

function useFileColumns(): Column<WaitAndEnd>[] {
  const heading = useHeading();
  const outcome = useOutcome();
  return [
    { ...heading('ended'), csv: ({ ended_at }) => ended_at },
    { ...heading('outcome'), csv: ({ status }) => outcome(status) },
    {
      ...heading('spot'),
      csv: ({ respawn_id }) =>
        useBoard.getState().byKind.respawn.get(respawn_id)?.name ?? respawn_id,
    },
    { ...heading('date'), csv: ({ date }) => date },
    { ...heading('start'), csv: ({ hour_start }) => hour_start },
    { ...heading('end'), csv: ({ hour_end }) => hour_end },
    { ...heading('character'), csv: ({ character_name }) => character_name },
    { ...heading('type'), csv: ({ member_type }) => member_type },
    { ...heading('joined'), csv: ({ created_at }) => created_at },
  ];
}
