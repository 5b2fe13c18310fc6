import fc from 'fast-check';
import type { Cut } from './call.ts';
import type { Budget, Rules } from './model.ts';

/** A claim as scripted: spots and days by number, independent of their ids and dates. */
export interface ScriptedClaim {
  spot: number;
  /** From today; null: none is named. */
  day: number | null;
  start: number;
  hours: number | null;
  second: { spot: number; start: number; hours: number } | null;
  waiting: { spot: number; start: number } | null;
}

/** The holder of a claim or entry, an admin, or another member. */
export type By = 'own' | 'admin' | 'other';

/** A scripted command. `nth` picks one of the existing ones, modulo their number; none if there are none. */
export type ScriptedCommand =
  | { do: 'submit'; who: number; asAdmin: boolean; once: boolean; claims: readonly ScriptedClaim[] }
  /** For the hours of a claim, from some before it on. */
  | {
      do: 'queue';
      who: number;
      asAdmin: boolean;
      nth: number;
      early: number;
      hours: number;
      least: number;
    }
  | { do: 'accept' | 'decline' | 'leave'; nth: number; by: By }
  | { do: 'give back' | 'confirm'; nth: number; part: number | null; by: By }
  | { do: 'move claim'; nth: number; spot: number }
  | { do: 'give claim'; nth: number; who: number }
  | { do: 'offer claim'; nth: number; who: number; by: By }
  | { do: 'offer swap'; nth: number; other: number; by: By }
  | { do: 'take offer' | 'withdraw offer'; nth: number; by: By }
  /** Its days from today. */
  | {
      do: 'make weekly';
      who: number;
      spot: number;
      days: readonly number[];
      start: number;
      hours: number;
      joins: boolean;
    }
  | { do: 'pause weekly'; nth: number; by: By; paused: boolean }
  | { do: 'end weekly'; nth: number; by: By; release: boolean }
  | { do: 'set rules'; change: Partial<Rules> }
  | ({ do: 'budget'; type: string } & Budget)
  /** In minutes; null: at no time. */
  | { do: 'be quiet'; who: number; hours: { from: number; lasts: number } | null }
  | { do: 'edit'; nth: number; start: number; hours: number }
  | { do: 'delete' | 'undo' | 'delete event'; nth: number }
  | { do: 'clear' | 'delete spot'; spot: number }
  | { do: 'switch spot'; spot: number; on: boolean }
  | { do: 'create event'; single: boolean; day: number; days: number }
  | { do: 'switch event'; nth: number; on: boolean }
  | { do: 'move event'; nth: number; day: number; days: number }
  | { do: 'switch submission'; on: boolean }
  | { do: 'revoke key' | 'ban'; who: number; on: boolean }
  | { do: 'retype key'; who: number; type: string }
  | { do: 'create key'; who: number; type: string }
  | { do: 'delete key'; who: number };

export type Step =
  | { step: 'ask'; scripted: ScriptedCommand }
  /** The connection breaks before the answer. */
  | { step: 'ask and lose'; scripted: ScriptedCommand; cut: Cut }
  /** Repeats the newest submission with an Idempotency-Key. */
  | { step: 'ask again' }
  /** Beside it a watcher's connection breaks, and so many turns later it is back. */
  | {
      step: 'ask at once';
      commands: readonly { scripted: ScriptedCommand; after: number }[];
      watcher: number | null;
      forget: boolean;
      after: number;
    }
  | { step: 'connect' | 'hold' | 'release'; watcher: number }
  /** The watcher reconnects. `forget`: without a board. */
  | { step: 'return'; watcher: number; forget: boolean }
  | { step: 'cut'; watcher: number; late: boolean }
  | { step: 'poll'; who: number }
  /**
   * Presses a button of the page, of a linked member's direct messages, or of the answer to a command
   * that the member gives now. `beside` is asked for at the same moment.
   */
  | {
      step: 'press';
      on: 'page' | 'messages' | 'mine' | 'spot' | 'free';
      who: number;
      nth: number;
      beside: ScriptedCommand | null;
    }
  | { step: 'restart' | 'look' }
  /** The process is killed this many turns after the request. */
  | { step: 'crash'; commands: readonly ScriptedCommand[]; turns: number }
  /** The database is copied; or the copy is put back while the server is stopped. */
  | { step: 'back up' | 'restore' }
  /** The copy takes the database's place while the server runs: what was committed since is lost. */
  | { step: 'fail over' }
  /** The clock jumps, while the process' own timers run on. */
  | { step: 'jump'; minutes: number }
  /** Seconds before or after it; then a new client without a board connects. */
  | { step: 'jump to the save'; seconds: number; watcher: number | null }
  /** Before or after hours of a claim begin that are ahead, or hours are no longer held. */
  | { step: 'jump to a start'; nth: number; minutes: number }
  | { step: "jump to a hold's end"; nth: number; seconds: number }
  | { step: 'wait'; seconds: number };

