import { existsSync } from 'node:fs';
import path from 'node:path';
import { wrongCounts, wrongOccupancy } from '../../../board/claims/consistency.ts';
import { isDamage } from '../../../db/failures.ts';
import { doneMigrations, MIGRATION_NAMES, refuseUnknown } from '../../../db/migrate.ts';
import { wayBackFrom } from '../../backup/before-migration.ts';
import { check } from '../finding.ts';
import type { Patient } from '../patient.ts';

/** Long: they go through all there ever was. */
const LONG = { within_s: 240, reads: true };

export const database = check('database', async (patient) => {
  const { file, dialect } = patient;
  if (file !== null && !existsSync(file)) return { finding: 'missing', params: { folder: path.dirname(file) } };
  try {
    const done = await patient.read((tx) => doneMigrations(tx, dialect));
    if (done.length === 0) return { finding: 'empty' };
    const unknown = await newerOf(done, patient);
    if (unknown !== null) return { finding: 'newer', params: { reason: unknown } };
    const missing = MIGRATION_NAMES.filter((name) => !done.includes(name));
    return missing.length > 0 ? { finding: 'older', params: { n: missing.length } } : { finding: 'ok', params: { kind: KIND[dialect] } };
  } catch (error) {
    if (isDamage(error)) return { finding: 'damaged', params: { file: file ?? '' } };
    return { finding: 'away', params: { reason: error instanceof Error ? error.message : String(error) } };
  }
});

const KIND = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

async function newerOf(done: readonly string[], { env }: Patient): Promise<string | null> {
  try {
    await refuseUnknown(done, (unknown) => wayBackFrom(unknown, env));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const occupancy = check(
  'occupancy',
  async (patient) => {
    const { claims, wrong, first } = await patient.read(wrongOccupancy, LONG.within_s);
    return first === null ? { finding: 'ok', params: { claims } } : { finding: 'wrong', params: { n: wrong, ...first } };
  },
  LONG,
);

export const counts = check(
  'counts',
  async (patient) => {
    const [first, ...others] = await patient.read(wrongCounts, LONG.within_s);
    if (!first) return { finding: 'ok' };
    const { of, id, kept, counted } = first;
    return { finding: 'wrong', params: { n: others.length + 1, of, id, kept: String(kept[0]), counted: String(counted[0]) } };
  },
  LONG,
);
