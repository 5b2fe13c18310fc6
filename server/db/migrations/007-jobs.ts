import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../open.ts';

/** What is due later (`jobs/`): one row for each kind and key. What was given up stays for a while, and is due no more. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  // An id never comes again: whoever still works on a job that is over must not end another one.
  const jobs =
    dialect === 'postgres'
      ? db.schema.createTable('jobs').addColumn('id', 'serial', (c) => c.primaryKey())
      : db.schema.createTable('jobs').addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement());
  await jobs
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('last_error', 'text')
    .addColumn('leased_until', 'text')
    .addColumn('revision', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('given_up_at', 'text')
    .addUniqueConstraint('jobs_kind_key', ['kind', 'key'])
    .execute();
  await sql`create index jobs_due on jobs (due_at, id) where given_up_at is null`.execute(db);
  await sql`create index jobs_given_up on jobs (given_up_at) where given_up_at is not null`.execute(db);
}
