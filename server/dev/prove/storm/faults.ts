import { constants } from 'node:fs';
import { access, copyFile, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import BetterSqlite from 'better-sqlite3';
import pg from 'pg';
import { run } from '../../test/run-program.ts';
import { fillDisk, mountSmallDisk } from '../../test/small-disk.ts';
import { processesOf, signal } from './blow.ts';
import type { Place, PlaceOptions } from './place.ts';

/** A fault of the database other than a kill, and its end. */
export interface Fault {
  name: string;
  /** In milliseconds, at least. */
  lasts_ms: number;
  /** Prepares the fault before the writers start. */
  prepare?: (place: Place) => Promise<void>;
  /** Begins it. @returns what ends it */
  begin: (place: Place) => Promise<() => Promise<void>>;
}

interface Ground {
  options: PlaceOptions;
  remove: () => Promise<void>;
}

/** Faults that are tried in turn on one database. */
export interface FaultGroup {
  engine: Place['engine'];
  /** @throws Error with the reason why they cannot be tried on this machine */
  prepare: () => Promise<Ground>;
  faults: readonly Fault[];
}

async function smallDisk(): Promise<Ground> {
  const { folder, remove } = await mountSmallDisk();
  return { options: { folder }, remove };
}

const DATABASE_FILES = ['claimboard.sqlite', 'claimboard.sqlite-wal'];

/** A folder whose files can be made immutable: that binds even open file handles, and even root. */
async function freezableFolder(): Promise<Ground> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-frozen-'));
  const probe = path.join(folder, 'probe');
  const file = await open(probe, 'w');
  try {
    await run('chattr', ['+i', probe]);
    const refused = await file.write('x').then(
      () => false,
      () => true,
    );
    await run('chattr', ['-i', probe]);
    if (!refused) throw new Error('an immutable file can still be written to here');
    await rm(probe);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  } finally {
    await file.close();
  }
  return { options: { folder }, remove: () => rm(folder, { recursive: true }) };
}

async function freezeFiles({ settings }: Place): Promise<() => Promise<void>> {
  const files = DATABASE_FILES.map((name) => path.join(settings.DATA_DIR, name));
  for (const file of files) await access(file, constants.R_OK);
  await run('chattr', ['+i', ...files]);
  return () => run('chattr', ['-i', ...files]);
}

const fileOf = ({ settings }: Place): string => path.join(settings.DATA_DIR, 'claimboard.sqlite');

/** A server that takes longer than this for a probe has failed, in milliseconds. */
const PROBE_WITHIN_MS = 5_000;
const PROBE_EVERY_MS = 100;

/** Another program holds the write lock. Meanwhile the server must answer probes. */
async function lockFile(place: Place): Promise<() => Promise<void>> {
  const other = new BetterSqlite(fileOf(place));
  other.exec('begin immediate');
  let isHeld = true;
  const probing = async (probe: string): Promise<string[]> => {
    const failures: string[] = [];
    while (isHeld) {
      const answer = await fetch(`${place.urls[0]}${probe}`, {
        signal: AbortSignal.timeout(PROBE_WITHIN_MS),
      }).then(
        ({ status }) => String(status),
        (error: unknown) => String(error),
      );
      if (answer !== '200') failures.push(`${probe} ${answer}`);
      await pause(PROBE_EVERY_MS);
    }
    return failures;
  };
  const probes = Promise.all(['/healthz', '/readyz', '/api/config'].map(probing));
  return async () => {
    isHeld = false;
    other.close();
    const failures = new Set((await probes).flat());
    if (failures.size > 0)
      throw new Error(`while the file was locked: ${[...failures].join(', ')}`);
  };
}

/** Starts the server, which must end with one line. */
async function expectRefusal(place: Place, why: RegExp): Promise<void> {
  const server = place.begin(0);
  const isRefused = await server.ready.then(
    () => false,
    () => true,
  );
  if (isRefused) await server.ended;
  else await place.kill(0);
  // The last output may arrive after the end.
  for (let tries = 0; tries < 50 && !server.output().endsWith('\n'); tries += 1) await pause(20);
  const lines = server.output().trimEnd().split('\n');
  if (!isRefused || lines.length !== 1 || !why.test(lines[0] ?? ''))
    throw new Error(`a start was not refused: ${server.output()}`);
}

/** Starts the stopped server with another database file in place of its own, and puts its own back. */
async function expectRefusalWith(
  place: Place,
  other: string,
  why: RegExp,
): Promise<() => Promise<void>> {
  const file = fileOf(place);
  await rename(file, `${file}.own`);
  await rename(other, file);
  await expectRefusal(place, why);
  await rename(`${file}.own`, file);
  return () => place.start(0);
}

/** The file, copied alone from the running server, replaces that of the stopped one. */
async function replaceByCopy(place: Place): Promise<() => Promise<void>> {
  const copy = `${fileOf(place)}.copy`;
  await copyFile(fileOf(place), copy);
  await place.stop(0);
  return expectRefusalWith(place, copy, /was copied without its -wal while Claimboard was running/);
}

const olderOf = (place: Place): string => `${fileOf(place)}.older`;

/** The log that begins with the next start continues another state than this copy. */
async function copyOlder(place: Place): Promise<void> {
  await copyFile(fileOf(place), olderOf(place));
  await place.stop(0);
  await place.start(0);
}

/** An older copy of the file is put beside the log of the killed server. */
async function replaceByOlder(place: Place): Promise<() => Promise<void>> {
  await place.kill(0);
  return expectRefusalWith(
    place,
    olderOf(place),
    /and claimboard\.sqlite-wal are of different moments/,
  );
}

