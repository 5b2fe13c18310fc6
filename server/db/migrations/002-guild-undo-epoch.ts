import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

/** Guild settings that admins change, activity entries that can be undone, and a name for the history the clock counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('config').addColumn('guild_name', 'text').execute();
  await db.schema.alterTable('activity').addColumn('undone_at', 'text').execute();
  await db.schema
    .alterTable('clock')
    .addColumn('epoch', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  await sql`update clock set epoch = ${randomBytes(8).toString('hex')}`.execute(db);
}
