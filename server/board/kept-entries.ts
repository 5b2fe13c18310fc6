import { z } from 'zod';
import { id } from '../../shared/schemas/fields.ts';
import type { Wait } from '../../shared/schemas/wait.ts';
import { readByIds, type Tx } from '../db/database.ts';

/*
 * Waitlist entries that a change ends, for its undo. Changes of claims, spots, events and members keep them; `waitlist/restore.ts`
 * reopens them.
 */

/** Entries that ended with a claim, a spot, an event or a member. */
export const keptWaits = z.object({
  kind: z.literal('waits'),
  ids: z.array(id),
  /** The hours of their holds. */
  held: z.array(
    z.object({ wait_id: id, hour_start: z.number().int(), hour_end: z.number().int() }),
  ),
});
export type KeptWaits = z.infer<typeof keptWaits>;

type KeptEntry = Pick<Wait, 'id' | 'held_claim_id'>;

/** Open entries that a change is about to end. Call it before the change, while their holds exist. */
export async function keptEntries(tx: Tx, entries: readonly KeptEntry[]): Promise<KeptWaits[]> {
  if (entries.length === 0) return [];
  const holds = entries.flatMap(({ held_claim_id }) => held_claim_id ?? []);
  const parts = await readByIds(holds, (some) =>
    tx
      .selectFrom('claim_parts')
      .select(['claim_id', 'hour_start', 'hour_end'])
      .where('claim_id', 'in', some)
      .execute(),
  );
  const hours = new Map(parts.map(({ claim_id, ...held }) => [claim_id, held]));
  const held = entries.flatMap(({ id: wait_id, held_claim_id }) => {
    const range = hours.get(held_claim_id ?? 0);
    return range ? [{ wait_id, ...range }] : [];
  });
  return [{ kind: 'waits', ids: entries.map((entry) => entry.id), held }];
}

const openWaits = (tx: Tx) =>
  tx.selectFrom('waits').select(['id', 'held_claim_id']).where('ended_at', 'is', null);

/** The entries whose holds are among these claims. */
export const keptEntriesOfHolds = async (
  tx: Tx,
  claim_ids: readonly number[],
): Promise<KeptWaits[]> =>
  keptEntries(
    tx,
    await readByIds(claim_ids, (some) =>
      openWaits(tx).where('held_claim_id', 'in', some).orderBy('id').execute(),
    ),
  );

/** The entries of a character that end because it gets a claim on these dates. */
export const keptEntriesOn = async (
  tx: Tx,
  character_key: string,
  dates: readonly string[],
): Promise<KeptWaits[]> =>
  keptEntries(
    tx,
    await openWaits(tx)
      .where('character_key', '=', character_key)
      .where('date', 'in', dates)
      .orderBy('id')
      .execute(),
  );
