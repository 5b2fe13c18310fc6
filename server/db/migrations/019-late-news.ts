import { type QueryExecutorProvider, sql } from 'kysely';

/**
 * Of what a destination hears, the types that it hears only after some news: of what came before it was told nothing. And how
 * often the message that is next was asked to wait, which is no turn of the schedule of its own. Whom a job needs, that no one
 * who hangs holds up all of its kind; what waits already is known of none.
 */
export async function up(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table destinations add column heard_after text not null default '{}'`.execute(db);
  await sql`alter table destinations add column asked_to_wait integer not null default 0`.execute(db);
  await sql`alter table jobs add column via text`.execute(db);
}
