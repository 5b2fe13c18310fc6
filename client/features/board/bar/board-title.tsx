import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { dateInWords, formatLocale } from '../../../lib/words/local-time.ts';
import styles from './bar.module.css';

interface BoardTitleProps {
  event: ActiveEvent | null;
  /** The server-save date in view. */
  date: string;
  /** How many spots have the hours that are looked for; null: none are. */
  count: number | null;
}

/** "Vouchers from 15 Nov - 28 Nov", the event and date in view, and what fits. */
export function BoardTitle({ event, date, count }: BoardTitleProps): ReactNode {
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
        <span role="status">{count === null ? '' : ` · ${t('board.freeAt.fit', { count })}`}</span>
      </p>
    </div>
  );
}
