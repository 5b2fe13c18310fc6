export type CsvCell = string | number | null;

/** A spreadsheet takes a text that begins like this for a formula, and what another person typed would be run. */
const LIKE_A_FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;
/** Without it spreadsheets read UTF-8 as something else. */
const BYTE_ORDER_MARK = '\u{FEFF}';

/**
 * A table as spreadsheets read it: RFC 4180 with a heading line, in UTF-8 with its mark. Texts that would be formulas
 * get an apostrophe before them; numbers stay numbers, and null is an empty cell.
 */
export function toCsv(headings: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  const lines = [headings, ...rows].map((cells) => cells.map(written).join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

function written(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = LIKE_A_FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
