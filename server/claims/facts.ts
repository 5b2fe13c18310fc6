import type { HeldDay, TakenRange } from '../../shared/rules/conflicts.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { PlannedClaim } from '../../shared/rules/submission.ts';
import type { Tx } from '../db/open.ts';

const first = (dates: readonly string[]): string => dates.reduce((a, b) => (a < b ? a : b));
const last = (dates: readonly string[]): string => dates.reduce((a, b) => (a > b ? a : b));

/** The hours that stored claims hold on a claim's respawns and dates. */
export async function takenRanges(tx: Tx, claim: PlannedClaim): Promise<TakenRange[]> {
  const rows = await tx
    .selectFrom('occupied_hours')
    .select(['respawn_id', 'date', 'hour'])
    .where(
      'respawn_id',
      'in',
      claim.parts.map((part) => part.respawn_id),
    )
    .where('date', '>=', first(claim.dates))
    .where('date', '<=', last(claim.dates))
    .execute();
  return rows.map(({ respawn_id, date, hour }) => ({ respawn_id, date, hour_start: hour, hour_end: hour + 1 }));
}

/** The claims a character already has within a claim's dates. */
export async function heldDays(tx: Tx, claim: PlannedClaim): Promise<HeldDay[]> {
  return tx
    .selectFrom('occupied_days')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'occupied_days.claim_id')
    .innerJoin('respawns', 'respawns.id', 'claim_parts.respawn_id')
    .select(['occupied_days.date', 'respawns.name as respawn_name', 'hour_start', 'hour_end'])
    .where('occupied_days.character_key', '=', nameKey(claim.character_name))
    .where('occupied_days.date', '>=', first(claim.dates))
    .where('occupied_days.date', '<=', last(claim.dates))
    .orderBy('occupied_days.date')
    .orderBy('hour_start')
    .execute();
}
