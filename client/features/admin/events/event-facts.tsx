import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { datesBetween } from '../../../../shared/rules/server-save.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import { dayText, formatLocale } from '../../../lib/time-text.ts';
import styles from './events.module.css';

export interface EventFactsProps {
  event: Pick<Event, 'start_time' | 'end_time' | 'claim_count'>;
  children?: ReactNode;
}

/** From when to when an event is, its days and its claims. */
export function EventFacts({ event: { start_time, end_time, claim_count }, children }: EventFactsProps): ReactNode {
  const { t, i18n } = useTranslation();
  const [from, to] = [eventDate(start_time), eventDate(end_time)];
  const inWords = (date: string): string => dayText(date, formatLocale(i18n.language), 'dayAndYear');
  return (
    <p className={styles.facts}>
      <span>{t('admin.events.period', { start: inWords(from), end: inWords(to) })}</span>
      <span>{t('admin.events.days', { count: datesBetween(from, to).length })}</span>
      <span>{t('admin.events.claims', { count: claim_count })}</span>
      {children}
    </p>
  );
}
