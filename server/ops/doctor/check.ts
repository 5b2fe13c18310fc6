import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { pino } from 'pino';
import type { CheckName, FindingOf } from '../../../shared/rules/findings.ts';
import type { FindingParams } from '../../../shared/schemas/system.ts';
import type { Db, Dialect, Tx } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { DATABASE_FILE, FileDialect } from '../../db/sqlite.ts';
import type { Env } from '../../env.ts';
import { ANSWER_TIMEOUT_MS, type PublicAnswer, requestPublic } from './probe.ts';

/** A code and its parameters. Sentences are made where it is shown. */
export interface Result<F extends string = string> {
  finding: F;
  params?: FindingParams;
}
export type ResultOf<N extends CheckName> = Result<FindingOf<N>>;

export interface Finding extends Result {
  name: CheckName;
}

/** It changes nothing, and throws only if it could not find out. */
export interface Check {
  name: CheckName;
  /** How long it may take, in seconds. */
  within_s: number;
  /** Whether it is skipped if the database cannot be read. */
  readsDatabase: boolean;
  run: (ctx: CheckContext) => Promise<Result>;
}

export function check<N extends CheckName>(
  name: N,
  run: (ctx: CheckContext) => Promise<ResultOf<N>>,
  { within_s = 20, readsDatabase = false }: { within_s?: number; readsDatabase?: boolean } = {},
): Check {
  return { name, within_s, readsDatabase, run };
}

export interface Disk {
  /** In bytes. */
  free: number;
  total: number;
  /** The kernel's number for the kind of file system. */
  type: number;
}

export interface CheckContext {
  env: Env;
  /** The server's time. */
  now: () => Date;
  machineTime: () => Date;
  dialect: Dialect;
  /** null with PostgreSQL */
  file: string | null;
  /** The build of the client on this machine. */
  build: () => string | null;
  disk: (folder: string) => Promise<Disk>;
  /**
   * Reads in one read-only transaction.
   * @param within_s PostgreSQL's limit for one statement
   * @throws if the database cannot be opened
   */
  read: <T>(work: (tx: Tx) => Promise<T>, within_s?: number) => Promise<T>;
  /** The kinds of jobs that wait while notifications are paused. */
  notifyingJobs: readonly string[];
  /** How long PUBLIC_URL may take to answer, in milliseconds. */
  timeout_ms: number;
  /** The answer of PUBLIC_URL to /api/config, requested once for all checks. */
  publicConfig: (url: string) => Promise<PublicAnswer>;
  close: () => Promise<void>;
}

export type CheckContextOptions = Pick<CheckContext, 'env' | 'notifyingJobs'> &
  Partial<Pick<CheckContext, 'now' | 'machineTime' | 'build' | 'disk' | 'timeout_ms'>>;

/** How long to wait for a lock of another connection, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_S = 15;

const systemTime = (): Date => new Date();

export async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize, type } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize, type };
}

export function openCheckContext(
  options: CheckContextOptions & Required<Pick<CheckContextOptions, 'build'>>,
): CheckContext {
  const {
    env,
    now = systemTime,
    machineTime = systemTime,
    timeout_ms = ANSWER_TIMEOUT_MS,
    build,
    notifyingJobs,
    disk = diskOf,
  } = options;
  const file = env.DATABASE_URL ? null : path.resolve(env.DATA_DIR, DATABASE_FILE);
  const database = file === null ? readPostgres(env.DATABASE_URL ?? '') : readFile(file);
  let answer: Promise<PublicAnswer> | null = null;
  return {
    env,
    now,
    machineTime,
    build,
    notifyingJobs,
    disk,
    timeout_ms,
    file,
    dialect: file === null ? 'postgres' : 'sqlite',
    publicConfig: (url) => (answer ??= requestPublic(url, '/api/config', timeout_ms)),
    ...database,
  };
}

function readFile(file: string): Pick<CheckContext, 'read' | 'close'> {
  let db: Db | null = null;
  const open = (): Db => {
    // SQLite has one error for a missing file and for a folder without permission.
    if (!existsSync(file)) throw new Error(`there is no file ${file}`);
    return new Kysely<Database>({
      dialect: new FileDialect(
        new BetterSqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS }),
      ),
    });
  };
  return {
    read: async (work) => {
      db ??= open();
      return db.transaction().execute(work);
    },
    close: async () => db?.destroy(),
  };
}

function readPostgres(url: string): Pick<CheckContext, 'read' | 'close'> {
  // Loads PostgreSQL's driver only where it is used.
  const opening = async () =>
    (await import('../../db/postgres.ts')).openPostgres(url, pino({ level: 'silent' }));
  let opened: ReturnType<typeof opening> | null = null;
  return {
    read: async (work, within_s = STATEMENT_TIMEOUT_S) => {
      opened ??= opening();
      const { withoutTimeouts } = await opened;
      return withoutTimeouts((db) =>
        db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(async (tx) => {
            // PostgreSQL finishes a statement even after its client is gone.
            await sql`set local statement_timeout = ${sql.raw(String(within_s * 1_000))}`.execute(
              tx,
            );
            return work(tx);
          }),
      );
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}
