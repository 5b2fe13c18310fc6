import { describe, expect, it } from 'vitest';
import { bytesInWords, shownParams } from './shown-params.ts';

describe('bytes as people read them', () => {
  it.each([
    [0, '0 B'],
    [1, '1 B'],
    [999, '999 B'],
    [1_000, '1 kB'],
    [1_250, '1.3 kB'],
    [9_940, '9.9 kB'],
    [10_400, '10 kB'],
    [1_200_000_000, '1.2 GB'],
    [5_000_000_000_000_000, '5,000 TB'],
  ])('%i: %s', (bytes, words) => {
    expect(bytesInWords(bytes, 'en')).toBe(words);
  });

  it('in the signs of the language', () => {
    expect(bytesInWords(1_200_000, 'pt')).toBe('1,2 MB');
  });
});

describe('the facts of a finding', () => {
  const inWords = (params: Record<string, string | number>) =>
    shownParams(params, 'en', (at) => `at ${at}`);

  it('are bytes, moments and numbers in words; a port has no separators', () => {
    expect(
      inWords({ free: 1_500, total: 2_000_000, size: 10, count: 12_345, port: 30_000 }),
    ).toEqual({
      free: '1.5 kB',
      total: '2 MB',
      size: '10 B',
      count: '12,345',
      port: '30000',
    });
    expect(inWords({ at: '2026-11-21' })).toEqual({ at: 'at 2026-11-21' });
  });

  it('are words of programs without the full stop at their end, which the sentence around them has', () => {
    expect(inWords({ reason: ' The disk is full. \n', file: 'a.b', at_host: 'x..' })).toEqual({
      reason: 'The disk is full',
      file: 'a.b',
      at_host: 'x.',
    });
  });
});
