import { type ExpressionBuilder, sql } from 'kysely';
import type { ClaimPartsTable, ClaimsTable } from '../../db/claim-tables.ts';
import type { Db, Tx } from '../../db/open.ts';
import type { Database, EventsTable } from '../../db/schema.ts';

/** A count that is kept otherwise than its claims say. */
export interface WrongCount {
  of: 'respawn' | 'event' | 'archived event' | 'part of claim';
  id: number;
  kept: readonly (string | number | null)[];
  /** What it would be, counted anew. */
  counted: readonly (string | number | null)[];
}

type Nullable<T> = { [K in keyof T]: T[K] | null };
type OfPart = Database & { claim_parts: ClaimPartsTable; claims: ClaimsTable; events: Nullable<EventsTable> };

const lastDate = (of: ExpressionBuilder<OfPart, 'claims' | 'events'>) =>
  of.fn.coalesce('claims.date', of.fn<string>('substr', ['events.end_time', of.lit(1), of.lit(10)]), of.val(''));

/**
 * What the parts of claims say of the spots on which they stand, or stood before they were archived; the two parts of a
 * split claim on one spot count once.
 */
const countedOfRespawns = (db: Db | Tx) =>
  db
    .selectFrom(
      db
        .selectFrom('claim_parts')
        .select(['respawn_id', 'claim_id', 'last_date'])
        .unionAll(db.selectFrom('archived_claim_parts').select(['respawn_id', 'claim_id', 'last_date']))
        .as('part'),
    )
    .select(({ fn }) => [
      'respawn_id',
      fn.count<number>('claim_id').distinct().as('total_claims'),
      fn.max('last_date').as('last_claim_date'),
    ])
    .groupBy('respawn_id')
    .as('counted');

const countedOfEvents = (db: Db | Tx) =>
  db
    .selectFrom(db.selectFrom('claims').select('event_id').unionAll(db.selectFrom('archived_claims').select('event_id')).as('claim'))
    .select(({ fn }) => ['event_id', fn.countAll<number>().as('claim_count')])
    .groupBy('event_id')
    .as('counted');

/** The counts that every write keeps, made anew of all the claims there are, which takes seconds: those that differ. */
export async function wrongCounts(db: Db | Tx): Promise<WrongCount[]> {
  const parts = await db
    .selectFrom('claim_parts')
    .innerJoin('claims', 'claims.id', 'claim_parts.claim_id')
    .leftJoin('events', 'events.id', 'claims.event_id')
    .select((of) => ['claim_id as id', 'last_date', lastDate(of).as('counted')])
    .where((of) => of('last_date', '<>', lastDate(of)))
    .orderBy('claim_id')
    .execute();
  const respawns = await db
    .selectFrom('respawns')
    .leftJoin(countedOfRespawns(db), 'counted.respawn_id', 'respawns.id')
    .select(({ fn, lit }) => [
      'id',
      'respawns.total_claims',
      'respawns.last_claim_date',
      fn.coalesce('counted.total_claims', lit(0)).as('counted'),
      'counted.last_claim_date as counted_date',
    ])
    .orderBy('id')
    .execute();
  const events = await db
    .selectFrom('events')
    .leftJoin(countedOfEvents(db), 'counted.event_id', 'events.id')
    .select(({ fn, lit }) => ['id', 'events.claim_count', fn.coalesce('counted.claim_count', lit(0)).as('counted')])
    .orderBy('id')
    .execute();
  const archived = await db
    .selectFrom('archived_events')
    .leftJoin(countedOfEvents(db), 'counted.event_id', 'archived_events.id')
    .select(({ fn, lit }) => ['id', 'archived_events.claim_count', fn.coalesce('counted.claim_count', lit(0)).as('counted')])
    // One that is leaving has its count with the event.
    .where('id', 'not in', db.selectFrom('events').select('events.id'))
    .orderBy('id')
    .execute();
  const all: WrongCount[] = [
    ...parts.map((row) => ({ of: 'part of claim' as const, id: row.id, kept: [row.last_date], counted: [row.counted] })),
    ...respawns.map((row) => ({
      of: 'respawn' as const,
      id: row.id,
      kept: [row.total_claims, row.last_claim_date],
      counted: [row.counted, row.counted_date],
    })),
    ...events.map((row) => ({ of: 'event' as const, id: row.id, kept: [row.claim_count], counted: [row.counted] })),
    ...archived.map((row) => ({ of: 'archived event' as const, id: row.id, kept: [row.claim_count], counted: [row.counted] })),
  ];
  return all.filter(({ kept, counted }) => kept.some((value, at) => value !== counted[at]));
}

/** Sets every count to what the claims say: for claims that were written past the program. */
export async function recount(tx: Tx): Promise<void> {
  await sql`update claim_parts set last_date = (
    select coalesce(claims.date, substr(events.end_time, 1, 10), '')
    from claims left join events on events.id = claims.event_id where claims.id = claim_parts.claim_id
  )`.execute(tx);
  await recountOwners(tx);
}

/** Sets the counts of spots and events, where each part of a claim has its last date already. */
export async function recountOwners(tx: Tx): Promise<void> {
  await sql`update respawns set
    total_claims = (select count(distinct claim_id) from claim_parts where claim_parts.respawn_id = respawns.id)
      + (select count(distinct claim_id) from archived_claim_parts where archived_claim_parts.respawn_id = respawns.id),
    last_claim_date = (select max(last_date) from (
      select max(last_date) as last_date from claim_parts where claim_parts.respawn_id = respawns.id
      union all select max(last_date) from archived_claim_parts where archived_claim_parts.respawn_id = respawns.id) as last)`.execute(tx);
  for (const table of ['events', 'archived_events'])
    await sql`update ${sql.table(table)} set claim_count =
      (select count(*) from claims where claims.event_id = ${sql.table(table)}.id)
      + (select count(*) from archived_claims where archived_claims.event_id = ${sql.table(table)}.id)`.execute(tx);
}
