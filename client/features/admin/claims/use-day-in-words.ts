import { useTranslation } from 'react-i18next';
import { dateInWords, formatLocale } from '../../../lib/words/local-time.ts';
import { useBoard } from '../../../state/board-store.ts';

interface Day {
  date: string | null;
  event_id: number | null;
}

/** "Sat 21 Nov 2026"; for a claim of a whole event, its name. */
export function useDayInWords(): (day: Day) => string {
  const { t, i18n } = useTranslation();
  const events = useBoard((board) => board.byKind.event);
  return ({ date, event_id }) => {
    if (date === null) return t('admin.claims.everyDay', { name: (event_id !== null && events.get(event_id)?.name) || '' });
    return dateInWords(date, formatLocale(i18n.language), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  };
}
