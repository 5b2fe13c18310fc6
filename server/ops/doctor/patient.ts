import { existsSync } from 'node:fs';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { pino } from 'pino';
import type { Db, Dialect, Tx } from '../../db/open.ts';
import type { Database } from '../../db/schema.ts';
import { DATABASE_FILE, FileDialect } from '../../db/sqlite.ts';
import type { Env } from '../../env.ts';
import { ANSWER_WITHIN_MS, askPublic, type PublicAnswer } from './ask.ts';

/** What checks look at. */
export interface Patient {
  env: Env;
  /** The server's time. */
  now: () => Date;
  /** The machine's time, which the world's is compared with. */
  machineTime: () => Date;
  dialect: Dialect;
  /** The database file; null with PostgreSQL. */
  file: string | null;
  /** Which build of the pages this machine would give a browser. */
  build: () => string | null;
  /** The disk that a folder is on: its size and free space in bytes, and the number of its kind. */
  disk: (folder: string) => Promise<{ free: number; total: number; type: number }>;
  /**
   * Reads what is stored at one moment, and can write nothing.
   * @param within_s how long PostgreSQL may take for one statement
   * @throws where the database cannot be opened
   */
  read: <T>(work: (tx: Tx) => Promise<T>, within_s?: number) => Promise<T>;
  /** How long somebody out there may take to answer, in milliseconds. */
  patience_ms: number;
  /** What PUBLIC_URL answers for the board's settings, asked once. */
  answer: (url: string) => Promise<PublicAnswer>;
  close: () => Promise<void>;
}

/** What is looked at otherwise in tests. */
export type PatientOptions = Pick<Patient, 'env'> & Partial<Pick<Patient, 'now' | 'machineTime' | 'build' | 'disk' | 'patience_ms'>>;

/** How long it waits for another connection's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
const STATEMENT_S = 15;

const systemTime = (): Date => new Date();

export function openPatient(options: PatientOptions & Required<Pick<PatientOptions, 'build' | 'disk'>>): Patient {
  const { env, now = systemTime, machineTime = systemTime, patience_ms = ANSWER_WITHIN_MS, build, disk } = options;
  const file = env.DATABASE_URL ? null : path.resolve(env.DATA_DIR, DATABASE_FILE);
  const opened = file === null ? readsPostgres(env.DATABASE_URL ?? '') : readsFile(file);
  let answer: Promise<PublicAnswer> | null = null;
  return {
    env,
    now,
    machineTime,
    build,
    disk,
    patience_ms,
    file,
    dialect: file === null ? 'postgres' : 'sqlite',
    answer: (url) => (answer ??= askPublic(url, '/api/config', patience_ms)),
    ...opened,
  };
}

/** The connection can write nothing, whatever it is told. */
function readsFile(file: string): Pick<Patient, 'read' | 'close'> {
  let db: Db | null = null;
  const open = (): Db => {
    // SQLite would say the same of a file that is none as of a folder that may not be read.
    if (!existsSync(file)) throw new Error(`there is no file ${file}`);
    return new Kysely<Database>({
      dialect: new FileDialect(new BetterSqlite(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS })),
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

function readsPostgres(url: string): Pick<Patient, 'read' | 'close'> {
  const opening = async () => (await import('../../db/postgres.ts')).openPostgres(url, pino({ level: 'silent' }));
  let opened: ReturnType<typeof opening> | null = null;
  return {
    read: async (work, within_s = STATEMENT_S) => {
      opened ??= opening();
      const { withoutTimeouts } = await opened;
      return withoutTimeouts((db) =>
        db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute(async (tx) => {
            // The database goes on with a statement although whoever asked has been ended.
            await sql`set local statement_timeout = ${sql.raw(String(within_s * 1_000))}`.execute(tx);
            return work(tx);
          }),
      );
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}
