import { z } from 'zod';
import { SETTINGS } from '../../../shared/settings.ts';
import { type InsideKind, nextHour } from '../../jobs/job-kind.ts';
import { restartHolds } from './hold-time.ts';
import { heldAfter } from './stored.ts';

/** No hold that was made by a clock that is right ends later than this. */
const latestEnd = (now: Date): string => new Date(now.getTime() + SETTINGS.hold_minutes.max * 60_000).toISOString();

/**
 * R9.7: restarts holds that last longer than any guild may set. They were made while the clock was ahead, and would block their hours
 * until it gets there. Runs with the first look for jobs after the clock was corrected.
 */
export const cutHolds: InsideKind<null> = {
  kind: 'hold.cut',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async ({ db, now }) => (await heldAfter(db, latestEnd(now())).limit(1).execute()).length > 0,
  run: async (ctx, tx, changes) => {
    const ids = (await heldAfter(tx, latestEnd(ctx.now())).execute()).map(({ id }) => id);
    await restartHolds(ctx, tx, changes, ids);
    return undefined;
  },
};
