import type { Proof, ProofOptions } from '../proof.ts';
import { killRounds } from './rounds.ts';

const LIMIT_MS = 5_000;
/** Of all rounds, those on PostgreSQL: each costs several times as much. */
const ON_POSTGRES = 1 / 6;

const rounds = (engine: 'sqlite' | 'postgres', { seed, say }: ProofOptions, many: number) =>
  killRounds({ engine, seed, rounds: many, say, limit_ms: LIMIT_MS });

export const stormOnSqlite: Proof = {
  summary: 'kill -9 of the server under writers, on SQLite',
  unit: 'rounds',
  long: 1_000,
  run: async (options) => [await rounds('sqlite', options, options.runs)],
};

export const stormOnPostgres: Proof = {
  summary: 'kill -9 of PostgreSQL and of the two servers on it, under writers',
  unit: 'rounds',
  long: 200,
  run: async (options) => [await rounds('postgres', options, options.runs)],
};

export const storm: Proof = {
  summary: 'kill -9 at random moments, full disks, stopped databases: nothing acknowledged is lost',
  unit: 'rounds',
  long: 1_200,
  run: async (options) => {
    const postgres = Math.ceil(options.runs * ON_POSTGRES);
    return [await rounds('sqlite', options, options.runs - postgres), await rounds('postgres', options, postgres)];
  },
};
