import { expect, test } from 'vitest';
import { numberedClaim } from './numbered-claim.ts';
import { enoughFiles } from './open-files.ts';
import { selfTimes } from './profile.ts';
import { measureAlternately } from './repeat.ts';
import { full } from './sizes.ts';

test('no two submissions of a bench want the same hours, or a name twice on a date', () => {
  for (const [lane, count] of [
    ['event', 5_000],
    ['no event', 1_000],
  ] as const) {
    const claims = Array.from(
      { length: count },
      (_, n) =>
        JSON.parse(numberedClaim({ today: '2026-11-21', spots: 285 }, lane, n).body).claims[0],
    );
    expect(
      new Set(
        claims.map(({ respawn_id, date, hour_start }) => `${respawn_id} ${date} ${hour_start}`),
      ).size,
    ).toBe(count);
    expect(
      new Set(claims.map(({ character_name, date }) => `${character_name} ${date}`)).size,
    ).toBe(count);
  }
  expect(() => numberedClaim({ today: '2026-11-21', spots: 1 }, 'no event', 60)).toThrow('ran out');
});

test('measures take turns, and the median of each counts', async () => {
  const order: string[] = [];
  const first = [5, 1, 3];
  const second = [20, 30, 10];
  const measure =
    (name: string, figures: number[] = []) =>
    async (): Promise<number> => {
      order.push(name);
      return figures.shift() ?? 0;
    };
  expect(await measureAlternately(3, measure('ours', first), measure('bare', second))).toEqual([
    3, 20,
  ]);
  expect(order).toEqual(['ours', 'bare', 'ours', 'bare', 'ours', 'bare']);
});

test('if fewer files may be open, fewer watchers connect, and the result says so', () => {
  const lines: string[] = [];
  const say = (line: string): number => lines.push(line);
  expect(enoughFiles(full, say, 20_000).watchers).toBe(5_000);
  expect(lines).toEqual([]);
  expect(enoughFiles(full, say, 4_096).watchers).toBe(1_798);
  expect(lines).toEqual([expect.stringContaining('1798 watchers instead of 5000')]);
});

test('a profile has each function’s self time, without idle time and the profiler’s own', () => {
  const node = (id: number, functionName: string, url: string) => ({
    id,
    callFrame: { functionName, url },
  });
  const nodes = [
    node(1, '(idle)', ''),
    node(2, 'write', 'file:///here/server/db/unit-of-work.ts'),
    node(3, 'prepare', 'file:///here/node_modules/better-sqlite3/lib/database.js'),
    node(4, '', 'node:internal/timers'),
    { ...node(5, 'write', 'file:///here/server/db/unit-of-work.ts'), children: [6] },
    node(6, '', ''),
    node(7, 'post', 'node:inspector'),
  ];
  const samples = [1, 2, 3, 4, 5, 6, 7];
  expect(selfTimes({ nodes, samples, timeDeltas: [900, 10, 15, 5, 20, 40, 700] }, '/here')).toEqual(
    [
      { what: 'native code called by write, server/db/unit-of-work.ts', us: 40 },
      { what: 'write, server/db/unit-of-work.ts', us: 30 },
      { what: 'prepare, better-sqlite3/lib/database.js', us: 15 },
      { what: '(anonymous), node:internal/timers', us: 5 },
    ],
  );
});