/** A whole world: its time, whether its page is an admin's, and its steps. */
export interface Script {
  begins: string;
  pageOfAdmin: boolean;
  /** Whether claims have to be confirmed from the beginning, and who misses one pauses. */
  confirms: boolean;
  /** The longest that every statement waits, in event-loop turns. */
  slow: number;
  steps: readonly Step[];
}

/** Before and after the server save, on ordinary days, at a year's end, and on the days on which the clocks change. */
const BEGINNINGS = [
  '2026-11-21T18:00:00.000Z',
  '2026-03-08T07:30:00.000Z',
  '2026-03-08T09:30:00.000Z',
  '2026-11-01T06:30:00.000Z',
  '2026-11-01T08:50:00.000Z',
  '2026-12-31T23:00:00.000Z',
];

const below = (n: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: n - 1 });
const rarely = fc.integer({ min: 0, max: 5 }).map((n) => n === 5);
const mostly = fc.integer({ min: 0, max: 3 }).map((n) => n < 3);
const spot = below(3);
const who = below(4);
const nth = below(8);
/** Few hours, so that commands meet; the last ones pass the day's end. */
const start = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 8, max: 14 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 23 }) },
);
const day = fc.oneof(
  { weight: 8, arbitrary: below(3) },
  { weight: 1, arbitrary: fc.integer({ min: -1, max: 5 }) },
);
const type = fc.constantFrom('member', 'elite', 'vice');
const orNull = <T>(weight: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

/** Mostly something that can be granted, or the model would see nothing but refusals. */
const wishedClaim: fc.Arbitrary<ScriptedClaim> = fc.record({
  spot,
  day: fc.oneof({ weight: 24, arbitrary: day }, { weight: 1, arbitrary: fc.constant(null) }),
  start,
  hours: fc.oneof(
    { weight: 8, arbitrary: fc.constant(null) },
    { weight: 24, arbitrary: fc.integer({ min: 1, max: 4 }) },
    { weight: 1, arbitrary: fc.constantFrom(0, 5) },
  ),
  second: orNull(40, fc.record({ spot, start, hours: fc.constant(2) })),
  waiting: orNull(12, fc.record({ spot, start })),
});
/** Two halves that do not overlap. */
const splitClaim: fc.Arbitrary<ScriptedClaim> = fc.record({
  spot,
  day,
  start: fc.integer({ min: 8, max: 10 }),
  hours: fc.constant(2),
  second: fc.record({
    spot,
    start: fc.integer({ min: 11, max: 14 }),
    hours: fc.integer({ min: 1, max: 2 }),
  }),
  waiting: fc.constant(null),
});
const oneClaim = fc.oneof(
  { weight: 6, arbitrary: wishedClaim },
  { weight: 1, arbitrary: splitClaim },
);

const submit: fc.Arbitrary<ScriptedCommand> = fc.record({
  do: fc.constant('submit' as const),
  who,
  asAdmin: rarely,
  once: fc.boolean(),
  claims: fc.oneof(
    { weight: 4, arbitrary: fc.tuple(oneClaim) },
    { weight: 1, arbitrary: fc.array(oneClaim, { minLength: 2, maxLength: 3 }) },
  ),
});

const by = fc.constantFrom<By[]>('own', 'own', 'own', 'own', 'admin', 'other');
const part = fc.constantFrom(null, 1, 2);
/** Mostly on: a switched-off feature refuses everything. */
const change: fc.Arbitrary<Partial<Rules>> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ waits: mostly }) },
  { weight: 1, arbitrary: fc.record({ release: mostly }) },
  { weight: 3, arbitrary: fc.record({ confirm: mostly }) },
  { weight: 1, arbitrary: fc.record({ hold: fc.constantFrom(1, 10, 60) }) },
  { weight: 1, arbitrary: fc.record({ grace: fc.constantFrom(0, 10, 60) }) },
  { weight: 2, arbitrary: fc.record({ noShowLimit: fc.constantFrom(0, 1, 1, 2) }) },
);

