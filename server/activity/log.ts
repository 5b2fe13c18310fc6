import { type Selectable, sql } from 'kysely';
import {
  ACTIVITY_ACTIONS,
  type ActivityAction,
  CLAIM_HISTORY,
  CLAIM_HISTORY_ACTIONS,
  isActivityAction,
} from '../../shared/activity-actions.ts';
import type { Json } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { addDays, instantOf } from '../../shared/rules/server-save.ts';
import {
  type ActivityEntry,
  type ActivityPage,
  type ActivityQuery,
  type ActorKind,
  activityEntry,
} from '../../shared/schemas/activity.ts';
import { knownDetails } from '../../shared/schemas/activity-details.ts';
import { MAX_ID } from '../../shared/schemas/fields.ts';
import { activityStore, nameOf, type StoreEntries } from '../auth/activity-log.ts';
import { serverSaveClock } from '../db/clock/server-save-clock.ts';
import {
  type BoundRows,
  type Db,
  inBatches,
  preparedRows,
  type Reading,
  readByIds,
  type Tx,
} from '../db/database.ts';
import { defineMemory } from '../db/memory.ts';
import type { ActivityTable } from '../db/schema.ts';
import { MANY_CHANGES, type Unit, type WriteHook } from '../db/unit-of-work.ts';
import type { Env } from '../env.ts';
import type { ChangeBus } from '../live/bus.ts';
import { newestFirst, recordSource } from '../live/record-kinds.ts';
import { entriesNaming, type NamedEntry, storeNames } from './search.ts';
import { linkUndo } from './undo-store.ts';

/** Lets each write report entries by `logActivity`. */
export const storeActivity: WriteHook = {
  before: async (unit) => {
    unit.changes.collect(activityStore).store = entryStore(unit);
  },
};

/** Stores entries at once. Above `MANY_CHANGES` the change set doesn't name them: clients that show the log reload it. */
const entryStore =
  ({ ctx, tx, changes, clock }: Unit): StoreEntries =>
  async (actor, { action, entries }) => {
    const common = {
      timestamp: ctx.now().toISOString(),
      action,
      actor_kind: actor.role === 'member' ? (actor.via ?? actor.role) : actor.role,
      actor_name: nameOf(actor),
      admin_id: actor.role === 'admin' ? actor.admin_id : null,
      clock: clock.value,
    };
    const admin_key = actor.role === 'admin' ? nameKey(actor.username) : null;
    const isNamed = entries.length <= MANY_CHANGES;
    if (!isNamed) changes.reset('dashboard');
    const stored: number[] = [];
    for (const batch of inBatches(entries)) {
      const rows = batch.map(({ details }) => ({
        ...common,
        admin_key,
        details: JSON.stringify(details),
      }));
      // Ids rise in the order of the rows, but need not be returned in it.
      const ids = (await insertEntries(tx, rows)).map(({ id }) => id).sort((a, b) => a - b);
      const named: NamedEntry[] = [];
      for (const [at, { details, undo = null, named: all = [] }] of batch.entries()) {
        const id = ids[at];
        if (id === undefined) throw new Error('an entry was not stored');
        named.push({ id, details, named: all });
        stored.push(id);
        if (undo) await linkUndo(tx, undo, id);
        const record = presentEntry({ id, ...common, details, undo: undo && 'possible' });
        if (record && isNamed) changes.put({ kind: 'activity', record });
      }
      await storeNames(tx, action, named);
    }
    return stored;
  };

type NewEntry = Omit<
  ActivityTable,
  'id' | 'actor_kind' | 'clock' | 'undone_at' | 'undo_expired_at'
> & {
  actor_kind: ActorKind;
  clock: number;
};

const insertEntries = preparedRows((tx, rows: BoundRows<NewEntry>) =>
  tx
    .insertInto('activity')
    .values(
      rows.map((bound) => ({
        timestamp: bound('timestamp'),
        action: bound('action'),
        actor_kind: bound('actor_kind'),
        actor_name: bound('actor_name'),
        admin_id: bound('admin_id'),
        admin_key: bound('admin_key'),
        details: bound('details'),
        clock: bound('clock'),
      })),
    )
    .returning('id')
    .compile(),
);

/** An entry as any version of the program may have stored it. */
interface StoredEntry extends Omit<ActivityEntry, 'action' | 'admin_username' | 'details'> {
  action: string;
  details: Readonly<Record<string, Json | undefined>>;
}

/** `details.by` of an entry that a command-line tool made. */
const COMMAND_LINE = 'command line';