async function stopPostgres({ postgres }: Place): Promise<() => Promise<void>> {
  if (!postgres) throw new Error('a PostgreSQL');
  const { all } = await processesOf(postgres);
  // The first one first, or it would let in new ones.
  const processes = [await postgres.postmaster(), ...all];
  for (const pid of processes) signal(pid, 'SIGSTOP');
  return async () => {
    for (const pid of processes) signal(pid, 'SIGCONT');
  };
}

/** Ends connections of the servers, as PostgreSQL itself does it. */
async function cut({ postgres }: Place, which: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: `${postgres?.url}/postgres` });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'storm' and backend_type = 'client backend' and ${which}`,
  );
  await client.end();
  if (!rowCount) throw new Error('there was no connection to cut');
  return async () => {};
}

/** Drops all traffic between one server and PostgreSQL; connections live on, or are forgotten. */
async function swallow({ network }: Place, kept: boolean): Promise<() => Promise<void>> {
  if (!network) throw new Error('a network');
  network.become('swallow');
  return async () => network.become('pass', { kept });
}

/** PostgreSQL receives a commit, and commits; the answer never arrives. */
async function swallowAtCommit({ network }: Place): Promise<() => Promise<void>> {
  if (!network) throw new Error('a network');
  network.swallowAt('commit', 'after');
  return async () => network.become('pass');
}

/** Nothing that is stored, and no day of the board, may be of a clock that was a day ahead. */
const FUTURE = `select (select max(at) from changes) > to_char(clock_timestamp() at time zone 'UTC' + interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS') as changes,
  (select board_date from clock) > to_char(clock_timestamp() at time zone 'America/Los_Angeles', 'YYYY-MM-DD') as board`;

/** The wall clock of one of the servers is a day ahead. */
async function moveClock({ moveClock, postgres }: Place): Promise<() => Promise<void>> {
  moveClock(0);
  return async () => {
    moveClock(0);
    const client = new pg.Client({ connectionString: `${postgres?.url}/storm` });
    await client.connect();
    const { rows } = await client.query<{ changes: boolean; board: boolean }>(FUTURE);
    await client.end();
    if (rows[0]?.changes || rows[0]?.board)
      throw new Error(`stored by a clock that is a day ahead: ${JSON.stringify(rows[0])}`);
  };
}

/** The connection that listens says nothing else, but for who is choosing hours. */
const LISTENS = "state = 'idle' and (query ilike 'listen %' or query ilike 'select pg_notify(%')";

const anywhere = async (): Promise<Ground> => ({ options: {}, remove: async () => {} });

export const DISK_FULL: Fault = {
  name: 'disk full',
  lasts_ms: 1_000,
  begin: ({ settings }) => fillDisk(settings.DATA_DIR),
};
export const READ_ONLY: Fault = { name: 'file read-only', lasts_ms: 500, begin: freezeFiles };
export const LOCKED: Fault = {
  name: 'file locked by another program',
  lasts_ms: 3_000,
  begin: lockFile,
};
export const LOCKED_FOR_LONG: Fault = {
  name: 'file locked for longer than a write waits',
  lasts_ms: 30_000,
  begin: lockFile,
};
export const COPIED_FILE: Fault = {
  name: 'a file that was copied alone',
  lasts_ms: 0,
  begin: replaceByCopy,
};
export const OLDER_FILE: Fault = {
  name: 'an older file beside the log',
  lasts_ms: 0,
  prepare: copyOlder,
  begin: replaceByOlder,
};
export const STOPPED: Fault = {
  name: 'PostgreSQL stopped for a moment',
  lasts_ms: 1_500,
  begin: stopPostgres,
};
export const STOPPED_FOR_LONG: Fault = {
  name: 'PostgreSQL stopped for longer than anybody waits',
  lasts_ms: 12_000,
  begin: stopPostgres,
};
export const LISTEN_CUT: Fault = {
  name: 'LISTEN cut',
  lasts_ms: 0,
  begin: (place) => cut(place, LISTENS),
};
export const ALL_CUT: Fault = {
  name: 'every connection cut',
  lasts_ms: 0,
  begin: (place) => cut(place, 'true'),
};
export const HELD_UP: Fault = {
  name: 'a network that holds everything up',
  lasts_ms: 3_000,
  begin: (place) => swallow(place, true),
};
export const FORGOTTEN: Fault = {
  name: 'a network that forgets its connections',
  lasts_ms: 6_000,
  begin: (place) => swallow(place, false),
};
export const SILENT_AT_COMMIT: Fault = {
  name: 'a network that falls silent at a commit',
  lasts_ms: 6_000,
  begin: swallowAtCommit,
};

export const CLOCK_AHEAD: Fault = {
  name: 'a server whose clock is a day ahead',
  lasts_ms: 2_500,
  begin: moveClock,
};

export const onSmallDisk = (...faults: Fault[]): FaultGroup => ({
  engine: 'sqlite',
  prepare: smallDisk,
  faults,
});
export const onFreezableFiles = (...faults: Fault[]): FaultGroup => ({
  engine: 'sqlite',
  prepare: freezableFolder,
  faults,
});
export const onSqlite = (...faults: Fault[]): FaultGroup => ({
  engine: 'sqlite',
  prepare: anywhere,
  faults,
});
export const overNetwork = (...faults: Fault[]): FaultGroup => ({
  engine: 'postgres',
  prepare: async () => ({ options: { network: true }, remove: async () => {} }),
  faults,
});
export const withClocks = (...faults: Fault[]): FaultGroup => ({
  engine: 'postgres',
  prepare: async () => ({ options: { clocks: true }, remove: async () => {} }),
  faults,
});
export const onPostgres = (...faults: Fault[]): FaultGroup => ({
  engine: 'postgres',
  prepare: anywhere,
  faults,
});
