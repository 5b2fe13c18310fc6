import { type Kysely, sql } from 'kysely';
import { nameKey } from '../../../../shared/rules/names.ts';
import { BATCH, type Finding } from './finding.ts';

interface Row {
  id: number;
  name: string;
  key: string;
}

/** The rows whose key is another one now, some at a time: these tables are long, and few of their names have such letters. */
async function* outdated(db: Kysely<unknown>, table: 'claims' | 'verifications'): AsyncGenerator<Row> {
  for (let last = 0; ; ) {
    const { rows } = await sql<Row>`
      select id, character_name as name, character_key as key from ${sql.table(table)} where id > ${last} order by id limit ${BATCH}
    `.execute(db);
    for (const row of rows) if (nameKey(row.name) !== row.key) yield row;
    const end = rows.at(-1);
    if (!end) return;
    last = end.id;
  }
}

export async function rekeyVerifications(db: Kysely<unknown>): Promise<void> {
  for await (const { id, name } of outdated(db, 'verifications')) {
    await sql`update verifications set character_key = ${nameKey(name)} where id = ${id}`.execute(db);
  }
}

/** Entries are filtered by admin; the admins are few. Those of one who got another name go with the admin. */
export async function rekeyLog(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    name: string;
  }>`select distinct admin_username as name from activity where admin_username is not null`.execute(db);
  for (const { name } of rows) {
    await sql`update activity set admin_key = ${nameKey(name)} where admin_username = ${name} and admin_key <> ${nameKey(name)}`.execute(
      db,
    );
  }
  await sql`update activity set admin_key = (select username_key from admins where admins.id = activity.admin_id)
    where exists (select 1 from admins where admins.id = activity.admin_id and admins.username_key <> activity.admin_key)`.execute(db);
}

/**
 * Claims of one character in two spellings stay, with all their hours; but of two on one date only the earlier
 * holds the character's day, as it would have been from the start. An admin decides which of them is to go.
 */
export async function rekeyClaims(db: Kysely<unknown>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for await (const claim of outdated(db, 'claims')) {
    await sql`update claims set character_key = ${nameKey(claim.name)} where id = ${claim.id}`.execute(db);
    findings.push(...(await rekeyDays(db, claim)));
  }
  return findings;
}

async function rekeyDays(db: Kysely<unknown>, { id, name }: Row): Promise<Finding[]> {
  const key = nameKey(name);
  const { rows: shared } = await sql<{ date: string; holder: number; holder_name: string }>`
    select own.date as date, other.claim_id as holder, claims.character_name as holder_name
    from occupied_days own
    join occupied_days other on other.date = own.date and other.character_key = ${key} and other.claim_id <> own.claim_id
    join claims on claims.id = other.claim_id
    where own.claim_id = ${id} order by own.date
  `.execute(db);
  for (const { date, holder } of shared) {
    await sql`delete from occupied_days where date = ${date} and claim_id = ${Math.max(id, holder)}`.execute(db);
  }
  await sql`update occupied_days set character_key = ${key} where claim_id = ${id}`.execute(db);
  const byHolder = Map.groupBy(shared, ({ holder }) => holder);
  return [...byHolder].map(([holder, days]) => ({
    character_name: name,
    other_spelling: days[0]?.holder_name ?? name,
    date: days[0]?.date ?? null,
    claims_on_one_date: 2,
    dates: days.length,
    held_by_claim: Math.min(id, holder),
    other_claim: Math.max(id, holder),
  }));
}
