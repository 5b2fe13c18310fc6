import { cpSync, mkdtempSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { OpenDatabase } from './database.ts';
import { checkpoint } from './file-mark.ts';
import { openDatabase } from './open-database.ts';
import { DATABASE_FILE } from './sqlite.ts';

const LOG = `${DATABASE_FILE}-wal`;

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'claimboard-mark-'));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function open(DATA_DIR: string): Promise<OpenDatabase> {
  const database = await openDatabase({ DATA_DIR }, pino({ level: 'silent' }));
  onTestFinished(database.close);
  // Several changes of the schema, as every board has.
  for (const table of ['others', 'notes'])
    await sql`create table if not exists ${sql.table(table)} (text)`.execute(database.writer);
  return database;
}

const write = ({ writer }: OpenDatabase, text: string): Promise<unknown> =>
  writer
    .transaction()
    .execute((tx) => sql`insert into notes values (${text}), (${'x'.repeat(9_000)})`.execute(tx));

/** Opens the folder, closes it, and returns the stored texts; else why it does not open. */
async function startOn(DATA_DIR: string): Promise<string[] | string> {
  try {
    const database = await open(DATA_DIR);
    const { rows } = await sql<{
      text: string;
    }>`select text from notes where length(text) < 9000 order by rowid`.execute(database.db);
    await database.close();
    return rows.map(({ text }) => text);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Copies files of a data folder as they are now, which is what a killed program leaves. */
async function copyOf(from: string, names?: readonly string[], to?: string): Promise<string> {
  const target = to ?? (await folder());
  for (const name of names ?? (await readdir(from))) {
    if (name.startsWith('server.lock')) continue;
    await cp(path.join(from, name), path.join(target, name), { recursive: true });
  }
  return target;
}

/** A running database with one checkpoint behind it, and something in its log. */
async function running(): Promise<{ database: OpenDatabase; DATA_DIR: string }> {
  const DATA_DIR = await folder();
  const database = await open(DATA_DIR);
  await write(database, 'one');
  await database.close();
  return runningOn(DATA_DIR);
}

async function runningOn(DATA_DIR: string): Promise<{ database: OpenDatabase; DATA_DIR: string }> {
  const database = await open(DATA_DIR);
  database.checkpoint();
  await write(database, 'two');
  return { database, DATA_DIR };
}

/** Connections for a checkpoint beside the running database. */
function marked(DATA_DIR: string) {
  const file = path.join(DATA_DIR, DATABASE_FILE);
  const writing = new BetterSqlite(file, { timeout: 0 });
  const checkpoints = new BetterSqlite(file, { timeout: 0 });
  onTestFinished(() => {
    writing.close();
    checkpoints.close();
  });
  return { writing, checkpoints, file };
}

const FOREIGN = /claimboard\.sqlite and claimboard\.sqlite-wal are of different moments/;
const MISSING =
  /claimboard\.sqlite was copied without its -wal while Claimboard was running, so the latest claims may be missing\./;

it('a file that was copied alone from a running server is refused in one line that names the newest backup', async () => {
  const { DATA_DIR } = await running();
  const copy = await copyOf(DATA_DIR, [DATABASE_FILE]);
  const line = await startOn(copy);
  expect(line).toMatch(MISSING);
  expect(line).toContain('(npm run restore -- FILE)');
  await mkdir(path.join(copy, 'backups'));
  for (const day of ['20', '21'])
    await writeFile(
      path.join(copy, 'backups', `claimboard-2026-11-${day}-000000-timed.jsonl.gz`),
      '',
    );
  expect(await startOn(copy)).toContain(
    `npm run restore -- ${path.join(copy, 'backups', 'claimboard-2026-11-21-000000-timed.jsonl.gz')}`,
  );
});

it('an older copy beside the log of the newer one is refused, and neither is changed', async () => {
  const { database, DATA_DIR } = await running();
  const older = await copyOf(DATA_DIR, [DATABASE_FILE]);
  database.checkpoint();
  await write(database, 'three');
  const killed = await copyOf(DATA_DIR);
  await copyOf(older, [DATABASE_FILE], killed);
  const before = await Promise.all(
    [DATABASE_FILE, LOG].map((name) => readFile(path.join(killed, name))),
  );
  expect(await startOn(killed)).toMatch(FOREIGN);
  expect(
    await Promise.all([DATABASE_FILE, LOG].map((name) => readFile(path.join(killed, name)))),
  ).toEqual(before);
  // Nor is it taken without the log: this folder had a newer one.
  await rm(path.join(killed, LOG));
  expect(await startOn(killed)).toMatch(MISSING);
});

it('a copy of a cleanly stopped server beside the log of another time is refused', async () => {
  const { database, DATA_DIR } = await running();
  const killed = await copyOf(DATA_DIR);
  await database.close();
  await copyOf(DATA_DIR, [DATABASE_FILE], killed);
  expect(await startOn(killed)).toMatch(FOREIGN);
});

it.each([
  ['the file first', [DATABASE_FILE], [LOG]],
  ['the log first', [LOG], [DATABASE_FILE]],
])(
  'a snapshot in two steps with a checkpoint between them is refused: %s',
  async (_, first, second) => {
    const { database, DATA_DIR } = await running();
    const copy = await copyOf(DATA_DIR, first);
    database.checkpoint();
    await write(database, 'three');
    await copyOf(DATA_DIR, second, copy);
    expect(await startOn(copy)).toMatch(FOREIGN);
  },
);

it('a log without its database file is refused, and not deleted', async () => {
  const { DATA_DIR } = await running();
  const copy = await copyOf(DATA_DIR, [LOG]);
  expect(await startOn(copy)).toMatch(
    /claimboard\.sqlite is missing, but claimboard\.sqlite-wal is there/,
  );
  expect(await readdir(copy)).toContain(LOG);
});

it('what a killed server leaves starts with everything, moved, copied, or without the files that can be made again', async () => {
  const { DATA_DIR } = await running();
  const killed = await copyOf(DATA_DIR);
  const bare = await copyOf(killed, [DATABASE_FILE, LOG]);
  const moved = path.join(await folder(), 'moved');
  await rename(await copyOf(killed), moved);
  for (const each of [killed, bare, moved]) expect(await startOn(each)).toEqual(['one', 'two']);
});

it('a log that another program wrote into the file of a killed server is not missed', async () => {
  const { DATA_DIR } = await running();
  const killed = await copyOf(DATA_DIR);
  // The last connection that closes writes the log into the file and deletes it.
  const other = new BetterSqlite(path.join(killed, DATABASE_FILE));
  other.prepare('select * from notes').all();
  other.close();
  expect(await startOn(killed)).toEqual(['one', 'two']);
});

it('a log that was deleted after a kill is missed', async () => {
  const { DATA_DIR } = await running();
  const killed = await copyOf(DATA_DIR);
  await rm(path.join(killed, LOG));
  expect(await startOn(killed)).toMatch(MISSING);
});

it('a reader that outlives the server leaves a file that starts', async () => {
  const { database, DATA_DIR } = await running();
  const reader = new BetterSqlite(path.join(DATA_DIR, DATABASE_FILE));
  onTestFinished(() => void reader.close());
  reader.exec('begin');
  reader.prepare('select * from notes').all();
  database.checkpoint();
  await write(database, 'three');
  await database.close();
  // It closes last: SQLite writes the log into the file and deletes it.
  reader.close();
  expect(await startOn(await copyOf(DATA_DIR))).toEqual(['one', 'two', 'three']);
});

it('after a clean stop the file alone is everything, also with a left -shm', async () => {
  const { database, DATA_DIR } = await running();
  const shm = await readFile(path.join(DATA_DIR, `${DATABASE_FILE}-shm`));
  await database.close();
  expect((await readdir(DATA_DIR)).filter((name) => name.startsWith(DATABASE_FILE))).toEqual([
    DATABASE_FILE,
  ]);
  const copy = await copyOf(DATA_DIR, [DATABASE_FILE]);
  await writeFile(path.join(copy, `${DATABASE_FILE}-shm`), shm);
  expect(await startOn(copy)).toEqual(['one', 'two']);
});

it('a copy that SQLite made of a running board is complete and starts, but not beside the log of its source', async () => {
  const { database, DATA_DIR } = await running();
  const source = new BetterSqlite(path.join(DATA_DIR, DATABASE_FILE), { readonly: true });
  onTestFinished(() => void source.close());
  const copied = await folder();
  await source.backup(path.join(copied, DATABASE_FILE));
  const vacuumed = await folder();
  await sql`vacuum into ${path.join(vacuumed, DATABASE_FILE)}`.execute(database.longReads);
  source.close();
  await write(database, 'three');
  for (const each of [copied, vacuumed]) {
    const besideLog = await copyOf(each);
    await copyOf(DATA_DIR, [LOG], besideLog);
    expect(await startOn(besideLog)).toMatch(FOREIGN);
    expect(await startOn(await copyOf(each))).toEqual(['one', 'two']);
    // A server that was killed on such a copy.
    const { database: again, DATA_DIR: there } = await runningOn(await copyOf(each));
    expect(await startOn(await copyOf(there))).toEqual(['one', 'two', 'two']);
    expect(await startOn(await copyOf(there, [DATABASE_FILE]))).toMatch(MISSING);
    await again.close();
  }
});

it('a file that was copied alone is refused beside an empty log, too', async () => {
  const { DATA_DIR } = await running();
  const copy = await copyOf(DATA_DIR, [DATABASE_FILE]);
  await writeFile(path.join(copy, LOG), '');
  expect(await startOn(copy)).toMatch(MISSING);
});

it('a reader that comes and goes during a checkpoint leaves what a killed server starts with', async () => {
  const { DATA_DIR } = await running();
  const own = marked(DATA_DIR);
  const reader = new BetterSqlite(own.file, { readonly: true });
  onTestFinished(() => void reader.close());
  const pragma = own.writing.pragma.bind(own.writing);
  const prepare = own.writing.prepare.bind(own.writing);
  let endOfRead = (): unknown => null;
  Object.assign(own.writing, {
    pragma: (...args: Parameters<typeof pragma>) => {
      endOfRead();
      return pragma(...args);
    },
    prepare: (source: string) => {
      if (source.includes('truncate')) {
        reader.exec('begin');
        reader.prepare('select * from notes').all();
        endOfRead = () => reader.inTransaction && reader.exec('commit');
      }
      return prepare(source);
    },
  });
  expect(checkpoint(own)).toBe(false);
  expect(await startOn(await copyOf(DATA_DIR))).toEqual(['one', 'two']);
});

it('a database of a version that had no marks starts, also with its log', async () => {
  const DATA_DIR = await folder();
  const old = new BetterSqlite(path.join(DATA_DIR, DATABASE_FILE));
  onTestFinished(() => void old.close());
  old.pragma('journal_mode = WAL');
  old.exec("create table notes (text); insert into notes values ('old')");
  expect(await startOn(await copyOf(DATA_DIR))).toEqual(['old']);
});

it('a command beside the server, and a server that is killed at any step of a checkpoint, find nothing amiss', async () => {
  const { database, DATA_DIR } = await running();
  const own = marked(DATA_DIR);
  const folders: string[] = [];
  const pragma = own.writing.pragma.bind(own.writing);
  const prepare = own.writing.prepare.bind(own.writing);
  const copyNow = (): void => {
    const to = mkdtempSync(path.join(tmpdir(), 'claimboard-step-'));
    for (const name of [DATABASE_FILE, LOG, `${DATABASE_FILE}-mark`])
      cpSync(path.join(DATA_DIR, name), path.join(to, name));
    folders.push(to);
  };
  Object.assign(own.writing, {
    pragma: (...args: Parameters<typeof pragma>) => {
      copyNow();
      return pragma(...args);
    },
    prepare: (source: string) => {
      copyNow();
      return prepare(source);
    },
  });
  expect(checkpoint(own)).toBe(true);
  copyNow();
  await write(database, 'three');
  expect(folders.length).toBeGreaterThan(7);
  for (const each of folders) {
    const withoutLog = await copyOf(each);
    const other = new BetterSqlite(path.join(withoutLog, DATABASE_FILE));
    other.prepare('select * from notes').all();
    other.close();
    expect(await startOn(withoutLog)).toEqual(['one', 'two']);
    expect(await startOn(each)).toEqual(['one', 'two']);
    await rm(each, { recursive: true });
  }
  const beside = await openDatabase({ DATA_DIR }, pino({ level: 'silent' }), { beside: true });
  await write(beside, 'four');
  await beside.close();
  database.checkpoint();
  expect(await startOn(await copyOf(DATA_DIR))).toEqual(['one', 'two', 'three', 'four']);
});

it('a reader that needs the log postpones the checkpoint, and what a killed server leaves then starts', async () => {
  const { database, DATA_DIR } = await running();
  const file = path.join(DATA_DIR, DATABASE_FILE);
  const reader = new BetterSqlite(file, { readonly: true });
  onTestFinished(() => void reader.close());
  reader.exec('begin');
  reader.prepare('select * from notes').all();
  database.checkpoint();
  await write(database, 'three');
  database.checkpoint();
  await write(database, 'four');
  expect(await startOn(await copyOf(DATA_DIR))).toEqual(['one', 'two', 'three', 'four']);
  expect(await startOn(await copyOf(DATA_DIR, [DATABASE_FILE, LOG]))).toEqual([
    'one',
    'two',
    'three',
    'four',
  ]);
  reader.exec('commit');
  database.checkpoint();
  await write(database, 'five');
  expect(await startOn(await copyOf(DATA_DIR))).toEqual(['one', 'two', 'three', 'four', 'five']);
});

it.each<[string, (database: OpenDatabase, DATA_DIR: string) => Promise<unknown>]>([
  [
    'writes of a command beside the server, of which one is large',
    async (_, DATA_DIR) => {
      const beside = await openDatabase({ DATA_DIR }, pino({ level: 'silent' }), { beside: true });
      onTestFinished(beside.close);
      const large = sql`insert into others values (${'x'.repeat(6_000_000)})`;
      await beside.longWriter.transaction().execute((tx) => large.execute(tx));
      return write(beside, 'three');
    },
  ],
  [
    'a checkpoint for whose marks the disk has no room',
    async (database, DATA_DIR) => {
      await mkdir(path.join(DATA_DIR, `${DATABASE_FILE}-mark.part`));
      database.checkpoint();
      return write(database, 'three');
    },
  ],
])('the log goes on after %s', async (_, act) => {
  const { database, DATA_DIR } = await running();
  const older = await copyOf(DATA_DIR, [DATABASE_FILE]);
  await act(database, DATA_DIR);
  const killed = await copyOf(DATA_DIR);
  await copyOf(older, [DATABASE_FILE], killed);
  expect(await startOn(killed)).toEqual(['one', 'two', 'three']);
});
