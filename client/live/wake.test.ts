import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onWake } from './wake.ts';

const HOUR_MS = 3_600_000;
let stop = (): void => {};
const woken = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z') });
  woken.mockClear();
  stop = onWake(woken);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Time passes for the clock; no timer runs. */
const clockLeaps = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
const pageIs = (hidden: boolean): void => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
  document.dispatchEvent(new Event('visibilitychange'));
};

test('a page that slept notices within two seconds of waking', () => {
  vi.advanceTimersByTime(HOUR_MS);
  expect(woken).not.toHaveBeenCalled();
  clockLeaps(HOUR_MS);
  vi.advanceTimersByTime(2_000);
  expect(woken).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(HOUR_MS);
  expect(woken).toHaveBeenCalledOnce();
});

test('a page that comes into view notices before any timer has run', () => {
  pageIs(true);
  clockLeaps(HOUR_MS);
  pageIs(false);
  expect(woken).toHaveBeenCalledOnce();
});

test('a hidden page, whose timers run once a minute, has not slept', () => {
  pageIs(true);
  for (let minute = 0; minute < 5; minute += 1) {
    clockLeaps(60_000);
    vi.advanceTimersByTime(2_000);
  }
  expect(woken).not.toHaveBeenCalled();
});

test.each([-HOUR_MS, HOUR_MS])('a clock that is set by %i ms is noticed', (ms) => {
  clockLeaps(ms);
  vi.advanceTimersByTime(2_000);
  expect(woken).toHaveBeenCalledOnce();
});

test('a stopped listener is not called', () => {
  stop();
  clockLeaps(HOUR_MS);
  vi.advanceTimersByTime(4_000);
  pageIs(false);
  expect(woken).not.toHaveBeenCalled();
});
