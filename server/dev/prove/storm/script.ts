import fc from 'fast-check';

/** The commands of one writer; numbers choose among the claims that exist by then. */
export type Command =
  | {
      do: 'submit';
      character: number;
      spot: number;
      dates: number[];
      hour: number;
      length: number;
      shape: 'whole' | 'split' | 'secondary';
    }
  | { do: 'edit'; nth: number; hour: number; length: number }
  | { do: 'delete'; nth: number };

/** One round: what is written, and when what is killed. */
export interface Script {
  /** Of each writer. */
  commands: Command[][];
  /** The blow falls after so many answers of all writers together, and so many milliseconds more. */
  after_answers: number;
  delay_ms: number;
  /** Chooses what is hit. */
  target: number;
  /** Kills a server once more, so many milliseconds after it began to start; null: lets it start. */
  again_after_ms: number | null;
  /** How long what was killed stays down, in milliseconds. */
  down_ms: number;
  /** Which answered submission is sent once more. */
  repeat: number;
}

export const WRITERS = 6;
export const CHARACTERS_A_WRITER = 3;
/** Few, so that writers want the same. */
export const SPOTS = 3;
export const DATES = 6;
export const COMMANDS_PER_WRITER = 40;
const VOUCHER_HOURS = 4;

const hour = fc.integer({ min: 0, max: 23 });
const length = fc.integer({ min: 1, max: VOUCHER_HOURS });

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      character: fc.nat(CHARACTERS_A_WRITER - 1),
      spot: fc.nat(SPOTS - 1),
      dates: fc.uniqueArray(fc.nat(DATES - 1), { minLength: 1, maxLength: 3 }),
      hour,
      length,
      shape: fc.constantFrom(
        'whole' as const,
        'whole' as const,
        'split' as const,
        'secondary' as const,
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('edit' as const), nth: fc.nat(50), hour, length }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), nth: fc.nat(50) }) },
);

// Without fast-check's love of extremes: the moment of a blow is as likely in the middle.
const roundOf = (commands: number): fc.Arbitrary<Script> =>
  fc.noBias(
    fc.record({
      commands: fc.array(fc.array(command, { minLength: commands, maxLength: commands }), {
        minLength: WRITERS,
        maxLength: WRITERS,
      }),
      after_answers: fc.integer({ min: 1, max: (commands * WRITERS) / 2 }),
      delay_ms: fc.integer({ min: 0, max: 8 }),
      target: fc.nat(1_000),
      again_after_ms: fc.oneof(
        { weight: 3, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: 1_200 }) },
      ),
      down_ms: fc.integer({ min: 0, max: 300 }),
      repeat: fc.nat(1_000),
    }),
  );

/** The same seed writes the same script; how it is interleaved is up to the machine. */
export function scriptOf(seed: number, commands_per_writer: number): Script {
  const [script] = fc.sample(roundOf(commands_per_writer), { seed, numRuns: 1 });
  if (!script) throw new Error('no script');
  return script;
}
