import fc from 'fast-check';

const who = fc.nat(4);
const spot = fc.integer({ min: 1, max: 4 });
const date = fc.constantFrom('2026-11-21', '2026-11-21', '2026-11-22');
const start = fc.integer({ min: 10, max: 16 });
const length = fc.integer({ min: 1, max: 4 });
const half = fc.integer({ min: 1, max: 2 });
const nth = fc.nat(40);
const by_admin = fc.boolean();

/** The secondary claim of a whole claim, if there is one. */
export interface Beside {
  spot: number;
  start: number;
}

export type Command =
  | {
      do: 'claim';
      who: number;
      spot: number;
      date: string;
      start: number;
      length: number;
      beside: Beside | null;
    }
  | {
      do: 'split';
      who: number;
      date: string;
      parts: { spot: number; start: number; length: number }[];
      beside: Beside | null;
    }
  | { do: 'release' | 'confirm'; nth: number; second: boolean; by_admin: boolean }
  | { do: 'edit'; nth: number; start: number; length: number }
  | { do: 'move'; nth: number; spot: number }
  | { do: 'delete' | 'undo'; nth: number }
  | { do: 'clear' | 'delete spot'; spot: number }
  | { do: 'delete event' }
  | { do: 'wait'; who: number; nth: number }
  | { do: 'accept' | 'decline' | 'withdraw'; nth: number; by_admin: boolean }
  | { do: 'confirming'; is_on: boolean }
  | { do: 'time'; minutes: number; look: boolean };

const one = <T>(value: T) => fc.constant(value);
const beside = fc.option(fc.record({ spot, start: fc.integer({ min: 3, max: 23 }) }));
const part = fc.record({ spot, start, length: half });

/** What ends claims and hours of them, and what there must be to end. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 18,
    arbitrary: fc.record({ do: one('claim' as const), who, spot, date, start, length, beside }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: one('split' as const),
      who,
      date,
      parts: fc.array(part, { minLength: 2, maxLength: 2 }),
      beside,
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({ do: one('release' as const), nth, second: fc.boolean(), by_admin }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: one('confirm' as const), nth, second: fc.boolean(), by_admin }),
  },
  { weight: 4, arbitrary: fc.record({ do: one('edit' as const), nth, start, length }) },
  { weight: 3, arbitrary: fc.record({ do: one('move' as const), nth, spot }) },
  { weight: 4, arbitrary: fc.record({ do: one('delete' as const), nth }) },
  { weight: 4, arbitrary: fc.record({ do: one('undo' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ do: one('clear' as const), spot }) },
  { weight: 1, arbitrary: fc.record({ do: one('delete spot' as const), spot }) },
  { weight: 1, arbitrary: one({ do: 'delete event' as const }) },
  { weight: 12, arbitrary: fc.record({ do: one('wait' as const), who, nth }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('accept' as const, 'decline' as const, 'withdraw' as const),
      nth,
      by_admin,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: one('confirming' as const),
      is_on: fc.constantFrom(true, true, true, false),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: one('time' as const),
      minutes: fc.constantFrom(5, 15, 30, 60, 60),
      look: fc.boolean(),
    }),
  },
);
