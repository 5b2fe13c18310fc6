import { createHash, randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { StartError } from '../../db/failures.ts';
import type { OpenDatabase } from '../../db/open.ts';
import { PART } from './file-name.ts';
import { type EndLine, FORMAT, type Header, LINE_MOST, type TableLine, written } from './format.ts';
import type { Progress } from './progress.ts';
import { type Source, withSource } from './source.ts';

/** Keys and secrets are in it. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export interface Writing {
  now: () => Date;
  progress?: Progress;
  signal?: AbortSignal;
}

/**
 * Writes all that a database has at one moment into a file, which is there once it is whole; nobody who writes or reads waits.
 * @returns how many rows it has
 * @throws StartError in one line; then there is no file
 */
export async function writeArchive(
  opened: Pick<OpenDatabase, 'db' | 'dialect' | 'file' | 'withoutTimeouts'>,
  file: string,
  { now, progress, signal }: Writing,
): Promise<number> {
  if (existsSync(file)) throw new StartError(`${file} exists already. Name another file, or move that one away.`);
  const part = `${file}.${randomBytes(4).toString('hex')}${PART}`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: FOLDER_MODE });
    const rows = await withSource(opened, async (source) => {
      const into = createWriteStream(part, { flags: 'wx', mode: FILE_MODE, flush: true });
      // Half the time of the default, and a fifth larger.
      await pipeline(Readable.from(linesOf(source, now(), progress)), createGzip({ level: 3 }), into, ...(signal ? [{ signal }] : []));
      return source.tables.reduce((sum, table) => sum + table.rows, 0);
    });
    await rename(part, file);
    await syncFolder(path.dirname(file));
    return rows;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** So that a name outlasts a loss of power; some systems cannot. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const line = (value: object): string => `${JSON.stringify(value)}\n`;

async function* linesOf({ schema, tables, sequences, rows }: Source, now: Date, progress?: Progress): AsyncGenerator<string> {
  const total = tables.reduce((sum, table) => sum + table.rows, 0);
  const header: Header = {
    claimboard: FORMAT,
    made_at: now.toISOString(),
    schema: [...schema],
    tables: Object.fromEntries(tables.map((table) => [table.name, table.rows])),
    sequences: { ...sequences },
  };
  const first = line(header);
  yield first;
  const end: EndLine['end'] = { header: sha256(first), tables: {} };
  let done = 0;
  for (const table of tables) {
    const named = line({ table: table.name, columns: [...table.columns] } satisfies TableLine);
    const hash = createHash('sha256').update(named);
    yield named;
    let found = 0;
    for await (const some of rows(table)) {
      const text = some.map((row) => lineOf(table.name, row)).join('');
      if (text === '') continue;
      hash.update(text);
      yield text;
      found += some.length;
      progress?.(done + found, total);
    }
    if (found !== table.rows) throw new Error(`${table.name} had ${table.rows} rows, and then ${found}`);
    done += found;
    end.tables[table.name] = { rows: found, sha256: hash.digest('hex') };
  }
  yield line({ end } satisfies EndLine);
}

function lineOf(table: string, row: Parameters<typeof written>[0]): string {
  const text = `${written(row)}\n`;
  // What could not be read again is no backup.
  if (text.length > LINE_MOST / 3 && Buffer.byteLength(text) > LINE_MOST)
    throw new StartError(`a row of ${table} is too large for an archive`);
  return text;
}
