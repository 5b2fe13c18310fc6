import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RINGED_MS, showSpot, startRing, useShownSpot } from './board-place.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
});
const shownSpotId = (): number | undefined => useShownSpot.getState().spot?.respawn_id;

test('a spot is ringed from the moment it is drawn, however late that is', () => {
  showSpot({ respawn_id: 5, date: '2026-11-21' });
  vi.advanceTimersByTime(2 * RINGED_MS);
  expect(shownSpotId()).toBe(5);
  startRing();
  vi.advanceTimersByTime(RINGED_MS - 1);
  expect(shownSpotId()).toBe(5);
  vi.advanceTimersByTime(1);
  expect(shownSpotId()).toBeUndefined();
});

test('a spot that is never drawn is forgotten', () => {
  showSpot({ respawn_id: 5, date: '2026-11-21' });
  vi.advanceTimersByTime(60_000);
  expect(shownSpotId()).toBeUndefined();
});
