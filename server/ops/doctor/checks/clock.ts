import { sql } from 'kysely';
import { check } from '../finding.ts';
import type { Patient } from '../patient.ts';

/** Clocks that differ by less than this, in seconds, do no harm: holds last minutes. */
const HARMLESS_S = 60;

/** The machine's clock against the Date of whoever answers the public address, the database's, and what was stored last. */
export const clock = check('clock', async (patient) => {
  const off = await aheadOfPublic(patient);
  if (off !== null && Math.abs(off) >= HARMLESS_S) {
    return { finding: off > 0 ? 'ahead' : 'behind', params: { seconds: Math.abs(off), url: patient.env.PUBLIC_URL ?? '' } };
  }
  const stored = await storedTimes(patient).catch(() => null);
  if (stored === null) return { finding: 'ok' };
  const database = stored.database === null ? 0 : Math.round((patient.machineTime().getTime() - stored.database) / 1_000);
  if (Math.abs(database) >= HARMLESS_S) return { finding: 'database', params: { seconds: Math.abs(database) } };
  const ahead = Math.round((stored.last - patient.now().getTime()) / 1_000);
  return ahead >= HARMLESS_S ? { finding: 'future', params: { seconds: ahead } } : { finding: 'ok' };
});

/** By how many seconds this machine is ahead of what answers the public address; null: nobody said. */
async function aheadOfPublic({ env: { PUBLIC_URL }, answer, machineTime }: Patient): Promise<number | null> {
  if (!PUBLIC_URL) return null;
  const said = await answer(PUBLIC_URL);
  const date = 'status' in said ? Date.parse(said.headers.date ?? '') : Number.NaN;
  if (!('status' in said) || Number.isNaN(date)) return null;
  const since = Date.now() - said.answered_at;
  // Somewhere between asking and being answered; it tells whole seconds.
  return Math.round((machineTime().getTime() - since - (said.answered_at - said.asked_at) / 2 - date - 500) / 1_000);
}

const storedTimes = ({ read, dialect }: Patient): Promise<{ last: number; database: number | null }> =>
  read(async (tx) => {
    const last = await tx.selectFrom('changes').select('at').orderBy('clock', 'desc').limit(1).executeTakeFirst();
    const { rows } =
      dialect === 'postgres'
        ? await sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(tx)
        : { rows: [] };
    return { last: Date.parse(last?.at ?? '') || 0, database: rows[0]?.ms ?? null };
  });
