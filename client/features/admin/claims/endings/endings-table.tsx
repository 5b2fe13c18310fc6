import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Ending, EndingReason } from '../../../../../shared/schemas/ending.ts';
import { dayOfEnding } from '../../../../lib/claim-order.ts';
import { useServerSaveClock } from '../../../../state/clock.ts';
import { Badge, type BadgeTone } from '../../../../ui/badge.tsx';
import { HoursText } from '../../../../ui/hours/hours-text.tsx';
import { MinuteText } from '../../../../ui/hours/minute-text.tsx';
import { MemberTypeBadge } from '../../../../ui/member-type-badge.tsx';
import { type DataColumn, DataTable } from '../../../../ui/table/data-table.tsx';
import tab from '../../tab.module.css';
import { useDayInWords } from '../use-day-in-words.ts';
import styles from './endings.module.css';

/** What somebody lost against their will, and what they gave; the rest ended by itself. */
const TONES: { [R in EndingReason]?: BadgeTone } = { no_show: 'bad', admin: 'bad', cleared: 'bad', released: 'good' };

export function EndingsTable({ endings }: { endings: readonly Ending[] }): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const clock = useServerSaveClock();
  const heading = (id: EndingsColumn): { id: EndingsColumn; heading: string } => ({ id, heading: t(`admin.endings.columns.${id}`) });
  const columns: DataColumn<Ending>[] = [
    {
      ...heading('ended'),
      cell: ({ ended_at }) => <MinuteText at={ended_at} />,
    },
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
    { ...heading('reason'), cell: ({ reason }) => <Badge tone={TONES[reason] ?? 'plain'}>{t(`endings.reason.${reason}`)}</Badge> },
    { ...heading('by'), cell: ({ by }) => by ?? <span className={styles.time}>{t('admin.endings.byItself')}</span> },
  ];
  return (
    <DataTable
      caption={t('admin.endings.list')}
      columns={columns}
      records={endings}
      idOf={({ id }) => String(id)}
      sort={null}
      onSort={() => {}}
      sortLabel=""
    />
  );
}

type EndingsColumn = 'ended' | 'character' | 'respawn' | 'date' | 'hours' | 'reason' | 'by';
