import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { freeRanges, type HourRange } from '../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import { classes } from '../classes.ts';
import styles from './hour-strip.module.css';

export interface StripBar extends HourRange {
  key: string | number;
  /** A member type's; `choosing` needs none. */
  color?: string | undefined;
  /** The viewer's own claim, or choice. */
  mine?: boolean | undefined;
  /** `waiting`: a secondary claim, which occupies nothing. `choosing`: somebody is about to claim it. */
  kind?: 'claim' | 'waiting' | 'choosing' | undefined;
}

export interface HourStripProps {
  bars: readonly StripBar[];
  /** What it is about, such as "Sat 21 Nov"; the taken and free hours are added to it. */
  label: string;
  /** The SS time now, in hours with a fraction; null on another day. */
  now?: number | null | undefined;
  /** Lower, and without the row of hours below. */
  small?: boolean | undefined;
}

const LABELLED_HOURS = [0, 6, 12, 18, HOURS_IN_DAY];
/** How near, in hours, the word "now" may come to the number of an hour before it takes its place. */
const TOO_NEAR = 1.9;

const percent = (hours: number): string => `${((hours / HOURS_IN_DAY) * 100).toFixed(3)}%`;

/** The 24 hours of a server-save day and what stands on them: the product's signature. */
export function HourStrip({ bars, label, now = null, small }: HourStripProps): ReactNode {
  return (
    <div className={classes(styles.strip, small && styles.small)}>
      <div className={styles.hours} role="img" aria-label={useStripText(label, bars)}>
        <div className={styles.track} />
        {bars.map((bar) => (
          <div
            key={bar.key}
            className={classes(
              styles.bar,
              bar.kind === 'waiting' && styles.waiting,
              bar.kind === 'choosing' && styles.choosing,
              bar.mine && styles.mine,
            )}
            style={{
              left: percent(bar.hour_start),
              width: percent(bar.hour_end - bar.hour_start),
              ...(bar.color ? { backgroundColor: bar.color } : {}),
            }}
          />
        ))}
        {now === null ? null : <div className={styles.now} style={{ left: percent(now) }} />}
      </div>
      {small ? null : <StripLabels now={now} />}
    </div>
  );
}

/** "Sat 21 Nov. Taken: SS+2 to SS+6. Free: SS+0 to SS+2, SS+6 to SS+24." */
function useStripText(label: string, bars: readonly StripBar[]): string {
  const { t } = useTranslation();
  const inWords = (ranges: readonly HourRange[]): string =>
    ranges.map(({ hour_start: start, hour_end: end }) => t('time.range', { start, end })).join(', ');
  const taken = bars.filter((bar) => (bar.kind ?? 'claim') === 'claim').sort((a, b) => a.hour_start - b.hour_start);
  if (taken.length === 0) return t('time.stripFree', { label });
  const free = freeRanges(taken);
  if (free.length === 0) return t('time.stripTaken', { label, taken: inWords(taken) });
  return t('time.strip', { label, taken: inWords(taken), free: inWords(free) });
}

function StripLabels({ now }: { now: number | null }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.labels} aria-hidden="true">
      {LABELLED_HOURS.filter((hour) => now === null || Math.abs(hour - now) > (hour === 0 ? 2 * TOO_NEAR : TOO_NEAR)).map((hour) => (
        <span
          key={hour}
          className={classes(hour === 0 && styles.first, hour === HOURS_IN_DAY && styles.last)}
          style={{ left: percent(hour) }}
        >
          {hour === 0 ? t('time.hour', { hour }) : hour}
        </span>
      ))}
      {now === null ? null : (
        <span
          className={classes(styles.nowWord, now < 1 && styles.first, now > HOURS_IN_DAY - 1 && styles.last)}
          style={{ left: percent(now) }}
        >
          {t('time.now')}
        </span>
      )}
    </div>
  );
}
