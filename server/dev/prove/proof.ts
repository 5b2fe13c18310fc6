export interface ProofOptions {
  /** The seed of the random choices: the same seed tries the same cases. */
  seed: number;
  /** How often, in the proof's own unit: requests, worlds, rounds, histories. */
  runs: number;
  /** Only with so many servers; null or absent: with each number of servers that the proof knows. */
  servers?: number | null;
  /** Reports progress, one line at a time. */
  say: (line: string) => void;
}

/** One line of what was tried. */
export interface Tried {
  what: string;
  tried: number;
  /** The failures, each in words that allow repeating it. */
  failed: readonly string[];
}

/** Something that holds however it is tried: short in the tests, long by `npm run prove`. */
export interface Proof {
  summary: string;
  /** What `runs` counts. */
  unit: string;
  /** Default number of runs of `npm run prove`. */
  long: number;
  run: (options: ProofOptions) => Promise<readonly Tried[]>;
}
