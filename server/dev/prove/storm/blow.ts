import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { PostgresServer } from '../../test/postgres-server.ts';
import type { Place } from './place.ts';
import type { Script } from './script.ts';

const ON_POSTGRES = [
  'postmaster',
  'all of PostgreSQL',
  'a backend',
  'a server',
  'both servers',
] as const;
export type Target = (typeof ON_POSTGRES)[number] | 'the server';

export const targetOf = (place: Place, { target }: Script): Target =>
  place.engine === 'sqlite'
    ? 'the server'
    : (ON_POSTGRES[target % ON_POSTGRES.length] ?? 'postmaster');

/** Kills what the script names, as `kill -9` does; resolves when it is dead. */
export async function strike(place: Place, script: Script): Promise<void> {
  const target = targetOf(place, script);
  if (target === 'the server') return place.kill(0);
  if (target === 'both servers') {
    await Promise.all(place.urls.map((_, at) => place.kill(at)));
    return;
  }
  if (target === 'a server') return place.kill(script.target % place.urls.length);
  if (!place.postgres) throw new Error('a PostgreSQL');
  const postmaster = await place.postgres.postmaster();
  if (target === 'postmaster') signal(postmaster, 'SIGKILL');
  else {
    const { all, backends } = await processesOf(place.postgres);
    const one = backends[script.target % Math.max(backends.length, 1)];
    for (const pid of target === 'a backend' ? [one ?? postmaster] : [postmaster, ...all])
      signal(pid, 'SIGKILL');
  }
}

/** Brings back what a blow killed. */
export async function restore(place: Place, script: Script): Promise<void> {
  const target = targetOf(place, script);
  // After the death of a backend PostgreSQL restarts on its own.
  if (place.postgres && (target === 'postmaster' || target === 'all of PostgreSQL'))
    await startAgain(place.postgres);
  if (script.again_after_ms !== null) await killAgain(place, script.again_after_ms);
  await Promise.all(place.urls.map((_, at) => place.start(at)));
}

/** The servers that were killed, once more while they start. */
async function killAgain(place: Place, after_ms: number): Promise<void> {
  const down = place.urls.map((_, at) => at).filter((at) => !place.isRunning(at));
  for (const at of down) place.begin(at);
  if (down.length > 0) await pause(after_ms);
  await Promise.all(down.map((at) => place.kill(at)));
}

const GIVE_UP_MS = 60_000;

/** Processes of the killed one may be left for a moment, and keep a new one out. */
async function startAgain(postgres: PostgresServer): Promise<void> {
  const deadline = performance.now() + GIVE_UP_MS;
  for (;;) {
    const started = await postgres.startAgain().then(
      () => true,
      () => false,
    );
    if (started) return;
    if (performance.now() > deadline) throw new Error('PostgreSQL did not start again');
    await pause(100);
  }
}

/** All processes but the first, and those that serve connections, as PostgreSQL reports them. */
export async function processesOf(
  postgres: PostgresServer,
): Promise<{ all: number[]; backends: number[] }> {
  const client = new pg.Client({ connectionString: `${postgres.url}/postgres` });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number; backend: boolean }>(
      "select pid, backend_type = 'client backend' and datname = 'storm' as backend from pg_stat_activity where pid <> pg_backend_pid() order by pid",
    );
    return {
      all: rows.map((row) => row.pid),
      backends: rows.filter((row) => row.backend).map((row) => row.pid),
    };
  } finally {
    await client.end().catch(() => {});
  }
}

/** A process that is gone already needs none. */
export function signal(pid: number, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
