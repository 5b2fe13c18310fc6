import { DomainError } from '../../../shared/errors.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { Statistics, StatisticsQuery } from '../../../shared/schemas/statistics.ts';
import { type ServerSaveSettings, serverSaveToday } from '../../db/clock/server-save-clock.ts';
import type { Db, Dialect } from '../../db/database.ts';
import { activeEvent } from '../records/events.ts';
import { countStatistics } from './queries.ts';

/** Days up to today that are counted by default. */
const DAYS = 30;
/** How long a result is reused, in milliseconds. */
const FRESH_MS = 10_000;
/** Statistics that are counted or cached at the same time. */
export const COUNTED_AT_ONCE = 20;

/** Reads statistics. Equal queries within 10 s share one result. */
export type ReadStatistics = (query: StatisticsQuery) => Promise<Statistics>;

interface Counting {
  begun: number;
  isDone: boolean;
  statistics: Promise<Statistics>;
}

/** @throws DomainError event.notFound, server.busy if too many scopes are being counted */
export function createStatistics(ctx: ServerSaveSettings & { db: Db; longReads: Db; dialect: Dialect }): ReadStatistics {
  const countings = new Map<string, Counting>();
  const makeRoom = (now: number): void => {
    for (const [name, { begun, isDone }] of countings) if (isDone && Math.abs(now - begun) >= FRESH_MS) countings.delete(name);
    for (const [name, { isDone }] of countings) if (countings.size >= COUNTED_AT_ONCE && isDone) countings.delete(name);
    if (countings.size >= COUNTED_AT_ONCE) throw new DomainError('server.busy');
  };
  return async (query) => {
    const period = await periodOf(ctx, query);
    const name = JSON.stringify(period);
    const now = ctx.now().getTime();
    const known = countings.get(name);
    if (known && Math.abs(now - known.begun) < FRESH_MS) return known.statistics;
    makeRoom(now);
    const { event_id, from, to } = period;
    const counted = countStatistics(ctx.longReads, ctx.dialect, event_id === null ? { from, to } : { event_id });
    const counting: Counting = { begun: now, isDone: false, statistics: counted.then((all) => ({ ...period, ...all })) };
    countings.set(name, counting);
    counting.statistics.then(
      () => {
        counting.isDone = true;
      },
      () => countings.delete(name),
    );
    return counting.statistics;
  };
}

type Period = Pick<Statistics, 'event_id' | 'event_name' | 'from' | 'to'>;

async function periodOf(ctx: ServerSaveSettings & { db: Db }, { event_id, from, to }: StatisticsQuery): Promise<Period> {
  if (event_id === undefined && from !== undefined && to !== undefined) return { event_id: null, event_name: null, from, to };
  const event = event_id === undefined ? await activeEvent(ctx.db) : await eventEver(ctx.db, event_id);
  if (event) return { event_id: event.id, event_name: event.name, from: eventDate(event.start_time), to: eventDate(event.end_time) };
  if (event_id !== undefined) throw new DomainError('event.notFound');
  const today = serverSaveToday(ctx);
  return { event_id: null, event_name: null, from: addDays(today, 1 - DAYS), to: today };
}

/** Includes archived events. */
async function eventEver(db: Db, id: number) {
  for (const table of ['events', 'archived_events'] as const) {
    const event = await db.selectFrom(table).select(['id', 'name', 'start_time', 'end_time']).where('id', '=', id).executeTakeFirst();
    if (event) return event;
  }
  return null;
}
