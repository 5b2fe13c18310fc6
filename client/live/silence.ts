export interface Silence {
  /** Something was heard: the time begins anew. */
  broken: () => void;
  stop: () => void;
}

/** Tells once nothing was heard for so many milliseconds; nothing is waited for before the first `broken`. */
export function createSilence(onSilence: () => void, after_ms: number): Silence {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    broken: () => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, after_ms);
    },
    stop: () => clearTimeout(timer),
  };
}
