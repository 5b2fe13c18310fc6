import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Dialect } from '../db/open.ts';

/**
 * Names the history that the clock counts. An SQLite file has one server, which cannot tell whether the file is a
 * backup that was put back while it was stopped: each start counts as a history of its own. The servers of a
 * PostgreSQL database share what it stores; a copy or a restored dump of it has tables of other numbers.
 */
export async function epochOf(db: Db, dialect: Dialect): Promise<string> {
  if (dialect === 'sqlite') return randomBytes(8).toString('hex');
  const { epoch } = await db
    .selectFrom('clock')
    .select(
      sql<string>`epoch || '.' || (select oid from pg_database where datname = current_database()) || '.' || 'clock'::regclass::oid`.as(
        'epoch',
      ),
    )
    .executeTakeFirstOrThrow();
  return epoch;
}
