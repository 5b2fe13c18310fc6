import { expect, test } from 'vitest';
import { isLong } from '../test/scope.ts';
import { rows, runBench } from './bench.ts';
import type { Row } from './row.ts';
import type { Sizes } from './sizes.ts';

const tiny: Sizes = {
  few: 50,
  many: 300,
  board: 20,
  large_board: 40,
  cleared: [20, 40],
  watchers: 10,
  crowds: [10],
  storm_seconds: 0.2,
  repeats: 1,
  seconds: 0.2,
  alone: 3,
};

/** In milliseconds. All rows start some dozen programs one after the other. */
const TIMEOUT_MS = 300_000;

function expectComparisons(measured: readonly Row[]): void {
  for (const row of measured) {
    expect(row).toMatchObject({
      value: expect.any(Number),
      reach: expect.stringMatching(/at (least|most)/),
    });
    // How long a clearing takes is compared with a limit only.
    if (!row.what.startsWith('clearing')) expect(row.beside?.value).toEqual(expect.any(Number));
    expect(row.value).toBeGreaterThanOrEqual(0);
  }
}

test('rows of one server and of two guilds have a comparison, and all their requests are answered', {
  timeout: TIMEOUT_MS,
}, async () => {
  const measured = await runBench(tiny, ['polling', 'alone'], () => {});
  expect(measured.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^requests of 1,000 polling pages/),
    'one submission alone',
    'the same with 300 claims of history',
  ]);
  expectComparisons(measured);
});

if (isLong) {
  test('every row of the bench has a comparison, and all its requests are answered', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const lines: string[] = [];
    const measured = await runBench(tiny, Object.keys(rows), (line) => lines.push(line));
    expect(measured.map(({ what }) => what)).toEqual([
      'a snapshot after a change, 300 claims of history, an event active',
      'a snapshot after a change, 300 claims of history, no event active',
      expect.stringMatching(/^requests of 1,000 polling pages/),
      '10 watchers, one change, until the last screen has it',
      'the same while 1 of them sync from nothing',
      '10 watchers, 60 changes a second: longest block of the event loop',
      'the same, until the last screen has the last change',
      '10 browsers coming back at once after a restart, until the last is live',
      'one submission alone',
      'the same with 300 claims of history',
      'durable submissions, 20 clients',
      'the 99th percentile of them',
      'the same with 300 claims of history',
      '/claim in Discord, 20 clients: the 99th percentile',
      'the 99th percentile of submissions of 20 clients, with 20 hanging receivers',
      'GET /admin/claims, 300 claims: longest block of the event loop',
      expect.stringMatching(
        /^longest event-loop block of any of \d+ requests, 300 claims of history, 40 on the board$/,
      ),
      'clearing a spot with 20 claims',
      'longest block of the event loop meanwhile',
      'clearing a spot with 40 claims',
      'longest block of the event loop meanwhile',
    ]);
    expectComparisons(measured);
    expect(lines.filter((line) => / of 12 {2}/.test(line))).toHaveLength(Object.keys(rows).length);
  });
}
