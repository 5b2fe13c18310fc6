import { type Kysely, sql } from 'kysely';

/** The Discord app, and the Discord users of characters. A link ends with its key, so it is stored with the key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  `create table discord_app (
    id integer primary key check (id = 1),
    application_id text not null,
    public_key text not null,
    bot_token text not null,
    guild_id text,
    saved_at text not null,
    registered_at text,
    register_error text,
    first_interaction_at text
  )`,
  `create table discord_interactions (
    id text primary key,
    at text not null
  )`,
  'create index discord_interactions_at on discord_interactions (at)',
  'alter table access_keys add column discord_user_id text',
  'alter table access_keys add column discord_name text',
  'alter table access_keys add column discord_linked_at text',
  'alter table access_keys add column discord_code_hash text',
  'alter table access_keys add column discord_code_expires_at text',
  'create index access_keys_discord_user on access_keys (discord_user_id) where discord_user_id is not null',
  'create unique index access_keys_discord_code on access_keys (discord_code_hash) where discord_code_hash is not null',
];
