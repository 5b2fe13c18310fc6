import { useEffect, useEffectEvent, useRef } from 'react';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { boardDates } from '../../../lib/board-dates.ts';

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
