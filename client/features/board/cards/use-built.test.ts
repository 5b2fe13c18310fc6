import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useRenderedCount } from './spots.tsx';

afterEach(() => {
  vi.restoreAllMocks();
});

const COSTS = Array.from({ length: 300 }, (_, i) => (i < 10 ? 4 : 1));

/** How many of 300 spots, the first ten of them cards, are rendered after each slice, if a slice takes this many milliseconds. */
function slices(ms: number): number[] {
  let clock = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const stood: number[] = [];
  renderHook(() => {
    clock += ms;
    stood.push(useRenderedCount(COSTS, false));
  });
  return stood;
}

test('on a quick machine each slice is twice as large as the one before, up to eight times the first', () => {
  expect(slices(29)).toEqual([6, 10, 42, 106, 234, 300]);
});

test('on a slow one all slices are small', () => {
  const stood = slices(30);
  expect(stood.slice(0, 4)).toEqual([6, 10, 26, 42]);
  expect(Math.max(...stood.map((count, i) => count - (stood[i - 1] ?? 0)))).toBe(16);
  expect(stood.at(-1)).toBe(300);
});
