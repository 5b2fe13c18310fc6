import { type Selectable, sql } from 'kysely';
import { nameKey } from '../../shared/rules/names.ts';
import { addDays, instantOf } from '../../shared/rules/server-save.ts';
import type { ActivityEntry, ActivityPage, ActivityQuery } from '../../shared/schemas/activity.ts';
import { type ServerSaveSettings, serverSaveClock } from '../config/clock.ts';
import { byIds } from '../db/batches.ts';
import type { Db, ReadingAside, Tx } from '../db/open.ts';
import type { ActivityTable } from '../db/schema.ts';
import type { CountActivity } from './count.ts';

type Row = Pick<Selectable<ActivityTable>, (typeof COLUMNS)[number]> & { undoable: number | boolean };

function present({ undone_at, undo_expired_at, undoable, ...row }: Row): ActivityEntry {
  const undo = undone_at ? 'done' : undoable ? 'possible' : undo_expired_at ? 'expired' : null;
  // As another version of the program may have written it, too: an entry nobody expected must not hide the others.
  const details: ActivityEntry['details'] = JSON.parse(row.details);
  return { ...row, details, undo };
}

const COLUMNS = ['id', 'timestamp', 'action', 'admin_id', 'admin_username', 'details', 'undone_at', 'undo_expired_at'] as const;
/** Whether there is something to put back: what that is may be long, and is read by the undo only. */
const UNDOABLE = sql<number | boolean>`undo is not null`.as('undoable');

/** The newest entries, newest first. */
export async function latestActivity(db: Db | Tx, limit: number): Promise<ActivityEntry[]> {
  const rows = await db.selectFrom('activity').select(COLUMNS).select(UNDOABLE).orderBy('id', 'desc').limit(limit).execute();
  return rows.map(present);
}

/** Entries by their ids. */
export function activityOf(db: Db | Tx, ids: readonly number[]): Promise<ActivityEntry[]> {
  return byIds(ids, async (some) => {
    const rows = await db.selectFrom('activity').select(COLUMNS).select(UNDOABLE).where('id', 'in', some).orderBy('id', 'desc').execute();
    return rows.map(present);
  });
}

/** One entry, as everybody is shown it; null for an unknown id. */
export async function findActivity(db: Db | Tx, id: number): Promise<ActivityEntry | null> {
  const [entry] = await activityOf(db, [id]);
  return entry ?? null;
}

interface LogReading extends ReadingAside {
  env: ServerSaveSettings['env'];
  countActivity: CountActivity;
}

/**
 * One page of the log, newest first, with the counts of all entries and of those that match. With `before`, pages
 * begin at that entry, so that they do not shift while new ones arrive. What matches is looked for aside: a filter, or a
 * page far behind, may go through all that ever happened.
 */
export async function activityLog(ctx: LogReading, { limit, page, before, ...filter }: ActivityQuery): Promise<ActivityPage> {
  let wanted = matching(ctx, filter).select('id');
  if (before !== undefined) wanted = wanted.where('id', '<', before);
  // The ids first, from an index: sorting whole entries would read all that match.
  const ids = wanted
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  const [total, filtered, found] = await Promise.all([
    ctx.countActivity(),
    Object.values(filter).some((value) => value !== undefined) ? countMatching(ctx, filter) : null,
    ids,
  ]);
  const logs = await activityOf(
    ctx.db,
    found.map(({ id }) => id),
  );
  return { logs, total, filtered: filtered ?? total };
}

type Filter = Pick<ActivityQuery, 'action' | 'admin' | 'from' | 'to'>;

function matching(ctx: Pick<LogReading, 'aside' | 'env'>, { action, admin, from, to }: Filter) {
  const clock = serverSaveClock(ctx);
  let entries = ctx.aside.selectFrom('activity');
  if (action) entries = entries.where('action', '=', action);
  if (admin) entries = entries.where('admin_key', '=', nameKey(admin));
  if (from) entries = entries.where('timestamp', '>=', instantOf(from, 0, clock).toISOString());
  if (to) entries = entries.where('timestamp', '<', instantOf(addDays(to, 1), 0, clock).toISOString());
  return entries;
}

async function countMatching(ctx: Pick<LogReading, 'aside' | 'env'>, filter: Filter): Promise<number> {
  const counted = matching(ctx, filter).select((all) => all.fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}
