import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { rekeyClaims, rekeyLog, rekeyVerifications } from './003/characters.ts';
import type { Finding } from './003/finding.ts';
import { deleteTwinKeys, mergeTwinBans, renameTwins, renameTwinTypes } from './003/twins.ts';

const SECRET_BYTES = 32;

/**
 * Names are compared by more than case now (R1.1), so every stored key is made anew; where two rows turn out to
 * have one name, the activity log says what became of them. And codes remember a hash of who asked for them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await keepAddresses(db);
  const findings = [
    ...(await renameTwins(db, 'categories')),
    ...(await renameTwins(db, 'respawns')),
    ...(await renameTwins(db, 'events')),
    ...(await renameTwins(db, 'admins')),
    ...(await renameTwinTypes(db)),
    ...(await deleteTwinKeys(db)),
    ...(await mergeTwinBans(db)),
    ...(await rekeyClaims(db)),
  ];
  await rekeyVerifications(db);
  await rekeyLog(db);
  if (findings.length > 0) await tell(db, findings);
}

async function keepAddresses(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('verifications').addColumn('address_hash', 'text').execute();
  await db.schema.createIndex('verifications_address').on('verifications').columns(['address_hash', 'id']).execute();
  // The codes to be forgotten, beside verified records that are kept for good.
  await sql`create index verifications_open on verifications (created_at) where verified_at is null`.execute(db);
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('value', 'text', (c) => c.notNull())
    .execute();
  await sql`insert into secrets (name, value) values ('address', ${randomBytes(SECRET_BYTES).toString('base64url')})`.execute(db);
}

/** One entry a finding, and a tick that makes every board read all of it anew. */
async function tell(db: Kysely<unknown>, findings: readonly Finding[]): Promise<void> {
  const at = new Date().toISOString();
  for (const finding of findings) {
    await sql`insert into activity (timestamp, action, details) values (${at}, 'names_merged', ${JSON.stringify(finding)})`.execute(db);
  }
  const { rows } = await sql<{ value: number }>`update clock set value = value + 1 returning value`.execute(db);
  const body = JSON.stringify([{ audience: 'all', change: { op: 'reset' } }]);
  for (const { value } of rows) await sql`insert into changes (clock, body, at) values (${value}, ${body}, ${at})`.execute(db);
}
