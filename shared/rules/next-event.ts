import type { Event } from '../schemas/event.ts';
import type { EventTemplate } from '../schemas/event-template.ts';
import { eventDate } from './event-period.ts';
import { nextStart } from './next-period.ts';
import { type IsTaken, isNamedBy, nextName } from './period-name.ts';
import { addDays } from './server-save.ts';

type Period = Pick<Event, 'name' | 'start_time' | 'end_time'>;

/** Identifies the events of one series: a template, or an event with the pattern of its name. */
export type Series = Pick<EventTemplate, 'name' | 'type' | 'made_events'>;

/** R3.12: an event is in a series if the series made it, or if it has the type and a name of the pattern, as a copy may. */
const isOfSeries = (
  { name, type, made_events }: Series,
  event: Period & Pick<Event, 'id' | 'type'>,
): boolean => made_events.includes(event.id) || (event.type === type && isNamedBy(name, event));

/** R3.12: the event of a series that ends last; null: there is none any more. */
export function lastOfSeries<E extends Period & Pick<Event, 'id' | 'type'>>(
  series: Series,
  events: Iterable<E>,
): E | null {
  const isLater = (one: E, other: E): boolean => {
    const end = eventDate(one.end_time);
    const otherEnd = eventDate(other.end_time);
    return end > otherEnd || (end === otherEnd && one.id > other.id);
  };
  let last: E | null = null;
  for (const event of events)
    if (isOfSeries(series, event) && (last === null || isLater(event, last))) last = event;
  return last;
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
  const end = last ? eventDate(last.end_time) : addDays(today, -1);
  const first = nextStart(end, today, { days, weekday });
  return {
    start_time: `${first}${start_clock}`,
    end_time: `${addDays(first, days - 1)}${end_clock}`,
  };
}

/** The same with its name. */
export function nextEvent(
  template: EventTemplate,
  last: Period | null,
  { today, isTaken }: { today: string; isTaken: IsTaken },
): Period {
  const times = nextTimes(template, last, today);
  return { name: nextName(template.name, times, { last, isTaken }), ...times };
}
