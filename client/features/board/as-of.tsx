import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatterIn, useTimeZone } from '../../lib/time-zone.ts';
import { formatLocale } from '../../lib/words/local-time.ts';
import { useBoardAge } from '../../state/board-age.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import { ClockIcon } from '../../ui/icons.tsx';
import styles from './as-of.module.css';

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const WEEKDAY_AND_TIME = { weekday: 'short', ...TIME } as const;
/** Longer ago than this a time alone could be another day's, in milliseconds. */
const DAY_IN_DOUBT_MS = 12 * 3_600_000;

/** Across the page, over whatever view of the board: since when nobody has said that it is still so. Nothing while it is fresh. */
export function AsOf(): ReactNode {
  const { t, i18n } = useTranslation();
  const here = useTimeZone();
  const as_of = useBoardAge((age) => age.as_of);
  const ahead_ms = useServerSaveClock((clock) => clock.ahead_ms);
  const isLong = as_of !== null && Date.now() - as_of > DAY_IN_DOUBT_MS;
  const format = formatterIn(here, formatLocale(i18n.language), isLong ? WEEKDAY_AND_TIME : TIME);
  // Always there: what is read out is a change of it.
  return (
    <div role="status">
      {as_of === null ? null : (
        <p className={styles.line} data-as-of="">
          <ClockIcon size={20} />
          <b>{t('board.asOf', { time: format.format(as_of + ahead_ms) })}</b>
          <span>{t('board.asOfHint')}</span>
        </p>
      )}
    </div>
  );
}
