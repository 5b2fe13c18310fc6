import fc from 'fast-check';
import papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { toCsv, withoutGuards } from './csv.ts';

const MARK = '\u{FEFF}';
const inFile = (text: string): string =>
  toCsv(['a'], [[text]]).slice(`${MARK}"a"\r\n"`.length, -'"\r\n'.length);

test('every cell is quoted, lines end with CRLF, and the file starts with the UTF-8 byte order mark', () => {
  expect(toCsv(['Name', 'Hours'], [['Ação', 4]])).toBe(`${MARK}"Name","Hours"\r\n"Ação","4"\r\n`);
});

test('quotes are doubled; commas and line ends stay', () => {
  expect(toCsv(['a'], [['x, y'], ['say "hi"'], ['one\ntwo'], ['one\r\ntwo']])).toBe(
    `${MARK}"a"\r\n"x, y"\r\n"say ""hi"""\r\n"one\ntwo"\r\n"one\r\ntwo"\r\n`,
  );
});

test('null is an empty cell, and numbers are not guarded', () => {
  expect(toCsv(['a', 'b'], [[null, -3]])).toBe(`${MARK}"a","b"\r\n"","-3"\r\n`);
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  [' =1', " '=1"],
  ['\u00a0\u3000=1', "\u00a0\u3000'=1"],
  ['\u200b=1', "\u200b'=1"],
  ['\n=1', "\n'=1"],
  ['\t=1', "\t'=1"],
  ['\r=1', "\r'=1"],
  ['a;=1+1;b', "a;'=1+1;b"],
  ['a,=1', "a,'=1"],
  ['a\t=1', "a\t'=1"],
  ['a\nb\n@x', "a\nb\n'@x"],
  ['a|-1', "a|'-1"],
  ['a; ;＝1', "a; ;'＝1"],
  ['a;"=1"', `a;""'=1""`],
  ["'=1", "''=1"],
  ['=HYPERLINK("x")', `'=HYPERLINK(""x"")`],
  ['=1;=2', "'=1;'=2"],
])('a spreadsheet reads no formula in %j', (text, guarded) => {
  expect(inFile(text)).toBe(guarded);
});

test.each([
  'SS+9 to SS+12',
  'a-b, c-d',
  'x=1',
  'Zao - Palace',
  "Ann's spot",
  'ann@example.org',
  "'quoted'",
])('%j stays as it is', (text) => {
  expect(inFile(text)).toBe(text);
});

const text = fc.string({
  unit: fc.constantFrom(...'=+-@＝＋－＠ \t\r\n,;|"\'ab1\u00a0'),
  maxLength: 12,
});

test('guards a heading too', () => {
  expect(toCsv(['=1'], [])).toBe(`${MARK}"'=1"\r\n`);
});

describe('any table', () => {
  test('is read back unchanged by our own import', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
        const { data } = papa.parse<string[]>(toCsv(['a', 'b'], rows).slice(1), {
          delimiter: ',',
          skipEmptyLines: true,
        });
        expect(data.slice(1).map((cells) => cells.map(withoutGuards))).toEqual(rows);
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([',', ';', '\t', '|'])(
    'no cell starts like a formula if the separator is %j',
    (delimiter) => {
      fc.assert(
        fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (rows) => {
          const file = toCsv(['a', 'b'], rows).slice(1);
          // Some programs know quotes, some do not.
          for (const quoteChar of ['"', '\u0000']) {
            const { data } = papa.parse<string[]>(file, { delimiter, quoteChar });
            for (const cell of data.flat()) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/u);
          }
        }),
        { numRuns: 2_000 },
      );
    },
  );
});
