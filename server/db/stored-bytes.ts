import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';

/** How long a look is good for, in milliseconds: SQLite reads all of a table to tell its size. */
const KEPT_MS = 600_000;

/** What grows for as long as a guild plays, with the indexes of it. */
const TABLES = {
  claims: ['claims', 'claim_parts', 'occupied_hours', 'occupied_days'],
  archive: ['archived_events', 'archived_claims', 'archived_claim_parts'],
  activity: ['activity'],
} as const;

interface Look {
  at: number;
  done: Promise<void>;
}
const looks = new WeakMap<Context, Look>();

/**
 * Puts into the metrics how many bytes what grows takes. The first one to ask waits; later ones are told what was found
 * last, and a new look, every ten minutes at most, goes on aside.
 */
export async function measureStored(ctx: Context): Promise<void> {
  const { at, done } = looks.get(ctx) ?? { at: Number.NEGATIVE_INFINITY, done: null };
  const now = ctx.now().getTime();
  // A clock that went back is no reason to wait until it has caught up.
  if (Math.abs(now - at) < KEPT_MS) return done ?? undefined;
  const looking = look(ctx);
  looks.set(ctx, { at: now, done: done ?? looking });
  if (!done) await looking;
}

async function look(ctx: Context): Promise<void> {
  try {
    for (const [table, names] of Object.entries(TABLES)) ctx.metrics.storageBytes.set({ table }, await bytesOf(ctx, names));
    ctx.metrics.storageBytes.set({ table: 'undo' }, await bytesOfUndos(ctx));
  } catch (error) {
    ctx.log.debug({ err: error }, 'how large the tables are is not known');
  }
}

async function bytesOf({ aside, dialect }: Context, names: readonly string[]): Promise<number> {
  const list = sql.join(names);
  const sizes: RawBuilder<{ bytes: number }> =
    dialect === 'postgres'
      ? sql`select sum(pg_total_relation_size(c.oid))::bigint as bytes from pg_class c
          where c.oid in (${sql.join(names.map((name) => sql`to_regclass(${name})`))})`
      : sql`select sum(pgsize) as bytes from dbstat where aggregate = 1
          and name in (select name from sqlite_schema where tbl_name in (${list}))`;
  const { rows } = await sizes.execute(aside);
  return rows[0]?.bytes ?? 0;
}

/** They are columns of the log. */
async function bytesOfUndos({ aside }: Context): Promise<number> {
  const { bytes } = await aside
    .selectFrom('activity')
    .select(sql<number | null>`sum(octet_length(undo))`.as('bytes'))
    .where('undo', 'is not', null)
    .executeTakeFirstOrThrow();
  return bytes ?? 0;
}
