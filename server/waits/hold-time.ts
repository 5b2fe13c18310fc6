import { readGuildNow } from '../claims/guild-now.ts';
import { loadDatedClaims } from '../claims/queries.ts';
import { showClaims } from '../claims/show.ts';
import { byIds } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { MANY_CHANGES } from '../live/many-changes.ts';
import { WAIT_COLUMNS } from './queries.ts';

export const MINUTE_MS = 60_000;

export const inMinutes = (now: Date, minutes: number): string => new Date(now.getTime() + minutes * MINUTE_MS).toISOString();

/**
 * Gives holds another end.
 * @param ids waitlist entries with an offer
 */
export async function holdUntil(ctx: Writing, tx: Tx, changes: ChangeRecorder, ids: readonly number[], held_until: string): Promise<void> {
  const waits = await byIds(ids, (some) =>
    tx.updateTable('waits').set({ held_until }).where('id', 'in', some).returning(WAIT_COLUMNS).execute(),
  );
  const claim_ids = waits.flatMap(({ held_claim_id }) => held_claim_id ?? []);
  await byIds(claim_ids, (some) => tx.updateTable('claims').set({ held_until }).where('id', 'in', some).returning('id').execute());
  changes.ends.moved = true;
  if (waits.length > MANY_CHANGES) return changes.reset();
  for (const record of waits) changes.put({ kind: 'wait', record });
  const guild = await readGuildNow(ctx, tx);
  showClaims(changes, await loadDatedClaims(tx, { of: 'ids', ids: claim_ids }), guild);
}
