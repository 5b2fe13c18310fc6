import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import type { z } from 'zod';
import { StartError } from '../../db/errors.ts';
import { isTooOld, MIGRATION_NAMES } from '../../db/migrate.ts';
import { LAST_WITH_STEPS } from '../../db/migrations/list.ts';
import {
  ArchiveError,
  endLine,
  FORMAT,
  type Header,
  header,
  MAX_LINE,
  type Row,
  readRow,
  type TableLine,
  tableLine,
} from './archive-format.ts';

const TOO_OLD = `it is from an early development version. Restore it with the version of commit ${LAST_WITH_STEPS} and make a backup there`;

/** Bytes to which any archive may unpack; a larger one may unpack to more, see UNPACKED_TIMES. */
const UNPACKED_FREE = 1024 ** 3;
/** Times its size that an archive may unpack to, in addition to UNPACKED_FREE. Ours unpack to about ten times. */
const UNPACKED_TIMES = 200;

export interface ReadLimits {
  unpackedFree: number;
  unpackedTimes: number;
}

/** The parts of an archive, in order. It is sound once the last one has been read. */
export type ArchivePart = { header: Header } | { table: TableLine } | { rows: readonly Row[] };

/**
 * Reads an archive and checks its version, that it is complete, and each count and hash.
 * @throws StartError in one line
 */
export async function* readArchive(
  file: string,
  { unpackedFree, unpackedTimes }: ReadLimits = {
    unpackedFree: UNPACKED_FREE,
    unpackedTimes: UNPACKED_TIMES,
  },
): AsyncGenerator<ArchivePart> {
  try {
    const found = await stat(file);
    if (!found.isFile()) throw new ArchiveError('it is not a file');
    const most = unpackedFree + unpackedTimes * found.size;
    const compressed = createReadStream(file);
    const unpacked = createGunzip({ chunkSize: 256 * 1024 });
    compressed.on('error', (error) => unpacked.destroy(error)).pipe(unpacked);
    try {
      const reader = new Reader();
      for await (const block of blocksOf(unpacked, MAX_LINE, most)) yield* reader.take(block);
      reader.end();
    } finally {
      compressed.destroy();
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
  if (code === 'Z_BUF_ERROR')
    return new StartError(`${file} cannot be restored: it ends too early.`);
  if (code.startsWith('Z_'))
    return new StartError(`${file} cannot be restored: it is damaged, or no archive.`);
  return error instanceof ArchiveError
    ? new StartError(`${file} cannot be restored: ${error.message}.`)
    : error;
}

class Reader {
  #header: Header | null = null;
  #headerHash = '';
  #isOver = false;
  #table: { name: string; columns: number; rows: number; hash: Hash } | null = null;
  readonly #done = new Map<string, { rows: number; sha256: string }>();

  *take({ bytes, isRows }: Block): Generator<ArchivePart> {
    if (this.#isOver) throw new ArchiveError('something follows its end');
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
      throw new ArchiveError(`its table ${table.table} is not one of those it should have`);
    this.#table = {
      name: table.table,
      columns: table.columns.length,
      rows: 0,
      hash: createHash('sha256').update(bytes),
    };
    yield { table };
  }

  #readHeader(text: string): Header {
    const value = json(text);
    const format =
      value !== null && typeof value === 'object' && 'claimboard' in value
        ? value.claimboard
        : null;
    if (typeof format !== 'number') throw new ArchiveError('it is no archive of Claimboard');
    const isOfOthers = (): ArchiveError =>
      new ArchiveError(
        'it was made by a newer Claimboard, which this one cannot read. Install that version first',
      );
    if (format > FORMAT) throw isOfOthers();
    const read = parsed(header, text);
    if (isTooOld(read.schema)) throw new ArchiveError(TOO_OLD);
    if (read.schema.some((name) => !MIGRATION_NAMES.includes(name))) throw isOfOthers();
    if (read.schema.some((name, nth) => name !== MIGRATION_NAMES[nth]))
      throw new ArchiveError('no version of Claimboard made it');
    return read;
  }

  #rows(bytes: Buffer): Row[] {
    if (!this.#header || !this.#table) throw new ArchiveError('its rows belong to no table');
    const { name, columns, hash } = this.#table;
    hash.update(bytes);
    const values = json(`[${bytes.subarray(0, -1).toString().replaceAll('\n', ',')}]`);
    if (!Array.isArray(values)) throw new ArchiveError('it is damaged');
    this.#table.rows += values.length;
    // Not only at the end: don't read on if there is too much.
    if (this.#table.rows > (this.#header.tables[name] ?? 0))
      throw new ArchiveError(`it has more rows of ${name} than it says`);
    try {
      return values.map((row) => readRow(row, columns));
    } catch {
      throw new ArchiveError(`a row of its table ${name} is none`);
    }
  }

  #close(): void {
    if (!this.#table) return;
    const { name, rows, hash } = this.#table;
    this.#done.set(name, { rows, sha256: hash.digest('hex') });
    this.#table = null;
  }

  #compare(end: z.infer<typeof endLine>['end']): void {
    if (end.header !== this.#headerHash)
      throw new ArchiveError('its beginning is not what was written');
    for (const [name, rows] of Object.entries(this.#header?.tables ?? {})) {
      const done = this.#done.get(name);
      if (!done) throw new ArchiveError(`its table ${name} is missing`);
      if (done.rows !== rows)
        throw new ArchiveError(`it has ${done.rows} rows of ${name} and should have ${rows}`);
      if (end.tables[name]?.rows !== rows || end.tables[name].sha256 !== done.sha256)
        throw new ArchiveError(`its table ${name} is not what was written`);
    }
    this.#isOver = true;
  }

  end(): void {
    if (!this.#isOver) throw new ArchiveError('it ends too early');
  }
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ArchiveError('it is damaged');
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string): T {
  const read = schema.safeParse(json(text));
  if (!read.success) throw new ArchiveError('it is damaged');
  return read.data;
}

const NEWLINE = 0x0a;
const BRACKET = 0x5b;

/** Complete lines with their line ends: one that is not a row, or a run of rows. */
interface Block {
  bytes: Buffer;
  isRows: boolean;
}

/**
 * Splits a stream into lines. Holds at most one line and a chunk.
 * @throws ArchiveError if a line or the whole stream is too long
 */
async function* blocksOf(
  chunks: AsyncIterable<Buffer>,
  maxLine: number,
  maxTotal: number,
): AsyncGenerator<Block> {
  let partial: Buffer[] = [];
  let length = 0;
  let all = 0;
  for await (const piece of chunks) {
    all += piece.length;
    if (all > maxTotal) throw new ArchiveError('it unpacks to more than any archive of its size');
    const last = piece.lastIndexOf(NEWLINE);
    if (last !== -1) {
      yield* cutBlocks(Buffer.concat([...partial, piece.subarray(0, last + 1)]));
      partial = [];
      length = 0;
    }
    const rest = piece.subarray(last + 1);
    partial.push(rest);
    length += rest.length;
    if (length > maxLine)
      throw new ArchiveError('one of its lines is longer than any that is written');
  }
  if (length > 0) throw new ArchiveError('it ends too early');
}

function* cutBlocks(bytes: Buffer): Generator<Block> {
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const next = bytes.indexOf(NEWLINE, at) + 1;
    if (bytes[at] !== BRACKET) {
      if (at > from) yield { bytes: bytes.subarray(from, at), isRows: true };
      yield { bytes: bytes.subarray(at, next), isRows: false };
      from = next;
    }
    at = next;
  }
  if (bytes.length > from) yield { bytes: bytes.subarray(from), isRows: true };
}
