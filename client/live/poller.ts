export interface Poller {
  /** Runs at once, then again after each pause, until stopped; starting twice is starting once. */
  start: () => void;
  stop: () => void;
}

/** Repeats a job with a pause after each run, never two at a time. */
export function createPoller(job: (isStopped: () => boolean) => Promise<void>, pauseMs: number): Poller {
  let run: object | null = null;

  const repeat = async (mine: object): Promise<void> => {
    await job(() => run !== mine);
    if (run === mine) setTimeout(() => void (run === mine && repeat(mine)), pauseMs);
  };

  return {
    start: () => {
      if (run) return;
      run = {};
      void repeat(run);
    },
    stop: () => {
      run = null;
    },
  };
}
