import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { MAX_LINE } from '../archive-format.ts';

const linesOf = (archive: Buffer): string[] => gunzipSync(archive).toString().trimEnd().split('\n');
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The archive with other lines, and with hashes and counts that match them: a consistent forgery. */
export function lying(
  good: Buffer,
  change: (lines: string[]) => string[],
  { hashes = true, counts = true } = {},
): Buffer {
  const changed = change(linesOf(good));
  const end = JSON.parse(changed.pop() ?? '');
  const header = JSON.parse(changed.shift() ?? '');
  let table = '';
  const own = new Map<string, string[]>();
  for (const line of changed) {
    if (line.startsWith('{"table"')) {
      table = JSON.parse(line).table;
      own.set(table, []);
    }
    own.get(table)?.push(line);
  }
  if (counts)
    header.tables = Object.fromEntries([...own].map(([name, of]) => [name, of.length - 1]));
  const first = JSON.stringify(header);
  if (hashes) {
    end.end.header = sha256(`${first}\n`);
    end.end.tables = Object.fromEntries(
      [...own].map(([name, of]) => [
        name,
        { rows: of.length - 1, sha256: sha256(`${of.join('\n')}\n`) },
      ]),
    );
  }
  return compressed([first, ...changed, JSON.stringify(end)]);
}

const compressed = (of: string[]): Buffer => gzipSync(`${of.join('\n')}\n`);
const at = (of: string[], table: string): number =>
  of.findIndex((line) => line.startsWith(`{"table":"${table}"`));
const rowOf = (of: string[], table: string): number => at(of, table) + 1;
const edit =
  (find: typeof at, table: string, change: (line: string) => string) => (of: string[]) => {
    const nth = find(of, table);
    return of.with(nth, change(of[nth] ?? ''));
  };
export const header = (change: (header: { schema?: string[] }) => void) => (of: string[]) => {
  const read = JSON.parse(of[0] ?? '');
  change(read);
  return of.with(0, JSON.stringify(read));
};

