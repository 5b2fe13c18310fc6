import { sql } from 'kysely';
import { z } from 'zod';
import { addDays, instantOf } from '../../shared/rules/server-save.ts';
import { type ServerSaveSettings, serverSaveClock, serverSaveToday } from '../config/clock.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { type InsideKind, nextHour } from '../jobs/kind.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { ACTIVITY_KEPT } from '../live/listing.ts';
import { activityOf, latestActivity } from './queries.ts';

/** Entries that a write forgets at most, or of which it forgets what their undo would put back. */
export const FORGOTTEN_AT_ONCE = { entries: 500, undos: 50 } as const;
/** No more of them than hold so many bytes of undo together, unless it is a single one: they are wiped page by page. */
export const BYTES_AT_ONCE = 1_000_000;

/** Days are counted as the log's filters count them: by server saves. */
const untilOf = (ctx: ServerSaveSettings, keptDays: number): string =>
  instantOf(addDays(serverSaveToday(ctx), -keptDays), 0, serverSaveClock(ctx)).toISOString();

/** What an entry's undo takes, without reading it. */
const BYTES = sql<number>`coalesce(octet_length(undo), 0)`.as('bytes');

type Entry = { id: number; bytes: number };

async function oldEntries(ctx: Pick<Writing, 'env' | 'now'>, db: Db | Tx): Promise<Entry[]> {
  const { ACTIVITY_KEPT_DAYS: kept } = ctx.env;
  if (kept === 0) return [];
  const entries = db.selectFrom('activity').select(['id', BYTES]).where('timestamp', '<', untilOf(ctx, kept));
  return entries.where('action', '<>', 'names_merged').orderBy('timestamp').limit(FORGOTTEN_AT_ONCE.entries).execute();
}

/**
 * Forgets a few of the entries that are older than the log is kept. Those that tell of merged names stay: they say who may
 * have two claims on one date.
 */
export const forgetEntries: InsideKind<null> = {
  kind: 'activity.forget',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async (ctx) => (await oldEntries(ctx, ctx.db)).length > 0,
  run: async (ctx, tx, changes) => {
    const ids = asManyAsFit(await oldEntries(ctx, tx));
    if (ids.length === 0) return undefined;
    const listed = new Set((await latestActivity(tx, ACTIVITY_KEPT)).map(({ id }) => id));
    await tx.deleteFrom('activity').where('id', 'in', ids).execute();
    await putListed(tx, changes, listed, ids);
    return 'more';
  },
};

/** Of a short log entries are forgotten with which admins begin; what then moves up among these is shown. */
async function putListed(tx: Tx, changes: ChangeRecorder, listed: ReadonlySet<number>, forgotten: readonly number[]): Promise<void> {
  const gone = forgotten.filter((id) => listed.has(id));
  if (gone.length === 0) return;
  for (const id of gone) changes.remove('activity', id);
  for (const record of await latestActivity(tx, ACTIVITY_KEPT)) if (!listed.has(record.id)) changes.put({ kind: 'activity', record });
}

async function oldUndos(ctx: Pick<Writing, 'env' | 'now'>, db: Db | Tx): Promise<Entry[]> {
  const { UNDO_KEPT_DAYS: kept } = ctx.env;
  if (kept === 0) return [];
  const entries = db.selectFrom('activity').select(['id', BYTES]).where('undo', 'is not', null).where('timestamp', '<', untilOf(ctx, kept));
  return entries.orderBy('timestamp').limit(FORGOTTEN_AT_ONCE.undos).execute();
}

/** Forgets what a few old deletions took: their entries stay, and say that nothing can be restored any more. */
export const forgetUndos: InsideKind<null> = {
  kind: 'undo.forget',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async (ctx) => (await oldUndos(ctx, ctx.db)).length > 0,
  run: async (ctx, tx, changes) => {
    const ids = asManyAsFit(await oldUndos(ctx, tx));
    if (ids.length === 0) return undefined;
    const undo_expired_at = ctx.now().toISOString();
    await tx.updateTable('activity').set({ undo: null, undo_expired_at }).where('id', 'in', ids).execute();
    for (const record of await activityOf(tx, ids)) changes.put({ kind: 'activity', record });
    return 'more';
  },
};

function asManyAsFit(found: readonly Entry[]): number[] {
  let bytes = 0;
  const fit = found.filter((entry, nth) => {
    bytes += entry.bytes;
    return nth === 0 || bytes <= BYTES_AT_ONCE;
  });
  return fit.map(({ id }) => id);
}
