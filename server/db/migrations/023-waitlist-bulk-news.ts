import { randomBytes } from 'node:crypto';
import { type QueryExecutorProvider, sql } from 'kysely';

/** What channels that hear of claims hear from now on, and members whose claims are in bulk work. */
const BULK = 'claims.changed';
const FOR_CLAIMANTS = ['claim.added', 'claim.removed'];

export async function up(db: QueryExecutorProvider): Promise<void> {
  await keepOneEntry(db);
  await hearBulkWork(db);
}

/**
 * A character has one waitlist entry for a spot and date, and an offer includes an hour that was occupied when it joined. Of several
 * entries the one with an offer stays, else the earliest; the others are void. Of existing entries the occupied hours are unknown, so
 * each hour of their range counts as one.
 */
async function keepOneEntry(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table waits add column wanted_hours integer not null default ${sql.lit(2 ** 24 - 1)}`.execute(db);
  await sql`
    update waits set status = 'void', ended_at = ${new Date().toISOString()}, position = 0, quiet_until = null
    where ended_at is null and held_until is null and exists (
      select 1 from waits as kept
      where kept.ended_at is null and kept.respawn_id = waits.respawn_id and kept.date = waits.date
        and kept.character_key = waits.character_key and kept.id != waits.id and (kept.held_until is not null or kept.id < waits.id)
    )
  `.execute(db);
  await sql`
    update waits set position = (
      select count(*) from waits as before
      where before.ended_at is null and before.respawn_id = waits.respawn_id and before.date = waits.date and before.id <= waits.id
    ) where ended_at is null
  `.execute(db);
  await sql`update clock set open_waits = (select count(*) from waits where ended_at is null)`.execute(db);
  await sql`create unique index waits_one on waits (respawn_id, date, character_key) where ended_at is null`.execute(db);
  // The change log does not name the entries that are void now, so every client has to read the whole board: a new epoch.
  await sql`update clock set epoch = ${randomBytes(8).toString('hex')}`.execute(db);
}

/** Bulk work is one message: whoever hears of claims that are made or deleted hears it, too. */
async function hearBulkWork(db: QueryExecutorProvider): Promise<void> {
  const hears = sql`(events like '%"claim.created"%' or events like '%"claim.deleted"%')`;
  await sql`update destinations set events = replace(events, ']', ${`,"${BULK}"]`}) where ${hears}`.execute(db);
  const enabled = sql<{ id: number }>`select id from destinations where is_enabled = 1 and events like ${`%"${BULK}"%`}`;
  const isTold = (await enabled.execute(db)).rows.length > 0;
  const { rows } = await sql<{ heard: string | null }>`select heard from clock`.execute(db);
  const heard = new Set(rows[0]?.heard?.split(' '));
  // Only members hear of it.
  if (heard.has('event.moved')) for (const type of FOR_CLAIMANTS) heard.add(type);
  if (isTold) heard.add(BULK);
  if (heard.size > 0) await sql`update clock set heard = ${[...heard].sort().join(' ')}`.execute(db);
}
