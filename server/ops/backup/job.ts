import { z } from 'zod';
import type { JobContext, OutsideKind, Timing } from '../../jobs/job-kind.ts';
import { beginBackup } from './make.ts';
import { lastTimed } from './records.ts';

const HOUR_MS = 3_600_000;
/** How long one may take, in seconds. */
const WITHIN_S = 3_600;

/** Milliseconds between two timed backups; 0: none is made. */
const stepOf = ({ BACKUP_HOURS, BACKUPS_KEPT }: JobContext['env']): number => (BACKUPS_KEPT === 0 ? 0 : BACKUP_HOURS * HOUR_MS);

/** The first multiple of `step` after a moment. */
const turnAfter = (at: Date, step: number): Date => new Date((Math.floor(at.getTime() / step) + 1) * step);

/**
 * When the timed backup after the last one is due, whichever server made that and whatever its clock said. null: none was made,
 * or it is so far in the future that a clock has jumped since.
 */
async function dueAfterLast({ env, now, db }: Timing): Promise<Date | null> {
  const step = stepOf(env);
  const last = await lastTimed(db);
  if (last === null || last.getTime() - now().getTime() > step) return null;
  return turnAfter(last, step);
}

/** Makes a backup every BACKUP_HOURS, counted from midnight UTC, and deletes old ones. */
export const makeBackup: OutsideKind<null> = {
  kind: 'backup.make',
  runs: 'outside',
  payload: z.null(),
  max_running: 1,
  timeout_s: WITHIN_S,
  unseen: true,
  retry_after_s: [60, 600, 3_600],
  next: async (ctx) => {
    const step = stepOf(ctx.env);
    if (step === 0) return null;
    const turn = turnAfter(ctx.now(), step);
    const due = await dueAfterLast(ctx);
    // A server whose clock is ahead has made the one of this turn already.
    return due !== null && due > turn ? due : turn;
  },
  run: async (ctx, _job, { signal }) => {
    // The settings may have changed since it was stored.
    if (stepOf(ctx.env) === 0) return undefined;
    const due = await dueAfterLast(ctx);
    if (due !== null && due > ctx.now()) return undefined;
    await (await beginBackup(ctx, 'timed'))?.make(signal);
    return undefined;
  },
};
