import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type QuietHours, quietUntil } from '../../../../shared/rules/quiet-hours.ts';
import { serverNow, useServerSaveTime } from '../../../state/clock.ts';
import styles from '../mine.module.css';
import { useClockTime } from '../use-clock-time.ts';

/** R9.13: whoever has quiet hours just now is offered nothing until they end; it comes and goes with them. */
export function PassedOver({ hours }: { hours: QuietHours }): ReactNode {
  const { t } = useTranslation();
  const clockTime = useClockTime();
  // Each minute anew.
  useServerSaveTime();
  const until = quietUntil(serverNow(), hours);
  return until ? <p className={styles.facts}>{t('mine.line.passedOver', { until: clockTime(until.getTime()) })}</p> : null;
}
