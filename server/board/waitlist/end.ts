import type { ActivityAction } from '../../../shared/activity-actions.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { WaitStatus } from '../../../shared/schemas/wait.ts';
import { type Actor, logActivities } from '../../auth/activity-log.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { readByIds } from '../../db/queries.ts';
import { deadlineChanges } from '../../jobs/deadlines.ts';
import type { Writing } from '../../jobs/writing.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { loadClaims } from '../claims/claim-records.ts';
import { beginClaimWrite, type ClaimWrite } from '../claims/claims-changed.ts';
import { deleteClaims } from '../claims/delete.ts';
import { affectedWaitlists } from './affected-waitlists.ts';
import { moveOpenWaits } from './count.ts';
import type { StoredWait } from './stored.ts';
import { deedsOf, toldOf } from './told.ts';

/** How a wait ends without the hours. */
export type EndStatus = Exclude<WaitStatus, 'waiting' | 'offered' | 'accepted'>;

const ACTIONS = {
  withdrawn: 'wait_withdrawn',
  void: 'wait_voided',
  declined: 'hold_declined',
  lapsed: 'hold_lapsed',
} as const satisfies { [S in EndStatus]: ActivityAction };

/**
 * Ends waits of which some may hold hours: those come free, and whoever waits for them is served once the write is done (R9.9).
 * @param waits open ones
 */
export async function endWaits(
  ctx: Writing,
  tx: Tx,
  changes: ChangeRecorder,
  actor: Actor,
  waits: readonly StoredWait[],
  status: EndStatus,
): Promise<void> {
  if (waits.length === 0) return;
  const holds = await removeHolds(
    await beginClaimWrite(ctx, tx, changes, actor),
    status === 'declined' || status === 'withdrawn' ? 'hold_declined' : 'hold_lapsed',
    waits.flatMap(({ held_claim_id }) => held_claim_id ?? []),
  );
  await leaveLine(ctx, tx, changes, waits, status);
  const told = await toldOf(tx, waits, holds);
  if (status === 'declined' || status === 'lapsed') await logActivities(changes, actor, ACTIONS[status], deedsOf(told));
  else {
    const deeds = told.map(({ wait }) => ({ details: wait }));
    await logActivities(changes, actor, ACTIONS[status], deeds);
  }
}

/** Takes waits out of their lines: those behind them move up once the write is done. */
export async function leaveLine(
  ctx: Pick<Writing, 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  waits: readonly StoredWait[],
  status: Exclude<WaitStatus, 'waiting' | 'offered'>,
): Promise<void> {
  const ended_at = ctx.now().toISOString();
  const ids = waits.map(({ id }) => id);
  await readByIds(ids, (some) =>
    tx
      .updateTable('waits')
      .set({ status, ended_at, position: 0, held_until: null, quiet_until: null })
      .where('id', 'in', some)
      .returning('id')
      .execute(),
  );
  await moveOpenWaits(tx, -waits.length);
  changes.collect(deadlineChanges).moved = true;
  if (waits.length > MANY_CHANGES) changes.reset();
  for (const { id, respawn_id, date, character_key } of waits) {
    if (waits.length <= MANY_CHANGES) changes.remove('wait', id);
    changes.collect(affectedWaitlists).hours(respawn_id, date);
    changes.collect(affectedWaitlists).character(character_key);
  }
}

/** Deletes the claims that hold hours, unless they are gone. @returns those claims */
async function removeHolds(unit: ClaimWrite, cause: 'hold_declined' | 'hold_lapsed', ids: readonly number[]): Promise<Claim[]> {
  if (ids.length === 0) return [];
  const holds = (await loadClaims(unit.tx, { of: 'ids', ids })).filter(({ is_held }) => is_held === 1);
  if (holds.length > 0) await deleteClaims(unit, { of: 'ids', ids: holds.map(({ id }) => id) }, { cause });
  return holds;
}
