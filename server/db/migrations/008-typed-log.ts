import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../open.ts';
import { moveUndos } from './008/undos.ts';

/**
 * Who did what an entry tells of stands in columns, no longer among its details; and what its undo puts back in tables of
 * its own, in pieces. A statement a step: however long the log is, no more of it is in memory than the database wants.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await nameActors(db, dialect);
  await makeUndoTables(db, dialect);
  await moveUndos(db);
  await sql`drop index activity_undo`.execute(db);
  await db.schema.alterTable('activity').dropColumn('undo').execute();
}

async function nameActors(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const activity = () => db.schema.alterTable('activity');
  await activity().renameColumn('admin_username', 'actor_name').execute();
  await activity()
    .addColumn('actor_kind', 'text', (c) => c.notNull().defaultTo('server'))
    .execute();
  // A row is written once, since the log may have a million: whoever is neither is the server already.
  await sql`update activity set actor_kind = case when actor_name is null then 'visitor' else 'admin' end
    where actor_name is not null or action in ('verification_started', 'user_verified')`.execute(db);
  const { by, rest } = BY[dialect];
  const isCommandLine = sql<boolean>`${by} = 'command line' and action in ('admin_added', 'admin_removed', 'admin_password_changed')`;
  await sql`update activity set
      actor_kind = case when ${isCommandLine} then 'command_line' else 'member' end,
      actor_name = case when ${isCommandLine} then null else ${by} end,
      details = ${rest}
    where actor_kind = 'server' and details like '%"by":"%' and ${by} is not null`.execute(db);
}

/**
 * Whom the details name, and the details without. What PostgreSQL keeps in a text, but does not read, is no name's: NUL, and
 * half of a surrogate pair, which alone are written as escapes.
 */
const BY = {
  sqlite: { by: sql<string | null>`json_extract(details, '$.by')`, rest: sql<string>`json_remove(details, '$.by')` },
  postgres: {
    by: sql<string | null>`(case when details !~* '\\\\u(0000|d[89a-f])' then details::json ->> 'by' end)`,
    rest: sql<string>`(details::jsonb - 'by')::text`,
  },
} as const;

async function makeUndoTables(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const undos =
    dialect === 'postgres'
      ? db.schema.createTable('undos').addColumn('id', 'serial', (c) => c.primaryKey())
      : db.schema.createTable('undos').addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement());
  await undos
    // null within the write that keeps it: the entry is written last.
    .addColumn('entry_id', 'integer', (c) => c.unique().references('activity.id').onDelete('cascade'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('made_at', 'text', (c) => c.notNull())
    .addColumn('event', 'text')
    .addColumn('claims', 'integer', (c) => c.notNull())
    .addColumn('pieces', 'integer', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('undos_made_at').on('undos').columns(['made_at', 'id']).execute();
  await db.schema
    .createTable('undo_pieces')
    .addColumn('undo_id', 'integer', (c) => c.notNull().references('undos.id').onDelete('cascade'))
    .addColumn('piece', 'integer', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('undo_pieces_pk', ['undo_id', 'piece'])
    .execute();
}
