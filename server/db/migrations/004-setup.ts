import { type Kysely, sql } from 'kysely';

/** What admins skipped of the first-run checklist. A guild that has members needs none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table config add column setup text not null default '{"skipped":[],"is_dismissed":false}'`.execute(db);
  await sql`update config set setup = '{"skipped":[],"is_dismissed":true}' where exists (select 1 from access_keys)`.execute(db);
}
