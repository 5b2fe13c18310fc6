import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { type CharacterSource, createCharacterSource } from './character-source.ts';
import type { TibiaDataAnswer } from './tibiadata.ts';

const FOUND: TibiaDataAnswer['finding'] = {
  of: 'character',
  character: { name: 'Bubble', comment: '', guild_name: null, guild_rank: null, is_deleted: false, was_traded: false },
};
const FAILED: TibiaDataAnswer['finding'] = { of: 'failure', reason: 'maintenance' };

interface Setup {
  source: CharacterSource;
  asked: string[];
  /** Moves the clock, in seconds. */
  wait: (seconds: number) => void;
  answer: (answer: Partial<TibiaDataAnswer>) => void;
  /** From now on answers wait until they are let go. */
  hold: () => () => void;
}

function setup(pace_seconds = 60): Setup {
  let now = Date.parse('2026-11-21T18:00:00Z');
  let next: TibiaDataAnswer = { finding: FOUND, age_seconds: null };
  let gate: Promise<void> = Promise.resolve();
  const asked: string[] = [];
  const source = createCharacterSource({
    ask: async (name) => {
      asked.push(name);
      await gate;
      return next;
    },
    pace_ms: pace_seconds * 1_000,
    now: () => new Date(now),
    log: pino({ level: 'silent' }),
  });
  return {
    source,
    asked,
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

/** Seconds after which a character is looked at again, by somebody who asks every second. */
async function secondsToNextLook({ source, asked, wait }: Setup, name = 'Bubble'): Promise<number> {
  const before = asked.filter((each) => each === name).length;
  for (let seconds = 1; seconds <= 3_600; seconds += 1) {
    wait(1);
    await source.look(name);
    if (asked.filter((each) => each === name).length > before) return seconds;
  }
  return Number.POSITIVE_INFINITY;
}

describe('looking at characters', () => {
  it('is shared: twenty who ask for one name at once, in whatever case, cause one request and get its answer', async () => {
    const { source, asked, hold } = setup();
    const letGo = hold();
    const looks = Array.from({ length: 20 }, (_, i) => source.look(i % 2 ? 'Bubble' : ' bubble '));
    letGo();
    for (const seen of await Promise.all(looks)) expect(seen?.finding).toEqual(FOUND);
    expect(asked).toHaveLength(1);
  });

  it('is paced: twenty who ask every five seconds for ten minutes cause one request a pacing interval', async () => {
    const { source, asked, wait } = setup(60);
    for (let seconds = 0; seconds < 600; seconds += 5) {
      await Promise.all(Array.from({ length: 20 }, () => source.look('Bubble')));
      wait(5);
    }
    expect(asked).toHaveLength(10);
  });

  it('waits until a cached answer can have changed: 300 seconds less its age', async () => {
    const looking = setup(60);
    looking.answer({ age_seconds: 100 });
    const seen = await looking.source.look('Bubble');
    expect(seen?.taken_at.toISOString()).toBe('2026-11-21T17:58:20.000Z');
    expect(seen?.next_at.toISOString()).toBe('2026-11-21T18:03:20.000Z');
    expect(await secondsToNextLook(looking)).toBe(200);
  });

  it('waits the pacing interval for answers that are about to expire, older than they should be, or from no cache', async () => {
    for (const age_seconds of [290, 5_000, null]) {
      const looking = setup(60);
      looking.answer({ age_seconds });
      await looking.source.look('Bubble');
      expect(await secondsToNextLook(looking)).toBe(60);
    }
  });

  it('is paced for a missing character, too', async () => {
    const looking = setup(60);
    looking.answer({ finding: { of: 'missing' }, age_seconds: 0 });
    await looking.source.look('Nobody');
    expect(await secondsToNextLook(looking, 'Nobody')).toBe(300);
  });

  it('takes names in turn, one a second, and starves none', async () => {
    const { source, asked, wait } = setup(60);
    const names = Array.from({ length: 8 }, (_, i) => `Hunter ${'abcdefgh'[i]}`);
    const first = await Promise.all(names.map((name) => source.look(name)));
    expect(first.filter((seen) => seen !== null)).toHaveLength(1);
    for (let seconds = 1; seconds <= 8; seconds += 1) {
      wait(1);
      // Always the same one comes first; the others get their turn through it.
      for (const name of names) await source.look(name);
    }
    expect(asked).toEqual(names);
  });

  it('rests after failures, longer each time up to five minutes, for every name', async () => {
    const looking = setup(1);
    looking.answer({ finding: FAILED });
    await looking.source.look('Bubble');
    expect((await looking.source.look('Somebody Else'))?.finding).toEqual(FAILED);
    expect(looking.asked).toEqual(['Bubble']);
    const rests: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      rests.push(
        await secondsToNextLook({ ...looking, asked: looking.asked }, looking.asked.at(-1) === 'Bubble' ? 'Somebody Else' : 'Bubble'),
      );
    }
    expect(rests).toEqual([15, 30, 60, 120, 240, 300, 300]);
  });

  it('goes on as before after a success', async () => {
    const looking = setup(60);
    looking.answer({ finding: FAILED });
    await looking.source.look('Bubble');
    expect(await secondsToNextLook(looking)).toBe(60);
    looking.answer({ finding: FOUND });
    await secondsToNextLook(looking);
    looking.answer({ finding: FAILED });
    await secondsToNextLook(looking);
    looking.wait(15);
    await looking.source.look('Somebody Else');
    expect(looking.asked.at(-1)).toBe('Somebody Else');
  });

  it('leaves the source alone for as long as it asks', async () => {
    const looking = setup(60);
    looking.answer({ finding: { ...FAILED, retry_after_seconds: 900 } as TibiaDataAnswer['finding'] });
    const seen = await looking.source.look('Bubble');
    expect(seen?.next_at.toISOString()).toBe('2026-11-21T18:15:00.000Z');
    expect(await secondsToNextLook(looking)).toBe(900);
  });

  it('is not held up by a clock that was set back', async () => {
    const { source, asked, wait } = setup(60);
    await source.look('Bubble');
    wait(-86_400);
    await source.look('Bubble');
    await source.look('Bubble');
    expect(asked).toHaveLength(2);
  });
});
