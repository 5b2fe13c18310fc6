import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Db, Dialect } from '../../../db/database.ts';
import { openDatabase } from '../../../db/open-database.ts';
import { freshDatabase, type TestDatabase } from '../../../dev/test/databases.ts';
import { readEnv } from '../../../env.ts';
import { notifyingJobsOf } from '../../../feature.ts';
import { features } from '../../../features.ts';
import { ARCHIVED_TABLES } from '../archive-format.ts';
import { writeArchive } from '../archive-writer.ts';
import { restoreArchive } from '../restore.ts';

const log = pino({ level: 'silent' });

/** All that is stored, in an order that is no engine's, and what comes next where ids are given out. */
export async function recordsOf(
  settings: TestDatabase['settings'],
): Promise<Record<string, string[]>> {
  const { db, close, dialect } = await openDatabase(readEnv(settings), log, { beside: true });
  try {
    const records: Record<string, string[]> = {};
    for (const table of ARCHIVED_TABLES) {
      const { rows } = await sql<
        Record<string, unknown>
      >`select * from ${sql.table(table)}`.execute(db);
      records[table] = rows.map((row) => textOf(table, row)).sort();
    }
    records.last_ids = await lastIdsOf(db, dialect);
    return records;
  } finally {
    await close();
  }
}

/** The fields that a restore changes. */
const isOfRestore = (table: string, name: string): boolean =>
  (table === 'clock' && name === 'epoch') ||
  (table === 'config' && name === 'notifications_paused_at');

const textOf = (table: string, row: Record<string, unknown>): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([name]) => !isOfRestore(table, name))
      .map(([name, value]) => [name, Buffer.isBuffer(value) ? value.toString('hex') : value])
      .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );

async function lastIdsOf(db: Db, dialect: Dialect): Promise<string[]> {
  const sequences =
    dialect === 'sqlite'
      ? sql<{
          name: string;
          last: number;
        }>`select name, seq as last from sqlite_sequence where seq > 0`
      : sql<{
          name: string;
          last: number;
        }>`select replace(sequencename, '_id_seq', '') as name, last_value as last from pg_sequences
          where schemaname = current_schema() and last_value is not null`;
  const { rows } = await sequences.execute(db);
  return rows
    .flatMap(({ name, last }) => (ARCHIVED_TABLES.includes(name) ? [`${name} ${last}`] : []))
    .sort();
}

export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-backup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Works beside a running server. @returns its file */
export async function backedUp(
  settings: TestDatabase['settings'],
  folder?: string,
): Promise<string> {
  const file = path.join(folder ?? (await aFolder()), 'board.jsonl.gz');
  const database = await openDatabase(readEnv(settings), log, { beside: true });
  try {
    await writeArchive(database, file, { now: () => new Date() });
  } finally {
    await database.close();
  }
  return file;
}

/** A file's content; for other programs. */
export async function archiveOf(settings: TestDatabase['settings']): Promise<Buffer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-backup-'));
  const archive = await readFile(await backedUp(settings, folder));
  await rm(folder, { recursive: true });
  return archive;
}

export async function anEmpty(dialect: Dialect): Promise<TestDatabase> {
  const database = await freshDatabase(dialect);
  onTestFinished(database.drop);
  return database;
}

export const restoreInto = ({ settings }: TestDatabase, file: string): Promise<number> =>
  restoreArchive(file, {
    env: readEnv(settings),
    log,
    notifyingJobs: notifyingJobsOf(features),
  });

export async function restored(dialect: Dialect, file: string): Promise<TestDatabase> {
  const database = await anEmpty(dialect);
  await restoreInto(database, file);
  return database;
}
