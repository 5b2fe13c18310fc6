import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { DATABASE_FILE } from '../../sqlite.ts';
import { fileOf, writtenReleased } from '../format.ts';
import { dump } from './dump.ts';
import { aGuild } from './guild.ts';
import { startProgram } from './program.ts';

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
  const made_by = commit ?? execFileSync('git', ['rev-parse', '--short=7', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  const file = fileOf(named ?? rest.migrations.at(-1)?.slice(0, 3) ?? 'none');
  await writeFile(file, writtenReleased({ made_by, until, ...rest, tables }));
  process.stdout.write(`${path.relative(ROOT, file)} written.\n`);
  if (empty.length > 0) process.stdout.write(`No rows in ${empty.join(', ')}: teach server/db/released/record/guild.ts to fill them.\n`);
} finally {
  await rm(DATA_DIR, { recursive: true, force: true });
}
