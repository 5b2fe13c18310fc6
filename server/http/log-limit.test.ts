import { expect, it } from 'vitest';
import { createLogLimit } from './log-limit.ts';

it('one line of each kind is written a minute, with how many were left out', () => {
  let now = 0;
  const limit = createLogLimit({ now: () => now });
  const lines: string[] = [];
  const log = (kind: string): void => limit(kind, (left_out) => lines.push(`${kind} ${left_out}`));
  for (let at = 0; at < 400; at += 1) log('binary');
  log('slow');
  now = 59_999;
  log('binary');
  now = 60_000;
  log('binary');
  expect(lines).toEqual(['binary 0', 'slow 0', 'binary 400']);
});

it('kinds without end are forgotten', () => {
  const limit = createLogLimit({ now: () => 0 });
  let lines = 0;
  for (let at = 0; at < 1_000; at += 1) limit(`kind ${at}`, () => (lines += 1));
  limit('kind 999', () => (lines += 1));
  limit('kind 0', () => (lines += 1));
  expect(lines).toBe(1_001);
});

it('more kinds are remembered where they are known to be few', () => {
  const limit = createLogLimit({ now: () => 0, max_kinds: 1_000 });
  let lines = 0;
  for (let round = 0; round < 2; round += 1)
    for (let at = 0; at < 1_000; at += 1) limit(`kind ${at}`, () => (lines += 1));
  expect(lines).toBe(1_000);
});
