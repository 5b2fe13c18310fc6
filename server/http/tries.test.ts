import { expect, it } from 'vitest';
import { createTries } from './rate-limits.ts';

it('failed attempts are counted for a period from the first of them', () => {
  let now = 0;
  const tries = createTries({ window_ms: 60_000, most: 10, now: () => now });
  expect(tries.count('a')).toEqual({ tries: 1, seconds: 60 });
  now = 59_500;
  expect(tries.count('a')).toEqual({ tries: 2, seconds: 1 });
  now = 60_000;
  expect(tries.count('a')).toEqual({ tries: 1, seconds: 60 });
});

it('remembers the newest few of a million addresses, and none once the time is over', () => {
  let now = 0;
  const tries = createTries({ window_ms: 60_000, most: 100, now: () => now });
  for (let i = 0; i < 1_000_000; i++) tries.count(`who ${i}`);
  expect(tries.size()).toBe(100);
  now = 60_000;
  expect(tries.count('who 999999').tries).toBe(1);
  expect(tries.size()).toBe(1);
});

it('a clock that is set back restarts the window instead of extending it', () => {
  let now = 100_000_000;
  const tries = createTries({ window_ms: 60_000, most: 10, now: () => now });
  tries.count('a');
  tries.count('b');
  now = 0;
  expect(tries.count('b')).toEqual({ tries: 1, seconds: 60 });
  expect(tries.count('a')).toEqual({ tries: 1, seconds: 60 });
});
