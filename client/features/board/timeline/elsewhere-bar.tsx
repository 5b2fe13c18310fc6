import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { askToWait } from '../../../state/asked-wait.ts';
import { useLocalHours } from '../../../ui/hours/hours-text.tsx';
import { useTip } from '../../../ui/tooltip.tsx';
import { useTakenElsewhere } from '../../claiming/waitlist/taken-elsewhere.tsx';
import { type DayCell, FIRST_LANE } from './day-cells.ts';
import { cellPlace } from './place.ts';
import styles from './spot-row.module.css';

interface ElsewhereBarProps {
  cell: Extract<DayCell, { kind: 'elsewhere' }>;
  respawn_id: number;
  date: string;
  /** It is the viewer's own claim. */
  mine: boolean;
  /** The viewer may join the waitlist for these hours. */
  isOffered: boolean;
  tabIndex: 0 | -1;
}

/** Hours that a claim of another event occupies. */
export function ElsewhereBar({ cell, respawn_id, date, mine, isOffered, tabIndex }: ElsewhereBarProps): ReactNode {
  const { t } = useTranslation();
  const localHours = useLocalHours();
  const taken = useTakenElsewhere()(cell.of);
  const { hour_start: start, hour_end: end } = cell;
  const hours = t('time.range', { start, end });
  const name = mine ? `${cell.of.character_name} (${t('board.you')})` : cell.of.character_name;
  const toDo = isOffered ? [t('board.wait.these')] : [];
  const tip = useTip(() => [`${name}, ${taken}`, hours, localHours(date, start, end), ...toDo].join(' · '));
  const wait = {
    'aria-haspopup': 'dialog',
    onClick: ({ currentTarget: anchor }: MouseEvent<HTMLElement>): void =>
      askToWait({ respawn_id, date, hour_start: start, hour_end: end, anchor }),
  } as const;
  return (
    <div {...cellPlace(cell)} className={styles.cell}>
      <button
        {...tip}
        {...(isOffered ? wait : {})}
        type="button"
        tabIndex={tabIndex}
        data-hour={start}
        data-lane={FIRST_LANE}
        aria-label={[name, taken, hours, ...toDo].join(', ')}
        className={styles.elsewhere}
      >
        <span>{taken}</span>
      </button>
    </div>
  );
}
