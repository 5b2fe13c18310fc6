import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import {
  createCharacterSource,
  MAX_SIGHTINGS,
  type Sighting,
  type TurnAwaited,
} from './character-source.ts';
import type { Failure, TibiaDataAnswer } from './tibiadata.ts';

const FOUND: TibiaDataAnswer['finding'] = {
  type: 'character',
  character: {
    name: 'Bubble',
    world: null,
    comment: '',
    guild_name: null,
    guild_rank: null,
    former_names: [],
    is_deleted: false,
    deletion_date: null,
    is_whole: true,
    was_traded: false,
  },
};
const FAILED: Failure = { type: 'failure', reason: 'a broken connection' };
const OUT_OF_ORDER: Failure = { type: 'failure', reason: 'maintenance', is_of_source: true };

interface Setup {
  /** Looks a name up, by default from a new client address. */
  look: (name: string, address?: string) => Promise<Sighting | TurnAwaited>;
  lookups: string[];
  /** Moves the clock, in seconds. */
  wait: (seconds: number) => void;
  answer: (answer: Partial<TibiaDataAnswer>) => void;
  /** From now on responses wait until released. */
  hold: () => () => void;
}

function setup(pace_seconds = 60): Setup {
  let now = Date.parse('2026-11-21T18:00:00Z');
  let next: TibiaDataAnswer = { finding: FOUND, age_seconds: null };
  let gate: Promise<void> = Promise.resolve();
  const lookups: string[] = [];
  const source = createCharacterSource({
    ask: async (name) => {
      lookups.push(name);
      await gate;
      return next;
    },
    pace_ms: pace_seconds * 1_000,
    now: () => new Date(now),
    log: pino({ level: 'silent' }),
  });
  return {
    look: (name, address = `${name}’s`) => source.look(name, address),
    lookups,
    wait: (seconds) => {
      now += seconds * 1_000;
    },
    answer: (answer) => {
      next = { ...next, ...answer };
    },
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}

/** Seconds until a character is looked up again, for a client that polls every second. */
async function secondsToNextLook({ look, lookups, wait }: Setup, name = 'Bubble'): Promise<number> {
  const before = lookups.filter((each) => each === name).length;
  for (let seconds = 1; seconds <= 3_600; seconds += 1) {
    wait(1);
    await look(name);
    if (lookups.filter((each) => each === name).length > before) return seconds;
  }
  return Number.POSITIVE_INFINITY;
}

describe('looking at characters', () => {
  it('is shared: twenty concurrent requests for one name, ignoring case, cause one request', async () => {
    const { look, lookups, hold } = setup();
    const letGo = hold();
    const looks = Array.from({ length: 20 }, (_, i) => look(i % 2 ? 'Bubble' : ' bubble '));
    letGo();
    for (const seen of await Promise.all(looks)) expect(seen).toMatchObject({ finding: FOUND });
    expect(lookups).toHaveLength(1);
  });

  it('is paced: twenty who ask every five seconds for ten minutes cause one request a pacing interval', async () => {
    const { look, lookups, wait } = setup(60);
    for (let seconds = 0; seconds < 600; seconds += 5) {
      await Promise.all(Array.from({ length: 20 }, () => look('Bubble')));
      wait(5);
    }
    expect(lookups).toHaveLength(10);
  });

  it('waits until a cached answer can have changed: 300 seconds less its age', async () => {
    const looking = setup(60);
    looking.answer({ age_seconds: 100 });
    const seen = await looking.look('Bubble');
    expect(seen).toMatchObject({
      taken_at: new Date('2026-11-21T17:58:20.000Z'),
      next_at: new Date('2026-11-21T18:03:20.000Z'),
    });
    expect(await secondsToNextLook(looking)).toBe(200);
  });

  it('waits the pacing interval for responses about to expire, older than they should be, or uncached', async () => {
    for (const age_seconds of [290, 5_000, null]) {
      const looking = setup(60);
      looking.answer({ age_seconds });
      await looking.look('Bubble');
      expect(await secondsToNextLook(looking)).toBe(60);
    }
  });

  it('is paced for a missing character too', async () => {
    const looking = setup(60);
    looking.answer({ finding: { type: 'missing' }, age_seconds: 0 });
    await looking.look('Nobody');
    expect(await secondsToNextLook(looking, 'Nobody')).toBe(300);
  });

  it('takes names in turn, one a second, and starves none', async () => {
    const { look, lookups, wait } = setup(60);
    const names = Array.from({ length: 8 }, (_, i) => `Hunter ${'abcdefgh'[i]}`);
    const first = await Promise.all(names.map((name) => look(name)));
    expect(first.map((seen) => ('wait_seconds' in seen ? seen.wait_seconds : 0))).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7,
    ]);
    for (let seconds = 1; seconds <= 8; seconds += 1) {
      wait(1);
      // Always the same one comes first; the others get their turn through it.
      for (const name of names) await look(name);
    }
    expect(lookups).toEqual(names);
  });

  it('rests while the source is out of order, longer each time up to five minutes, for every name', async () => {
    const looking = setup(1);
    looking.answer({ finding: OUT_OF_ORDER });
    await looking.look('Bubble');
    expect(await looking.look('Somebody Else')).toMatchObject({
      finding: OUT_OF_ORDER,
      next_at: new Date('2026-11-21T18:00:15.000Z'),
    });
    expect(looking.lookups).toEqual(['Bubble']);
    const rests: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      rests.push(
        await secondsToNextLook(
          looking,
          looking.lookups.at(-1) === 'Bubble' ? 'Somebody Else' : 'Bubble',
        ),
      );
    }
    expect(rests).toEqual([15, 30, 60, 120, 240, 300, 300]);
  });

  it('rests one name whose answer fails, longer each time, and no other', async () => {
    const looking = setup(1);
    looking.answer({ finding: FAILED });
    await looking.look('Bubble');
    const rests: number[] = [];
    for (let i = 0; i < 6; i += 1) rests.push(await secondsToNextLook(looking));
    expect(rests).toEqual([15, 30, 60, 120, 240, 300]);
    looking.answer({ finding: FOUND });
    looking.wait(1);
    expect(await looking.look('Somebody Else')).toMatchObject({ finding: FOUND });
    expect(await looking.look('Bubble')).toMatchObject({ finding: FAILED });
  });

  it('rests when three different names in a row have failed, not two in turn', async () => {
    const looking = setup(1);
    looking.answer({ finding: FAILED });
    for (const name of ['One', 'Two', 'One', 'Two']) {
      await looking.look(name);
      looking.wait(60);
    }
    expect(looking.lookups).toHaveLength(4);
    looking.answer({ finding: { type: 'missing' } });
    await looking.look('Three');
    looking.answer({ finding: FAILED });
    for (const name of ['Four', 'Five', 'Six']) {
      looking.wait(1);
      await looking.look(name);
    }
    looking.wait(14);
    expect(await looking.look('Bubble')).toMatchObject({ finding: FAILED });
    expect(looking.lookups.at(-1)).toBe('Six');
    looking.wait(1);
    await looking.look('Bubble');
    expect(looking.lookups.at(-1)).toBe('Bubble');
  });

  it('resumes its pace after a success', async () => {
    const looking = setup(60);
    looking.answer({ finding: FAILED });
    await looking.look('Bubble');
    expect(await secondsToNextLook(looking)).toBe(60);
    looking.answer({ finding: FOUND });
    await secondsToNextLook(looking);
    looking.answer({ finding: FAILED });
    await secondsToNextLook(looking);
    looking.wait(15);
    await looking.look('Somebody Else');
    expect(looking.lookups.at(-1)).toBe('Somebody Else');
  });

  it('leaves the source alone for as long as it asks', async () => {
    const looking = setup(60);
    looking.answer({ finding: { ...OUT_OF_ORDER, retry_after_seconds: 900 } });
    const seen = await looking.look('Bubble');
    expect(seen).toMatchObject({ next_at: new Date('2026-11-21T18:15:00.000Z') });
    expect(await secondsToNextLook(looking)).toBe(900);
  });

  it('is not held up by a clock that was set back', async () => {
    const { look, lookups, wait } = setup(60);
    await look('Bubble');
    wait(-86_400);
    await look('Bubble');
    await look('Bubble');
    expect(lookups).toHaveLength(2);
  });

  it('backs off for an hour at most, even if told to wait longer', async () => {
    const looking = setup(1);
    looking.answer({ finding: { ...OUT_OF_ORDER, retry_after_seconds: 999_999_999 } });
    expect(await looking.look('Bubble')).toMatchObject({
      next_at: new Date('2026-11-21T19:00:00.000Z'),
    });
  });

  it('keeps so many sightings at most, the newest', async () => {
    const { look, wait, lookups } = setup(3_600);
    const nameOf = (i: number): string => `Hunter ${i}`;
    for (let i = 0; i < MAX_SIGHTINGS + 50; i += 1) {
      await look(nameOf(i));
      wait(1);
    }
    const before = lookups.length;
    await look(nameOf(MAX_SIGHTINGS + 49));
    expect(lookups).toHaveLength(before);
    await look(nameOf(0));
    expect(lookups).toHaveLength(before + 1);
  });
});

