import { DomainError } from '../../shared/errors.ts';
import { isOnBoard } from '../../shared/rules/board.ts';
import type { Wait } from '../../shared/schemas/wait.ts';
import { recordActivities } from '../activity/record.ts';
import { readGuildNow } from '../claims/guild-now.ts';
import { loadDatedClaims } from '../claims/queries.ts';
import type { Writing } from '../db/write.ts';
import { write } from '../db/write.ts';
import { endWaits, leaveLine } from './end.ts';
import { actedOn, type Waiter } from './operations.ts';
import { findWait } from './queries.ts';
import type { StoredWait } from './stored.ts';
import { deedsOf, toldOf } from './told.ts';

/** @throws DomainError hold.over, wait.notOpen, wait.notOffered */
function assertOffered({ status }: StoredWait): void {
  if (status === 'offered') return;
  if (status === 'lapsed') throw new DomainError('hold.over');
  throw new DomainError(status === 'waiting' ? 'wait.notOffered' : 'wait.notOpen');
}

/**
 * Makes an ordinary claim of the hours that are held, made now; the character's other waits of that date are void (R9.9).
 * @throws DomainError wait.notFound, wait.otherCharacter, wait.notOffered, wait.notOpen; hold.over for one that has lapsed
 */
export function acceptOffer(ctx: Writing, waiter: Waiter, id: number): Promise<Wait> {
  return write(ctx, async (tx, changes) => {
    const { actor, wait } = await actedOn(tx, waiter, id);
    assertOffered(wait);
    const claim_id = wait.held_claim_id ?? 0;
    const created_at = ctx.now().toISOString();
    await tx.updateTable('claims').set({ held_until: null, created_at }).where('id', '=', claim_id).execute();
    const [taken] = await loadDatedClaims(tx, { of: 'ids', ids: [claim_id] });
    if (!taken) throw new Error('what is held has no claim');
    await leaveLine(ctx, tx, changes, [wait], 'accepted');
    if (isOnBoard(taken.claim, taken.last_date, await readGuildNow(ctx, tx))) changes.put({ kind: 'claim', record: taken.claim });
    await recordActivities(ctx, tx, changes, actor, 'hold_accepted', deedsOf(await toldOf(tx, [wait], [taken.claim])));
    return ended(await findWait(tx, id));
  });
}

/**
 * Lets the hours go that are held; the next in line are asked.
 * @throws DomainError as `acceptOffer`
 */
export function declineOffer(ctx: Writing, waiter: Waiter, id: number): Promise<Wait> {
  return write(ctx, async (tx, changes) => {
    const { actor, wait } = await actedOn(tx, waiter, id);
    assertOffered(wait);
    await endWaits(ctx, tx, changes, actor, [wait], 'declined');
    return ended(await findWait(tx, id));
  });
}

function ended(wait: Wait | null): Wait {
  if (!wait) throw new DomainError('wait.notFound');
  return wait;
}
