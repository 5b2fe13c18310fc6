import { describe, expect, it } from 'vitest';
import { AffectedWaitlists } from '../affected-waitlists.ts';

const MAX = 200;

describe('affected waitlists', () => {
  it.each([
    ['waitlists', (touched: AffectedWaitlists, n: number) => touched.hours(n, '2026-11-21')],
    ['spots', (touched: AffectedWaitlists, n: number) => touched.spot(n)],
    ['characters', (touched: AffectedWaitlists, n: number) => touched.character(`hunter ${n}`)],
  ] as const)(
    `are all of them from the ${MAX + 1}st on, and no more %s are kept than that`,
    (kind, touch) => {
      const touched = new AffectedWaitlists();
      for (let n = 1; n <= MAX; n += 1) touch(touched, n);
      touch(touched, 1);
      const known = touched.take();
      expect([known.all, known[kind].size]).toEqual([false, MAX]);
      for (let n = 1; n <= 10 * MAX; n += 1) touch(touched, n);
      const many = touched.take();
      expect(many.all).toBe(true);
      expect(many[kind].size).toBeLessThanOrEqual(MAX + 1);
      expect(touched.any).toBe(false);
    },
  );
});
