import type { Kysely } from 'kysely';

/** Wrong passwords and keys, which all servers count together; and which admins still have the password that was made up for them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('wrong_tries')
    .addColumn('who', 'text', (c) => c.primaryKey())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('until', 'text', (c) => c.notNull())
    .addColumn('next_at', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('wrong_tries_until').on('wrong_tries').column('until').execute();
  await db.schema
    .alterTable('admins')
    .addColumn('has_generated_password', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
