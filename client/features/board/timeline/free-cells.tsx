import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { claimSearch } from '../../../lib/asked-claim.ts';
import type { Choosing } from '../../../state/presence-store.ts';
import { useClaimsClosed } from '../../../state/use-claims-closed.ts';
import { classes } from '../../../ui/classes.ts';
import { useLocalHours, useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { useTip } from '../../../ui/tooltip.tsx';
import { ClaimLink } from '../closed/claim-link.tsx';
import type { DayCell } from './day-cells.ts';
import { cellPlace } from './place.ts';
import styles from './spot-row.module.css';

interface FreeHourProps {
  cell: Extract<DayCell, { kind: 'free' }>;
  date: string;
  spot: Respawn;
  /** Who is about to claim it; that holds nothing. */
  chooser: Choosing | undefined;
  /** The hours that are looked for, when they begin here: all of them are one press. */
  wanted: HourRange | null;
  tabIndex: 0 | -1;
}

/** An hour to begin a claim at: leads to the form with spot, date and hour filled in. */
export function FreeHour({ cell, date, spot, chooser, wanted, tabIndex }: FreeHourProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const isClosed = useClaimsClosed();
  const { hour_start: hour, free_until } = cell;
  const length = wanted && wanted.hour_end - wanted.hour_start;
  const claim = length && t('board.freeAt.claimHours', { count: length });
  const name = wanted
    ? `${spot.name}: ${claim}, ${t('time.range', { start: wanted.hour_start, end: wanted.hour_end })}`
    : t('board.timeline.claimFrom', { name: spot.name, hour });
  const choosing = chooser ? [t('board.presence.choosing', { name: chooser.name ?? t('board.presence.anAdmin') })] : [];
  const until = t('board.timeline.freeUntil', { hour: free_until });
  const closed = isClosed ? [t('board.closed.title')] : [];
  const tip = useTip(() =>
    [t('time.hour', { hour }), t('time.yours', { time: localTime(date, hour) }), until, ...choosing, ...closed].join(' · '),
  );
  return (
    <div {...cellPlace(cell)} className={styles.cell}>
      <ClaimLink
        {...tip}
        search={claimSearch({ respawn_id: spot.id, date, hour, hours: length })}
        tabIndex={tabIndex}
        data-hour={hour}
        data-lane={0}
        aria-label={[name, until, ...choosing].join(', ')}
        className={classes(styles.free, wanted && styles.wanted)}
        {...(length === null ? {} : { style: { '--hours': length } as CSSProperties })}
      >
        {claim}
      </ClaimLink>
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
