import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DomainError } from '../../shared/errors.ts';
import { createHashingQueue, type HashingBounds, type HashingCaller } from './passwords.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A hashing queue whose work ends when the test calls `end`, with the work that began and that was refused, in order. */
function turnsAt(bounds: Partial<HashingBounds> = {}) {
  const turns = createHashingQueue({
    at_once: 1,
    most_waiting: 100,
    patience_ms: 12_000,
    ...bounds,
  });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (what: string, caller: HashingCaller): void => {
    const work = (): Promise<void> => {
      begun.push(what);
      return new Promise((resolve) => ends.push(resolve));
    };
    turns.take(caller, work).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
      expect(error).toMatchObject({ code: 'request.tooManyTries', params: { seconds: 12 } });
      refused.push(what);
    });
  };
  const end = async (): Promise<void> => {
    ends.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { turns, begun, refused, ask, end };
}

const at = (address: string, name = 'admin'): HashingCaller => ({ address, name });

describe('hashes in the queue', () => {
  it('go round the addresses, within an address round its names, and of an caller the oldest is next', async () => {
    const { begun, ask, end } = turnsAt();
    for (let i = 1; i <= 3; i++) ask(`flood ${i}`, at('A'));
    ask('other name 1', at('A', 'thora'));
    ask('other address 1', at('B'));
    ask('other address 2', at('B'));
    for (let i = 0; i < 6; i++) await end();
    expect(begun).toEqual([
      'flood 1',
      'flood 2',
      'other address 1',
      'other name 1',
      'other address 2',
      'flood 3',
    ]);
  });

  it('are taken so many at once, and of one caller one at a time while another waits', async () => {
    const { begun, ask, end } = turnsAt({ at_once: 2 });
    ask('a 1', at('A'));
    ask('b 1', at('B'));
    for (let i = 2; i <= 4; i++) ask(`a ${i}`, at('A'));
    ask('c 1', at('C'));
    expect(begun).toEqual(['a 1', 'b 1']);
    for (let i = 0; i < 3; i++) await end();
    expect(begun).toEqual(['a 1', 'b 1', 'a 2', 'c 1', 'a 3']);
    await end();
    expect(begun.slice(5)).toEqual(['a 4']);
  });

  it('wait in a bounded queue: when it is full, the newest request of the caller with the most is refused, and no other', async () => {
    const { turns, begun, refused, ask, end } = turnsAt({ most_waiting: 10 });
    ask('under way', at('Z'));
    ask('a guest', at('B'));
    for (let i = 1; i <= 1_000; i++) ask(`flood ${i}`, at('A', i % 3 ? '' : 'admin'));
    await end();
    expect(turns.waiting()).toBeLessThanOrEqual(10);
    expect(refused).toHaveLength(991);
    expect(refused).not.toContain('a guest');
    expect(begun).toContain('a guest');
  });

  it('that wait too long are refused', async () => {
    const { turns, refused, ask, end } = turnsAt();
    ask('under way', at('A'));
    ask('patient', at('A'));
    await vi.advanceTimersByTimeAsync(12_000);
    expect(refused).toEqual(['patient']);
    expect(turns.waiting()).toBe(0);
    await end();
  });

  it('go on after a work that failed', async () => {
    const { turns, begun, ask } = turnsAt();
    await expect(turns.take(at('A'), () => Promise.reject(new Error('failed')))).rejects.toThrow(
      'failed',
    );
    ask('next', at('A'));
    expect(begun).toEqual(['next']);
  });
});
