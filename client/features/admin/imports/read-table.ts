import { withoutGuards } from '../../../../shared/csv.ts';
import { MAX_CELL_LENGTH, MAX_IMPORT_ROWS } from '../../../../shared/schemas/import.ts';

/** Larger files are not read: as much as the most lines with the longest cells. */
export const MAX_BYTES = 1_048_576;

/** A column: its field in the request, and the headings that a file may use for it. */
export interface Column<F extends string> {
  field: F;
  headings: readonly string[];
  required?: boolean;
}

export type TableProblem = 'tooLarge' | 'noTable' | 'noColumn' | 'empty' | 'tooMany' | 'longCell';

export type TableRead<F extends string> =
  /** `lines` are the rows' lines in the file, counted from 1 as in spreadsheets. */
  | { rows: Partial<Record<F, string>>[]; lines: number[]; ignored: string[] }
  /** `column` is the first heading of a missing column. */
  | { problem: TableProblem; column?: string };

const SEPARATORS = [',', ';', '\t'] as const;

/** Guessed from the heading line, which contains only names: few lines are not enough for a guess by content. */
function separatorOf(text: string): string {
  const [head = ''] = /^.*[^\s,;"].*$/mu.exec(text) ?? [];
  const times = (sign: string): number => head.split(sign).length;
  return SEPARATORS.reduce((best, sign) => (times(sign) > times(best) ? sign : best));
}

/** Spreadsheets save as UTF-8, as UTF-16 with a byte order mark, or as Windows-1252. */
function decode(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

const plain = (heading: string): string => textOf(heading).trim().normalize('NFC').toLowerCase();

/** A formula that only says a text, as programs write it for spreadsheets that would else take it for a number. */
const TEXT_FORMULA = /^\s*="((?:[^"]|"")*)"\s*$/;

/** A cell's text. Our own export guards such a formula, as any other: then it is the text itself. */
function textOf(cell: string): string {
  const [, text] = TEXT_FORMULA.exec(cell) ?? [];
  return text === undefined ? withoutGuards(cell) : text.replaceAll('""', '"');
}

const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');
/** Before the headings, also a line of nothing but separators. */
const isHeadingLine = (cells: readonly string[]): boolean =>
  cells.some((cell) => /[^\s,;]/.test(cell));

/** Reads a file with a heading line, separated by commas, semicolons or tabs. Unknown columns are ignored. */
export async function readTable<F extends string>(
  file: Blob,
  columns: readonly Column<F>[],
): Promise<TableRead<F>> {
  if (file.size > MAX_BYTES) return { problem: 'tooLarge' };
  const { default: papa } = await import('papaparse');
  // Spreadsheets may write the separator into a first line.
  const text = decode(await file.arrayBuffer()).replace(/^sep=.\r?\n/, '');
  const { data, errors } = papa.parse<string[]>(text, { delimiter: separatorOf(text) });
  const headAt = data.findIndex(isHeadingLine);
  const head = data[headAt];
  if (!head || errors.some(({ type }) => type === 'Quotes')) return { problem: 'noTable' };
  const lines = data
    .map((cells, at) => ({ cells, line: at + 1 }))
    .filter(({ cells }, at) => at > headAt && !isBlank(cells));
  const at = new Map(
    columns.map(({ field, headings }) => [
      field,
      head.findIndex((heading) => headings.map(plain).includes(plain(heading))),
    ]),
  );
  const missing = columns.find(({ field, required }) => required && at.get(field) === -1);
  if (missing) return { problem: 'noColumn', column: missing.headings[0] ?? missing.field };
  if (lines.length === 0) return { problem: 'empty' };
  if (lines.length > MAX_IMPORT_ROWS) return { problem: 'tooMany' };
  const known = columns.filter(({ field }) => at.get(field) !== -1);
  const rows = lines.map(({ cells }) => {
    const row: Partial<Record<F, string>> = {};
    for (const { field } of known) row[field] = textOf(cells[at.get(field) ?? -1] ?? '');
    return row;
  });
  if (rows.some((row) => known.some(({ field }) => (row[field]?.length ?? 0) > MAX_CELL_LENGTH)))
    return { problem: 'longCell' };
  const used = new Set(at.values());
  return {
    rows,
    lines: lines.map(({ line }) => line),
    ignored: head.filter((heading, nth) => !used.has(nth) && heading.trim() !== ''),
  };
}
