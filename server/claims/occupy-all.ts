import { hoursIn } from '../../shared/rules/hours.ts';
import { inBatches } from '../db/batches.ts';
import type { Tx } from '../db/open.ts';
import type { Occupation } from './occupancy.ts';

/**
 * As `occupy`, for many claims of an event or a respawn at once: a statement for some thousand rows (R7.1, R7.2).
 * @returns the ids of the claims that hold what could not be taken; when there are any, the caller must throw
 */
export async function occupyAll(tx: Tx, occupations: readonly Occupation[]): Promise<number[]> {
  const holders = new Set([...(await occupyDays(tx, occupations)), ...(await occupyHours(tx, occupations))]);
  for (const { claim_id } of occupations) holders.delete(claim_id);
  return [...holders];
}

// One row after the other: the claims of an event that lasts a year have millions.
function* daysOf(occupations: readonly Occupation[]) {
  for (const { claim_id, character_key, dates } of occupations) for (const date of dates) yield { character_key, date, claim_id };
}
function* hoursOf(occupations: readonly Occupation[]) {
  for (const { claim_id, parts, dates } of occupations)
    for (const part of parts)
      for (const date of dates) for (const hour of hoursIn(part)) yield { respawn_id: part.respawn_id, date, hour, claim_id };
}

async function occupyDays(tx: Tx, occupations: readonly Occupation[]): Promise<number[]> {
  const missing = new Map<string, Set<string>>();
  for (const batch of inBatches(daysOf(occupations))) {
    const inserted = await tx
      .insertInto('occupied_days')
      .values(batch)
      .onConflict((row) => row.doNothing())
      .returning(['character_key', 'date'])
      .execute();
    const got = new Set(inserted.map((row) => `${row.date} ${row.character_key}`));
    for (const { date, character_key } of batch) if (!got.has(`${date} ${character_key}`)) add(missing, character_key, date);
  }
  const holders: number[] = [];
  for (const [character_key, dates] of missing) {
    const held = await tx.selectFrom('occupied_days').select(['date', 'claim_id']).where('character_key', '=', character_key).execute();
    for (const { date, claim_id } of held) if (dates.has(date)) holders.push(claim_id);
  }
  return holders;
}

async function occupyHours(tx: Tx, occupations: readonly Occupation[]): Promise<number[]> {
  const missing = new Map<number, Set<string>>();
  for (const batch of inBatches(hoursOf(occupations))) {
    const inserted = await tx
      .insertInto('occupied_hours')
      .values(batch)
      .onConflict((row) => row.doNothing())
      .returning(['respawn_id', 'date', 'hour'])
      .execute();
    const got = new Set(inserted.map((row) => `${row.respawn_id} ${row.date} ${row.hour}`));
    for (const { respawn_id, date, hour } of batch) {
      if (!got.has(`${respawn_id} ${date} ${hour}`)) add(missing, respawn_id, `${date} ${hour}`);
    }
  }
  const holders: number[] = [];
  for (const [respawn_id, hours] of missing) {
    const held = await tx.selectFrom('occupied_hours').select(['date', 'hour', 'claim_id']).where('respawn_id', '=', respawn_id).execute();
    for (const { date, hour, claim_id } of held) if (hours.has(`${date} ${hour}`)) holders.push(claim_id);
  }
  return holders;
}

function add<K>(sets: Map<K, Set<string>>, key: K, value: string): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
}
