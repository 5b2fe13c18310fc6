import { sql } from 'kysely';
import { type Beginning, isToConfirm } from '../../../shared/rules/confirm.ts';
import type { PlannedClaim, PlannedPart } from '../../../shared/rules/submission.ts';
import type { Claim } from '../../../shared/schemas/claim.ts';
import { breathe } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Db, Tx } from '../../db/open.ts';
import { deadlineChanges } from '../../jobs/deadlines/deadline-changes.ts';
import type { Writing } from '../../jobs/writing.ts';
import { serverSaveClock } from '../config/clock.ts';
import type { GuildNow } from './guild-now.ts';

type Ctx = Pick<Writing, 'env' | 'now'>;
type Setting = Pick<GuildNow, 'confirm_enabled'>;

/** R9.24: whether what is claimed now, or stands again from now on, and begins then has to be confirmed. */
export function isJudgedNow(ctx: Ctx, { confirm_enabled }: Setting): (begins: Beginning) => boolean {
  if (!confirm_enabled) return () => false;
  const [now, clock] = [ctx.now(), serverSaveClock(ctx)];
  return (begins) => isToConfirm(begins, now, clock);
}

/** R9.24: which parts of a submission have to be confirmed. */
export function judgeOf(ctx: Ctx, guild: Setting): (claim: PlannedClaim, part: PlannedPart) => boolean {
  const isJudged = isJudgedNow(ctx, guild);
  return ({ date, is_secondary_claim }, { hour_start }) => date !== null && !is_secondary_claim && isJudged({ date, hour_start });
}

/** R9.24: of a whole claim that gets other hours: confirmed it stays so, and it counts as confirmed where these begin soon. */
export function stillToConfirm(ctx: Ctx, { date, to_confirm }: Claim, { hour_start }: Pick<Claim, 'hour_start'>): Claim['to_confirm'] {
  return date !== null && isToConfirm({ date, hour_start }, ctx.now(), serverSaveClock(ctx)) ? to_confirm : [];
}

/** R9.25: nothing is due of a part any more. */
export async function countAsConfirmed(tx: Tx, claim_id: number, part_number: number): Promise<void> {
  await tx
    .updateTable('claim_parts')
    .set({ to_confirm: 0 })
    .where('claim_id', '=', claim_id)
    .where('part_number', '=', part_number)
    .execute();
}

/** Parts that have yet to be confirmed; those that begin first first, and always in one order, as they are read page by page. */
export const unconfirmed = (db: Db | Tx) =>
  db
    .selectFrom('claim_parts')
    .select(['claim_id', 'part_number', 'last_date as date', 'hour_start'])
    .where((where) => where('to_confirm', '=', where.lit(1)))
    // Says nothing but that the index is searched, and not gone through.
    .where('last_date', '>=', sql.lit(''))
    .orderBy('last_date')
    .orderBy('hour_start')
    .orderBy('claim_id')
    .orderBy('part_number');

/** Parts that a statement lets be. */
const PARTS_AT_ONCE = 1_000;

/**
 * The guild confirms otherwise from now on: what is due is due at another time. Switched off, nothing that stands is to be
 * confirmed any more, nor judged when it is switched on again (R9.24).
 */
export async function changeConfirming(tx: Tx, changes: ChangeRecorder, { confirm_enabled }: Setting): Promise<void> {
  changes.collect(deadlineChanges).moved = true;
  if (confirm_enabled) return;
  for (;;) {
    const ids = (await unconfirmed(tx).limit(PARTS_AT_ONCE).execute()).map(({ claim_id }) => claim_id);
    if (ids.length === 0) return;
    await tx.updateTable('claim_parts').set({ to_confirm: 0 }).where('claim_id', 'in', ids).execute();
    changes.reset();
    await breathe();
  }
}
