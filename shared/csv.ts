export type CsvCell = string | number | null;

/** Without it, spreadsheets read UTF-8 as another encoding. */
const BYTE_ORDER_MARK = '\u{FEFF}';

/** A spreadsheet may begin a cell at the start of one, and after any character that it may take for a separator. */
const CELL_START = '(^|[,;\\t\\r\\n|])';
/** Characters that a spreadsheet skips at the start of a cell. */
const SKIPPED = '([\\s\\p{Cc}\\p{Cf}"]*)';
/** The characters that begin a formula, in all widths. */
const SIGN = '[=+\\-@＝＋－＠﹦﹢﹣﹫−]';

const UNGUARDED = new RegExp(`${CELL_START}${SKIPPED}('*)(?=${SIGN})`, 'gu');
const GUARDED = new RegExp(`${CELL_START}${SKIPPED}'('*)(?=${SIGN})`, 'gu');

/** Puts an apostrophe before text that a spreadsheet could run as a formula: members typed these texts. */
const withGuards = (text: string): string => text.replace(UNGUARDED, "$1$2$3'");

/** Removes the guard that `toCsv` added. */
export const withoutGuards = (text: string): string => text.replace(GUARDED, '$1$2$3');

/**
 * A table for spreadsheets: RFC 4180 with a heading line, in UTF-8 with its mark. Every cell is quoted and guarded, since the
 * reader's settings decide which characters separate cells. `null` is an empty cell.
 */
export function toCsv(headings: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  const lines = [headings, ...rows].map((cells) => cells.map(quoted).join(','));
  return `${BYTE_ORDER_MARK}${lines.join('\r\n')}\r\n`;
}

function quoted(cell: CsvCell): string {
  const text = typeof cell === 'number' ? String(cell) : withGuards(cell ?? '');
  return `"${text.replaceAll('"', '""')}"`;
}
