import fc from 'fast-check';

const who = fc.nat(6);
const spot = fc.integer({ min: 1, max: 3 });
const date = fc.constantFrom('2026-11-21', '2026-11-21', '2026-11-22');
const start = fc.integer({ min: 10, max: 15 });
const length = fc.integer({ min: 1, max: 4 });
const nth = fc.nat(40);

export type Step =
  | { do: 'claim'; who: number; spot: number; date: string; start: number; length: number }
  | {
      do: 'wait';
      who: number;
      spot: number;
      date: string;
      start: number;
      length: number;
      min: number;
    }
  | { do: 'accept' | 'decline' | 'withdraw'; nth: number; by_admin: boolean }
  | { do: 'delete claim'; nth: number }
  | { do: 'edit'; nth: number; start: number; length: number }
  | { do: 'move'; nth: number; spot: number }
  | { do: 'clear' | 'disable' | 'enable'; spot: number }
  | { do: 'ban' | 'unban' | 'revoke' | 'restore'; who: number }
  | { do: 'undo'; nth: number }
  /** From now and until then, in minutes; null: at no time. */
  | { do: 'be quiet'; who: number; hours: { from: number; lasts: number } | null }
  | { do: 'let submit'; may: boolean }
  | { do: 'budget'; day: number | null; event: number | null }
  | { do: 'switch'; waits: boolean; submission: boolean; minutes: number }
  | { do: 'activate' | 'deactivate' | 'delete event'; event: number }
  | {
      do: 'edit event';
      event: number;
      last: number;
      type: 'single_claim' | 'multiple_claims' | undefined;
    }
  | { do: 'time'; minutes: number; look: boolean }
  | { do: 'restart' };

const one = <T>(value: T) => fc.constant(value);

/** What members and admins do to waitlists, and what time does. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({ do: one('claim' as const), who, spot, date, start, length }),
  },
  {
    weight: 26,
    arbitrary: fc.record({
      do: one('wait' as const),
      who,
      spot,
      date,
      start,
      length,
      min: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom('accept' as const, 'decline' as const, 'withdraw' as const),
      nth,
      by_admin: fc.boolean(),
    }),
  },
  { weight: 20, arbitrary: fc.record({ do: one('delete claim' as const), nth }) },
  { weight: 3, arbitrary: fc.record({ do: one('edit' as const), nth, start, length }) },
  { weight: 2, arbitrary: fc.record({ do: one('move' as const), nth, spot }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'clear' as const,
        'disable' as const,
        'enable' as const,
        'enable' as const,
      ),
      spot,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'ban' as const,
        'unban' as const,
        'unban' as const,
        'revoke' as const,
        'restore' as const,
      ),
      who,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: one('undo' as const), nth }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: one('be quiet' as const),
      who,
      hours: fc.option(
        fc.record({
          from: fc.integer({ min: -40, max: 20 }),
          lasts: fc.constantFrom(30, 60, 240, 1_430),
        }),
        { freq: 2 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: one('let submit' as const),
      may: fc.constantFrom(true, true, false),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: one('switch' as const),
      waits: fc.boolean(),
      submission: fc.boolean(),
      minutes: fc.constantFrom(1, 10, 60),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: one('budget' as const),
      day: fc.constantFrom(null, null, null, 3),
      event: fc.constantFrom(null, null, 3, 6),
    }),
  },
  {
    weight: 1,
    arbitrary: one({ do: 'switch' as const, waits: true, submission: true, minutes: 10 }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'activate' as const,
        'deactivate' as const,
        'deactivate' as const,
        'delete event' as const,
      ),
      event: fc.nat(1),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: one('edit event' as const),
      event: fc.nat(1),
      last: fc.integer({ min: 21, max: 23 }),
      type: fc.constantFrom(
        undefined,
        undefined,
        undefined,
        'single_claim' as const,
        'multiple_claims' as const,
      ),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: one('time' as const),
      minutes: fc.constantFrom(1, 3, 5, 10, 10, 11, 30, 60),
      look: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: one({ do: 'time' as const, minutes: 900, look: false }) },
  { weight: 1, arbitrary: one({ do: 'restart' as const }) },
);
