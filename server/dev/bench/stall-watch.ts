import { Session } from 'node:inspector/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into the measured server with `node --import`. Reports to the parent process how long the event loop was blocked between
 * `begin` and `end`, and a CPU profile between `profile` and `profiled`.
 */

const RESOLUTION_MS = 5;
const NANO = 1e6;
const PROFILE_EVERY_US = 200;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const inspector = new Session();

/** The histogram records the time between two ticks of its timer, so wait for one before and one after. */
const aTurn = (): Promise<unknown> => new Promise((done) => setTimeout(done, 4 * RESOLUTION_MS));

const answers: Readonly<Record<string, () => Promise<object>>> = {
  begin: async () => {
    delay.reset();
    delay.enable();
    await aTurn();
    return {};
  },
  end: async () => {
    await aTurn();
    delay.disable();
    return { longest_ms: Math.max(0, delay.max / NANO - RESOLUTION_MS) };
  },
  profile: async () => {
    inspector.connect();
    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.setSamplingInterval', { interval: PROFILE_EVERY_US });
    await inspector.post('Profiler.start');
    return {};
  },
  profiled: async () => (await inspector.post('Profiler.stop')).profile,
};

process.on('message', async (message) => {
  process.send?.(await answers[String(message)]?.());
});
process.channel?.unref();
