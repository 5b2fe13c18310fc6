/** Stars of a character, and of a browser without one. One more replaces the oldest. */
export const MAX_STARS = 300;

/** The stars after starring more spots, oldest first: ids of spots. A spot that has a star keeps its place. */
export const withStars = (stars: readonly number[], more: readonly number[]): number[] =>
  [...new Set([...stars, ...more])].slice(-MAX_STARS);
