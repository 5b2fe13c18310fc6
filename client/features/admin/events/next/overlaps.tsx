import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type EventPeriod, eventDate, periodsOverlap } from '../../../../../shared/rules/event-period.ts';
import type { Event } from '../../../../../shared/schemas/event.ts';
import { dayText, formatLocale } from '../../../../lib/time-text.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { Alert } from '../../../../ui/alert.tsx';

const MOST_NAMED = 3;

/** The events that have a date in common with a period, the first first. */
export function useOverlaps(period: EventPeriod | null): Event[] {
  const events = useBoard((board) => board.byKind.event);
  if (!period) return [];
  return [...events.values()].filter((event) => periodsOverlap(event, period)).sort((a, b) => (a.start_time < b.start_time ? -1 : 1));
}

/** Says which events a new one would share dates with: most of its claims may find their hours taken. */
export function Overlaps({ events }: { events: readonly Event[] }): ReactNode {
  const { t, i18n } = useTranslation();
  if (events.length === 0) return null;
  const inWords = (time: string): string => dayText(eventDate(time), formatLocale(i18n.language));
  const named = events
    .slice(0, MOST_NAMED)
    .map(
      ({ name, start_time, end_time }) => `${name} (${t('admin.events.period', { start: inWords(start_time), end: inWords(end_time) })})`,
    );
  const more = events.length - named.length;
  const list = new Intl.ListFormat(i18n.language, { type: more > 0 ? 'unit' : 'conjunction' }).format(named);
  return (
    <Alert tone="accent">
      {t('admin.events.next.overlaps', { list })}
      {more > 0 ? ` ${t('admin.events.next.overlapsMore', { count: more })}` : null}
    </Alert>
  );
}
