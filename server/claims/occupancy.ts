import { hoursIn } from '../../shared/rules/hours.ts';
import type { PlannedPart } from '../../shared/rules/submission.ts';
import { inBatches } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';

/** A stored claim and what it holds. */
export interface Occupation {
  claim_id: number;
  character_key: string;
  parts: readonly PlannedPart[];
  dates: readonly string[];
}

/** What an occupation ran into: an hour of a respawn, or a day of its character. */
export type Collision = { of: 'hour'; part: PlannedPart; date: string } | { of: 'day'; date: string };

/**
 * Writes the rows that make double booking impossible (R7.1, R7.2): their primary keys hold it, whatever was
 * checked before. A row that is taken is left alone, so that PostgreSQL's transaction stays usable for saying
 * what is in the way; the caller must then throw.
 * @returns the first collision by date, or null
 */
export async function occupy(tx: Tx, { claim_id, character_key, parts, dates }: Occupation): Promise<Collision | null> {
  const days = dates.map((date) => ({ character_key, date, claim_id }));
  const held = new Set<string>();
  for (const batch of inBatches(days)) {
    const inserted = await tx
      .insertInto('occupied_days')
      .values(batch)
      .onConflict((row) => row.doNothing())
      .returning('date')
      .execute();
    for (const { date } of inserted) held.add(date);
  }
  const takenDay = dates.find((date) => !held.has(date));
  if (takenDay !== undefined) return { of: 'day', date: takenDay };
  return occupyHours(tx, { claim_id, parts, dates });
}

/** As `occupy`, for a claim that goes on holding its days. */
export async function occupyHours(
  tx: Tx,
  { claim_id, parts, dates }: Pick<Occupation, 'claim_id' | 'parts' | 'dates'>,
): Promise<Collision | null> {
  for (const part of parts) {
    const hours = dates.flatMap((date) => hoursIn(part).map((hour) => ({ respawn_id: part.respawn_id, date, hour, claim_id })));
    const got = new Set<string>();
    for (const batch of inBatches(hours)) {
      const inserted = await tx
        .insertInto('occupied_hours')
        .values(batch)
        .onConflict((row) => row.doNothing())
        .returning(['date', 'hour'])
        .execute();
      for (const { date, hour } of inserted) got.add(`${date} ${hour}`);
    }
    const taken = hours.find(({ date, hour }) => !got.has(`${date} ${hour}`));
    if (taken) return { of: 'hour', part, date: taken.date };
  }
  return null;
}
