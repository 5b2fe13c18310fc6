import { sql } from 'kysely';
import type { Db, Dialect } from '../open.ts';

/** Asks the database for its time, in milliseconds since 1970. */
export type ReadDatabaseTime = () => Promise<number>;

/** Database time minus monotonic time, and the largest error of that, both in ms. */
export interface Offset {
  offset_ms: number;
  error_ms: number;
}

/** Measure up to this many times: one answer may be slow, for example from a busy pool. */
const TRIES = 3;
/** A round trip up to this long is precise enough, in ms. */
const GOOD_MS = 5;

/** null with SQLite, which has no clock of its own. */
export const databaseTimeOf = (db: Db, dialect: Dialect): ReadDatabaseTime | null =>
  dialect === 'sqlite'
    ? null
    : async () => {
        const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::double precision * 1000 as ms`.execute(db);
        const ms = rows[0]?.ms;
        if (ms === undefined) throw new Error('the database returned no time');
        return ms;
      };

/** Assumes that the database read its clock in the middle of the shortest round trip. */
export async function measureOffset(read: ReadDatabaseTime, monotonic: () => number): Promise<Offset> {
  let best: Offset | null = null;
  for (let tries = 0; tries < TRIES && (best === null || best.error_ms * 2 > GOOD_MS); tries += 1) {
    const before = monotonic();
    const ms = await read();
    const after = monotonic();
    const error_ms = (after - before) / 2;
    if (best === null || error_ms < best.error_ms) best = { offset_ms: ms - (before + after) / 2, error_ms };
  }
  if (best === null) throw new Error('the clock of the database was not measured');
  return best;
}
