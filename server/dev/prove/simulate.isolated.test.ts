import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { StoredChangeSet } from '../../db/unit-of-work.ts';
import { isLong, sized } from '../test/scope.ts';
import { FOUND } from './simulate/found.ts';
import { playScript, type SimulateOptions, simulateClocks, simulateWorlds } from './simulate.ts';

const WORLDS = sized(2, 5);
/** Enough for Discord commands of every kind that the test expects. */
const WORLDS_OF_DISCORD = sized(4, 20);
/** Per seed. The fixed seeds failed in their first world once. */
const WORLDS_OF_CLOCKS = sized(1, 5);
/** Of each kind of fault: it is found in one of so many worlds. */
const WORLDS_TO_FIND_IT = 10;
const LINES_BEFORE_THE_STEPS = 3;

const changeSet = z.custom<StoredChangeSet>(
  (set) => typeof set === 'object' && set !== null && 'clock' in set,
);

async function failuresOf(
  options: Pick<SimulateOptions, 'seed' | 'runs' | 'sabotage'>,
): Promise<readonly string[]> {
  const [tried] = await simulateWorlds({ say: () => {}, enough: 1, ...options });
  return tried?.failed ?? ['nothing was tried'];
}

interface Fault {
  fault: string;
  sabotage: NonNullable<SimulateOptions['sabotage']>;
  expected: RegExp;
  seed?: number;
}

const QUICKLY_FOUND: readonly Fault[] = [
  {
    fault: 'a change set that is lost on its way',
    sabotage: { pass: (message) => !/"changes",\[?\{"clock":\d*[13579],/.test(message) },
    expected: /the board of .+: clock \d+ instead of \d+/,
  },
  {
    fault: 'a server that tells nobody',
    sabotage: { server: ({ ctx }) => Object.assign(ctx.bus, { offer: () => {} }) },
    expected:
      /the board of .+: clock \d+ instead of \d+|is connected with a key that does not hold/,
  },
  {
    fault: 'hours that are held twice',
    sabotage: {
      server: ({ database }) =>
        database.run(
          'create trigger if not exists forget after insert on occupied_hours begin delete from occupied_hours where hour = new.hour; end',
        ),
    },
    expected: /hours and days held: .+ acknowledged but not stored/,
  },
  {
    fault: 'a claim that is acknowledged and not stored',
    seed: 7,
    sabotage: {
      server: ({ database }) =>
        database.run(
          'create trigger if not exists lose after insert on activity begin delete from claims where id % 3 = 0; end',
        ),
    },
    expected: /claims: .+ acknowledged but not stored/,
  },
];

/** Each takes several worlds to find, or seconds to shorten. */
const SLOWLY_FOUND: readonly Fault[] = [
  {
    fault: 'a change that is told before it is stored',
    sabotage: {
      server: ({ ctx }) => {
        const { transaction } = ctx.writes;
        const early: typeof transaction = (work) =>
          transaction(async (tx) => {
            const written = await work(tx);
            // A job's progress changes nothing that a watcher gets.
            const { data } = z.object({ set: changeSet }).safeParse(written);
            if (data) ctx.bus.offer(data.set);
            return written;
          });
        Object.assign(ctx.writes, { transaction: early });
      },
    },
    expected: /was told of clock \d+ before it was stored/,
  },
  {
    fault: 'lines that nobody serves',
    seed: 9,
    sabotage: {
      // Offering waits for a back-off that never ends.
      server: ({ ctx }) =>
        Object.assign(ctx, {
          backOff: {
            ...ctx.backOff,
            endsAt: (name: string, now: Date) =>
              name === 'waitlists' ? '9' : ctx.backOff.endsAt(name, now),
          },
        }),
    },
    expected:
      /lines: stored but not acknowledged|claims: .+ acknowledged but not stored|is not waited for/,
  },
  {
    fault: 'a hold that is honoured beyond its time',
    sabotage: { server: ({ ctx }) => Object.assign(ctx, { deadlines: [] }) },
    expected: /acknowledged but not stored|although|instead of success|has not ended/,
  },
  {
    fault: 'an ending that is not kept',
    sabotage: {
      server: ({ database }) =>
        database.run(
          'create trigger if not exists lose after insert on claim_endings begin delete from claim_endings where id = new.id; end',
        ),
    },
    expected: /endings: stored but not acknowledged -; acknowledged but not stored/,
  },
];

describe('simulated guilds', () => {
  it('keep what was acknowledged, and all watchers see the same, from a fixed seed', {
    timeout: 180_000,
  }, async () => {
    const lines: string[] = [];
    const [tried] = await simulateWorlds({
      seed: 1,
      runs: WORLDS_OF_DISCORD,
      say: (line) => lines.push(line),
    });
    expect(tried?.failed).toEqual([]);
    // Members act through Discord, too. The most frequent outcome is named first.
    for (const what of ['submit', 'queue'])
      expect(lines.join()).toMatch(new RegExp(`${what}: done via Discord \\d+`));
  });

  it('hold from a random seed', { timeout: 180_000, retry: 0 }, async () => {
    expect(await failuresOf({ seed: randomInt(2 ** 31), runs: WORLDS })).toEqual([]);
  });

  it.each([20_261_121, 375_649_058, 4_711_059, randomInt(2 ** 31)])(
    'lose no claim to clocks that jump or servers that are away, from seed %i',
    { timeout: 180_000, retry: 0 },
    async (seed) => {
      expect((await simulateClocks({ seed, runs: WORLDS_OF_CLOCKS })).failed).toEqual([]);
    },
  );

  it.each(FOUND)('hold it after $what', async ({ script }) => {
    await playScript(script);
  });

  it.each(isLong ? [...QUICKLY_FOUND, ...SLOWLY_FOUND] : QUICKLY_FOUND)(
    'notice $fault, and shrink it to a short script',
    { timeout: 180_000 },
    async ({ sabotage, expected, seed = 5 }) => {
      const [failure = ''] = await failuresOf({ seed, runs: WORLDS_TO_FIND_IT, sabotage });
      expect(failure).toMatch(expected);
      expect(failure).toMatch(/again: npm run prove -- simulate --seed \d+ --runs 1/);
      expect(failure.split('\n').length - LINES_BEFORE_THE_STEPS).toBeLessThan(8);
    },
  );
});
