import { type Kysely, sql } from 'kysely';

/**
 * No-shows can keep a character from claiming for some days, and admins can excuse them. Hunters who are online in the game are marked.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'alter table config add column no_show_limit integer not null default 0',
    'alter table config add column no_show_days integer not null default 14',
    'alter table config add column no_show_pause_days integer not null default 3',
    'alter table claim_endings add column excused_by text',
    'alter table config add column online_enabled integer not null default 0',
  ])
    await sql.raw(statement).execute(db);
}
