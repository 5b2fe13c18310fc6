export interface Poller {
  /**
   * Polls at once, or after a random delay up to `maxDelayMs`, so that a guild that lost its connections together does not poll together.
   * Starting twice is starting once.
   */
  start: (maxDelayMs?: number) => void;
  stop: () => void;
  /** Skips the rest of the pause. While a poll is under way, nothing happens. */
  pollNow: () => void;
}

/** Repeats a poll with a pause after each, never two at a time. */
export function createPoller(
  poll: (isStopped: () => boolean) => Promise<void>,
  pauseMs: number,
): Poller {
  /** From a start to its stop: an object of its own, which tells a poll that outlives its stop from a new start's. */
  let currentRun: object | null = null;
  /** null: a poll is under way, or nothing runs. */
  let pauseTimer: ReturnType<typeof setTimeout> | null = null;

  const endPause = (): void => {
    if (pauseTimer !== null) clearTimeout(pauseTimer);
    pauseTimer = null;
  };

  const pollAndPause = async (run: object): Promise<void> => {
    endPause();
    await poll(() => run !== currentRun);
    if (run === currentRun) pauseFor(run, pauseMs);
  };
  const pauseFor = (run: object, ms: number): void => {
    pauseTimer = setTimeout(() => void pollAndPause(run), ms);
  };

  return {
    start: (maxDelayMs = 0) => {
      if (currentRun) return;
      currentRun = {};
      if (maxDelayMs > 0) pauseFor(currentRun, Math.random() * maxDelayMs);
      else void pollAndPause(currentRun);
    },
    stop: () => {
      currentRun = null;
      endPause();
    },
    pollNow: () => {
      if (currentRun && pauseTimer !== null) void pollAndPause(currentRun);
    },
  };
}
