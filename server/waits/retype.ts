import { isOnBoard } from '../../shared/rules/board.ts';
import { lengthOf } from '../../shared/rules/budget.ts';
import { readGuildNow } from '../claims/guild-now.ts';
import { loadDatedClaims } from '../claims/queries.ts';
import type { Tx } from '../db/open.ts';
import type { Writing } from '../db/write.ts';
import type { ChangeRecorder } from '../live/change-log.ts';
import { memberTypeOrFallback } from '../member-types/queries.ts';
import { openWaitsOf } from './stored.ts';

/**
 * Lets a character's waits be of the type that its key is of now (R9.11): it is served by that one's voucher and budget, and
 * what is held for it is accepted by them. Hours that are held already stay as many.
 */
export async function retypeWaits(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  { character_key, member_type }: { character_key: string; member_type: string },
): Promise<void> {
  const others = (await openWaitsOf(tx, character_key)).filter((wait) => wait.member_type !== member_type);
  if (others.length === 0) return;
  const ids = others.map(({ id }) => id);
  await tx.updateTable('waits').set({ member_type }).where('id', 'in', ids).execute();
  for (const { character_key: _, ...record } of others) changes.put({ kind: 'wait', record: { ...record, member_type } });
  const held = others.flatMap(({ held_claim_id }) => held_claim_id ?? []);
  if (held.length > 0) await retypeHolds(ctx, tx, changes, held, member_type);
  changes.touched.character(character_key);
}

async function retypeHolds(
  ctx: Pick<Writing, 'env' | 'now'>,
  tx: Tx,
  changes: ChangeRecorder,
  ids: readonly number[],
  member_type: string,
): Promise<void> {
  const { voucher_duration_hours: voucher_duration } = await memberTypeOrFallback(tx, member_type);
  const guild = await readGuildNow(ctx, tx);
  for (const { claim, last_date } of await loadDatedClaims(tx, { of: 'ids', ids })) {
    const length = lengthOf([claim]);
    const type = { member_type, voucher_duration, custom_duration: length === voucher_duration ? null : length };
    await tx.updateTable('claims').set(type).where('id', '=', claim.id).execute();
    if (isOnBoard(claim, last_date, guild)) changes.put({ kind: 'claim', record: { ...claim, ...type } });
  }
}
