import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { z } from 'zod';
import { type Cell, fileOf, type Released, type Table, writtenReleased } from './format.ts';

/**
 * `node_modules/.bin/node server/db/released/record.ts FILE NAME`
 *
 * Records the SQLite file of a stopped program as NAME.jsonl. Run it before each release that has new migrations, with the file of a
 * demo guild in which the new features were used: `npm run demo -- FOLDER`.
 */

/** Keep this many unclaimed spots of the catalogue: all of them would be most of the file. */
const SPOTS = 6;
/** Keep this many change sets and entries of the activity log, the newest. */
const CHANGES = 5;
const ENTRIES = 50;

const schemaRows = z.array(z.object({ name: z.string(), type: z.string(), sql: z.string() }));
const row = z.record(z.string(), z.unknown());

function cutDown(database: BetterSqlite.Database): void {
  const used = `select respawn_id from claim_parts union select respawn_id from waits
    union select respawn_id from standing_claims`;
  database.exec(`
    delete from respawns where id > ${SPOTS} and id not in (${used});
    delete from categories where id not in (select category_id from respawns where category_id is not null);
    delete from changes where clock <= (select max(clock) from changes) - ${CHANGES};
    delete from activity where id <= (select max(id) from activity) - ${ENTRIES}
      and id not in (select entry_id from undos where entry_id is not null)`);
}

function dump(
  database: BetterSqlite.Database,
): Pick<Released, 'migrations' | 'given_out' | 'schema' | 'tables'> {
  const made = schemaRows
    .parse(
      database
        .prepare(
          "select name, type, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid",
        )
        .all(),
    )
    .filter(({ name }) => !name.startsWith('kysely_'));
  const migrations = z
    .array(z.string())
    .parse(database.prepare('select name from kysely_migration order by name').pluck().all());
  const sequences = z
    .array(z.object({ name: z.string(), seq: z.number() }))
    .parse(database.prepare('select name, seq from sqlite_sequence').all());
  return {
    migrations,
    given_out: Object.fromEntries(sequences.map(({ name, seq }) => [name, seq])),
    schema: made.map(({ sql }) => sql),
    tables: made.filter(({ type }) => type === 'table').map(({ name }) => tableOf(database, name)),
  };
}

function tableOf(database: BetterSqlite.Database, name: string): Table {
  const columns = z
    .array(z.object({ name: z.string() }))
    .parse(database.pragma(`table_info(${name})`))
    .map((column) => column.name);
  const rows = z.array(row).parse(database.prepare(`select * from "${name}" order by 1, 2`).all());
  return { name, columns, rows: rows.map((cells) => columns.map((each) => cellOf(cells[each]))) };
}

const cellOf = (value: unknown): Cell =>
  value instanceof Uint8Array
    ? { base64: Buffer.from(value).toString('base64') }
    : z.union([z.string(), z.number(), z.null()]).parse(value);

const [file = '', name = ''] = process.argv.slice(2);
const database = new BetterSqlite(file, { fileMustExist: true });
// The rollback leaves the guild's own file as it is.
database.exec('begin');
cutDown(database);
const recorded = dump(database);
const until = z.string().parse(database.prepare('select max(at) from changes').pluck().get());
database.exec('rollback');
database.close();
const git = ['rev-parse', '--short=7', 'HEAD'];
const made_by = execFileSync('git', git, { encoding: 'utf8' }).trim();
await writeFile(fileOf(name), writtenReleased({ made_by, until, ...recorded }));
process.stdout.write(`${path.relative('.', fileOf(name))} written.\n`);
