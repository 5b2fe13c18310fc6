import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

const MARK = '\u{FEFF}';

test('lines end with CRLF and the file begins with the mark of UTF-8', () => {
  expect(toCsv(['Name', 'Hours'], [['Mira', 4]])).toBe(`${MARK}Name,Hours\r\nMira,4\r\n`);
});

test('commas, quotes and line ends are quoted, and quotes doubled', () => {
  expect(toCsv(['a'], [['x, y'], ['say "hi"'], ['one\ntwo'], ['one\r\ntwo']])).toBe(
    `${MARK}a\r\n"x, y"\r\n"say ""hi"""\r\n"one\ntwo"\r\n"one\r\ntwo"\r\n`,
  );
});

test('null is an empty cell', () => {
  expect(toCsv(['a', 'b'], [[null, 'x']])).toBe(`${MARK}a,b\r\n,x\r\n`);
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])('a text that would be a formula is none: %j', (text) => {
  expect(toCsv(['a'], [[text]])).toContain(`'${text}`);
});

test('a formula with quotes in it is guarded and quoted, also as a heading', () => {
  expect(toCsv(['=HYPERLINK("x")'], [])).toBe(`${MARK}"'=HYPERLINK(""x"")"\r\n`);
});

test('numbers stay numbers', () => {
  expect(toCsv(['a'], [[-3]])).toBe(`${MARK}a\r\n-3\r\n`);
});

test('names with accents stay as they are', () => {
  expect(toCsv(['Nome'], [['Ação']])).toContain('Ação');
});
