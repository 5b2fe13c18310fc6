import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatterIn, useTimeZone } from '../../../lib/time-zone.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';
import styles from './check-progress.module.css';
import { type GoingOn, MOST_ATTEMPTS, minutesLeft } from './run-check.ts';

/** How far the check is, what the last attempt said, and when the next one can say more. */
export function CheckProgress({ attempt, last }: { attempt: number; last: GoingOn | null }): ReactNode {
  const { t } = useTranslation();
  const far = t('verify.check.minutesLeft', { count: minutesLeft(attempt) });
  return (
    <div className={styles.progress}>
      <div
        role="progressbar"
        aria-label={t('verify.check.progress')}
        aria-valuemin={0}
        aria-valuemax={MOST_ATTEMPTS}
        aria-valuenow={attempt}
        aria-valuetext={far}
        className={styles.strip}
      >
        <div className={styles.done} style={{ width: `${(100 * attempt) / MOST_ATTEMPTS}%` }} />
        <div className={styles.cells} />
      </div>
      <p className={styles.attempt}>{far}</p>
      <div role="status">
        <p>{useGoingOnText(last)}</p>
        {last?.is === 'pending' && last.waitSeconds === null ? <Times checkedAt={last.checkedAt} nextCheckAt={last.nextCheckAt} /> : null}
      </div>
    </div>
  );
}

function useGoingOnText(last: GoingOn | null): string {
  const { t, i18n } = useTranslation();
  if (!last) return t('verify.check.looking');
  // A newer server may have reasons that are not known here: whatever they are, the check goes on.
  if (last.is === 'pending' && !i18n.exists(`errors.${last.reason}`)) return t('verify.check.looking');
  if (last.is === 'pending') return t(`errors.${last.reason}`, { seconds: last.waitSeconds });
  if (last.is === 'told-to-wait') return t('errors.request.tooManyTries', { seconds: last.seconds, count: last.seconds });
  return t('verify.check.unreachable');
}

function Times({ checkedAt, nextCheckAt }: { checkedAt: string | null; nextCheckAt: string | null }): ReactNode {
  const { t, i18n } = useTranslation();
  const time = formatterIn(useTimeZone(), formatLocale(i18n.language), { hour: '2-digit', minute: '2-digit' });
  const timeOf = (instant: string): string => time.format(new Date(instant));
  return (
    <p className={styles.times}>
      {checkedAt ? t('verify.check.checkedAt', { time: timeOf(checkedAt) }) : null}{' '}
      {nextCheckAt ? t('verify.check.nextCheckAt', { time: timeOf(nextCheckAt) }) : null}
    </p>
  );
}
