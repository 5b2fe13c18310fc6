import { type ExpressionBuilder, sql } from 'kysely';
import { eventDate } from '../../../shared/rules/event-period.ts';
import {
  CONFIG_FLAGS,
  type Config,
  type ConfigAnswer,
  config,
} from '../../../shared/schemas/config.ts';
import { type Event, type EventFacts, event } from '../../../shared/schemas/event.ts';
import { MAX_LIST, type PageQuery } from '../../../shared/schemas/fields.ts';
import { DEFAULT_VOUCHER_HOURS } from '../../../shared/schemas/member-type.ts';
import { SETTING_NAMES } from '../../../shared/settings.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import {
  type BoundRows,
  type Db,
  pageBounds,
  preparedRows,
  type Reading,
  readByIds,
  type Tx,
} from '../../db/database.ts';
import type { Database, Flag } from '../../db/schema.ts';
import { type ChangeRecorder, defineMapCollector } from '../../db/unit-of-work.ts';
import { byText, newestFirst, recordSource } from '../../live/record-kinds.ts';
import { parseSetup } from './stored-setup.ts';

/** Names of the settings that this write changes; `guild_name` is one. */
export const changedSettings = defineMapCollector<string, true>();

/** The configuration that everyone sees. */
export async function readConfig(
  ctx: Pick<Reading, 'env' | 'configFlags'>,
  db: Db | Tx,
): Promise<Config> {
  const { guild_name, notifications_paused_at, setup, ...stored } = await db
    .selectFrom('config')
    .select([...SETTING_NAMES, 'guild_name', 'notifications_paused_at', 'setup'])
    .select(CONFIG_FLAGS.map((name) => (ctx.configFlags[name]?.(ctx.env) ?? sql<Flag>`0`).as(name)))
    .executeTakeFirstOrThrow();
  return {
    ...stored,
    board_visibility: ctx.env.BOARD_VISIBILITY,
    ...serverSaveClock(ctx),
    voucher_duration_hours: DEFAULT_VOUCHER_HOURS,
    horizon_days: ctx.env.HORIZON_DAYS,
    character_check: ctx.env.CHARACTER_CHECK,
    // Empty: an admin let every character verify, even if GUILD_NAME is set.
    guild_name: (guild_name ?? ctx.env.GUILD_NAME) || null,
    notifications_paused: notifications_paused_at === null ? 0 : 1,
    is_demo: parseSetup(setup).is_demo ? 1 : 0,
  };
}

/** The configuration with the server's time and the active event's dates. */
export async function configAnswer(ctx: Reading): Promise<ConfigAnswer> {
  const [config, event] = await Promise.all([readConfig(ctx, ctx.db), activePeriod(ctx.db)]);
  return {
    ...config,
    server_time: ctx.now().toISOString(),
    start_date: event ? eventDate(event.start_time) : null,
    end_date: event ? eventDate(event.end_time) : null,
  };
}

export const configRecords = recordSource('config', {
  schema: config,
  read: async (from) => [await readConfig(from, from.tx)],
  order: () => 0,
});

/** The columns that make an event's record. */
const EVENT_COLUMNS = [
  'id',
  'name',
  'type',
  'start_time',
  'end_time',
  'single_claim_template',
  'is_active',
  'claim_count',
  'created_at',
] as const;

/** Without events that are being archived. */
const events = (db: Db | Tx) =>
  db.selectFrom('events').select(EVENT_COLUMNS).where('is_leaving', '=', 0);

/** Events, the latest start first. */
export function allEvents(db: Db | Tx, page: PageQuery = {}): Promise<Event[]> {
  const { most, last_id } = pageBounds(page);
  const ids = db
    .selectFrom('events')
    .select('id')
    .where('is_leaving', '=', 0)
    .where('id', '<=', last_id)
    .orderBy('id', 'desc')
    .limit(most);
  return events(db)
    .where('id', 'in', ids)
    .orderBy('start_time', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function countEvents(db: Db | Tx): Promise<number> {
  const counted = db.selectFrom('events').select(({ fn }) => fn.countAll<number>().as('n'));
  return (await counted.where('is_leaving', '=', 0).executeTakeFirstOrThrow()).n;
}

export async function findEvent(db: Db | Tx, id: number): Promise<Event | null> {
  return (await events(db).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Written as in the partial index of the active event: the planner could not match a bound value. */
export const isActive = (where: ExpressionBuilder<Database, 'events'>) =>
  where('events.is_active', '=', where.lit(1));

export async function activePeriod(db: Db | Tx): Promise<EventFacts | null> {
  const event = db
    .selectFrom('events')
    .select(['id', 'type', 'start_time', 'end_time'])
    .where(isActive);
  return (await event.executeTakeFirst()) ?? null;
}

export async function activeEvent(db: Db | Tx): Promise<Event | null> {
  return (await events(db).where(isActive).executeTakeFirst()) ?? null;
}

/** Shows an event; members see only the active one. */
export function putEvent(changes: ChangeRecorder, record: Event): void {
  changes.put({ kind: 'event', record }, record.is_active ? 'all' : 'dashboard');
}

/**
 * Updates the claim counts of events.
 * @param claims by how many each count changes
 * @returns the changed events that are visible
 */
export async function moveEventCounts(
  tx: Tx,
  claims: ReadonlyMap<number, number>,
): Promise<Event[]> {
  const moved: Event[] = [];
  for (const [n, ids] of Map.groupBy(claims.keys(), (id) => claims.get(id) ?? 0)) {
    const rows = await readByIds(ids, (some) =>
      moveCounts(
        tx,
        some.map((id) => ({ id, n })),
      ),
    );
    // An event that is being archived keeps its count, but is not visible.
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

export const eventRecords = recordSource('event', {
  schema: event,
  read: async ({ tx, room }) => {
    if (room !== 'members') return allEvents(tx);
    const active = await activeEvent(tx);
    return active ? [active] : [];
  },
  order: (one, other) => byText(other.start_time, one.start_time) || newestFirst(one, other),
  limit: MAX_LIST,
});
