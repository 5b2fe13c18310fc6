import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatterIn, useTimeZone } from '../../../lib/time-zone.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';
import { useBoard } from '../../../state/board-store.ts';
import styles from './my-hunts.module.css';
import { type Hunt, spanOf } from './next-hunts.ts';

const WEEKDAY_AND_TIME = { weekday: 'short', hour: '2-digit', minute: '2-digit' } as const;

interface HuntTextProps {
  hunt: Hunt;
  /** An instant, in milliseconds. */
  now: number;
  /** Several hunt here. */
  withCharacter: boolean;
}

/** "Next: Sea Serpents South, SS+20, Sun 06:00, in 5 h 14", and while it is on until when, and how long still. */
export function HuntText({ hunt, now, withCharacter }: HuntTextProps): ReactNode {
  const { t, i18n } = useTranslation();
  const here = useTimeZone();
  const spot = useBoard((board) => board.byKind.respawn.get(hunt.respawn_id)?.name) ?? '';
  const timeOf = (instant: number): string =>
    formatterIn(here, formatLocale(i18n.language), WEEKDAY_AND_TIME).format(new Date(instant)).replace(',', '');
  const inWords = (ms: number): string => {
    const { days, hours, minutes } = spanOf(ms);
    return days > 0 ? t('time.daysHours', { days, hours }) : t('time.hoursMinutes', { hours, minutes: String(minutes).padStart(2, '0') });
  };
  const isOn = hunt.begins <= now;
  return (
    <>
      <span className={isOn ? styles.on : styles.label}>{t(isOn ? 'board.hunts.now' : 'board.hunts.next')}</span>{' '}
      <span className={styles.where}>
        <b>{spot}</b>
        {withCharacter ? ` (${hunt.character_name})` : null}
      </span>
      <span className={styles.comma}>{isOn ? ' ' : ', '}</span>
      <span className={styles.when}>
        {isOn
          ? t('board.hunts.until', { hour: hunt.hour_end, time: timeOf(hunt.ends), left: inWords(hunt.ends - now) })
          : t('board.hunts.at', { hour: hunt.hour_start, time: timeOf(hunt.begins), left: inWords(hunt.begins - now) })}
      </span>
    </>
  );
}
