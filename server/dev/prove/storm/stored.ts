import { pino } from 'pino';
import { claimOnRespawns } from '../../../../shared/rules/claim-parts.ts';
import { hoursIn } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { Claim, ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { loadClaims } from '../../../board/claims/claim-records.ts';
import type { Db } from '../../../db/database.ts';
import { openDatabase } from '../../../db/open-database.ts';
import type { Env } from '../../../env.ts';
import type { Claims } from './ledger.ts';

export interface Stored {
  claims: Claims;
  clock: number;
  /** Rows that are stored incompletely, or not in order. */
  failures: string[];
}

type Row = Pick<
  ClaimOnRespawn,
  'respawn_id' | 'date' | 'hour_start' | 'hour_end' | 'character_name' | 'is_secondary_claim'
>;
/** A claim's row as a text, the same for what was answered and what is stored. */
export const rowText = ({
  respawn_id,
  date,
  hour_start,
  hour_end,
  character_name,
  is_secondary_claim,
}: Row): string =>
  `${respawn_id} ${date} ${hour_start}-${hour_end} ${character_name}${is_secondary_claim ? ' (secondary)' : ''}`;

export function hoursOfText(text: string): [start: number, end: number] {
  const [, start, end] = / (\d+)-(\d+) /.exec(text) ?? [];
  return [Number(start), Number(end)];
}

/** Rows of claims by their ids. */
export function byId(rows: readonly (Row & { id: number })[]): Map<number, string[]> {
  const claims = new Map<number, string[]>();
  for (const row of rows) claims.set(row.id, [...(claims.get(row.id) ?? []), rowText(row)]);
  return claims;
}

/** Reads the database itself, past the server, and then lets go of it: a file that is held open recovers differently. */
export async function readStored(
  settings: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>,
): Promise<Stored> {
  const { db, close } = await openDatabase(settings, pino({ level: 'silent' }), { beside: true });
  try {
    const claims = await loadClaims(db, { type: 'all' });
    const { value: clock } = await db.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    const failures = [
      ...(await partial(db, claims)),
      ...(await occupancy(db, claims)),
      ...(await gaps(db, clock)),
    ];
    return { claims: byId(claims.flatMap(claimOnRespawns)), clock, failures };
  } finally {
    await close();
  }
}

/** Traces of a write that was cut in two. */
async function partial(db: Db, claims: readonly Claim[]): Promise<string[]> {
  const count = async (table: 'claims' | 'claim_parts' | 'admins'): Promise<number> =>
    (await db.selectFrom(table).select(db.fn.countAll<number>().as('n')).executeTakeFirstOrThrow())
      .n;
  const failures: string[] = [];
  if ((await count('claims')) !== claims.length) failures.push('a claim has no parts');
  const wanted = claims.reduce((sum, claim) => sum + (claim.is_split_claim ? 2 : 1), 0);
  const parts = await count('claim_parts');
  if (parts !== wanted) failures.push(`${wanted} parts are due, ${parts} are stored`);
  const admins = await count('admins');
  if (admins !== 1) failures.push(`${admins} admins are stored`);
  return failures;
}

/** The rows that make double booking impossible, against what the claims themselves say. */
async function occupancy(db: Db, claims: readonly Claim[]): Promise<string[]> {
  const primary = claims.filter((claim) => !claim.is_secondary_claim);
  const hours = primary.flatMap((claim) =>
    claimOnRespawns(claim).flatMap((row) =>
      hoursIn(row).map((hour) => `${row.respawn_id} ${row.date} ${hour} of ${claim.id}`),
    ),
  );
  const days = primary.map(
    (claim) => `${nameKey(claim.character_name)} ${claim.date} of ${claim.id}`,
  );
  const storedHours = await db.selectFrom('occupied_hours').selectAll().execute();
  const storedDays = await db.selectFrom('occupied_days').selectAll().execute();
  return [
    ...difference(
      'occupied hour',
      hours,
      storedHours.map((row) => `${row.respawn_id} ${row.date} ${row.hour} of ${row.claim_id}`),
    ),
    ...difference(
      'occupied day',
      days,
      storedDays.map((row) => `${row.character_key} ${row.date} of ${row.claim_id}`),
    ),
  ];
}

function difference(what: string, wanted: readonly string[], stored: readonly string[]): string[] {
  const due = new Set(wanted);
  const there = new Set(stored);
  return [
    ...(due.size === wanted.length ? [] : [`two claims hold one ${what}`]),
    ...wanted.filter((each) => !there.has(each)).map((each) => `${what} ${each} is not stored`),
    ...stored.filter((each) => !due.has(each)).map((each) => `${what} ${each} belongs to no claim`),
  ];
}

/** Clocks rise by exactly one: a watcher would wait for a missing one for ever. */
async function gaps(db: Db, clock: number): Promise<string[]> {
  const rows = await db.selectFrom('changes').select('clock').orderBy('clock').execute();
  const failures = rows.flatMap(({ clock: at }, i) => {
    const before = rows[i - 1]?.clock;
    return before === undefined || at === before + 1
      ? []
      : [`after change set ${before} comes ${at}`];
  });
  if (rows.at(-1)?.clock !== clock)
    failures.push(`the clock is ${clock}, the last change set ${rows.at(-1)?.clock}`);
  return failures;
}
