import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { keepSettings, type SettingsKeeper } from './keep-settings.ts';
import { refreshBoard } from './refresh.ts';

const SETTINGS = { ss_time_zone: 'Europe/Berlin', ss_hour: 10 };
const known = vi.fn();
const fetched = vi.fn<() => Promise<Response>>();
const fails = async (): Promise<Response> => {
  throw new TypeError('no network');
};
const portal = async (status: number): Promise<Response> =>
  new Response('<html>Please sign in</html>', { status });
const answers = async (): Promise<Response> => Response.json(SETTINGS);

let keeper: SettingsKeeper;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  keeper.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

it('asks until the settings are known, and no longer', async () => {
  fetched.mockImplementationOnce(fails).mockImplementationOnce(() => portal(503));
  fetched.mockImplementationOnce(() => portal(200)).mockImplementation(answers);
  keeper = keepSettings(known);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(known.mock.calls).toEqual([[SETTINGS]]);
  expect(fetched).toHaveBeenCalledTimes(4);
});

it('asks at once for a reason to refresh while they are not known', async () => {
  fetched.mockImplementationOnce(fails).mockImplementation(answers);
  keeper = keepSettings(known);
  await vi.advanceTimersByTimeAsync(0);
  refreshBoard();
  await vi.advanceTimersByTimeAsync(0);
  expect(known).toHaveBeenCalledOnce();
  refreshBoard();
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched).toHaveBeenCalledTimes(2);
});

it('requests the settings again on demand, once for demands during a request', async () => {
  fetched.mockImplementation(answers);
  keeper = keepSettings(known);
  keeper.renew();
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched).toHaveBeenCalledTimes(1);
  keeper.renew();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(known).toHaveBeenCalledTimes(2);
});

it('asks nothing any more once it was stopped', async () => {
  fetched.mockImplementation(fails);
  keeper = keepSettings(known);
  await vi.advanceTimersByTimeAsync(0);
  keeper.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(fetched).toHaveBeenCalledTimes(1);
});

it('requests the settings again after sleep or a clock change: they contain the server’s time', async () => {
  fetched.mockImplementation(answers);
  keeper = keepSettings(known);
  await vi.advanceTimersByTimeAsync(0);
  expect(known).toHaveBeenCalledOnce();
  vi.setSystemTime(Date.now() - 7 * 3_600_000);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(known).toHaveBeenCalledTimes(2);
});
