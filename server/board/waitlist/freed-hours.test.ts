import { describe, expect, it } from 'vitest';
import { FreedHours } from '../freed-hours.ts';

const MAX = 200;

describe('freed hours', () => {
  it.each([
    ['waitlists', (freed: FreedHours, n: number) => freed.at(n, '2026-11-21')],
    ['spots', (freed: FreedHours, n: number) => freed.at(n, null)],
    ['characters', (freed: FreedHours, n: number) => freed.of(`hunter ${n}`)],
  ] as const)(
    `are everywhere from the ${MAX + 1}st on, and no more %s are kept than that`,
    (kind, note) => {
      const freed = new FreedHours();
      for (let n = 1; n <= MAX; n += 1) note(freed, n);
      note(freed, 1);
      const known = freed.take();
      expect([known.everywhere, known[kind].size]).toEqual([false, MAX]);
      for (let n = 1; n <= 10 * MAX; n += 1) note(freed, n);
      const many = freed.take();
      expect(many.everywhere).toBe(true);
      expect(many[kind].size).toBeLessThanOrEqual(MAX + 1);
      expect(freed.any).toBe(false);
    },
  );
});
