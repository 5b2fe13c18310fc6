import { expect, it } from 'vitest';
import { bytesOf, writtenList } from './written-list.ts';

/** Some texts, longer together than what is written in one turn. */
const LONG = 'x'.repeat(100_000);
const TEXTS = Array.from({ length: 20 }, () => LONG);

/** In which turns of the event loop something happened, from the first to the last. */
async function turnsOf<T>(work: (now: () => number) => Promise<T>): Promise<T> {
  let turn = 0;
  let isDone = false;
  const next = (): void => {
    turn += 1;
    if (!isDone) setImmediate(next);
  };
  setImmediate(next);
  return work(() => turn).finally(() => {
    isDone = true;
  });
}

it('a long list is written some at a time, put together in another turn, and made bytes in one more', async () => {
  await turnsOf(async (now) => {
    const writtenIn: number[] = [];
    const text = await writtenList(TEXTS, (one) => {
      writtenIn.push(now());
      return JSON.stringify(one);
    });
    const perTurn = Map.groupBy(writtenIn, (turn) => turn);
    expect(Math.max(...[...perTurn.values()].map(({ length }) => length))).toBeLessThanOrEqual(3);
    const joinedIn = now();
    expect(joinedIn).toBeGreaterThan(Math.max(...writtenIn));
    expect(JSON.parse(text)).toEqual(TEXTS);
    const bytes = await bytesOf(text);
    expect(now()).toBeGreaterThan(joinedIn);
    expect(bytes.toString()).toBe(text);
  });
});

it('a short one is written at once', async () => {
  await turnsOf(async (now) => {
    const begun = now();
    expect((await bytesOf(await writtenList([1, 2], String))).toString()).toBe('[1,2]');
    expect(now()).toBe(begun);
  });
});
