import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../open.ts';

/** Admins have roles: the oldest owns the board, the others go on as they were. Another one is invited by a link. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('admins')
    .addColumn('role', 'text', (c) => c.notNull().defaultTo('admin'))
    .execute();
  await sql`update admins set role = 'owner' where id = (select id from admins order by created_at, id limit 1)`.execute(db);
  const invitations =
    dialect === 'postgres'
      ? db.schema.createTable('invitations').addColumn('id', 'serial', (c) => c.primaryKey())
      : db.schema.createTable('invitations').addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement());
  await invitations
    .addColumn('username', 'text', (c) => c.notNull())
    .addColumn('username_key', 'text', (c) => c.notNull().unique())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_by_username', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute();
}
