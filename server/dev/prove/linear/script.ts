import fc from 'fast-check';

/** One step of a racer; numbers choose among what there is by then. `hangs_up_ms`: does not wait longer for the answer; null: waits. */
export type Step = { hangs_up_ms: number | null } & (
  | { do: 'submit'; character: number; spot: number; hour: number; length: number }
  | { do: 'edit'; nth: number; hour: number; length: number }
  | { do: 'delete' | 'release' | 'accept' | 'decline'; nth: number }
  | { do: 'wait'; character: number; spot: number; hour: number; length: number; least: number }
  | { do: 'move'; nth: number; spot: number }
  | { do: 'read'; spot: number }
  | { do: 'board' | 'line' }
);

/** No more characters than racers, and few hours, so that they want the same. */
const CHARACTERS = 7;
const FIRST_HOUR = 8;
const LAST_HOUR = 12;

const hour = fc.integer({ min: FIRST_HOUR, max: LAST_HOUR });
const length = fc.integer({ min: 1, max: 4 });
const spot = fc.nat(1);
const nth = fc.nat(10);
const hangs_up_ms = fc.oneof(
  { weight: 12, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      character: fc.nat(CHARACTERS - 1),
      spot,
      hour,
      length,
      hangs_up_ms,
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      character: fc.nat(CHARACTERS - 1),
      spot,
      hour,
      length,
      hangs_up_ms,
      least: fc.constant(1),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('accept' as const, 'accept' as const, 'decline' as const),
      nth,
      hangs_up_ms,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), nth, hangs_up_ms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('move' as const), nth, spot, hangs_up_ms }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('line' as const), hangs_up_ms }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('edit' as const), nth, hour, length, hangs_up_ms }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('delete' as const), nth, hangs_up_ms }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('read' as const), spot, hangs_up_ms }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('board' as const), hangs_up_ms }) },
);

const race = fc.noBias(
  fc.array(fc.array(step, { minLength: 3, maxLength: 7 }), { minLength: 5, maxLength: 8 }),
);

/** The steps of each racer; the same seed writes the same ones. */
export function raceOf(seed: number): Step[][] {
  const [racers] = fc.sample(race, { seed, numRuns: 1 });
  if (!racers) throw new Error('no race');
  return racers;
}
