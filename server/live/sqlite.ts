import type { ChangeBus } from './bus.ts';

const LOOK_EVERY_MS = 1_000;

/**
 * Wakes the bus every second, for what other processes write to the file: the command line removes admins beside
 * a running server, and their connections must end. An unchanged clock costs one look at a primary key.
 * @returns a function that stops watching
 */
export function watchFile(bus: ChangeBus): () => Promise<void> {
  const timer = setInterval(() => bus.wake(), LOOK_EVERY_MS);
  timer.unref();
  return async () => clearInterval(timer);
}
