import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPoller } from './poller.ts';

const PAUSE_MS = 10_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
  [0, 0],
  [0.999, 2_997],
])(
  'starts at a random moment if requested, and keeps its interval from there (%d)',
  async (drawn, first) => {
    const chance = vi.spyOn(Math, 'random').mockReturnValue(drawn);
    const job = vi.fn(async () => {});
    const poller = createPoller(job, PAUSE_MS);
    poller.start(3_000);
    expect(job).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(first);
    expect(job).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
    expect(job).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(1);
    expect(job).toHaveBeenCalledTimes(2);
    poller.stop();
    chance.mockRestore();
  },
);

it('runs at once, then every ten seconds until it is stopped', async () => {
  const job = vi.fn(async () => {});
  const poller = createPoller(job, PAUSE_MS);
  poller.start();
  poller.start();
  await vi.advanceTimersByTimeAsync(2 * PAUSE_MS);
  expect(job).toHaveBeenCalledTimes(3);
  poller.stop();
  poller.pollNow();
  await vi.advanceTimersByTimeAsync(2 * PAUSE_MS);
  expect(job).toHaveBeenCalledTimes(3);
});

it('ends a pause early when hurried, and then pauses as long as before', async () => {
  const job = vi.fn(async () => {});
  const poller = createPoller(job, PAUSE_MS);
  poller.start();
  await vi.advanceTimersByTimeAsync(1_000);
  poller.pollNow();
  expect(job).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(PAUSE_MS - 1);
  expect(job).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(job).toHaveBeenCalledTimes(3);
});

it('does not run twice at a time, however often it is hurried', async () => {
  let finish = (): void => {};
  const job = vi.fn(
    () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  );
  const poller = createPoller(job, PAUSE_MS);
  poller.start();
  poller.pollNow();
  expect(job).toHaveBeenCalledOnce();
  finish();
  await vi.advanceTimersByTimeAsync(0);
  poller.pollNow();
  poller.pollNow();
  expect(job).toHaveBeenCalledTimes(2);
});
