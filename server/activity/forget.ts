import { sql } from 'kysely';
import { addDays, instantOf } from '../../shared/rules/server-save.ts';
import { serverSaveClock, serverSaveToday } from '../config/clock.ts';
import type { Context } from '../context.ts';
import type { Db, Tx } from '../db/open.ts';
import { write } from '../db/write.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { ACTIVITY_KEPT } from '../live/kept-list.ts';
import { activityOf, latestActivity } from './queries.ts';

/** Entries that a write forgets at most, or of which it forgets what their undo would put back. */
export const FORGOTTEN_AT_ONCE = { entries: 500, undos: 50 } as const;
/** No more of them than hold so many bytes of undo together, unless it is a single one: they are wiped page by page. */
export const BYTES_AT_ONCE = 1_000_000;

/** Days are counted as the log's filters count them: by server saves. */
const untilOf = (ctx: Context, keptDays: number): string =>
  instantOf(addDays(serverSaveToday(ctx), -keptDays), 0, serverSaveClock(ctx)).toISOString();

/**
 * Forgets a few of the entries that are older than the log is kept. Those that tell of merged names stay: they say who may
 * have two claims on one date.
 * @returns whether there were any
 */
export async function forgetEntries(ctx: Context): Promise<boolean> {
  const { ACTIVITY_KEPT_DAYS: kept } = ctx.env;
  if (kept === 0) return false;
  const until = untilOf(ctx, kept);
  const find = (db: Db | Tx) => {
    const old = db.selectFrom('activity').select(['id', BYTES]).where('timestamp', '<', until).where('action', '<>', 'names_merged');
    return old.orderBy('timestamp').limit(FORGOTTEN_AT_ONCE.entries).execute();
  };
  if ((await find(ctx.db)).length === 0) return false;
  await write(ctx, async (tx, changes) => {
    const ids = asManyAsFit(await find(tx));
    const listed = new Set((await latestActivity(tx, ACTIVITY_KEPT)).map(({ id }) => id));
    await tx.deleteFrom('activity').where('id', 'in', ids).execute();
    await putListed(tx, changes, listed, ids);
  });
  return true;
}

/** Of a short log entries are forgotten with which admins begin; what then moves up among these is shown. */
async function putListed(tx: Tx, changes: ChangeRecorder, listed: ReadonlySet<number>, forgotten: readonly number[]): Promise<void> {
  const gone = forgotten.filter((id) => listed.has(id));
  if (gone.length === 0) return;
  for (const id of gone) changes.remove('activity', id);
  for (const record of await latestActivity(tx, ACTIVITY_KEPT)) if (!listed.has(record.id)) changes.put({ kind: 'activity', record });
}

/**
 * Forgets what a few old deletions took: their entries stay, and say that nothing can be restored any more.
 * @returns whether there were any
 */
export async function forgetUndos(ctx: Context): Promise<boolean> {
  const { UNDO_KEPT_DAYS: kept } = ctx.env;
  if (kept === 0) return false;
  const until = untilOf(ctx, kept);
  const find = (db: Db | Tx) => {
    const old = db.selectFrom('activity').select(['id', BYTES]).where('undo', 'is not', null).where('timestamp', '<', until);
    return old.orderBy('timestamp').limit(FORGOTTEN_AT_ONCE.undos).execute();
  };
  if ((await find(ctx.db)).length === 0) return false;
  await write(ctx, async (tx, changes) => {
    const ids = asManyAsFit(await find(tx));
    const undo_expired_at = ctx.now().toISOString();
    await tx.updateTable('activity').set({ undo: null, undo_expired_at }).where('id', 'in', ids).execute();
    for (const record of await activityOf(tx, ids)) changes.put({ kind: 'activity', record });
  });
  return true;
}

/** What an entry's undo takes, without reading it. */
const BYTES = sql<number>`coalesce(octet_length(undo), 0)`.as('bytes');

function asManyAsFit(found: readonly { id: number; bytes: number }[]): number[] {
  let bytes = 0;
  const fit = found.filter((entry, nth) => {
    bytes += entry.bytes;
    return nth === 0 || bytes <= BYTES_AT_ONCE;
  });
  return fit.map(({ id }) => id);
}
