import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { classes } from '../../../ui/classes.ts';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import styles from './timeline.module.css';

const HOURS = Array.from({ length: HOURS_IN_DAY }, (_, hour) => hour);
/** Every so many hours one is written out. */
const WRITTEN = 2;
/** How far before and after its hour line the word "now" hides a number, in hours. */
const NOW_BEFORE = 0.9;
const NOW_AFTER = 1.8;

/** The hours of the day, each with the viewer's own time below. */
export function HoursHead({ date, now }: { date: string; now: number | null }): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const isHidden = (hour: number): boolean => now !== null && now > hour - NOW_BEFORE && now < hour + NOW_AFTER;
  return (
    // biome-ignore-start lint/a11y/useSemanticElements: rows of the timeline are placed by hand
    // biome-ignore-start lint/a11y/useFocusableInteractive: nothing in the heading can be chosen
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.hours}>
        <div role="columnheader" aria-colindex={1} className={styles.corner}>
          <span>{t('board.timeline.spot')}</span>
          <span aria-hidden="true">{t('board.timeline.yourTime')}</span>
        </div>
        {HOURS.map((hour) => (
          <div
            key={hour}
            role="columnheader"
            aria-colindex={hour + 2}
            className={classes(styles.hour, isHidden(hour) && styles.underNow)}
            style={{ gridColumn: hour + 2 }}
          >
            <span className="visually-hidden">
              {t('time.hour', { hour })}, {t('time.yours', { time: localTime(date, hour) })}
            </span>
            {hour % WRITTEN === 0 ? (
              <span aria-hidden="true">
                <span className={styles.number}>{hour === 0 ? t('time.hour', { hour }) : `+${hour}`}</span>
                <span className={styles.local}>{localTime(date, hour)}</span>
              </span>
            ) : null}
          </div>
        ))}
        <div className={styles.nowPlace} data-hours aria-hidden="true">
          {now === null ? null : <span className={styles.nowWord}>{t('time.now')}</span>}
        </div>
      </div>
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: nothing in the heading can be chosen
    // biome-ignore-end lint/a11y/useSemanticElements: rows of the timeline are placed by hand
  );
}