const kind = <D extends ScriptedCommand['do']>(of: D): { do: fc.Arbitrary<D> } => ({
  do: fc.constant(of),
});
const scripted: fc.Arbitrary<ScriptedCommand> = fc.oneof(
  { weight: 34, arbitrary: submit },
  {
    weight: 16,
    arbitrary: fc.record({
      ...kind('queue'),
      who,
      asAdmin: rarely,
      nth,
      early: below(3),
      hours: fc.constantFrom(1, 2, 2, 3, 4, 4, 4, 5),
      least: fc.constantFrom(1, 1, 2),
    }),
  },
  { weight: 9, arbitrary: fc.record({ ...kind('accept'), nth, by }) },
  { weight: 2, arbitrary: fc.record({ ...kind('decline'), nth, by }) },
  { weight: 1, arbitrary: fc.record({ ...kind('leave'), nth, by }) },
  { weight: 5, arbitrary: fc.record({ ...kind('give back'), nth, part, by }) },
  { weight: 5, arbitrary: fc.record({ ...kind('confirm'), nth, part, by }) },
  { weight: 3, arbitrary: fc.record({ ...kind('move claim'), nth, spot }) },
  { weight: 4, arbitrary: fc.record({ ...kind('give claim'), nth, who }) },
  { weight: 8, arbitrary: fc.record({ ...kind('offer claim'), nth, who, by }) },
  { weight: 5, arbitrary: fc.record({ ...kind('offer swap'), nth, other: nth, by }) },
  { weight: 10, arbitrary: fc.record({ ...kind('take offer'), nth, by }) },
  {
    weight: 6,
    arbitrary: fc.record({
      ...kind('make weekly'),
      who,
      spot,
      start,
      hours: fc.constantFrom(1, 2, 3, 4, 5),
      joins: fc.boolean(),
      days: fc.uniqueArray(below(7), { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ...kind('pause weekly'), nth, by, paused: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ ...kind('end weekly'), nth, by, release: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ ...kind('withdraw offer'), nth, by }) },
  { weight: 4, arbitrary: fc.record({ ...kind('set rules'), change }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...kind('budget'),
      type,
      day: orNull(2, fc.integer({ min: 1, max: 4 })),
      event: orNull(2, fc.constantFrom(4, 8)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      ...kind('be quiet'),
      who,
      hours: fc.option(
        fc.record({
          from: below(48).map((n) => n * 30),
          lasts: fc.constantFrom(60, 480, 720, 1_410),
        }),
        { freq: 2 },
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ ...kind('edit'), nth, start, hours: fc.integer({ min: 0, max: 6 }) }),
  },
  { weight: 4, arbitrary: fc.record({ ...kind('delete'), nth }) },
  { weight: 5, arbitrary: fc.record({ ...kind('undo'), nth }) },
  { weight: 2, arbitrary: fc.record({ ...kind('clear'), spot }) },
  {
    weight: 2,
    arbitrary: fc.record({ ...kind('create event'), single: fc.boolean(), day, days: below(3) }),
  },
  { weight: 3, arbitrary: fc.record({ ...kind('switch event'), nth, on: mostly }) },
  { weight: 2, arbitrary: fc.record({ ...kind('move event'), nth, day, days: below(4) }) },
  { weight: 1, arbitrary: fc.record({ ...kind('delete event'), nth }) },
  { weight: 2, arbitrary: fc.record({ ...kind('switch spot'), spot, on: mostly }) },
  { weight: 1, arbitrary: fc.record({ ...kind('delete spot'), spot }) },
  { weight: 1, arbitrary: fc.record({ ...kind('switch submission'), on: mostly }) },
  { weight: 3, arbitrary: fc.record({ ...kind('revoke key'), who, on: rarely }) },
  { weight: 3, arbitrary: fc.record({ ...kind('ban'), who, on: rarely }) },
  { weight: 1, arbitrary: fc.record({ ...kind('retype key'), who, type }) },
  { weight: 1, arbitrary: fc.record({ ...kind('delete key'), who }) },
  { weight: 2, arbitrary: fc.record({ ...kind('create key'), who, type }) },
);

const just = <S extends Step['step']>(of: S): { step: fc.Arbitrary<S> } => ({
  step: fc.constant(of),
});
/** Concurrent commands start within so many turns. */
const AT_ONCE = 90;
const watcher = below(4);
const together = fc.array(fc.record({ scripted, after: below(AT_ONCE) }), {
  minLength: 2,
  maxLength: 4,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 26, arbitrary: fc.record({ ...just('ask'), scripted }) },
  {
    weight: 4,
    arbitrary: fc.record({
      ...just('ask and lose'),
      scripted,
      cut: fc.oneof(fc.constant('before' as const), below(12)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ...just('ask again') }) },
  {
    weight: 7,
    arbitrary: fc.record({
      ...just('ask at once'),
      commands: together,
      watcher: fc.option(watcher, { freq: 3 }),
      forget: fc.boolean(),
      after: below(AT_ONCE),
    }),
  },
  { weight: 4, arbitrary: fc.record({ ...just('connect'), watcher }) },
  { weight: 2, arbitrary: fc.record({ ...just('return'), watcher, forget: mostly }) },
  { weight: 3, arbitrary: fc.record({ ...just('cut'), watcher, late: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ ...just('hold'), watcher }) },
  { weight: 3, arbitrary: fc.record({ ...just('release'), watcher }) },
  { weight: 2, arbitrary: fc.record({ ...just('poll'), who }) },
  {
    weight: 10,
    arbitrary: fc.record({
      ...just('press'),
      on: fc.constantFrom(
        'page',
        'page',
        'page',
        'messages',
        'messages',
        'mine',
        'mine',
        'spot',
        'free',
      ),
      who,
      nth: below(10_000),
      beside: orNull(5, scripted),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...just('restart') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      ...just('crash'),
      commands: fc.array(scripted, { maxLength: 2 }),
      turns: below(80),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...just('back up') }) },
  { weight: 1, arbitrary: fc.record({ ...just('restore') }) },
  { weight: 1, arbitrary: fc.record({ ...just('fail over') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...just('jump'),
      minutes: fc.constantFrom(1, 3, 11, 61, 240, 1500, -5, -90),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...just('jump to the save'),
      seconds: fc.constantFrom(-2, 0, 2),
      watcher: orNull(1, watcher),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...just('jump to a start'),
      nth,
      minutes: fc.constantFrom(-16, -15, -5, 0, 9, 10),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...just("jump to a hold's end"),
      nth,
      seconds: fc.constantFrom(-1, 0, 1),
    }),
  },
  { weight: 2, arbitrary: fc.record({ ...just('wait'), seconds: fc.constantFrom(1, 6, 20) }) },
  { weight: 3, arbitrary: fc.record({ ...just('look') }) },
);

/** Members claim hours of a day, and an event of that day is activated: no board shows their claims. */
const CLAIMS_BEFORE_AN_EVENT: readonly Step[] = [
  ...[1, 2, 3].map((who): Step => {
    const claim = { spot: who - 1, day: 0, start: 14, hours: 3, second: null, waiting: null };
    return {
      step: 'ask',
      scripted: { do: 'submit', who, asAdmin: false, once: false, claims: [claim] },
    };
  }),
  { step: 'ask', scripted: { do: 'create event', single: false, day: 0, days: 2 } },
  { step: 'ask', scripted: { do: 'switch event', nth: 0, on: true } },
  { step: 'jump to a start', nth: 0, minutes: -5 },
  { step: 'look' },
  { step: 'press', on: 'messages', who: 0, nth: 0, beside: null },
];

/** Worlds of up to 80 steps after their first ones; what fails shrinks to fewer. */
export const script: fc.Arbitrary<Script> = fc.noBias(
  fc.record({
    begins: fc.constantFrom(...BEGINNINGS),
    pageOfAdmin: fc.boolean(),
    confirms: fc.boolean(),
    slow: fc.constantFrom(0, 0, 0, 2, 6),
    steps: fc
      .tuple(
        fc.constantFrom([], [], [], CLAIMS_BEFORE_AN_EVENT),
        fc.array(step, { minLength: 1, maxLength: 80, size: 'max' }),
      )
      .map((steps) => steps.flat()),
  }),
);

/** A script as lines that a person can read and follow. */
export function inWords({ begins, pageOfAdmin, confirms, slow, steps }: Script): string[] {
  const claims = confirms
    ? 'claims are confirmed, and who misses one pauses'
    : 'no claim is confirmed';
  const first = `begins ${begins}, the page is ${pageOfAdmin ? "an admin's" : "a member's"}, ${claims}, a statement waits up to ${slow} turns`;
  return [
    first,
    ...steps.map(({ step, ...rest }, at) =>
      `${at + 1}. ${step} ${Object.keys(rest).length > 0 ? JSON.stringify(rest) : ''}`.trim(),
    ),
  ];
}
