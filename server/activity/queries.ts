import { type Selectable, sql } from 'kysely';
import { nameKey } from '../../shared/rules/names.ts';
import { addDays, instantOf } from '../../shared/rules/server-save.ts';
import type { ActivityEntry, ActivityPage, ActivityQuery } from '../../shared/schemas/activity.ts';
import { type ServerSaveSettings, serverSaveClock } from '../board/config/clock.ts';
import type { ActivityTable } from '../db/activity-tables.ts';
import { byIds } from '../db/batches.ts';
import type { Db, ReadingAside, Tx } from '../db/open.ts';
import type { CountActivity } from './count.ts';
import { shownEntry } from './entry.ts';
import { IS_KNOWN } from './known.ts';

const COLUMNS = ['id', 'timestamp', 'action', 'actor_kind', 'actor_name', 'admin_id', 'details', 'undone_at', 'undo_expired_at'] as const;
type Row = Pick<Selectable<ActivityTable>, (typeof COLUMNS)[number]> & { undoable: number | boolean };

/**
 * Whether there is something to put back: what that is may be long, and is read by the undo only. Looked up entry by entry: for
 * an `exists` PostgreSQL may rather read all undos.
 */
const UNDOABLE = sql<number | boolean>`(select undos.id from undos where undos.entry_id = activity.id) is not null`.as('undoable');

const entries = (db: Db | Tx) => db.selectFrom('activity').select(COLUMNS).select(UNDOABLE).orderBy('id', 'desc');

function shown(rows: readonly Row[]): ActivityEntry[] {
  return rows.flatMap(({ undone_at, undo_expired_at, undoable, ...row }) => {
    const undo = undone_at ? 'done' : undoable ? 'possible' : undo_expired_at ? 'expired' : null;
    // As another version of the program may have written it, too: an entry nobody expected must not hide the others.
    return shownEntry({ ...row, details: JSON.parse(row.details), undo }) ?? [];
  });
}

/** The newest entries, newest first. */
export async function latestActivity(db: Db | Tx, limit: number): Promise<ActivityEntry[]> {
  return shown(await entries(db).where(IS_KNOWN).limit(limit).execute());
}

/** Entries by their ids. */
export function activityOf(db: Db | Tx, ids: readonly number[]): Promise<ActivityEntry[]> {
  return byIds(ids, async (some) => shown(await entries(db).where('id', 'in', some).execute()));
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
  let found = ctx.aside.selectFrom('activity');
  found = action ? found.where('action', '=', action) : found.where(IS_KNOWN);
  if (admin) found = found.where('admin_key', '=', nameKey(admin));
  if (from) found = found.where('timestamp', '>=', instantOf(from, 0, clock).toISOString());
  if (to) found = found.where('timestamp', '<', instantOf(addDays(to, 1), 0, clock).toISOString());
  return found;
}

async function countMatching(ctx: Pick<LogReading, 'aside' | 'env'>, filter: Filter): Promise<number> {
  const counted = matching(ctx, filter).select((all) => all.fn.countAll<number>().as('n'));
  return (await counted.executeTakeFirstOrThrow()).n;
}
