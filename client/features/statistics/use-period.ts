import type { Event } from '../../../shared/schemas/event.ts';
import { type StatisticsQuery, statisticsQuery } from '../../../shared/schemas/statistics.ts';
import { useQueryState } from '../../lib/use-query-state.ts';
import { useBoard } from '../../state/board-store.ts';

const PARAMETERS = ['event', 'from', 'to'];

/** What is counted, as it is chosen. */
export interface Period {
  /** Of which event; null: of some dates, or of nothing that was chosen. */
  eventId: number | null;
  /** As they are typed; empty where none was. */
  from: string;
  to: string;
  /** What the server is asked; null: the dates are not whole, or too many. */
  query: StatisticsQuery | null;
  /** Those that may be chosen: members know the active one only. The active one is the first. */
  events: readonly Event[];
  chooseEvent: (id: number) => void;
  chooseDates: (from: string, to: string) => void;
}

/**
 * `?event=12` or `?from=2026-11-01&to=2026-11-21`. Of neither the server counts the active event, else the last days. What is no
 * event is left out: anybody may write an address.
 */
export function usePeriod(): Period {
  const [{ event = '', from = '', to = '' }, change] = useQueryState(PARAMETERS);
  const byId = useBoard((board) => board.byKind.event);
  const events = [...byId.values()].sort((a, b) => b.is_active - a.is_active || b.start_time.localeCompare(a.start_time));
  const isOfDates = from !== '' || to !== '';
  const asked = statisticsQuery.safeParse({ event_id: event });
  const known = asked.success ? (asked.data.event_id ?? null) : null;
  const active = events.find(({ is_active }) => is_active === 1);
  const dates = statisticsQuery.safeParse({ from, to });
  return {
    eventId: isOfDates ? null : (known ?? active?.id ?? null),
    from,
    to,
    query: isOfDates ? (dates.success ? dates.data : null) : known === null ? {} : { event_id: known },
    events,
    chooseEvent: (id) => change({ event: String(id), from: '', to: '' }),
    chooseDates: (first, last) => change({ event: '', from: first, to: last }),
  };
}
