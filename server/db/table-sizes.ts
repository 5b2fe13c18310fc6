import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db, Dialect } from './database.ts';

/** How long a look is good for, in milliseconds: SQLite reads all of a table to tell its size. */
const KEPT_MS = 600_000;

/** What grows for as long as a guild plays, with the indexes of it. */
const TABLES = {
  claims: ['claims', 'claim_parts', 'occupied_hours', 'occupied_days'],
  archive: ['archived_events', 'archived_claims', 'archived_claim_parts'],
  activity: ['activity'],
  undo: ['undos', 'undo_pieces', 'undo_images'],
} as const;

/**
 * Puts into the metrics how many bytes what grows takes. The first one to ask waits; later ones are told what was found
 * last, and a new look, every ten minutes at most, goes on longReads.
 */
export type MeasureStored = () => Promise<void>;

interface Looking {
  longReads: Db;
  dialect: Dialect;
  metrics: { storageBytes: { set: (labels: { table: string }, bytes: number) => void } };
  log: Pick<Logger, 'debug'>;
}

export function createMeasureStored({ now, ...on }: Looking & { now: () => Date }): MeasureStored {
  let at = Number.NEGATIVE_INFINITY;
  let first: Promise<void> | null = null;
  return async () => {
    const time = now().getTime();
    // A clock that went back is no reason to wait until it has caught up.
    if (first && Math.abs(time - at) < KEPT_MS) return first;
    const looking = look(on);
    at = time;
    if (first) return;
    first = looking;
    await looking;
  };
}

async function look({ longReads, dialect, metrics: { storageBytes }, log }: Looking): Promise<void> {
  try {
    for (const [table, names] of Object.entries(TABLES)) storageBytes.set({ table }, await bytesOf(longReads, dialect, names));
  } catch (error) {
    log.debug({ err: error }, 'the size of the tables could not be measured');
  }
}

async function bytesOf(longReads: Db, dialect: Dialect, names: readonly string[]): Promise<number> {
  const list = sql.join(names);
  const sizes: RawBuilder<{ bytes: number }> =
    dialect === 'postgres'
      ? sql`select sum(pg_total_relation_size(c.oid))::bigint as bytes from pg_class c
          where c.oid in (${sql.join(names.map((name) => sql`to_regclass(${name})`))})`
      : sql`select sum(pgsize) as bytes from dbstat where aggregate = 1
          and name in (select name from sqlite_schema where tbl_name in (${list}))`;
  const { rows } = await sizes.execute(longReads);
  return rows[0]?.bytes ?? 0;
}
