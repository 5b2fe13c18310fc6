/** One line of the table. */
export interface Row {
  what: string;
  unit: 'ms' | 'a second';
  value: number;
  /** The baseline of the same run. `compared` false: shown only to judge how far to trust the figure. */
  beside: { value: number; is: string; compared?: boolean } | null;
  reach: string;
  met: boolean;
  /** Further observations. */
  note?: string;
}

/** The target. If several are given, all must hold. */
export interface Reach {
  /** Relative to the baseline. */
  ratio?: { at: 'least' | 'most'; be: number };
  value?: { at: 'least' | 'most'; be: number };
  /** A further condition. */
  also?: { is: string; holds: boolean };
}

const obeys = ({ at, be }: { at: 'least' | 'most'; be: number }, figure: number): boolean =>
  at === 'least' ? figure >= be : figure <= be;

export function rowOf({ reach, ...row }: Omit<Row, 'reach' | 'met'> & { reach: Reach }): Row {
  const { ratio, value, also } = reach;
  const words = [
    value && `at ${value.at} ${value.be.toLocaleString('en')} ${row.unit}`,
    ratio && `at ${ratio.at} ${ratio.be} times`,
    also?.is,
  ].filter((word) => word !== undefined);
  const met =
    (!value || obeys(value, row.value)) &&
    (!ratio || (row.beside !== null && obeys(ratio, row.value / row.beside.value))) &&
    (also?.holds ?? true);
  return { ...row, reach: words.join(', '), met };
}

/** Rounds to three significant digits. */
export const figure = (value: number): string => {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
};

/** The rows as a Markdown table with aligned columns, so that it also reads well in a terminal. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(({ what, unit, value, beside, reach, met, note }) => [
    note === undefined ? what : `${what} (${note})`,
    `${figure(value)} ${unit}`,
    beside ? `${figure(beside.value)}, ${beside.is}` : '',
    beside && beside.compared !== false ? (value / beside.value).toFixed(2) : '',
    reach,
    met ? 'yes' : '**no**',
  ]);
  const all = [['measurement', 'now', 'baseline, same run', 'ratio', 'target', 'met'], ...cells];
  const widths = all.reduce<number[]>(
    (most, row) => row.map((cell, at) => Math.max(cell.length, most[at] ?? 3)),
    [],
  );
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = all;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}
