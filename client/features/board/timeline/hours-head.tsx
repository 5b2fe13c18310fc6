import type { CSSProperties, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { HOURS_IN_DAY, isSkipped } from '../../../../shared/rules/server-save.ts';
import type { DayTurn } from '../../../lib/words/local-time.ts';
import { useServerSaveClock } from '../../../state/clock.ts';
import { classes } from '../../../ui/classes.ts';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import styles from './timeline.module.css';

const HOURS = Array.from({ length: HOURS_IN_DAY }, (_, hour) => hour);
/** Every so many hours one is written out. */
const WRITTEN = 2;
/** How far before and after the beginning of a day the word "now" stands where the day's name would, in hours. */
const NOW_BEFORE = 1;
const NOW_AFTER = 2.5;
/** From here on no name has room behind the word "now", in hours before the end. */
const LAST = 2;

interface HoursHeadProps {
  date: string;
  now: number | null;
  turns: readonly DayTurn[];
}

/** The hours of the day, each with the viewer's own time below; above them, in a lane of their own, now and the viewer's days. */
export function HoursHead({ date, now, turns }: HoursHeadProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const clock = useServerSaveClock();
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
            className={classes(styles.hour, isSkipped(date, hour, clock) && styles.skipped)}
            style={{ gridColumn: hour + 2 }}
          >
            <span className="visually-hidden">
              {t('time.hour', { hour })},{' '}
              {isSkipped(date, hour, clock) ? t('time.skipped') : t('time.yours', { time: localTime(date, hour) })}
            </span>
            {hour % WRITTEN === 0 ? (
              <span aria-hidden="true">
                <span className={styles.number}>{hour === 0 ? t('time.hour', { hour }) : `+${hour}`}</span>
                <span className={styles.local}>{localTime(date, hour, hour)}</span>
              </span>
            ) : null}
          </div>
        ))}
        <div className={styles.lane} data-hours aria-hidden="true">
          {turns.map(({ hour, name }) => (
            <DayName key={hour} hour={hour} name={name} now={now} />
          ))}
          {now === null ? null : <span className={styles.nowWord}>{t('time.now')}</span>}
        </div>
      </div>
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: nothing in the heading can be chosen
    // biome-ignore-end lint/a11y/useSemanticElements: rows of the timeline are placed by hand
  );
}

/** The name of a day at its beginning, which told once is told for all its hours. It gives way to the word "now". */
function DayName({ hour, name, now }: DayTurn & { now: number | null }): ReactNode {
  const gives = now !== null && now > hour - NOW_BEFORE && now < hour + NOW_AFTER;
  const besideNow = now !== null && now > HOURS_IN_DAY - LAST ? styles.dayBeforeNow : styles.dayAfterNow;
  return (
    <span className={gives ? besideNow : styles.day} style={{ '--turn': hour / HOURS_IN_DAY } as CSSProperties}>
      {name}
    </span>
  );
}
