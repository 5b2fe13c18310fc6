import type { Occupancy, OccupiedHours } from '../../shared/schemas/occupancy.ts';
import { groupBy } from '../lib/words/order.ts';

export type OccupiedIndex = ReadonlyMap<number, readonly OccupiedHours[]>;

const isSame = (a: readonly OccupiedHours[], b: readonly OccupiedHours[]): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * The hours that claims of other events occupy, by respawn, by date and hour. They change seldom, so all are indexed anew; the list of a
 * respawn where nothing changed stays the same list, and its card does not render.
 */
export function occupiedByRespawn(occupancies: Iterable<Occupancy>, before: OccupiedIndex = new Map()): OccupiedIndex {
  const rows = [...occupancies].flatMap(({ parts, ...of }) =>
    parts.map(({ respawn_id, hour_start, hour_end }) => ({ respawn_id, hours: { ...of, hour_start, hour_end } })),
  );
  const index = new Map<number, readonly OccupiedHours[]>();
  for (const [id, list] of groupBy(rows, ({ respawn_id }) => respawn_id)) {
    const hours = list
      .map((row) => row.hours)
      .sort((a, b) => (a.first_date < b.first_date ? -1 : a.first_date > b.first_date ? 1 : a.hour_start - b.hour_start));
    const known = before.get(id);
    index.set(id, known && isSame(known, hours) ? known : hours);
  }
  return index;
}
