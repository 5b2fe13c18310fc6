import { type Kysely, sql } from 'kysely';

/** Members sign in with Discord. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    `create table discord_sign_in (
      id integer primary key check (id = 1),
      application_id text not null,
      client_secret text not null,
      saved_at text not null,
      first_sign_in_at text,
      error text
    )`,
    `create table discord_sign_in_tokens (
      token_hash text primary key,
      kind text not null,
      state_hash text unique,
      discord_user_id text not null,
      discord_name text not null,
      discord_language text,
      expires_at text not null,
      used_at text
    )`,
    'create index discord_sign_in_tokens_expires on discord_sign_in_tokens (expires_at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