/** The damage, how to make it, and the expected message. */
export const damages: readonly [string, (good: Buffer) => Buffer, RegExp][] = [
  [
    'lacks the row of the clock, with hashes that match',
    (good) => lying(good, (of) => of.toSpliced(rowOf(of, 'clock'), 1)),
    /its table clock lacks a row that every board has/,
  ],
  [
    'lacks the row of the configuration, with hashes that match',
    (good) => lying(good, (of) => of.toSpliced(rowOf(of, 'config'), 1)),
    /its table config lacks a row that every board has/,
  ],
  [
    'lacks the key that addresses are hashed with',
    (good) => lying(good, (of) => of.toSpliced(rowOf(of, 'secrets'), 1)),
    /its table secrets lacks a row that every board has/,
  ],
  [
    'has a clock that is behind its changes',
    (good) =>
      lying(good, (of) => {
        const { columns } = JSON.parse(of[at(of, 'clock')] ?? '');
        const row = JSON.parse(of[rowOf(of, 'clock')] ?? '').with(columns.indexOf('value'), 1);
        return of.with(rowOf(of, 'clock'), JSON.stringify(row));
      }),
    /its clock is behind its changes/,
  ],
  [
    'has a setup that cannot be read',
    (good) =>
      lying(good, (of) => {
        const { columns } = JSON.parse(of[at(of, 'config')] ?? '');
        const row = JSON.parse(of[rowOf(of, 'config')] ?? '').with(columns.indexOf('setup'), '{');
        return of.with(rowOf(of, 'config'), JSON.stringify(row));
      }),
    /its table config has a setup that cannot be read/,
  ],
  ['is empty', () => Buffer.alloc(0), /ends too early/],
  [
    'is something else',
    () => Buffer.from('not at all an archive, but some text'),
    /damaged, or no archive/,
  ],
  ['is something else that is packed', () => gzipSync('{"hello":1}\n'), /no archive of Claimboard/],
  ['lacks its last byte', (good) => good.subarray(0, -1), /ends too early/],
  ['lacks its second half', (good) => good.subarray(0, good.length / 2), /ends too early/],
  [
    'lacks its end, though packed whole',
    (good) => compressed(linesOf(good).slice(0, -1)),
    /ends too early/,
  ],
  ['lacks the last newline', (good) => gzipSync(linesOf(good).join('\n')), /ends too early/],
  [
    'goes on after its end',
    (good) => compressed([...linesOf(good), '[1]']),
    /something follows its end/,
  ],
  ['comes twice', (good) => Buffer.concat([good, good]), /something follows its end/],
  [
    'has a letter changed',
    (good) =>
      lying(
        good,
        edit(rowOf, 'access_keys', (line) => line.replace('Hunter', 'Hunted')),
        { hashes: false },
      ),
    /access_keys is not what was written/,
  ],
  [
    'has its header changed',
    (good) =>
      lying(
        good,
        header((of) => void Object.assign(of, { made_at: 'x' })),
        { hashes: false },
      ),
    /beginning is not what was written/,
  ],
  [
    'lacks a row',
    (good) => lying(good, (of) => of.toSpliced(rowOf(of, 'claims'), 1), { counts: false }),
    /has \d+ rows of claims and should have \d+/,
  ],
  [
    'has a row too many',
    (good) =>
      lying(good, (of) => of.toSpliced(rowOf(of, 'claims'), 0, of[rowOf(of, 'claims')] ?? ''), {
        counts: false,
      }),
    /more rows of claims than it says/,
  ],
  [
    'has a row under another table',
    (good) =>
      lying(good, (of) => {
        const [row = ''] = of.splice(rowOf(of, 'occupied_days'), 1);
        return of.toSpliced(rowOf(of, 'occupied_hours'), 0, row);
      }),
    /occupied_hours is none/,
  ],
  [
    'lacks a table',
    (good) =>
      lying(good, (of) => of.filter((_, nth) => nth < at(of, 'bans') || nth > at(of, 'bans')), {
        counts: false,
      }),
    /table bans is missing/,
  ],
  [
    'lacks a table and says so',
    (good) => lying(good, (of) => of.filter((line) => !line.startsWith('{"table":"bans"'))),
    /bans is missing/,
  ],
  [
    'has a table that is none',
    (good) => lying(good, (of) => of.toSpliced(-1, 0, '{"table":"sqlite_schema","columns":["a"]}')),
    /sqlite_schema should not be there/,
  ],
  [
    'has a table twice',
    (good) => lying(good, (of) => of.toSpliced(-1, 0, of[at(of, 'bans')] ?? '')),
    /bans is not one of those/,
  ],
  [
    'lacks a column',
    (good) =>
      lying(
        good,
        edit(at, 'bans', () => '{"table":"bans","columns":["character_key","created_at"]}'),
      ),
    /character_name is missing/,
  ],
  [
    'has a column that is none',
    (good) =>
      lying(
        good,
        edit(at, 'bans', (line) => line.replace('["', '["evil","')),
      ),
    /evil should not be there/,
  ],
  [
    'has rows before any table',
    (good) => compressed(linesOf(good).toSpliced(1, 0, '[1]')),
    /belong to no table/,
  ],
  [
    'has a line that is no JSON',
    (good) => compressed(linesOf(good).toSpliced(2, 0, '[1,')),
    /damaged|none/,
  ],
  [
    'has a row whose cell is an object',
    (good) =>
      lying(
        good,
        edit(rowOf, 'clock', () => '[{"a":1},1,1,1,1,1,1]'),
      ),
    /clock is none/,
  ],
  [
    'has two rows of one key',
    (good) =>
      lying(good, (of) => of.toSpliced(rowOf(of, 'claims'), 0, of[rowOf(of, 'claims')] ?? '')),
    /a row of claims is not taken/,
  ],
  [
    'has hours of a claim that is not there',
    (good) => lying(good, (of) => of.toSpliced(rowOf(of, 'claims'), 1)),
    /row.* of (occupied_hours|claim_parts|occupied_days) (belong to none|is not taken)/,
  ],
  [
    'is of a newer format',
    (good) =>
      lying(
        good,
        header((of) => void Object.assign(of, { claimboard: 2 })),
      ),
    /newer Claimboard/,
  ],
  [
    'is of a newer schema',
    (good) =>
      lying(
        good,
        header(
          (of) => void Object.assign(of, { schema: [...(of.schema ?? []), '999-of-tomorrow'] }),
        ),
      ),
    /newer Claimboard/,
  ],
  [
    'is of no schema',
    (good) =>
      lying(
        good,
        header(
          (of) => void Object.assign(of, { schema: [...(of.schema ?? []), ...(of.schema ?? [])] }),
        ),
      ),
    /no version of Claimboard made it/,
  ],
  [
    'is of an early development version',
    (good) =>
      lying(
        good,
        header((of) => void Object.assign(of, { schema: ['001-initial', '002-guild-undo-epoch'] })),
      ),
    /from an early development version\. Restore it with the version of commit [0-9a-f]{7}/,
  ],
  [
    'counts ids of no table',
    (good) =>
      lying(
        good,
        header((of) => void Object.assign(of, { sequences: { nothing: 1 } })),
      ),
    /counts ids of nothing/,
  ],
  [
    'has one endless line',
    () => gzipSync(Buffer.alloc(MAX_LINE + 1_000_000, 0x5b)),
    /longer than any/,
  ],
];
