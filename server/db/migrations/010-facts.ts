import { type Kysely, sql } from 'kysely';

/** Facts of the game are read daily: who left the guild, was traded, deleted or renamed, and ranks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    `create table character_facts (
      character_key text primary key,
      due_at text not null,
      read_at text,
      name text,
      former_names text not null,
      guild text,
      guild_rank text,
      world text,
      traded integer not null,
      deletion_date text,
      traded_since text,
      ranked_as text,
      missing_days integer not null,
      missing_on text,
      leaving_as text,
      leaving_since text,
      kept text not null
    )`,
    'alter table access_keys add column revoked_because text',
    // Existing types count as set by an admin: we don't know which were, and those must not follow a rank.
    'alter table access_keys add column type_by_hand integer not null default 1',
    'alter table config add column facts_enabled integer not null default 0',
    'alter table config add column leavers_lose_access integer not null default 0',
    'alter table config add column ranks_follow integer not null default 0',
  ])
    await sql.raw(statement).execute(db);
}
