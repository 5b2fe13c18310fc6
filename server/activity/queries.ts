import { type Selectable, sql } from 'kysely';
import { nameKey } from '../../shared/rules/names.ts';
import { addDays, instantOf } from '../../shared/rules/server-save.ts';
import { type ActivityEntry, type ActivityPage, type ActivityQuery, activityEntry } from '../../shared/schemas/activity.ts';
import { serverSaveClock } from '../config/clock.ts';
import type { Context } from '../context.ts';
import type { Db, Tx } from '../db/open.ts';
import type { ActivityTable } from '../db/schema.ts';

type Row = Pick<Selectable<ActivityTable>, (typeof COLUMNS)[number]> & { undoable: number | boolean };

function present({ undone_at, undoable, ...row }: Row): ActivityEntry {
  const undo = undone_at ? 'done' : undoable ? 'possible' : null;
  return activityEntry.parse({ ...row, details: JSON.parse(row.details), undo });
}

const COLUMNS = ['id', 'timestamp', 'action', 'admin_id', 'admin_username', 'details', 'undone_at'] as const;
/** Whether there is something to put back: what that is may be long, and is read by the undo only. */
const UNDOABLE = sql<number | boolean>`undo is not null`.as('undoable');

/** The newest entries, newest first. */
export async function latestActivity(db: Db | Tx, limit: number): Promise<ActivityEntry[]> {
  const rows = await db.selectFrom('activity').select(COLUMNS).select(UNDOABLE).orderBy('id', 'desc').limit(limit).execute();
  return rows.map(present);
}

/** One page of the log, newest first, with the counts of all entries and of those that match. */
export async function activityLog(ctx: Context, { limit, page, action, admin, from, to }: ActivityQuery): Promise<ActivityPage> {
  const clock = serverSaveClock(ctx);
  let matching = ctx.db.selectFrom('activity');
  if (action) matching = matching.where('action', '=', action);
  if (admin) matching = matching.where((where) => where(where.fn<string>('lower', ['admin_username']), '=', nameKey(admin)));
  if (from) matching = matching.where('timestamp', '>=', instantOf(from, 0, clock).toISOString());
  if (to) matching = matching.where('timestamp', '<', instantOf(addDays(to, 1), 0, clock).toISOString());
  const [total, filtered, rows] = await Promise.all([
    ctx.db
      .selectFrom('activity')
      .select((all) => all.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow(),
    matching.select((all) => all.fn.countAll<number>().as('n')).executeTakeFirstOrThrow(),
    matching
      .select(COLUMNS)
      .select(UNDOABLE)
      .orderBy('id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
  ]);
  return { logs: rows.map(present), total: total.n, filtered: filtered.n };
}
