import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHOOSING_MS, type ChosenHours } from '../../shared/live.ts';
import { announceChoosing, announceVia } from './announce-choosing.ts';

const hours = (hour_start: number): ChosenHours[] => [
  { respawn_id: 1, date: '2026-11-21', hour_start, hour_end: hour_start + 4 },
];
const tell = vi.fn();
const announced = (): unknown[] => tell.mock.calls.map(([choices]) => choices);

function hide(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}

beforeEach(() => {
  vi.useFakeTimers();
  announceVia(tell);
});
afterEach(() => {
  announceChoosing(null);
  announceVia(null);
  tell.mockClear();
  vi.useRealTimers();
});

test('a selection is announced once after it settles, and withdrawn at once', () => {
  announceChoosing(hours(10));
  announceChoosing(hours(11));
  vi.advanceTimersByTime(1_000);
  announceChoosing(hours(11));
  vi.advanceTimersByTime(1_000);
  expect(announced()).toEqual([hours(11)]);
  announceChoosing(null);
  expect(announced()).toEqual([hours(11), null]);
});

test('an unannounced selection is not withdrawn', () => {
  announceChoosing(hours(10));
  announceChoosing([]);
  vi.advanceTimersByTime(CHOOSING_MS);
  expect(announced()).toEqual([]);
});

test('a selection unchanged for a minute is withdrawn; the next one is announced again', () => {
  announceChoosing(hours(10));
  vi.advanceTimersByTime(CHOOSING_MS - 1);
  announceChoosing(hours(10));
  expect(announced()).toEqual([hours(10)]);
  vi.advanceTimersByTime(1);
  expect(announced()).toEqual([hours(10), null]);
  announceChoosing(hours(12));
  vi.advanceTimersByTime(1_000);
  expect(announced().at(-1)).toEqual(hours(12));
});

test('a page that is hidden chooses nothing until it is back', () => {
  announceChoosing(hours(10));
  vi.advanceTimersByTime(1_000);
  hide(true);
  hide(false);
  expect(announced()).toEqual([hours(10), null, hours(10)]);
});

test('a new connection receives the current selection', () => {
  announceVia(null);
  announceChoosing(hours(10));
  vi.advanceTimersByTime(1_000);
  expect(announced()).toEqual([]);
  announceVia(tell);
  expect(announced()).toEqual([hours(10)]);
  announceVia(null);
  vi.advanceTimersByTime(CHOOSING_MS);
  announceVia(tell);
  expect(announced()).toEqual([hours(10)]);
});
