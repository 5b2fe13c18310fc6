import type { Event } from '../schemas/event.ts';
import type { EventTemplate } from '../schemas/event-template.ts';
import { eventDate } from './event-period.ts';
import { nextStart } from './next-period.ts';
import { nextName } from './period-name.ts';
import { addDays } from './server-save.ts';

type Period = Pick<Event, 'name' | 'start_time' | 'end_time'>;

/** The last event of a template that there still is, of those that one knows. */
export function lastMade<E extends { id: number }>(
  { made_events }: Pick<EventTemplate, 'made_events'>,
  find: (id: number) => E | undefined,
): E | null {
  for (const id of made_events.toReversed()) {
    const event = find(id);
    if (event) return event;
  }
  return null;
}

/**
 * When the event is that a template makes next: after the last one, and never over already.
 * @param last the one before; null: there is none any more
 */
export function nextTimes(
  { days, weekday, start_clock, end_clock }: EventTemplate,
  last: Period | null,
  today: string,
): Pick<Event, 'start_time' | 'end_time'> {
  const first = nextStart(last ? eventDate(last.end_time) : addDays(today, -1), days, today, weekday);
  return { start_time: `${first}${start_clock}`, end_time: `${addDays(first, days - 1)}${end_clock}` };
}

/** The same with its name. */
export function nextEvent(template: EventTemplate, last: Period | null, today: string, isTaken: (name: string) => boolean): Period {
  const times = nextTimes(template, last, today);
  return { name: nextName(template.name, times, last, isTaken), ...times };
}
