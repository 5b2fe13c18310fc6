import type { Json } from '../../shared/errors.ts';
import type { ActivityAction } from '../../shared/schemas/activity.ts';
import type { Claim, ClaimRow } from '../../shared/schemas/claim.ts';
import { type Actor, recordActivities } from '../activity/record.ts';
import type { UndoRows } from '../activity/undo-rows.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import type { ChangeRecorder } from '../live/change-log.ts';

/** The activity entry that each claim which came, changed or went owes. */
export async function recordClaims(
  ctx: Pick<Writing, 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  actor: Actor,
  action: ActivityAction,
  claims: readonly Claim[],
  rows: readonly ClaimRow[],
  { more = {}, undo = null }: { more?: Record<string, Json> /** Of a single claim's deletion. */; undo?: UndoRows | null } = {},
): Promise<void> {
  const rowsOf = Map.groupBy(rows, (row) => row.id);
  const deeds = claims.map((claim) => {
    const places = (rowsOf.get(claim.id) ?? []).map(({ respawn_id, respawn_name, hour_start, hour_end }) => {
      return { respawn_id, respawn_name, hour_start, hour_end };
    });
    const { id, character_name, member_type, date, event_id, is_secondary_claim, is_split_claim } = claim;
    return {
      details: { claim_id: id, character_name, member_type, date, event_id, is_secondary_claim, is_split_claim, places, ...more },
      undo,
    };
  });
  await recordActivities(ctx, tx, changes, actor, action, deeds);
}
