import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatterIn, useTimeZone } from '../../../lib/time-zone.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';
import { serverNow, useServerSaveTime } from '../../../state/clock.ts';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { useTip } from '../../../ui/tooltip.tsx';
import styles from './navbar.module.css';

/** The SS hour now and the minutes until the next one; the viewer's own time on hover, focus or tap. */
export function ServerSaveCounter(): ReactNode {
  const { t, i18n } = useTranslation();
  const { date, hour, minutes_left, elapsed } = useServerSaveTime();
  const localTime = useLocalTime();
  const here = useTimeZone();
  const left = t('time.minutesLeft', { count: minutes_left });
  const tip = useTip(() =>
    t('shell.clockTip', {
      now: formatterIn(here, formatLocale(i18n.language), { hour: '2-digit', minute: '2-digit' }).format(serverNow()),
      next: t('time.hour', { hour: (hour + 1) % 24 }),
      at: localTime(date, hour + 1),
    }),
  );
  return (
    <button {...tip} type="button" className={styles.counter}>
      <Ring part={1 - elapsed} />
      <strong>{t('time.hour', { hour })}</strong>
      <span>{left}</span>
    </button>
  );
}

const RADIUS = 7;
const LENGTH = 2 * Math.PI * RADIUS;

/** What is left of the hour. */
function Ring({ part }: { part: number }): ReactNode {
  return (
    <svg className={styles.ring} width="18" height="18" viewBox="0 0 18 18" fill="none" strokeWidth="3" aria-hidden="true">
      <circle cx="9" cy="9" r={RADIUS} stroke="var(--line)" />
      <circle cx="9" cy="9" r={RADIUS} stroke="var(--accent)" strokeDasharray={`${(LENGTH * part).toFixed(2)} ${LENGTH.toFixed(2)}`} />
    </svg>
  );
}
