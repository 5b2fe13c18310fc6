import { z } from 'zod';

/**
 * An archive is gzipped text, a JSON value a line: the header; for each table a line that names it and its columns, and then
 * its rows, an array each; and the end, with what the reader compares: only who wrote everything knows it.
 */
export const FORMAT = 1;
/** In bytes; a picture takes a sixth of it at most. Whoever reads an archive holds one line and a little more. */
export const LINE_MOST = 16 * 1024 * 1024;

export type Cell = string | number | null | Buffer;
export type Row = readonly Cell[];

const count = z.number().int().nonnegative();

export const header = z.object({
  /** Number of this format. */
  claimboard: z.number().int(),
  made_at: z.string(),
  /** Names of all migrations that the database went through. */
  schema: z.array(z.string()).min(1),
  /** Rows of each table. */
  tables: z.record(z.string(), count),
  /** The largest id that each table ever gave out: none comes again. */
  sequences: z.record(z.string(), count),
});
export type Header = z.infer<typeof header>;

export const tableLine = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
export type TableLine = z.infer<typeof tableLine>;

/** SHA-256 of the header's line, and of the lines of each table from the one that names it on. */
export const endLine = z.object({
  end: z.object({ header: z.string(), tables: z.record(z.string(), z.object({ rows: count, sha256: z.string() })) }),
});
export type EndLine = z.infer<typeof endLine>;

/** Bytes stand in an archive as `{"base64": …}`. */
const bytes = z.strictObject({ base64: z.base64() });

export const written = (row: Row): string =>
  JSON.stringify(row.map((cell) => (Buffer.isBuffer(cell) ? { base64: cell.toString('base64') } : cell)));

/** @throws where a row is none */
export function readRow(row: unknown, columns: number): Row {
  if (!Array.isArray(row) || row.length !== columns) throw new Error('not a row of its table');
  return row.map((cell: unknown) => {
    if (cell === null || typeof cell === 'string' || typeof cell === 'number') return cell;
    return Buffer.from(bytes.parse(cell).base64, 'base64');
  });
}
