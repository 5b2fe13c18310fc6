import { type Kysely, sql } from 'kysely';

/**
 * What is shown of a spot's and an event's claims is kept with them, and a part of a claim says on which date it is
 * over: the last date of a spot is then the end of an index, however many claims it ever had. One statement a table.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('respawns')
    .addColumn('total_claims', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('respawns').addColumn('last_claim_date', 'text').execute();
  await db.schema
    .alterTable('events')
    .addColumn('claim_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('claim_parts')
    .addColumn('last_date', 'text', (c) => c.notNull().defaultTo(''))
    .execute();
  // Without an index while every row changes.
  await db.schema.dropIndex('claim_parts_respawn').execute();
  await sql`update claim_parts set last_date = (
    select coalesce(claims.date, substr(events.end_time, 1, 10), '')
    from claims left join events on events.id = claims.event_id
    where claims.id = claim_parts.claim_id
  )`.execute(db);
  await db.schema.createIndex('claim_parts_respawn').on('claim_parts').columns(['respawn_id', 'last_date', 'claim_id']).execute();
  // The two parts of a split claim on one spot count once.
  await sql`update respawns set
    total_claims = (select count(distinct claim_id) from claim_parts where claim_parts.respawn_id = respawns.id),
    last_claim_date = (select max(last_date) from claim_parts where claim_parts.respawn_id = respawns.id)`.execute(db);
  await sql`update events set claim_count = (select count(*) from claims where claims.event_id = events.id)`.execute(db);
}
