import type { HourRange } from '../../../shared/rules/hours.ts';
import type { Tx } from '../../db/open.ts';
import { lineOf } from './affected-waitlists.ts';
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
  const ids = waits.map(({ id }) => id);
  const enabled = await tx.selectFrom('respawns').select('id').where('id', 'in', spots).where('is_enabled', '=', 1).execute();
  // Of their lines alone: all their spots on all their dates would be most of what is claimed.
  const hours = await tx
    .selectFrom('occupied_hours')
    .select(['respawn_id', 'date', 'hour'])
    .where(({ eb, refTuple, selectFrom }) => {
      const lines = selectFrom('waits').select(['respawn_id', 'date']).where('id', 'in', ids);
      return eb(refTuple('respawn_id', 'date'), 'in', lines.$asTuple('respawn_id', 'date'));
    })
    .execute();
  const days = await tx
    .selectFrom('occupied_days')
    .innerJoin('claims', 'claims.id', 'occupied_days.claim_id')
    .select(['occupied_days.character_key', 'occupied_days.date', 'claim_id', 'held_until'])
    .where(({ eb, refTuple, selectFrom }) => {
      const theirs = selectFrom('waits').select(['waits.date', 'waits.character_key']).where('waits.id', 'in', ids);
      return eb(refTuple('occupied_days.date', 'occupied_days.character_key'), 'in', theirs.$asTuple('date', 'character_key'));
    })
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
