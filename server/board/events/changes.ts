import { sql } from 'kysely';
import type { Event } from '../../../shared/schemas/event.ts';
import { byIds } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { type BoundRows, preparedRows } from '../../db/prepared.ts';
import { EVENT_COLUMNS } from './queries.ts';

/** Shows an event as it is now: members know only the active one. */
export function putEvent(changes: ChangeRecorder, record: Event): void {
  changes.put({ kind: 'event', record }, record.is_active ? 'all' : 'dashboard');
}

/**
 * Keeps the counts of events.
 * @param claims how many came to each of them; fewer than none: went
 * @returns the events as they are now, as far as they are shown
 */
export async function moveEventCounts(tx: Tx, claims: ReadonlyMap<number, number>): Promise<Event[]> {
  const moved: Event[] = [];
  for (const [n, ids] of Map.groupBy(claims.keys(), (id) => claims.get(id) ?? 0)) {
    const rows = await byIds(ids, (some) =>
      moveCounts(
        tx,
        some.map((id) => ({ id, n })),
      ),
    );
    // One that is leaving keeps its count, too, but is shown to nobody any more.
    for (const { is_leaving, ...event } of rows) if (!is_leaving) moved.push(event);
  }
  return moved;
}

const moveCounts = preparedRows((tx, rows: BoundRows<{ id: number; n: number }>) => {
  const [first] = rows;
  return tx
    .updateTable('events')
    .set({ claim_count: sql<number>`claim_count + ${first('n')}` })
    .where(
      'id',
      'in',
      rows.map((bound) => bound('id')),
    )
    .returning([...EVENT_COLUMNS, 'is_leaving'])
    .compile();
});
