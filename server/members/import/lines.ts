import { isErrorCode } from '../../../shared/error-codes.ts';
import { DomainError, type ErrorCode, type Json, type Params } from '../../../shared/errors.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { name as nameOf } from '../../../shared/schemas/fields.ts';
import type { ImportedRow } from '../../../shared/schemas/import.ts';
import { inBatches, yieldToEventLoop } from '../../db/database.ts';

export type Changed = Record<string, { from: Json; to: Json }>;

const wrong = (name: string, code: ErrorCode, params: Params = {}): ImportedRow => ({
  outcome: 'wrong',
  name,
  code,
  params: { ...params },
  changed: {},
});
export const newRow = (name: string): ImportedRow => ({
  outcome: 'new',
  name,
  code: null,
  params: {},
  changed: {},
});
/** @param changed empty if the line changes nothing */
export const kept = (name: string, changed: Changed): ImportedRow => ({
  outcome: Object.keys(changed).length > 0 ? 'changed' : 'same',
  name,
  code: null,
  params: {},
  changed,
});

/** Makes a function that reads a name as forms do (R1.1), once for all cells: creating a schema costs a hundred times as much as using it. */
export function nameReader(missing: ErrorCode): (cell: string) => string {
  const schema = nameOf(missing);
  return (cell) => {
    const read = schema.safeParse(cell);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw new DomainError(issue && isErrorCode(issue.message) ? issue.message : 'import.tooLong');
  };
}

const ON = new Set([
  '1',
  'yes',
  'y',
  'true',
  'on',
  'x',
  'sí',
  'si',
  's',
  'sim',
  'verdadero',
  'verdadeiro',
]);
const OFF = new Set(['0', 'no', 'n', 'false', 'off', 'não', 'nao', 'falso']);

/** @returns null for an empty cell @throws DomainError import.yesOrNo */
export function readFlag(cell: string): 0 | 1 | null {
  const word = nameKey(cell);
  if (word === '') return null;
  if (ON.has(word)) return 1;
  if (OFF.has(word)) return 0;
  throw new DomainError('import.yesOrNo');
}

/** Lines judged before yielding to the event loop. */
export const LINES_PER_TURN = 100;

/**
 * Judges the lines of a file in batches. A name that an earlier line has is an error.
 * @param judge throws a DomainError if a line is wrong
 */
export async function judgeLines<R>(
  rows: readonly R[],
  nameIn: (row: R) => string,
  judge: (row: R) => ImportedRow,
): Promise<ImportedRow[]> {
  const seen = new Map<string, number>();
  const judgeOne = (row: R, at: number): ImportedRow => {
    const cell = nameIn(row).trim();
    const key = nameKey(cell);
    const earlier = seen.get(key);
    if (key !== '' && earlier !== undefined)
      return wrong(cell, 'import.twice', { row: earlier + 1 });
    seen.set(key, at);
    try {
      return judge(row);
    } catch (error) {
      if (error instanceof DomainError) return wrong(cell, error.code, error.params);
      throw error;
    }
  };
  const judged: ImportedRow[] = [];
  for (const some of inBatches(rows, LINES_PER_TURN)) {
    for (const row of some) judged.push(judgeOne(row, judged.length));
    await yieldToEventLoop();
  }
  return judged;
}
