import { instantOf } from '../../../shared/rules/server-save.ts';
import { holdLasts } from '../../../shared/rules/waits.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import type { Tx } from '../../db/open.ts';
import { readByIds } from '../../db/queries.ts';
import type { Writing } from '../../jobs/writing.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { loadDatedClaims } from '../claims/claim-records.ts';
import { beginClaimWrite, claimsChanged } from '../claims/claims-changed.ts';
import { readConfig } from '../records/config.ts';
import { WAIT_COLUMNS } from './queries.ts';

/**
 * R9.7: restarts holds, so that each lasts from now on as long as one that is made now. The claim is dated now, too: whether a server
 * was up during the hold is judged from then on.
 * @param ids waitlist entries with an offer
 */
export async function restartHolds(ctx: Writing, tx: Tx, changes: ChangeRecorder, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const [now, clock, { hold_minutes }] = [ctx.now(), serverSaveClock(ctx), await readConfig(ctx, tx)];
  const held = await readByIds(ids, (some) =>
    tx
      .selectFrom('waits')
      .innerJoin('claim_parts', 'claim_parts.claim_id', 'waits.held_claim_id')
      .select(['waits.id', 'waits.date', 'claim_parts.claim_id', 'claim_parts.hour_start', 'claim_parts.hour_end'])
      .where('waits.id', 'in', some)
      .execute(),
  );
  const heldUntil = ({ date, hour_start, hour_end }: (typeof held)[number]): string => {
    const [start, end] = [instantOf(date, hour_start, clock), instantOf(date, hour_end, clock)];
    // If the hours seem to be over, the clock may be ahead: don't shorten the hold.
    const lasts_ms = end <= now ? hold_minutes * 60_000 : holdLasts(hold_minutes, now, start, end);
    return new Date(now.getTime() + lasts_ms).toISOString();
  };
  const before = await loadDatedClaims(tx, { of: 'ids', ids: held.map(({ claim_id }) => claim_id) });
  const restarted = new Map<number, Pick<Claim, 'held_until' | 'created_at'>>();
  const waits = [];
  for (const [held_until, together] of Map.groupBy(held, heldUntil)) {
    const wait_ids = together.map(({ id }) => id);
    const claim_ids = together.map(({ claim_id }) => claim_id);
    waits.push(
      ...(await readByIds(wait_ids, (some) =>
        tx.updateTable('waits').set({ held_until }).where('id', 'in', some).returning(WAIT_COLUMNS).execute(),
      )),
    );
    const claim = { held_until, created_at: now.toISOString() };
    await readByIds(claim_ids, (some) => tx.updateTable('claims').set(claim).where('id', 'in', some).returning('id').execute());
    for (const id of claim_ids) restarted.set(id, claim);
  }
  if (waits.length > MANY_CHANGES) changes.reset();
  else for (const record of waits) changes.put({ kind: 'wait', record });
  const claims = before.map((dated) => ({
    before: dated,
    after: { ...dated, claim: { ...dated.claim, ...restarted.get(dated.claim.id) } },
  }));
  await claimsChanged(await beginClaimWrite(ctx, tx, changes, { role: 'server' }), claims, { cause: 'hold_changed' });
}
