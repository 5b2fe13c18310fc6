import { type Kysely, sql } from 'kysely';

/** Channels that keep today's board in one message. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `create table board_messages (
        channel_id integer primary key,
        category_id integer,
        url text,
        message_id text,
        language text,
        posted_at text,
        sent_at text,
        failures integer not null,
        next_try_at text,
        error text
      )`,
    )
    .execute(db);
}
