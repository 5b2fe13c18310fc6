import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db, Dialect } from './database.ts';

/** Measure again after this long, in milliseconds: SQLite reads the whole table for its size. */
const KEPT_MS = 600_000;

/** Tables that grow with the guild's history, with their indexes. */
const TABLES = {
  claims: ['claims', 'claim_parts', 'occupied_hours', 'occupied_days'],
  archive: ['archived_events', 'archived_claims', 'archived_claim_parts'],
  activity: ['activity', 'activity_names'],
  undo: ['undos', 'undo_pieces', 'undo_images'],
} as const;

/**
 * Reports the bytes of the growing tables to the metrics. The first caller waits; later ones get the last result, and at most every ten
 * minutes a new measurement runs on `longReads`.
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
    // Use the absolute difference: the clock may have jumped back.
    if (first && Math.abs(time - at) < KEPT_MS) return first;
    const looking = look(on);
    at = time;
    if (first) return;
    first = looking;
    await looking;
  };
}

async function look({
  longReads,
  dialect,
  metrics: { storageBytes },
  log,
}: Looking): Promise<void> {
  try {
    for (const [table, names] of Object.entries(TABLES))
      storageBytes.set({ table }, await bytesOf(longReads, dialect, names));
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
