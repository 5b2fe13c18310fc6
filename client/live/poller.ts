export interface Poller {
  /** Runs at once, then again after each pause, until stopped; starting twice is starting once. */
  start: () => void;
  stop: () => void;
  /** Cuts the pause short, if it is in one. */
  hurry: () => void;
}

/** Repeats a job with a pause after each run, never two at a time. */
export function createPoller(job: (isStopped: () => boolean) => Promise<void>, pauseMs: number): Poller {
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
    if (run === mine) pause = setTimeout(() => void repeat(mine), pauseMs);
  };

  return {
    start: () => {
      if (run) return;
      run = {};
      void repeat(run);
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
