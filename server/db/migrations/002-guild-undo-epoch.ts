import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { nameKey } from '../../../shared/rules/names.ts';

/** Guild settings that admins change, activity entries that can be undone and found, and a name for the history the clock counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('config').addColumn('guild_name', 'text').execute();
  await db.schema.alterTable('activity').addColumn('undone_at', 'text').execute();
  await keyAdmins(db);
  await indexActivity(db);
  await db.schema
    .alterTable('clock')
    .addColumn('epoch', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await sql`update clock set epoch = ${randomBytes(8).toString('hex')}`.execute(db);
}

/** Names are compared without case, which SQLite knows for ASCII only. */
async function keyAdmins(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('activity').addColumn('admin_key', 'text').execute();
  const { rows } = await sql<{
    name: string;
  }>`select distinct admin_username as name from activity where admin_username is not null`.execute(db);
  for (const { name } of rows) await sql`update activity set admin_key = ${nameKey(name)} where admin_username = ${name}`.execute(db);
}

/**
 * The id comes second, so that a filter's newest entries are read in order and no more of them than a page holds;
 * the rest of the columns lets combined filters be counted without touching the entries.
 */
async function indexActivity(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('activity_action').execute();
  await db.schema.createIndex('activity_action').on('activity').columns(['action', 'id', 'timestamp', 'admin_key']).execute();
  await db.schema.createIndex('activity_admin').on('activity').columns(['admin_key', 'id', 'timestamp']).execute();
}
