export interface Poller {
  /**
   * Runs at once, or after a time of chance up to `withinMs`, so that a whole guild that lost its connections in the same
   * moment does not ask in step; then again after each pause, until stopped. Starting twice is starting once.
   */
  start: (withinMs?: number) => void;
  stop: () => void;
  /** Cuts the pause short, if it is in one. */
  hurry: () => void;
}

/** Repeats a job with a pause after each run, never two at a time. */
export function createPoller(
  job: (isStopped: () => boolean) => Promise<void>,
  pauseMs: number,
): Poller {
  let run: object | null = null;
  /** Only while in a pause. */
  let pause: ReturnType<typeof setTimeout> | null = null;

  const endPause = (): void => {
    if (pause !== null) clearTimeout(pause);
    pause = null;
  };

  const repeat = async (mine: object): Promise<void> => {
    endPause();
    await job(() => run !== mine);
    if (run === mine) pauseFor(mine, pauseMs);
  };
  const pauseFor = (mine: object, ms: number): void => {
    pause = setTimeout(() => void repeat(mine), ms);
  };

  return {
    start: (withinMs = 0) => {
      if (run) return;
      run = {};
      if (withinMs > 0) pauseFor(run, Math.random() * withinMs);
      else void repeat(run);
    },
    stop: () => {
      run = null;
      endPause();
    },
    hurry: () => {
      if (run && pause !== null) void repeat(run);
    },
  };
}
