import type { Json } from '../../shared/errors.ts';
import type { ActivityAction } from '../../shared/schemas/activity.ts';
import type { Claim } from '../../shared/schemas/claim.ts';
import { type Actor, recordActivity } from '../activity/record.ts';
import type { UndoRows } from '../activity/undo-rows.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/open.ts';
import type { ChangeRecorder } from '../db/write.ts';
import { claimRows } from './queries.ts';

/**
 * The activity entry that each claim which came, changed or went owes.
 * @param undo of a single claim's deletion, for its entry
 */
export async function recordClaims(
  ctx: Context,
  tx: Tx,
  changes: ChangeRecorder,
  actor: Actor,
  action: ActivityAction,
  claims: readonly Claim[],
  more: Record<string, Json> = {},
  undo: UndoRows | null = null,
): Promise<void> {
  const rows = await claimRows(tx, claims);
  for (const claim of claims) {
    const places = rows
      .filter((row) => row.id === claim.id)
      .map(({ respawn_id, respawn_name, hour_start, hour_end }) => ({ respawn_id, respawn_name, hour_start, hour_end }));
    const { id, character_name, member_type, date, is_secondary_claim, is_split_claim } = claim;
    const { event_id } = claim;
    const details = { claim_id: id, character_name, member_type, date, event_id, is_secondary_claim, is_split_claim, places, ...more };
    await recordActivity(ctx, tx, changes, actor, action, details, undo);
  }
}
