import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../open.ts';

/**
 * Backups and check-ups of all servers, so that each of them tells the same of them. And since when notifications are paused,
 * as they are after a restore.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const withId = (table: string) =>
    dialect === 'postgres'
      ? db.schema.createTable(table).addColumn('id', 'serial', (c) => c.primaryKey())
      : db.schema.createTable(table).addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement());
  await withId('backups')
    .addColumn('server', 'text', (c) => c.notNull())
    .addColumn('folder', 'text', (c) => c.notNull())
    .addColumn('file', 'text', (c) => c.notNull())
    .addColumn('occasion', 'text', (c) => c.notNull())
    .addColumn('started_at', 'text', (c) => c.notNull())
    .addColumn('renewed_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('percent', 'integer')
    .addColumn('bytes', 'bigint')
    .addColumn('error', 'text')
    .execute();
  await sql`create unique index backups_asked_running on backups (occasion) where ended_at is null and occasion = 'asked'`.execute(db);
  await withId('checkups')
    .addColumn('server', 'text', (c) => c.notNull())
    .addColumn('started_at', 'text', (c) => c.notNull())
    .addColumn('renewed_at', 'text', (c) => c.notNull())
    .addColumn('ended_at', 'text')
    .addColumn('looking_at', 'text')
    .addColumn('done', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('checks', 'text')
    .execute();
  await sql`create unique index checkups_running on checkups ((ended_at is null)) where ended_at is null`.execute(db);
  await sql`alter table config add column notifications_paused_at text`.execute(db);
}
