import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import type { Choosing } from '../../../store/presence-store.ts';
import { useLocalHours, useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { useTip } from '../../../ui/tooltip.tsx';
import type { DayCell } from './day-cells.ts';
import { cellPlace } from './place.ts';
import styles from './spot-row.module.css';

interface FreeHourProps {
  cell: Extract<DayCell, { kind: 'free' }>;
  date: string;
  spot: Respawn;
  page: string;
  /** Who is about to claim it; that holds nothing. */
  chooser: Choosing | undefined;
  tabIndex: 0 | -1;
}

/** An hour to begin a claim at: leads to the form with spot, date and hour filled in. */
export function FreeHour({ cell, date, spot, page, chooser, tabIndex }: FreeHourProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const { hour_start: hour, free_until } = cell;
  const choosing = chooser ? [t('board.presence.choosing', { name: chooser.name ?? t('board.presence.anAdmin') })] : [];
  const until = t('board.timeline.freeUntil', { hour: free_until });
  const tip = useTip(() => [t('time.hour', { hour }), t('time.yours', { time: localTime(date, hour) }), until, ...choosing].join(' · '));
  return (
    <div {...cellPlace(cell)} className={styles.cell}>
      <a
        {...tip}
        href={`${page}?respawn=${spot.id}&date=${date}&hour=${hour}`}
        tabIndex={tabIndex}
        data-hour={hour}
        data-lane={0}
        aria-label={[t('board.timeline.claimFrom', { name: spot.name, hour }), until, ...choosing].join(', ')}
        className={styles.free}
      />
    </div>
  );
}

/** Hours that stayed free and are over. */
export function PastStretch({ cell, date, tabIndex }: { cell: DayCell; date: string; tabIndex: 0 | -1 }): ReactNode {
  const { t } = useTranslation();
  const localHours = useLocalHours();
  const { hour_start: start, hour_end: end } = cell;
  const tip = useTip(() => localHours(date, start, end));
  return (
    <div {...cellPlace(cell)} className={styles.cell}>
      <button
        {...tip}
        type="button"
        tabIndex={tabIndex}
        data-hour={start}
        data-lane={0}
        aria-label={t('board.timeline.stayedFree', { start, end })}
        className={styles.past}
      />
    </div>
  );
}