describe('turns', () => {
  it('alternate between addresses: a hundred invented names of one address delay no other', async () => {
    const { look, wait, lookups } = setup(60);
    const invented = Array.from({ length: 100 }, (_, i) => `Invented ${i}`);
    for (const name of invented) await look(name, 'crowd');
    wait(1);
    expect(await look('Bubble', 'home')).toEqual({ wait_seconds: 1 });
    for (let seconds = 1; seconds <= 2; seconds += 1) {
      wait(1);
      for (const name of invented) await look(name, 'crowd');
    }
    expect(lookups).toEqual(['Invented 0', 'Invented 1', 'Bubble', 'Invented 2']);
    expect(await look('Bubble', 'home')).toMatchObject({ finding: FOUND });
  });

  it('pass to the next name if it was not polled within fifteen seconds', async () => {
    const { look, wait, lookups } = setup(60);
    for (const name of ['First', 'Gone', 'Away', 'Here']) await look(name);
    wait(10);
    await look('Here');
    expect(lookups).toEqual(['First', 'Gone']);
    wait(6);
    // Each poll triggers the lookup of the first name that is still polled.
    await look('Later');
    expect(lookups).toEqual(['First', 'Gone', 'Here']);
    wait(1);
    await look('Later');
    expect(lookups).toEqual(['First', 'Gone', 'Here', 'Later']);
  });

  it('are kept by polling, and the reported seconds decrease', async () => {
    const { look, wait, lookups } = setup(60);
    for (let i = 0; i < 10; i += 1) await look(`Hunter ${i}`);
    const results: (Sighting | TurnAwaited)[] = [];
    for (let seconds = 0; seconds < 9; seconds += 1) {
      results.push(await look('Hunter 9'));
      wait(1);
    }
    expect(results).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1].map((wait_seconds) => ({ wait_seconds })));
    expect(await look('Hunter 9')).toMatchObject({ finding: FOUND });
    expect(lookups.at(-1)).toBe('Hunter 9');
  });

  it('of one name that several addresses ask for are one', async () => {
    const { look, wait, lookups } = setup(60);
    await look('First', 'one');
    for (const address of ['one', 'two', 'three']) await look('Bubble', address);
    await look('Last', 'four');
    for (const _ of ['Bubble', 'Last']) {
      wait(1);
      await look('Last', 'four');
    }
    expect(lookups).toEqual(['First', 'Bubble', 'Last']);
  });
});
