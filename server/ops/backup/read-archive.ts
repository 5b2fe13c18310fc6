import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { StartError } from '../../db/failures.ts';
import { adoptNames, areOfDevelopment, MIGRATION_NAMES } from '../../db/migrate.ts';
import { LAST_BEFORE_1_0 } from '../../db/migrations/list.ts';
import { Damage } from './damage.ts';
import { endLine, FORMAT, type Header, header, LINE_MOST, type Row, readRow, type TableLine, tableLine } from './format.ts';
import { type Block, blocksOf } from './lines.ts';

const ARCHIVE_OF_DEVELOPMENT = `it is from a development version before 1.0.0. Restore it with the version of commit ${LAST_BEFORE_1_0} and make a backup there`;

/** What an archive may unpack to, in bytes: so much in any case, and so many times its size; ours unpack to some ten times. */
const UNPACKED_FREE = 1024 ** 3;
const UNPACKED_TIMES = 200;

export interface ReadLimits {
  unpackedFree: number;
  unpackedTimes: number;
}

/** What is found in an archive, in its order: all of it is checked when there is no more. */
export type Found = { header: Header } | { table: TableLine } | { rows: readonly Row[] };

/**
 * Reads an archive and compares everything that can be: that it is whole, each count, each hash, its version.
 * @throws StartError in one line
 */
export async function* readArchive(
  file: string,
  { unpackedFree, unpackedTimes }: ReadLimits = { unpackedFree: UNPACKED_FREE, unpackedTimes: UNPACKED_TIMES },
): AsyncGenerator<Found> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new Damage('it is not a file');
    const most = unpackedFree + unpackedTimes * found.size;
    const packed = createReadStream(file);
    const unpacked = createGunzip({ chunkSize: 256 * 1024 });
    packed.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
    try {
      const reader = new Reader();
      for await (const block of blocksOf(unpacked, LINE_MOST, most)) yield* reader.take(block);
      reader.end();
    } finally {
      packed.destroy();
      unpacked.destroy();
    }
  } catch (error) {
    throw inOneLine(file, error);
  }
}

function inOneLine(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT') return new StartError(`There is no file ${file}.`);
  if (code === 'EACCES') return new StartError(`${file} may not be read by this user.`);
  if (code === 'Z_BUF_ERROR') return new StartError(`${file} cannot be restored: it ends too early.`);
  if (code.startsWith('Z_')) return new StartError(`${file} cannot be restored: it is damaged, or no archive.`);
  return error instanceof Damage ? new StartError(`${file} cannot be restored: ${error.message}.`) : error;
}

class Reader {
  #header: Header | null = null;
  #headerHash = '';
  #isOver = false;
  #table: { name: string; columns: number; rows: number; hash: Hash } | null = null;
  readonly #done = new Map<string, { rows: number; sha256: string }>();

  *take({ bytes, isRows }: Block): Generator<Found> {
    if (this.#isOver) throw new Damage('something follows its end');
    if (isRows) return yield { rows: this.#rows(bytes) };
    const text = bytes.toString();
    if (!this.#header) {
      this.#header = this.#readHeader(text);
      this.#headerHash = createHash('sha256').update(bytes).digest('hex');
      return yield { header: this.#header };
    }
    this.#close();
    if (text.startsWith('{"end"')) return this.#compare(parsed(endLine, text).end);
    const table = parsed(tableLine, text);
    if (this.#header.tables[table.table] === undefined || this.#done.has(table.table))
      throw new Damage(`its table ${table.table} is not one of those it should have`);
    this.#table = { name: table.table, columns: table.columns.length, rows: 0, hash: createHash('sha256').update(bytes) };
    yield { table };
  }

  #readHeader(text: string): Header {
    const value = json(text);
    const format = value !== null && typeof value === 'object' && 'claimboard' in value ? value.claimboard : null;
    if (typeof format !== 'number') throw new Damage('it is no archive of Claimboard');
    const isOfOthers = (): Damage =>
      new Damage('it was made by a newer Claimboard, which this one cannot read. Install that version first');
    if (format > FORMAT) throw isOfOthers();
    const parsedHeader = parsed(header, text);
    const read = { ...parsedHeader, schema: adoptNames(parsedHeader.schema) };
    if (areOfDevelopment(read.schema)) throw new Damage(ARCHIVE_OF_DEVELOPMENT);
    if (read.schema.some((name) => !MIGRATION_NAMES.includes(name))) throw isOfOthers();
    if (read.schema.some((name, nth) => name !== MIGRATION_NAMES[nth])) throw new Damage('no version of Claimboard made it');
    return read;
  }

  #rows(bytes: Buffer): Row[] {
    if (!this.#header || !this.#table) throw new Damage('its rows belong to no table');
    const { name, columns, hash } = this.#table;
    hash.update(bytes);
    const values = json(`[${bytes.subarray(0, -1).toString().replaceAll('\n', ',')}]`);
    if (!Array.isArray(values)) throw new Damage('it is damaged');
    this.#table.rows += values.length;
    // Not only at its end: whatever is too much is not read on.
    if (this.#table.rows > (this.#header.tables[name] ?? 0)) throw new Damage(`it has more rows of ${name} than it says`);
    try {
      return values.map((row) => readRow(row, columns));
    } catch {
      throw new Damage(`a row of its table ${name} is none`);
    }
  }

  #close(): void {
    if (!this.#table) return;
    const { name, rows, hash } = this.#table;
    this.#done.set(name, { rows, sha256: hash.digest('hex') });
    this.#table = null;
  }

  #compare(end: z.infer<typeof endLine>['end']): void {
    if (end.header !== this.#headerHash) throw new Damage('its beginning is not what was written');
    for (const [name, rows] of Object.entries(this.#header?.tables ?? {})) {
      const done = this.#done.get(name);
      if (!done) throw new Damage(`its table ${name} is missing`);
      if (done.rows !== rows) throw new Damage(`it has ${done.rows} rows of ${name} and should have ${rows}`);
      if (end.tables[name]?.rows !== rows || end.tables[name].sha256 !== done.sha256)
        throw new Damage(`its table ${name} is not what was written`);
    }
    this.#isOver = true;
  }

  end(): void {
    if (!this.#isOver) throw new Damage('it ends too early');
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Damage('it is damaged');
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  const read = schema.safeParse(json(text));
  if (!read.success) throw new Damage('it is damaged');
  return read.data;
}