/** The entry as it is shown, without details that this version does not know; null for an unknown action. */
function presentEntry({ action, details, ...entry }: StoredEntry): ActivityEntry | null {
  if (!isActivityAction(action)) return null;
  const { actor_kind, actor_name } = entry;
  const by =
    actor_kind === 'command_line'
      ? COMMAND_LINE
      : actor_kind === 'member' || actor_kind === 'discord'
        ? actor_name
        : null;
  return {
    ...entry,
    action,
    admin_username: actor_kind === 'admin' ? actor_name : null,
    details: { ...(by === null ? {} : { by }), ...knownDetails(action, details) },
  };
}

/** Written as an expression, so that the planner does not use the index of actions for it. */
const isAmong = (actions: readonly ActivityAction[]) =>
  sql<boolean>`action || '' in (${sql.join(actions.map((action) => sql.lit(action)))})`;

/** Leaves out entries of actions that this version does not know. Nearly every entry matches. */
const IS_KNOWN = isAmong(ACTIVITY_ACTIONS);

const COLUMNS = [
  'id',
  'timestamp',
  'action',
  'actor_kind',
  'actor_name',
  'admin_id',
  'details',
  'clock',
  'undone_at',
  'undo_expired_at',
] as const;
type Row = Pick<Selectable<ActivityTable>, (typeof COLUMNS)[number]> & {
  undoable: number | boolean;
};

/** Whether there is something to restore. Looked up entry by entry: for an `exists`, PostgreSQL may read all undos. */
const UNDOABLE = sql<
  number | boolean
>`(select undos.id from undos where undos.entry_id = activity.id) is not null`.as('undoable');

const entries = (db: Db | Tx) =>
  db.selectFrom('activity').select(COLUMNS).select(UNDOABLE).orderBy('id', 'desc');

function toEntries(rows: readonly Row[]): ActivityEntry[] {
  return rows.flatMap(({ undone_at, undo_expired_at, undoable, ...row }) => {
    const undo = undone_at ? 'done' : undoable ? 'possible' : undo_expired_at ? 'expired' : null;
    return presentEntry({ ...row, details: JSON.parse(row.details), undo }) ?? [];
  });
}

/** The newest entries, newest first. */
export async function latestActivity(db: Db | Tx, limit: number): Promise<ActivityEntry[]> {
  return toEntries(await entries(db).where(IS_KNOWN).limit(limit).execute());
}

export function findEntries(db: Db | Tx, ids: readonly number[]): Promise<ActivityEntry[]> {
  return readByIds(ids, async (some) =>
    toEntries(await entries(db).where('id', 'in', some).execute()),
  );
}

export interface LogReading extends Reading {
  bus: Pick<ChangeBus, 'epoch'>;
}

const activityCount = defineMemory(createActivityCount);

/**
 * One page of the log, newest first, with the counts of all entries and of those that match. With `before`, pages
 * begin at that entry, so that they do not shift while new ones arrive. Matches are searched on the worker connection: a filter, or a
 * page far back, may read the whole log.
 */
export async function activityLog(ctx: LogReading, query: ActivityQuery): Promise<ActivityPage> {
  const [total, { ids, filtered }] = await Promise.all([activityCount(ctx)(), findIds(ctx, query)]);
  const logs = await findEntries(ctx.db, ids);
  return { logs, related: await relatedTo(ctx.db, logs), total, filtered: filtered ?? total };
}

interface FoundIds {
  /** Of the page. */
  ids: number[];
  filtered: number | null;
}

/** The ids first, from an index: sorting whole entries would read all that match. */
function findIds(ctx: LogReading, query: ActivityQuery): Promise<FoundIds> {
  const { action } = query;
  const actions = action === CLAIM_HISTORY ? CLAIM_HISTORY_ACTIONS : action && [action];
  return query.name === undefined
    ? findByActions(ctx, query, actions ?? [undefined])
    : findByName(ctx, query, { name: query.name, actions });
}

/** One action after another, each from its index: together they would be sorted first. */
async function findByActions(
  ctx: LogReading,
  query: ActivityQuery,
  actions: readonly (ActivityAction | undefined)[],
): Promise<FoundIds> {
  const { limit, page, before, admin, by, from, to } = query;
  const isFiltered = [query.action, admin, by, from, to].some((value) => value !== undefined);
  const isOne = actions.length === 1;
  const found = await Promise.all(
    actions.map(async (action) => {
      const filter = { action, admin, by, from, to };
      const count = isFiltered ? countMatching(ctx, filter) : null;
      const newest = matching(ctx, filter)
        .select('id')
        .where('id', '<=', lastId(before))
        .orderBy('id', 'desc')
        .limit(isOne ? limit : page * limit)
        .offset(isOne ? (page - 1) * limit : 0)
        .execute();
      return { ids: (await newest).map(({ id }) => id), count: await count };
    }),
  );
  const ids = found.flatMap((one) => one.ids).sort((one, other) => other - one);
  return {
    ids: isOne ? ids : onPage(ids, query),
    filtered: isFiltered ? found.reduce((sum, { count }) => sum + (count ?? 0), 0) : null,
  };
}

