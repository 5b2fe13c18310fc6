import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { z } from 'zod';
import { DATABASE_FILE } from '../../sqlite.ts';
import { type Cell, fileOf, type Released, type Table, writtenReleased } from '../format.ts';
import { aGuild } from './guild.ts';
import { startProgram } from './program.ts';

/** Keep this many unclaimed spots of the catalogue: all of them would be most of the file. */
const SPOTS = 6;
/** Keep this many change sets, the newest. */
const CHANGES = 5;

/** Placeholders for the recording machine. */
const [HOST, DATA_FOLDER] = ['guild-server', '/var/lib/claimboard'];

const schemaRows = z.array(z.object({ name: z.string(), sql: z.string().nullable() }));
const row = z.record(z.string(), z.unknown());

/**
 * All tables of a database, with a shortened catalogue.
 * @param machine its host name and data folder are replaced
 */
function dump(
  database: BetterSqlite.Database,
  machine: { host: string; folder: string },
): Pick<Released, 'migrations' | 'given_out' | 'schema' | 'tables'> {
  cutDown(database);
  // A short host name may be part of a token: replace it only as a whole word.
  const depersonalize = (text: string): string =>
    text === machine.host ? HOST : text.replaceAll(machine.folder, DATA_FOLDER);
  const cellOf = (value: unknown): Cell => {
    if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
    const cell = z.union([z.string(), z.number(), z.null()]).parse(value);
    return typeof cell === 'string' ? depersonalize(cell) : cell;
  };
  const everything = schemaRows.parse(
    database
      .prepare(
        "select name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid",
      )
      .all(),
  );
  const schema = everything.flatMap(({ name, sql }) =>
    name.startsWith('kysely_') || sql === null ? [] : [sql],
  );
  const names = schemaRows.parse(
    database
      .prepare("select name, sql from sqlite_master where type = 'table' order by rowid")
      .all(),
  );
  const tables = names.map(({ name }) => name).filter((name) => !/^(kysely|sqlite)_/.test(name));
  const migrations = z
    .array(z.string())
    .parse(database.prepare('select name from kysely_migration order by name').pluck().all());
  const sequences = z
    .array(z.object({ name: z.string(), seq: z.number() }))
    .parse(database.prepare('select name, seq from sqlite_sequence').all());
  const given_out = Object.fromEntries(sequences.map(({ name, seq }) => [name, seq]));
  return {
    migrations,
    given_out,
    schema,
    tables: tables.map((name) => tableOf(database, name, cellOf)),
  };
}

function cutDown(database: BetterSqlite.Database): void {
  database.pragma('foreign_keys = ON');
  const used = 'select respawn_id from claim_parts union select respawn_id from occupied_hours';
  database.exec(
    `delete from respawns where id > ${SPOTS} and category_id is not null and id not in (${used})`,
  );
  database.exec(
    'delete from categories where id not in (select category_id from respawns where category_id is not null)',
  );
  database.exec(`delete from changes where clock <= (select max(clock) from changes) - ${CHANGES}`);
}

function tableOf(
  database: BetterSqlite.Database,
  name: string,
  cellOf: (value: unknown) => Cell,
): Table {
  const columns = z
    .array(z.object({ name: z.string() }))
    .parse(database.pragma(`table_info(${name})`));
  const rows = z.array(row).parse(database.prepare(`select * from "${name}" order by 1, 2`).all());
  return {
    name,
    columns: columns.map((column) => column.name),
    rows: rows.map((cells) => columns.map((column) => cellOf(cells[column.name]))),
  };
}

/**
 * `node_modules/.bin/node server/db/released/record/index.ts [FOLDER [NAME [COMMIT]]]`
 *
 * Records a database as the program in FOLDER (default: this one) leaves it. Starts the program at two moments, uses every feature as
 * a guild would, and writes the tables to NAME.jsonl (default: the number of the newest migration). Run it once after adding a
 * migration and commit the file.
 */

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const [folder = ROOT, named, commit] = process.argv.slice(2);

const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'claimboard-released-'));
try {
  const until = await aGuild((at, settings) => startProgram(folder, at, { DATA_DIR, ...settings }));
  const database = new BetterSqlite(path.join(DATA_DIR, DATABASE_FILE));
  const { tables, ...rest } = dump(database, { host: hostname(), folder: DATA_DIR });
  database.close();
  const empty = tables.filter(({ rows }) => rows.length === 0).map(({ name }) => name);
  const made_by =
    commit ??
    execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const file = fileOf(named ?? rest.migrations.at(-1)?.slice(0, 3) ?? 'none');
  await writeFile(file, writtenReleased({ made_by, until, ...rest, tables }));
  process.stdout.write(`${path.relative(ROOT, file)} written.\n`);
  if (empty.length > 0)
    process.stdout.write(
      `No rows in ${empty.join(', ')}: teach server/db/released/record/guild.ts to fill them.\n`,
    );
} finally {
  await rm(DATA_DIR, { recursive: true, force: true });
}
