import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaitAndEnd, WaitStatus } from '../../../../../shared/schemas/wait.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { Badge, type BadgeTone } from '../../../../ui/badge.tsx';
import { HoursText } from '../../../../ui/hours/hours-text.tsx';
import { MinuteText } from '../../../../ui/hours/minute-text.tsx';
import { MemberTypeBadge } from '../../../../ui/member-type-badge.tsx';
import { type DataColumn, DataTable } from '../../../../ui/table/data-table.tsx';
import tab from '../../tab.module.css';
import { useDayInWords } from '../use-day-in-words.ts';

/** What they got, and what they missed; the rest they chose, or it was nobody's doing. */
const TONES: { [S in WaitStatus]?: BadgeTone } = { accepted: 'good', lapsed: 'bad' };

/** How a wait ended, in words; of one that stands in line nothing. */
export function useOutcome(): (status: WaitStatus) => string {
  const { t } = useTranslation();
  return (status) => (status === 'waiting' || status === 'offered' ? '' : t(`admin.line.past.outcome.${status}`));
}

export function EndedTable({ waits }: { waits: readonly WaitAndEnd[] }): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const outcome = useOutcome();
  const respawns = useBoard((board) => board.byKind.respawn);
  const heading = (id: EndedColumn): { id: EndedColumn; heading: string } => ({ id, heading: t(`admin.line.past.columns.${id}`) });
  const columns: DataColumn<WaitAndEnd>[] = [
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
  return (
    <DataTable
      caption={t('admin.line.past.list')}
      columns={columns}
      records={waits}
      idOf={({ id }) => String(id)}
      sort={null}
      onSort={() => {}}
      sortLabel=""
    />
  );
}

type EndedColumn = 'ended' | 'character' | 'spot' | 'date' | 'hours' | 'outcome';
