/** The sizes and repetitions of a bench. */
export interface Sizes {
  /** Past claims of the two guilds that are compared. */
  few: number;
  many: number;
  /** Claims on the board, and on the large board for the event-loop rows. */
  board: number;
  large_board: number;
  /** Claims of the spots that are cleared. */
  cleared: readonly number[];
  watchers: number;
  /** Numbers of watchers in the storm rows. */
  crowds: readonly number[];
  /** Duration of a storm, in seconds. */
  storm_seconds: number;
  /** Repetitions of a row, baseline and server alternately; the median counts. */
  repeats: number;
  /** Duration of one measurement under load, in seconds. */
  seconds: number;
  /** Sequential submissions in one measurement. */
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
  seconds: 4,
  alone: 300,
};

/** The same rows in a minute, to notice gross mistakes. */
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
  seconds: 1,
  alone: 100,
};
