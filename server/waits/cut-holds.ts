import { z } from 'zod';
import { isOnBoard } from '../../shared/rules/board.ts';
import { LONGEST_HOLD_MINUTES } from '../../shared/schemas/config.ts';
import { readGuildNow } from '../claims/guild-now.ts';
import { loadDatedClaims } from '../claims/queries.ts';
import { readConfig } from '../config/queries.ts';
import { byIds } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import { type InsideKind, nextHour } from '../jobs/kind.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { MANY_CHANGES } from '../live/many-changes.ts';
import { WAIT_COLUMNS } from './queries.ts';
import { heldAfter } from './stored.ts';

const MINUTE_MS = 60_000;

const inMinutes = (now: Date, minutes: number): string => new Date(now.getTime() + minutes * MINUTE_MS).toISOString();

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
    await cut(ctx, tx, changes, ids, inMinutes(ctx.now(), hold_minutes));
    return undefined;
  },
};

async function cut(ctx: Writing, tx: Tx, changes: ChangeRecorder, ids: readonly number[], held_until: string): Promise<void> {
  const waits = await byIds(ids, (some) =>
    tx.updateTable('waits').set({ held_until }).where('id', 'in', some).returning(WAIT_COLUMNS).execute(),
  );
  const claim_ids = waits.flatMap(({ held_claim_id }) => held_claim_id ?? []);
  await byIds(claim_ids, (some) => tx.updateTable('claims').set({ held_until }).where('id', 'in', some).returning('id').execute());
  changes.ends.moved = true;
  if (waits.length > MANY_CHANGES) return changes.reset();
  for (const record of waits) changes.put({ kind: 'wait', record });
  const guild = await readGuildNow(ctx, tx);
  for (const { claim, last_date } of await loadDatedClaims(tx, { of: 'ids', ids: claim_ids }))
    if (isOnBoard(claim, last_date, guild)) changes.put({ kind: 'claim', record: claim });
}
