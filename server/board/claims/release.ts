import { DomainError } from '../../../shared/errors.ts';
import { releaseOf } from '../../../shared/rules/release.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Principal } from '../../auth/callers.ts';
import { actorOf } from '../../auth/who-asks.ts';
import { write } from '../../db/unit-of-work.ts';
import type { Writing } from '../../jobs/writing.ts';
import { serverSaveNow } from '../config/clock.ts';
import { recordClaims } from './changes.ts';
import { endedNow } from './endings.ts';
import { giveUp } from './give-up.ts';
import { readGuildNow } from './guild-now.ts';
import { countAsConfirmed } from './judge.ts';
import { namedPart, ownClaim } from './own-claim.ts';
import { claimRows } from './queries.ts';
import { showClaims } from './show.ts';

/**
 * Gives back the hours of a claim, or of a part of a split one, that have not begun (R9.20 to R9.22).
 * @param part_number of a split claim
 * @returns the claim's rows as they are now; none where it went
 * @throws DomainError release.*, claim.notFound, split.whichPart, split.partGone
 */
export function releaseClaim(ctx: Writing, by: Principal, id: number, part_number: number | null): Promise<ClaimRow[]> {
  return write(ctx, async (tx, changes) => {
    const actor = await actorOf(tx, by);
    const guild = await readGuildNow(ctx, tx);
    const found = await ownClaim(tx, actor, id, 'release.otherCharacter');
    const { claim } = found;
    if (actor.role === 'member' && !guild.release_enabled) throw new DomainError('release.disabled');
    if (claim.date === null) throw new DomainError('release.noDate');
    if (claim.is_held) throw new DomainError('release.held');
    const part = namedPart(claim, part_number);
    const { date: today, hour } = serverSaveNow(ctx);
    const release = releaseOf(part, claim.date, { today, hour });
    if (!release) throw new DomainError('release.nothingLeft');
    const gone = (await claimRows(tx, [claim]))
      .filter(({ split_part_number }) => split_part_number === part.split_part_number)
      .map((row) => ({ ...row, ...release.gone }));
    // R9.25: whoever gives back the rest in time is there, or said in time that they go.
    if (release.stays && actor.role === 'member') await countAsConfirmed(tx, id, part.split_part_number ?? 1);
    const left = await giveUp(ctx, tx, changes, found, { part, ...release }, endedNow(ctx, 'released', actor));
    showClaims(changes, left, guild);
    await recordClaims(ctx, tx, changes, actor, 'claim_released', [claim], gone, (details) => ({ details }));
    return claimRows(
      tx,
      left.map((dated) => dated.claim).filter((each) => each.id === id),
    );
  });
}
