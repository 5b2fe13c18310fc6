import { withoutGuards } from '../../../../shared/csv.ts';
import { MOST_IMPORTED, MOST_IN_CELL } from '../../../../shared/schemas/import.ts';

/** A file is read no further: the most lines with the longest cells. */
export const MOST_BYTES = 1_048_576;

/** A column of a table: what the server calls it, and headings by which a file may name it. */
export interface Column<F extends string> {
  field: F;
  headings: readonly string[];
  required?: boolean;
}

export type TableProblem = 'tooLarge' | 'noTable' | 'noColumn' | 'empty' | 'tooMany' | 'longCell';

export type TableRead<F extends string> =
  /** @param lines where each row stands in the file, whose first line is 1: as spreadsheets count */
  | { rows: Partial<Record<F, string>>[]; lines: number[]; ignored: string[] }
  /** @param column its first heading, of `noColumn` */
  | { problem: TableProblem; column?: string };

const DIVIDERS = [',', ';', '\t'] as const;

/** By the heading line, as it has no text but names: a guess by all lines goes wrong where they are few. */
function dividerOf(text: string): string {
  const [head = ''] = text.split(/\r?\n/, 1);
  const times = (sign: string): number => head.split(sign).length;
  return DIVIDERS.reduce((best, sign) => (times(sign) > times(best) ? sign : best));
}

/** As spreadsheets save: in UTF-8, in UTF-16 with its mark, or in what Windows wrote before. */
function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const plain = (heading: string): string => heading.trim().toLowerCase();

/** Reads a file with a heading line, by commas, semicolons or tabs; columns that nobody asks for are left out. */
export async function readTable<F extends string>(file: Blob, columns: readonly Column<F>[]): Promise<TableRead<F>> {
  if (file.size > MOST_BYTES) return { problem: 'tooLarge' };
  const { default: papa } = await import('papaparse');
  // Spreadsheets may begin with a line that names what divides the cells.
  const text = decoded(await file.arrayBuffer()).replace(/^sep=.\r?\n/, '');
  const { data, errors } = papa.parse<string[]>(text, { delimiter: dividerOf(text) });
  const [head, ...below] = data;
  const lines = below.map((cells, at) => ({ cells, line: at + 2 })).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (!head?.some((heading) => heading.trim() !== '') || errors.some(({ type }) => type === 'Quotes')) return { problem: 'noTable' };
  const at = new Map(
    columns.map(({ field, headings }) => [field, head.findIndex((heading) => headings.map(plain).includes(plain(heading)))]),
  );
  const missing = columns.find(({ field, required }) => required && at.get(field) === -1);
  if (missing) return { problem: 'noColumn', column: missing.headings[0] ?? missing.field };
  if (lines.length === 0) return { problem: 'empty' };
  if (lines.length > MOST_IMPORTED) return { problem: 'tooMany' };
  const known = columns.filter(({ field }) => at.get(field) !== -1);
  const rows = lines.map(({ cells }) => {
    const row: Partial<Record<F, string>> = {};
    for (const { field } of known) row[field] = withoutGuards(cells[at.get(field) ?? -1] ?? '');
    return row;
  });
  if (rows.some((row) => known.some(({ field }) => (row[field]?.length ?? 0) > MOST_IN_CELL))) return { problem: 'longCell' };
  const used = new Set(at.values());
  return { rows, lines: lines.map(({ line }) => line), ignored: head.filter((heading, nth) => !used.has(nth) && heading.trim() !== '') };
}
