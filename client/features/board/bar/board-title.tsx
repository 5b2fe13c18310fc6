import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { dateInWords, formatLocale } from '../../../lib/words/local-time.ts';
import styles from './bar.module.css';

/** "Vouchers from 15 Nov - 28 Nov", and the event and date in view. */
export function BoardTitle({ event, date }: { event: ActiveEvent | null; date: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const locale = formatLocale(i18n.language);
  const dayAndMonth = (time: string): string => dateInWords(eventDate(time), locale, { day: 'numeric', month: 'short' });
  return (
    <div className={styles.title}>
      <h1>
        {event
          ? t('board.title', { start: dayAndMonth(event.start_time), end: dayAndMonth(event.end_time) })
          : t('board.titleWithoutEvent')}
      </h1>
      <p>
        {event?.name ?? t('board.noEvent')} · {dateInWords(date, locale)}
      </p>
    </div>
  );
}
