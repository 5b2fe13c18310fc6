import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { MinuteText } from '../../../ui/hours/time-text.tsx';
import type { Column } from '../table/admin-table.tsx';
import { CharacterCell, type Day, useDayInWords } from './claim-words.tsx';

interface OnSpot {
  respawn_id: number;
  /** Also of a deleted spot. */
  respawn_name?: string;
}

/** A claim, a waitlist entry or a weekly claim in a list. */
export interface Listed extends OnSpot {
  character_name: string;
  member_type: string;
  hour_start: number;
  hour_end: number;
}

/** Columns that the claim lists share. A CSV file has start and end in two columns, and plain names. */
interface ClaimColumns {
  /** A column that only one list has. */
  heading: (id: ColumnId) => { id: ColumnId; heading: string };
  spotOf: (of: OnSpot) => string;
  character: Column<Listed>;
  type: Column<Listed>;
  spot: Column<Listed>;
  date: Column<Day>;
  /** @param dateOf the date that local times are for */
  hours: <R extends Listed>(dateOf: (record: R) => string) => Column<R>;
  start: Column<Listed>;
  end: Column<Listed>;
  ended: Column<{ ended_at: string | null }>;
}

type ColumnId =
  keyof typeof import('../../../../shared/locales/en.json')['admin']['claims']['columns'];

/** Columns that the lists of past claims, waitlist entries and weekly claims share. */
export function useClaimColumns(): ClaimColumns {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const respawns = useBoard((board) => board.byKind.respawn);
  const heading: ClaimColumns['heading'] = (id) => ({
    id,
    heading: t(`admin.claims.columns.${id}`),
  });
  const spotOf: ClaimColumns['spotOf'] = ({ respawn_id, respawn_name = '' }) =>
    respawns.get(respawn_id)?.name ?? respawn_name;
  const hoursOf = ({ hour_start: start, hour_end: end }: Listed): string =>
    t('time.range', { start, end });
  return {
    heading,
    spotOf,
    character: {
      ...heading('character'),
      part: 'title',
      sortBy: ({ character_name }) => character_name,
      cell: (record) => <CharacterCell {...record} />,
      csv: ({ character_name }) => character_name,
    },
    type: { ...heading('type'), csv: ({ member_type }) => member_type },
    spot: { ...heading('spot'), sortBy: spotOf, cell: spotOf, csv: spotOf },
    date: { ...heading('date'), cell: dayInWords, csv: ({ date }) => date },
    hours: (dateOf) => ({
      ...heading('hours'),
      sortBy: ({ hour_start }) => hour_start,
      cell: (record) => (
        <HoursText date={dateOf(record)} start={record.hour_start} end={record.hour_end} />
      ),
      csv: hoursOf,
    }),
    start: { ...heading('start'), csv: ({ hour_start }) => hour_start },
    end: { ...heading('end'), csv: ({ hour_end }) => hour_end },
    ended: {
      ...heading('ended'),
      cell: ({ ended_at }) => (ended_at ? <MinuteText at={ended_at} /> : null),
      csv: ({ ended_at }) => ended_at,
    },
  };
}