async function findByName(
  ctx: LogReading,
  query: ActivityQuery,
  { name, actions }: { name: string; actions: readonly ActivityAction[] | undefined },
): Promise<FoundIds> {
  const { admin, by, from, to } = query;
  const ids = await readByIds(await entriesNaming(ctx.longReads, name), async (some) => {
    const found = matching(ctx, { admin, by, from, to }).select('id').where('id', 'in', some);
    const ofActions = actions ? found.where(isAmong(actions)) : found;
    return (await ofActions.execute()).map((entry) => entry.id);
  });
  ids.sort((one, other) => other - one);
  return { ids: onPage(ids, query), filtered: ids.length };
}

const lastId = (before: number | undefined): number => (before === undefined ? MAX_ID : before - 1);

const onPage = (
  ids: readonly number[],
  { limit, page, before }: Pick<ActivityQuery, 'limit' | 'page' | 'before'>,
): number[] => ids.filter((id) => id <= lastId(before)).slice((page - 1) * limit, page * limit);

/** Entries that a page is answered with besides its own. */
const MAX_RELATED = 500;

/** The other entries of the writes that made these, the newest first: what an action caused may not match the filter. */
async function relatedTo(db: Db, logs: readonly ActivityEntry[]): Promise<ActivityEntry[]> {
  const clocks = [...new Set(logs.flatMap(({ clock }) => clock ?? []))];
  const known = new Set(logs.map(({ id }) => id));
  const ids: number[] = [];
  for (const some of inBatches(clocks)) {
    // By the clock, as the index has them: by id, all would be sorted first.
    const found = db
      .selectFrom('activity')
      .select('id')
      .where('clock', 'in', some)
      .orderBy('clock', 'desc')
      .limit(MAX_RELATED + known.size);
    for (const { id } of await found.execute()) if (!known.has(id)) ids.push(id);
  }
  const related = await findEntries(db, ids.slice(0, MAX_RELATED));
  return related.sort((one, other) => other.id - one.id);
}

type Filter = Pick<ActivityQuery, 'admin' | 'by' | 'from' | 'to'> & {
  action?: ActivityAction | undefined;
};

/** An operator on the command line counts as an admin of the guild. */
const ADMIN_ACTORS = ['admin', 'command_line'] as const satisfies readonly ActorKind[];

function matching(ctx: LogReading, { action, admin, by, from, to }: Filter) {
  const clock = serverSaveClock(ctx);
  let found = ctx.longReads.selectFrom('activity');
  found = action ? found.where('action', '=', action) : found.where(IS_KNOWN);
  if (by === 'admins') found = found.where('actor_kind', 'in', ADMIN_ACTORS);
  if (admin) found = found.where('admin_key', '=', nameKey(admin));
  if (from) found = found.where('timestamp', '>=', instantOf(from, 0, clock).toISOString());
  if (to) found = found.where('timestamp', '<', instantOf(addDays(to, 1), 0, clock).toISOString());
  return found;
}

async function countMatching(ctx: LogReading, filter: Filter): Promise<number> {
  const counted = matching(ctx, filter).select((all) => all.fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}

/** Counts the entries of the log. */
type CountActivity = () => Promise<number>;

interface Counting {
  env: Pick<Env, 'ACTIVITY_KEPT_DAYS'>;
  longReads: Db;
  bus: Pick<ChangeBus, 'epoch'>;
}

/** If entries are kept forever, their ids only rise, and only those since the last count are counted. */
function createActivityCount({ env, longReads, bus }: Counting): CountActivity {
  let counted: { epoch: string; total: number; last_id: number } | null = null;
  return async () => {
    const { epoch } = bus;
    const before =
      counted?.epoch === epoch && env.ACTIVITY_KEPT_DAYS === 0 ? counted : { total: 0, last_id: 0 };
    const { n, last_id } = await longReads
      .selectFrom('activity')
      .select(({ fn }) => [fn.countAll<number>().as('n'), fn.max('id').as('last_id')])
      .where('id', '>', before.last_id)
      .where(IS_KNOWN)
      .executeTakeFirstOrThrow();
    const total = before.total + n;
    counted = { epoch, total, last_id: last_id ?? before.last_id };
    return total;
  };
}

/** Entries in a snapshot; admins read older ones page by page. */
export const ACTIVITY_IN_SNAPSHOT = 100;

export const activityRecords = recordSource('activity', {
  schema: activityEntry,
  read: ({ tx }) => latestActivity(tx, ACTIVITY_IN_SNAPSHOT),
  order: newestFirst,
  limit: ACTIVITY_IN_SNAPSHOT,
  isLog: true,
});
