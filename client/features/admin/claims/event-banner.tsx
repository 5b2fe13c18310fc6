import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { formatLocale } from '../../../lib/format-locale.ts';
import { dateInWords } from '../../../lib/local-time.ts';
import { useBoard } from '../../../store/board-store.ts';
import { useActiveEvent } from '../../../store/use-active-event.ts';
import { Badge } from '../../../ui/badge.tsx';
import styles from './claims.module.css';

/** Which claims these are: the active event's, or all. */
export function EventBanner(): ReactNode {
  const { t, i18n } = useTranslation();
  const event = useActiveEvent();
  const count = useBoard((board) => (event ? (board.byKind.event.get(event.id)?.claim_count ?? 0) : 0));
  if (!event) return <p className={styles.banner}>{t('admin.claims.noEvent')}</p>;
  const inWords = (time: string): string =>
    dateInWords(eventDate(time), formatLocale(i18n.language), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  return (
    <div className={styles.banner}>
      <h2 className={styles.bannerName}>{event.name}</h2>
      <Badge tone="solid">{t('admin.events.active')}</Badge>
      <span>{t('admin.events.period', { start: inWords(event.start_time), end: inWords(event.end_time) })}</span>
      <span>{t('admin.events.claims', { count })}</span>
    </div>
  );
}
