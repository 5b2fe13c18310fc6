import { expect, test } from 'vitest';
import { figure, rowOf, table } from './row.ts';

const row = { what: 'submissions', unit: 'a second' as const };

test('a row meets its target only if all parts do', () => {
  const reach = { ratio: { at: 'least', be: 0.3 }, value: { at: 'least', be: 1_200 } } as const;
  const met = (value: number, beside: number): boolean =>
    rowOf({ ...row, value, beside: { value: beside, is: 'bare' }, reach }).met;
  expect(met(1_300, 4_000)).toBe(true);
  expect(met(1_100, 1_000)).toBe(false);
  expect(met(1_300, 5_000)).toBe(false);
  expect(
    rowOf({ ...row, value: 1, beside: null, reach: { also: { is: 'no reset', holds: false } } }),
  ).toMatchObject({
    met: false,
    reach: 'no reset',
  });
  expect(
    rowOf({ ...row, value: 1, beside: null, reach: { ratio: { at: 'most', be: 2 } } }).met,
  ).toBe(false);
});

test('the table is Markdown that can be read as it is', () => {
  const beside = { value: 4_000, is: 'bare Express' };
  const first = rowOf({
    ...row,
    value: 1_300.4,
    beside,
    reach: { ratio: { at: 'least', be: 0.3 } },
    note: '20 clients',
  });
  const second = rowOf({
    what: 'one alone',
    unit: 'ms',
    value: 5.234,
    beside: null,
    reach: { value: { at: 'most', be: 1.5 } },
  });
  expect(table([first, second])).toMatchInlineSnapshot(`
    "| measurement              | now            | baseline, same run  | ratio | target             | met    |
    | ------------------------ | -------------- | ------------------- | ----- | ------------------ | ------ |
    | submissions (20 clients) | 1,300 a second | 4,000, bare Express | 0.33  | at least 0.3 times | yes    |
    | one alone                | 5.23 ms        |                     |       | at most 1.5 ms     | **no** |"
  `);
});

test('figures have as many digits as mean something', () => {
  expect([0.523, 4.126, 17.26, 954.4, 1_000_000].map(figure)).toEqual([
    '0.52',
    '4.13',
    '17.3',
    '954',
    '1,000,000',
  ]);
});
