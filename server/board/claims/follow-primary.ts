import type { HourRange } from '../../../shared/rules/hours.ts';
import { secondaryFollows } from '../../../shared/rules/secondary.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { Tx } from '../../db/open.ts';
import { type Ended, keepGivenUp } from './endings.ts';
import { type DatedClaim, loadDatedClaims } from './queries.ts';

/** A secondary claim that followed its primary. */
export interface Followed extends DatedClaim {
  /** When it ended before. */
  ended: number;
}

/** How many hours of a claim's date have begun; of a whole event's none until it is over. */
function hoursBegun(last_date: string, date: string | null, { ended_date, ended_hour }: Ended): number {
  if (last_date < ended_date) return HOURS_IN_DAY;
  return date === ended_date ? ended_hour + 1 : 0;
}

/**
 * Lets the secondary claims that were submitted with a claim follow its new hours (R5.7). They occupy nothing, so nobody
 * stands in their way.
 * @param ended when, and why they give up hours, where they are shorter now
 * @returns those that are others now
 */
export async function followPrimary(tx: Tx, primary: HourRange & { id: number }, times: HourRange, ended: Ended): Promise<Followed[]> {
  const found = await tx.selectFrom('claims').select('id').where('primary_claim_id', '=', primary.id).execute();
  if (found.length === 0) return [];
  const followed: Followed[] = [];
  for (const dated of await loadDatedClaims(tx, { of: 'ids', ids: found.map(({ id }) => id) })) {
    const { claim, last_date } = dated;
    const { hour_end } = secondaryFollows(claim, primary, times, hoursBegun(last_date, claim.date, ended));
    if (hour_end === claim.hour_end) continue;
    await tx.updateTable('claim_parts').set({ hour_end }).where('claim_id', '=', claim.id).execute();
    // Its length is its primary's again, whatever it was given before.
    await tx.updateTable('claims').set({ custom_duration: null }).where('id', '=', claim.id).execute();
    const { id: claim_id, respawn_id } = claim;
    if (hour_end < claim.hour_end) {
      const given = { claim_id, respawn_id, part_number: 1, last_date, hour_start: hour_end, hour_end: claim.hour_end };
      await keepGivenUp(tx, [given], ended);
    }
    followed.push({ ...dated, claim: { ...claim, hour_end, custom_duration: null }, ended: claim.hour_end });
  }
  return followed;
}
