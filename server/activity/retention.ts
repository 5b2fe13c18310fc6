import { z } from 'zod';
import { addDays, instantOf } from '../../shared/rules/server-save.ts';
import { serverSaveClock, serverSaveToday } from '../db/clock/server-save-clock.ts';
import type { Db, Reading, Tx } from '../db/database.ts';
import type { Unit } from '../db/unit-of-work.ts';
import { type InsideKind, nextHour } from '../jobs/job-kind.ts';
import { ACTIVITY_IN_SNAPSHOT, findEntries, latestActivity } from './log.ts';
import { dropUndos } from './undo-store.ts';

/** Maximum number of rows that one write deletes. */
export const FORGOTTEN_AT_ONCE = {
  entries: 500,
  undos: 50,
  /** Pieces of all deleted undos together, unless a single undo has more: other writes wait meanwhile. */
  pieces: 50,
} as const;

/** Counts days by server saves, as the log's filters do. */
const untilOf = (ctx: Reading, keptDays: number): string =>
  instantOf(addDays(serverSaveToday(ctx), -keptDays), 0, serverSaveClock(ctx)).toISOString();

async function oldEntries(ctx: Reading, db: Db | Tx): Promise<number[]> {
  const { ACTIVITY_KEPT_DAYS: kept } = ctx.env;
  if (kept === 0) return [];
  const entries = db
    .selectFrom('activity')
    .select('id')
    .where('timestamp', '<', untilOf(ctx, kept));
  return (await entries.orderBy('timestamp').limit(FORGOTTEN_AT_ONCE.entries).execute()).map(
    ({ id }) => id,
  );
}

/** Deletes old entries, a few a run. */
export const forgetEntries: InsideKind<null> = {
  kind: 'activity.forget',
  runs: 'inside',
  payload: z.null(),
  deletes_by_age: true,
  next: nextHour,
  isNeeded: async (ctx) => (await oldEntries(ctx, ctx.db)).length > 0,
  run: async (unit) => {
    const { ctx, tx } = unit;
    const old = await oldEntries(ctx, tx);
    const ids = await withoutLongUndos(tx, old);
    if (ids.length === 0) return undefined;
    const listed = new Set((await latestActivity(tx, ACTIVITY_IN_SNAPSHOT)).map(({ id }) => id));
    await tx.deleteFrom('activity').where('id', 'in', ids).execute();
    await putListed(unit, { listed, forgotten: ids });
    return 'more';
  },
};

/** If the log is short, deleted entries were on the list that admins start with: shows the ones that move up. */
async function putListed(
  { tx, changes }: Unit,
  { listed, forgotten }: { listed: ReadonlySet<number>; forgotten: readonly number[] },
): Promise<void> {
  const gone = forgotten.filter((id) => listed.has(id));
  if (gone.length === 0) return;
  for (const id of gone) changes.remove('activity', id);
  for (const record of await latestActivity(tx, ACTIVITY_IN_SNAPSHOT))
    if (!listed.has(record.id)) changes.put({ kind: 'activity', record });
}

interface OldUndo {
  id: number;
  entry_id: number | null;
  pieces: number;
}

const undos = (db: Db | Tx) => db.selectFrom('undos').select(['id', 'entry_id', 'pieces']);

async function oldUndos(ctx: Reading, db: Db | Tx): Promise<OldUndo[]> {
  const { UNDO_KEPT_DAYS: kept } = ctx.env;
  if (kept === 0) return [];
  return undos(db)
    .where('made_at', '<', untilOf(ctx, kept))
    .orderBy('made_at')
    .orderBy('id')
    .limit(FORGOTTEN_AT_ONCE.undos)
    .execute();
}

/** Deletes a few old undos. Their entries stay and say that the undo expired. */
export const forgetUndos: InsideKind<null> = {
  kind: 'undo.forget',
  runs: 'inside',
  payload: z.null(),
  deletes_by_age: true,
  next: nextHour,
  isNeeded: async (ctx) => (await oldUndos(ctx, ctx.db)).length > 0,
  run: async ({ ctx, tx, changes }) => {
    const old = asManyAsFit(await oldUndos(ctx, tx));
    if (old.length === 0) return undefined;
    await dropUndos(
      tx,
      old.map(({ id }) => id),
    );
    const ids = old.flatMap(({ entry_id }) => entry_id ?? []);
    const undo_expired_at = ctx.now().toISOString();
    if (ids.length > 0)
      await tx.updateTable('activity').set({ undo_expired_at }).where('id', 'in', ids).execute();
    for (const record of await findEntries(tx, ids)) changes.put({ kind: 'activity', record });
    return 'more';
  },
};

/** Deletes the undos of these entries, within the limit. @returns the entries without one now */
async function withoutLongUndos(tx: Tx, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const kept = await undos(tx).where('entry_id', 'in', ids).execute();
  const some = asManyAsFit(kept);
  await dropUndos(
    tx,
    some.map(({ id }) => id),
  );
  const later = new Set(kept.slice(some.length).map(({ entry_id }) => entry_id));
  return ids.filter((id) => !later.has(id));
}

function asManyAsFit(found: readonly OldUndo[]): OldUndo[] {
  let pieces = 0;
  return found.filter((undo, nth) => {
    pieces += undo.pieces;
    return nth === 0 || pieces <= FORGOTTEN_AT_ONCE.pieces;
  });
}
