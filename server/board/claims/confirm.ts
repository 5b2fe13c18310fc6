import { DomainError } from '../../../shared/errors.ts';
import { assertTimeToConfirm, confirmTime } from '../../../shared/rules/confirm.ts';
import type { Claim, ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Principal } from '../../auth/callers.ts';
import { actorOf } from '../../auth/who-asks.ts';
import type { Tx } from '../../db/open.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { serverSaveClock } from '../config/clock.ts';
import { recordClaims } from './changes.ts';
import { readGuildNow } from './guild-now.ts';
import { countAsConfirmed } from './judge.ts';
import { namedPart, ownClaim } from './own-claim.ts';
import { claimRows, type DatedClaim } from './queries.ts';
import { showClaims } from './show.ts';

/**
 * Says that the holder of a claim, or of a part of a split one, is there (R9.24, R9.25).
 * @param part_number of a split claim
 * @returns the claim's rows as they are now
 * @throws DomainError confirm.*, claim.notFound, split.whichPart, split.partGone
 */
export function confirmClaim(ctx: Writing, by: Principal, id: number, part_number: number | null): Promise<ClaimRow[]> {
  return write(ctx, async (tx, changes) => {
    const actor = await actorOf(tx, by);
    const guild = await readGuildNow(ctx, tx);
    const found = await claimOr(tx, id, () => ownClaim(tx, actor, id, 'confirm.otherCharacter'));
    const { claim } = found;
    if (!guild.confirm_enabled) throw new DomainError('confirm.disabled');
    const part = namedPart(claim, part_number);
    const number = part.split_part_number ?? 1;
    if (claim.date === null || !claim.to_confirm.some((each) => each === number)) throw new DomainError('confirm.notNeeded');
    const { hour_start } = part;
    assertTimeToConfirm(confirmTime({ date: claim.date, hour_start }, guild.grace_minutes, serverSaveClock(ctx)), ctx.now());
    await countAsConfirmed(tx, id, number);
    const after: Claim = { ...claim, to_confirm: claim.to_confirm.filter((each) => each !== number) };
    showClaims(changes, [{ ...found, claim: after }], guild);
    const rows = await claimRows(tx, [after]);
    const confirmed = rows.filter(({ split_part_number }) => split_part_number === part.split_part_number);
    await recordClaims(ctx, tx, changes, actor, 'claim_confirmed', [after], confirmed, (details) => ({ details }));
    return rows;
  });
}

/** One that has gone as a no-show is no stranger to whoever comes too late. */
async function claimOr(tx: Tx, id: number, find: () => Promise<DatedClaim>): Promise<DatedClaim> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'claim.notFound') throw error;
    const missed = tx.selectFrom('claim_endings').select('id').where('claim_id', '=', id).where('reason', '=', 'no_show');
    throw (await missed.limit(1).executeTakeFirst()) ? new DomainError('confirm.over') : error;
  }
}
