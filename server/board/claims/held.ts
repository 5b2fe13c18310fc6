import { DomainError } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { PlannedClaim } from '../../../shared/rules/submission.ts';
import { byIds } from '../../db/batches.ts';
import type { Tx } from '../../db/open.ts';

const holds = (tx: Tx) =>
  tx
    .selectFrom('occupied_hours')
    .innerJoin('claims', 'claims.id', 'occupied_hours.claim_id')
    .select(['character_name', 'held_until', 'occupied_hours.date', 'hour'])
    .where('held_until', 'is not', null);
type HeldHour = Awaited<ReturnType<ReturnType<typeof holds>['execute']>>[number];

const taken = ({ character_name, held_until, date, hour }: HeldHour): DomainError =>
  new DomainError('hold.taken', { character_name, held_until, date, hour });

/** The refusal of hours of which some are held for somebody in line (R9.10); null: none are. */
export async function heldInTheWay(tx: Tx, { parts, dates }: Pick<PlannedClaim, 'parts' | 'dates'>): Promise<DomainError | null> {
  const sorted = [...dates].sort();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  for (const { respawn_id, hour_start, hour_end } of parts) {
    const found = await holds(tx)
      .where('respawn_id', '=', respawn_id)
      .where('occupied_hours.date', '>=', first)
      .where('occupied_hours.date', '<=', last)
      .where('hour', '>=', hour_start)
      .where('hour', '<', hour_end)
      .orderBy('occupied_hours.date')
      .orderBy('hour')
      .limit(1)
      .executeTakeFirst();
    if (found) return taken(found);
  }
  return null;
}

/** The same of claims that turned out to be in the way. */
export async function heldAmong(tx: Tx, claim_ids: readonly number[]): Promise<DomainError | null> {
  const [found] = await byIds(claim_ids, (some) =>
    holds(tx).where('claim_id', 'in', some).orderBy('occupied_hours.date').orderBy('hour').limit(1).execute(),
  );
  return found ? taken(found) : null;
}

/** @throws DomainError hold.isYours for a character for whom hours are held on one of some dates */
export async function assertHoldsNothing(tx: Tx, character_name: string, dates: readonly string[]): Promise<void> {
  const sorted = [...dates].sort();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  const found = await tx
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .select(['occupied_days.date', 'held_until'])
    .where('occupied_days.character_key', '=', nameKey(character_name))
    .where('occupied_days.date', '>=', first)
    .where('occupied_days.date', '<=', last)
    .where('held_until', 'is not', null)
    .orderBy('occupied_days.date')
    .limit(1)
    .executeTakeFirst();
  if (found) throw new DomainError('hold.isYours', { character_name, ...found });
}
