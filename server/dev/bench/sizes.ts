/** How much is measured, and how often. */
export interface Sizes {
  /** Claims of history: what is compared with what. */
  few: number;
  many: number;
  /** Claims on the board, and on the board of which no request may hold the event loop. */
  board: number;
  large_board: number;
  /** Claims of a spot that is cleared. */
  cleared: readonly number[];
  watchers: number;
  /** Numbers of watchers that many changes a second are sent to. */
  crowds: readonly number[];
  /** How long changes arrive there, in seconds. */
  storm_seconds: number;
  /** How often a row is measured, baseline and subject in turns; the median counts. */
  repeats: number;
  /** The same of what takes a second and differs much. */
  starts: number;
  /** How long one measure under load takes, in seconds. */
  seconds: number;
  /** Submissions one after the other, a measure. */
  alone: number;
}

export const full: Sizes = {
  few: 1_000,
  many: 1_000_000,
  board: 1_000,
  large_board: 25_000,
  cleared: [17_520, 40_000],
  watchers: 5_000,
  crowds: [1_000, 2_000, 5_000],
  storm_seconds: 10,
  repeats: 3,
  starts: 5,
  seconds: 4,
  alone: 300,
};

/** The same rows in a minute: whether something went very wrong. */
export const quick: Sizes = {
  few: 1_000,
  many: 50_000,
  board: 1_000,
  large_board: 5_000,
  cleared: [4_000, 10_000],
  watchers: 500,
  crowds: [500],
  storm_seconds: 2,
  repeats: 1,
  starts: 3,
  seconds: 1,
  alone: 100,
};
