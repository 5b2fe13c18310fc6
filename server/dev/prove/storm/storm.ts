import type { Proof, ProofOptions, Tried } from '../proof.ts';
import { faultRounds } from './fault-rounds.ts';
import {
  ALL_CUT,
  CLOCK_AHEAD,
  COPIED_FILE,
  DISK_FULL,
  FORGOTTEN,
  HELD_UP,
  LISTEN_CUT,
  LOCKED,
  LOCKED_FOR_LONG,
  OLDER_FILE,
  onFreezableFiles,
  onPostgres,
  onSmallDisk,
  onSqlite,
  overNetwork,
  READ_ONLY,
  SILENT_AT_COMMIT,
  STOPPED,
  STOPPED_FOR_LONG,
  withClocks,
} from './faults.ts';
import { killRounds } from './rounds.ts';
import { COMMANDS_PER_WRITER } from './script.ts';

const LIMIT_MS = 5_000;
/** Of all rounds, those on PostgreSQL: each costs several times as much. */
const ON_POSTGRES = 1 / 6;
const EACH_FAULT = 1 / 60;

const GROUPS = [
  onSmallDisk(DISK_FULL),
  onFreezableFiles(READ_ONLY),
  onSqlite(LOCKED, COPIED_FILE, OLDER_FILE, LOCKED_FOR_LONG),
  onPostgres(LISTEN_CUT, ALL_CUT, STOPPED, STOPPED_FOR_LONG),
  withClocks(CLOCK_AHEAD),
  overNetwork(HELD_UP, FORGOTTEN, SILENT_AT_COMMIT),
];

const rounds = (engine: 'sqlite' | 'postgres', { seed, say }: ProofOptions, many: number) =>
  killRounds({
    engine,
    seed,
    rounds: many,
    say,
    limit_ms: LIMIT_MS,
    commands: COMMANDS_PER_WRITER,
  });

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

/** One after another: each measures time. */
async function faults({ seed, say }: ProofOptions, many: number): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const group of GROUPS)
    tried.push(
      ...(await faultRounds(group, {
        seed,
        rounds: many,
        say,
        limit_ms: LIMIT_MS,
        commands: COMMANDS_PER_WRITER,
      })),
    );
  return tried;
}

export const stormOfFaults: Proof = {
  summary:
    'full and read-only disks, locked and replaced files, stopped and cut databases, a clock that jumps, under writers',
  unit: 'rounds of each',
  long: 20,
  run: (options) => faults(options, options.runs),
};

export const storm: Proof = {
  summary:
    'all of these three: nothing acknowledged is lost, watchers are equal, served again within 5 s',
  unit: 'rounds',
  long: 1_200,
  run: async (options) => {
    const postgres = Math.ceil(options.runs * ON_POSTGRES);
    return [
      await rounds('sqlite', options, options.runs - postgres),
      await rounds('postgres', options, postgres),
      ...(await faults(options, Math.ceil(options.runs * EACH_FAULT))),
    ];
  },
};
