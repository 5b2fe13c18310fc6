import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { NOTIFY_CHANNEL } from '../db/change-set.ts';
import type { Db, Dialect } from '../db/open.ts';

/** Told to the other servers when the history has a new name; they look for it. */
export const NEW_EPOCH = 'epoch';

/** PostgreSQL's codes of a function that is not there, not allowed, or not supported: some who host it leave it out. */
const NOT_TOLD: ReadonlySet<unknown> = new Set(['42883', '42501', '0A000']);

const random = (): string => randomBytes(8).toString('hex');

/**
 * Names the history that the clock counts. An SQLite file has one server, which cannot tell whether the file is a
 * backup that was put back while it was stopped: each start counts as a history of its own. The servers of a
 * PostgreSQL database share what it stores; a copy or a restored dump of it has tables of other numbers, and one
 * that another machine took over counts another timeline, since it may have lost commits.
 * @param known the one that this server goes by already
 */
export async function epochOf(db: Db, dialect: Dialect, known: string | null): Promise<string> {
  if (dialect === 'sqlite') return known ?? random();
  const { epoch } = await db
    .selectFrom('clock')
    .select(
      sql<string>`epoch || '.' || (select oid from pg_database where datname = current_database()) || '.' || 'clock'::regclass::oid`.as(
        'epoch',
      ),
    )
    .executeTakeFirstOrThrow();
  return `${epoch}.${await timeline(db)}`;
}

async function timeline(db: Db): Promise<string> {
  try {
    const { rows } = await sql<{ timeline: string }>`select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline`.execute(db);
    return rows[0]?.timeline ?? '';
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_TOLD.has(error.code)) return '';
    throw error;
  }
}

/**
 * A new name for the history, once the clock was seen to have gone back. Of several servers that see it the first
 * one names it, and the others take that name.
 */
export async function newEpoch(db: Db, dialect: Dialect, from: string): Promise<string> {
  if (dialect === 'sqlite') return random();
  const stored = await epochOf(db, dialect, from);
  if (stored !== from) return stored;
  const [name = ''] = from.split('.');
  await db.updateTable('clock').set({ epoch: random() }).where('epoch', '=', name).execute();
  await sql`select pg_notify(${NOTIFY_CHANNEL}, ${NEW_EPOCH})`.execute(db);
  return epochOf(db, dialect, from);
}
