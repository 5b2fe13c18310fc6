import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Wait } from '../../../../../shared/schemas/wait.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { useMay } from '../../../../state/permissions.ts';
import { Button } from '../../../../ui/button.tsx';
import { HoursText } from '../../../../ui/hours/hours-text.tsx';
import { MemberTypeBadge } from '../../../../ui/member-type-badge.tsx';
import { type DataColumn, DataTable } from '../../../../ui/table/data-table.tsx';
import tab from '../../tab.module.css';
import { useDayInWords } from '../use-day-in-words.ts';
import { HeldBadge } from './held-badge.tsx';

interface LineTableProps {
  waits: readonly Wait[];
  onDeed: (wait: Wait) => void;
}

/** By date and spot, then by the place in line, unless a column is chosen. */
export function LineTable({ waits, onDeed }: LineTableProps): ReactNode {
  const { t } = useTranslation();
  const mayClaims = useMay('claims');
  const dayInWords = useDayInWords();
  const respawns = useBoard((board) => board.byKind.respawn);
  const [sort, setSort] = useState({ id: 'date', desc: false });
  const spotOf = ({ respawn_id }: Wait): string => respawns.get(respawn_id)?.name ?? '';
  const heading = (id: LineColumn): { id: LineColumn; heading: string } => ({ id, heading: t(`admin.line.columns.${id}`) });
  const columns: DataColumn<Wait>[] = [
    {
      ...heading('character'),
      part: 'title',
      sortBy: ({ character_name }) => character_name,
      cell: ({ character_name, member_type }) => (
        <span className={tab.who}>
          {character_name} <MemberTypeBadge memberType={member_type} />
        </span>
      ),
    },
    { ...heading('spot'), sortBy: spotOf, cell: spotOf },
    // As one text, for a table is sorted by one value: spots of a date stand together.
    { ...heading('date'), sortBy: (wait) => `${wait.date} ${spotOf(wait)}`, cell: dayInWords },
    {
      ...heading('hours'),
      cell: ({ date, hour_start, hour_end }) => <HoursText date={date} start={hour_start} end={hour_end} />,
    },
    { ...heading('place'), sortBy: ({ position }) => position, cell: ({ position }) => position },
    {
      ...heading('state'),
      cell: (wait) => (wait.held_until ? <Held wait={wait} until={wait.held_until} /> : t('admin.line.waiting')),
    },
    {
      ...heading('actions'),
      part: 'actions',
      cell: (wait) => {
        const about = { name: wait.character_name, spot: spotOf(wait) };
        return (
          <Button
            small
            variant="quiet"
            className={tab.destructive}
            onClick={() => onDeed(wait)}
            aria-label={t(wait.held_until ? 'admin.line.endHoldName' : 'admin.line.withdrawName', about)}
          >
            {t(wait.held_until ? 'admin.line.endHold' : 'admin.line.withdraw')}
          </Button>
        );
      },
    },
  ];
  return (
    <DataTable
      caption={t('admin.line.list')}
      columns={mayClaims ? columns : columns.filter(({ part }) => part !== 'actions')}
      records={waits}
      idOf={({ id }) => String(id)}
      sort={sort}
      onSort={setSort}
      sortLabel={t('admin.line.sort')}
    />
  );
}

type LineColumn = 'character' | 'spot' | 'date' | 'hours' | 'place' | 'state' | 'actions';

/** Which of the hours are held, and for how long still. */
function Held({ wait, until }: { wait: Wait; until: string }): ReactNode {
  const claim = useBoard((board) => (wait.held_claim_id === null ? undefined : board.byKind.claim.get(wait.held_claim_id)));
  return (
    <>
      <HeldBadge until={until} /> {claim ? <HoursText date={wait.date} start={claim.hour_start} end={claim.hour_end} /> : null}
    </>
  );
}
