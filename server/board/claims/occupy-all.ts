import type { Tx } from '../../db/open.ts';
import { daysOf, hoursOf, type Occupation, takenDays, takenHours } from './occupancy.ts';

/**
 * As `occupy`, for many claims of an event or a respawn at once (R7.1, R7.2).
 * @returns the ids of the claims that hold what could not be taken; when there are any, the caller must throw
 */
export async function occupyAll(tx: Tx, occupations: readonly Occupation[]): Promise<number[]> {
  const holders = new Set([...(await occupyDays(tx, occupations)), ...(await occupyHours(tx, occupations))]);
  for (const { claim_id } of occupations) holders.delete(claim_id);
  return [...holders];
}

const DATE_LENGTH = '2026-11-21'.length;

async function occupyDays(tx: Tx, occupations: readonly Occupation[]): Promise<number[]> {
  const missing = new Map<string, Set<string>>();
  for await (const { character_key, date } of takenDays(tx, daysOf(occupations))) add(missing, character_key, date);
  const holders: number[] = [];
  for (const [character_key, dates] of missing) {
    const held = await tx.selectFrom('occupied_days').select(['date', 'claim_id']).where('character_key', '=', character_key).execute();
    for (const { date, claim_id } of held) if (dates.has(date)) holders.push(claim_id);
  }
  return holders;
}

async function occupyHours(tx: Tx, occupations: readonly Occupation[]): Promise<number[]> {
  const missing = new Map<number, Set<string>>();
  for await (const { respawn_id, date, hour } of takenHours(tx, hoursOf(occupations))) add(missing, respawn_id, `${date} ${hour}`);
  const holders: number[] = [];
  for (const [respawn_id, hours] of missing) {
    const dates = [...hours].map((each) => each.slice(0, DATE_LENGTH)).sort();
    const held = await tx
      .selectFrom('occupied_hours')
      .select(['date', 'hour', 'claim_id'])
      .where('respawn_id', '=', respawn_id)
      .where('date', '>=', dates[0] ?? '')
      .where('date', '<=', dates.at(-1) ?? '')
      .execute();
    for (const { date, hour, claim_id } of held) if (hours.has(`${date} ${hour}`)) holders.push(claim_id);
  }
  return holders;
}

function add<K>(sets: Map<K, Set<string>>, key: K, value: string): void {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set.add(value));
}
