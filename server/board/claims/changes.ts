import type { Claim, ClaimRow } from '../../../shared/schemas/claim.ts';
import { type Actor, type Deed, recordActivities } from '../../activity/record.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import type { Writing } from '../../jobs/writing.ts';

/** What the entry of a claim tells of it. */
type Told = Deed<'claim_created'>['details'];
type OfClaim = 'claim_created' | 'claim_updated' | 'claim_deleted' | 'claim_released' | 'claim_confirmed' | 'claim_no_show';

/**
 * The activity entry that each claim which came, changed or went owes.
 * @param deedOf what an entry of this action tells, of what it tells of a claim
 */
export async function recordClaims<A extends OfClaim>(
  ctx: Pick<Writing, 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  actor: Actor,
  action: A,
  claims: readonly Claim[],
  rows: readonly ClaimRow[],
  deedOf: (told: Told) => Deed<A>,
): Promise<void> {
  const rowsOf = Map.groupBy(rows, (row) => row.id);
  const deeds = claims.map((claim) => {
    const places = (rowsOf.get(claim.id) ?? []).map(({ respawn_id, respawn_name, hour_start, hour_end }) => {
      return { respawn_id, respawn_name, hour_start, hour_end };
    });
    const { id, character_name, member_type, date, event_id, is_secondary_claim, is_split_claim } = claim;
    return deedOf({ claim_id: id, character_name, member_type, date, event_id, is_secondary_claim, is_split_claim, places });
  });
  await recordActivities(ctx, tx, changes, actor, action, deeds);
}
