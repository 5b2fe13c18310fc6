import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Env } from '../../../env.ts';
import { type FaultProxy, startFaultProxy } from '../../test/fault-proxy.ts';
import { type PostgresServer, startPostgres } from '../../test/postgres-server.ts';
import { type ServerProcess, startServer } from '../../test/server-process.ts';

export const ADMIN_PASSWORD = 'hunting-at-night';
const STARTS = 5;
const MOVABLE_CLOCK = new URL('movable-clock.mjs', import.meta.url).href;

/** One or more servers on one database, which can be killed and started again at their addresses. */
export interface Place {
  engine: 'sqlite' | 'postgres';
  settings: Pick<Env, 'DATA_DIR'> & Partial<Pick<Env, 'DATABASE_URL'>>;
  /** Null on SQLite. */
  postgres: PostgresServer | null;
  /** Between the last server and PostgreSQL; null where there is none. */
  network: FaultProxy | null;
  urls: readonly string[];
  /** Starts a server, or waits until it has started. @throws with what it printed when it does not */
  start: (at: number) => Promise<void>;
  /** Starts a server that is killed during its start. */
  begin: (at: number) => ServerProcess;
  kill: (at: number) => Promise<void>;
  /** Stops a server as its operator does. @throws Error if it does not stop cleanly */
  stop: (at: number) => Promise<void>;
  isRunning: (at: number) => boolean;
  /** Sets a server's wall clock a day ahead, or right again. */
  moveClock: (at: number) => void;
  close: () => Promise<void>;
}

export interface PlaceOptions {
  servers?: number;
  /** The data folder; by default its own temporary one. */
  folder?: string;
  /** Kills the first server, so many milliseconds after it began to fill the empty database. */
  first_start_killed_after_ms?: number | null;
  /** The last server reaches PostgreSQL over a separate network, which can fail. */
  network?: boolean;
  /** The wall clock of each server can be moved. */
  clocks?: boolean;
}

/** A place on SQLite, or on a separate PostgreSQL with durable settings. */
export async function openPlace(
  engine: Place['engine'],
  options: PlaceOptions = {},
): Promise<Place> {
  const {
    servers = 1,
    folder,
    first_start_killed_after_ms = null,
    network: overNetwork = false,
    clocks = false,
  } = options;
  const DATA_DIR = folder ?? (await mkdtemp(path.join(tmpdir(), 'claimboard-storm-')));
  const postgres = engine === 'postgres' ? await startPostgres([]) : null;
  await postgres?.createDatabase('storm');
  const settings = { DATA_DIR, ...(postgres ? { DATABASE_URL: `${postgres.url}/storm` } : {}) };
  const network =
    overNetwork && settings.DATABASE_URL ? await startFaultProxy(settings.DATABASE_URL) : null;
  const running: (ServerProcess | null)[] = Array.from({ length: servers }, () => null);
  const urls: string[] = [];

  const begin = (at: number): ServerProcess => {
    const over = network && at === servers - 1 ? { DATABASE_URL: network.url } : {};
    const movable = clocks ? { NODE_OPTIONS: `--import=${MOVABLE_CLOCK}` } : {};
    const server = startServer({
      ...settings,
      ...over,
      ...movable,
      ADMIN_PASSWORD,
      PORT: new URL(urls[at] ?? 'http://127.0.0.1:0').port || '0',
    });
    running[at] = server;
    void server.ended.then(() => {
      if (running[at] === server) running[at] = null;
    });
    return server;
  };
  const start = async (at: number): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      const server = running[at] ?? begin(at);
      try {
        urls[at] = await server.ready;
        return;
      } catch (error) {
        await server.ended;
        // Meanwhile another program's connection may have been given its port.
        if (tries === STARTS || !String(error).includes('is in use')) throw error;
        await pause(200);
      }
    }
  };
  const kill = async (at: number): Promise<void> => {
    const server = running[at];
    server?.child.kill('SIGKILL');
    await server?.ended;
  };
  const stop = async (at: number): Promise<void> => {
    const server = running[at];
    server?.child.kill('SIGTERM');
    const code = await server?.ended;
    if (code !== 0) throw new Error(`a server stopped with ${code}: ${server?.output()}`);
  };
  const moveClock = (at: number): void => void running[at]?.child.kill('SIGUSR2');
  const close = async (): Promise<void> => {
    await Promise.all(running.map((_, at) => kill(at)));
    await network?.close();
    await postgres?.stop();
    if (folder === undefined) await rm(DATA_DIR, { recursive: true, force: true });
  };

  try {
    if (first_start_killed_after_ms !== null) {
      begin(0);
      await pause(first_start_killed_after_ms);
      await kill(0);
    }
    await Promise.all(running.map((_, at) => start(at)));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    engine,
    settings,
    postgres,
    network,
    urls,
    start,
    begin,
    kill,
    stop,
    isRunning: (at) => running[at] !== null,
    moveClock,
    close,
  };
}
