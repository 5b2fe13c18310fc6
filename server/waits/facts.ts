import type { HourRange } from '../../shared/rules/hours.ts';
import type { Tx } from '../db/open.ts';
import { lineOf } from '../live/touched.ts';
import type { StoredWait } from './stored.ts';

/** Whose day it is: a claim's, or only a hold's. */
export interface Day {
  claim_id: number;
  is_held: boolean;
}

/** What stands around some waits. */
export interface LineFacts {
  /** Spots that take claims. */
  spots: ReadonlySet<number>;
  /** The hours that are occupied, by line. */
  taken: Map<string, HourRange[]>;
  /** The days that are occupied, by character and date: `dayOf`. */
  days: Map<string, Day>;
}

export const dayOf = ({ character_key, date }: { character_key: string; date: string }): string => `${date} ${character_key}`;

/** A statement each for the spots, the hours and the days, however many waits they are. */
export async function readLineFacts(tx: Tx, waits: readonly StoredWait[]): Promise<LineFacts> {
  const spots = [...new Set(waits.map(({ respawn_id }) => respawn_id))];
  const dates = [...new Set(waits.map(({ date }) => date))];
  const characters = [...new Set(waits.map(({ character_key }) => character_key))];
  const enabled = await tx.selectFrom('respawns').select('id').where('id', 'in', spots).where('is_enabled', '=', 1).execute();
  const hours = await tx
    .selectFrom('occupied_hours')
    .select(['respawn_id', 'date', 'hour'])
    .where('respawn_id', 'in', spots)
    .where('date', 'in', dates)
    .execute();
  const days = await tx
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .select(['occupied_days.character_key', 'occupied_days.date', 'claim_id', 'held_until'])
    .where('occupied_days.character_key', 'in', characters)
    .where('occupied_days.date', 'in', dates)
    .execute();
  const taken = new Map<string, HourRange[]>();
  for (const { hour, ...row } of hours)
    taken.set(lineOf(row), [...(taken.get(lineOf(row)) ?? []), { hour_start: hour, hour_end: hour + 1 }]);
  return {
    spots: new Set(enabled.map(({ id }) => id)),
    taken,
    days: new Map(days.map(({ claim_id, held_until, ...row }) => [dayOf(row), { claim_id, is_held: held_until !== null }])),
  };
}
