import { useEffect, useEffectEvent, useRef } from 'react';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import { addDays, datesBetween } from '../../../../shared/rules/server-save.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';

/** How far the board looks ahead without an event, in days. */
const DAYS_AHEAD = 6;

/** The dates to choose from: the event's, or this week's. One choice for all days of a single_claim event. */
export function boardDates(event: ActiveEvent | null, today: string): string[] {
  if (event?.type === 'single_claim') return [];
  return event ? datesBetween(eventDate(event.start_time), eventDate(event.end_time)) : datesBetween(today, addDays(today, DAYS_AHEAD));
}

/** The date to show: the one asked for if there is such a choice, else today, or the event's day nearest to it. */
export function shownDate(asked: string | null, event: ActiveEvent | null, today: string): string {
  if (asked && boardDates(event, today).includes(asked)) return asked;
  if (!event) return today;
  const [first, last] = [eventDate(event.start_time), eventDate(event.end_time)];
  if (today < first) return first;
  return today > last ? last : today;
}

/** A date that was chosen and has become today is shown as today: the board goes on with the days instead of staying there. */
export function useFollowToday(asked: string | null, today: string, follow: () => void): void {
  const before = useRef(today);
  const turn = useEffectEvent(() => {
    if (asked === today) follow();
  });
  useEffect(() => {
    const hasTurned = before.current !== today;
    before.current = today;
    if (hasTurned) turn();
  }, [today]);
}
