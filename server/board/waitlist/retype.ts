import { lengthOf } from '../../../shared/rules/budget.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { inBatches } from '../../db/queries.ts';
import type { Writing } from '../../jobs/writing.ts';
import { MANY_CHANGES } from '../../live/many-changes.ts';
import { type ClaimChange, loadDatedClaims } from '../claims/claim-records.ts';
import { beginClaimWrite, claimsChanged } from '../claims/claims-changed.ts';
import { memberTypeOrFallback } from '../records/member-types.ts';
import { affectedWaitlists } from './affected-waitlists.ts';
import { openWaitsOf, recordOf } from './stored.ts';

/**
 * Lets characters' waits be of the type that their keys are of now (R9.11): they are served by that one's voucher and budget,
 * and what is held for them is accepted by them. Hours that are held already stay as many.
 */
export async function retypeWaits(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  { character_keys, member_type }: { character_keys: readonly string[]; member_type: string },
): Promise<void> {
  const others = (await openWaitsOf(tx, character_keys)).filter((wait) => wait.member_type !== member_type);
  if (others.length === 0) return;
  for (const some of inBatches(others)) {
    const ids = some.map(({ id }) => id);
    await tx.updateTable('waits').set({ member_type }).where('id', 'in', ids).execute();
  }
  if (others.length > MANY_CHANGES) changes.reset();
  else for (const wait of others) changes.put({ kind: 'wait', record: { ...recordOf(wait), member_type } });
  const held = others.flatMap(({ held_claim_id }) => held_claim_id ?? []);
  if (held.length > 0) await retypeHolds(ctx, tx, changes, held, member_type);
  for (const { character_key } of others) changes.collect(affectedWaitlists).character(character_key);
}

async function retypeHolds(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  ids: readonly number[],
  member_type: string,
): Promise<void> {
  const { voucher_duration_hours: voucher_duration } = await memberTypeOrFallback(tx, member_type);
  const holds = await loadDatedClaims(tx, { of: 'ids', ids });
  const retyped: ClaimChange[] = [];
  for (const [length, ofLength] of Map.groupBy(holds, ({ claim }) => lengthOf([claim]))) {
    const type = { member_type, voucher_duration, custom_duration: length === voucher_duration ? null : length };
    for (const some of inBatches(ofLength)) {
      const alike = some.map(({ claim }) => claim.id);
      await tx.updateTable('claims').set(type).where('id', 'in', alike).execute();
    }
    retyped.push(...ofLength.map((before) => ({ before, after: { ...before, claim: { ...before.claim, ...type } } })));
  }
  await claimsChanged(await beginClaimWrite(ctx, tx, changes, { role: 'server' }), retyped, { cause: 'hold_changed' });
}
