import type { Event } from '../schemas/event.ts';
import { eventDate } from './event-period.ts';
import { isNamedBy, patternOf } from './period-name.ts';

type SeriesEvent = Pick<Event, 'id' | 'name' | 'type' | 'start_time' | 'end_time'>;

/** R3.12: the event that ends last of a series: the source, and events of its type with a name of its pattern, as copies have. */
export function lastOfSeries<E extends SeriesEvent>(source: E, events: Iterable<E>): E {
  const pattern = patternOf(source.name, source);
  const isLater = (one: E, other: E): boolean => {
    const end = eventDate(one.end_time);
    const otherEnd = eventDate(other.end_time);
    return end > otherEnd || (end === otherEnd && one.id > other.id);
  };
  let last = source;
  for (const event of events)
    if (event.type === source.type && isNamedBy(pattern, event) && isLater(event, last))
      last = event;
  return last;
}
