import { z } from 'zod';
import { LONGEST_HOLD_MINUTES } from '../../shared/schemas/config.ts';
import { readConfig } from '../config/queries.ts';
import { type InsideKind, nextHour } from '../jobs/kind.ts';
import { holdUntil, inMinutes } from './hold-time.ts';
import { heldAfter } from './stored.ts';

/**
 * R9.7: no hold lasts longer than a guild may let it. One that does was made while a clock ran ahead, and nobody else could have its hours
 * until then; it has the guild's minutes from now on. A clock that was set right is noticed as soon as jobs are looked for.
 */
export const cutHolds: InsideKind<null> = {
  kind: 'hold.cut',
  runs: 'inside',
  payload: z.null(),
  next: nextHour,
  isNeeded: async ({ db, now }) => (await heldAfter(db, inMinutes(now(), LONGEST_HOLD_MINUTES)).limit(1).execute()).length > 0,
  run: async (ctx, tx, changes) => {
    const ids = (await heldAfter(tx, inMinutes(ctx.now(), LONGEST_HOLD_MINUTES)).execute()).map(({ id }) => id);
    if (ids.length === 0) return undefined;
    const { hold_minutes } = await readConfig(ctx, tx);
    await holdUntil(ctx, tx, changes, ids, inMinutes(ctx.now(), hold_minutes));
    return undefined;
  },
};
