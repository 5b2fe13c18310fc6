/** Set by `npm run prove -- tests`: also the tests that take minutes, and more random cases. */
export const isLong = process.env.LONG_TESTS === 'yes';

/**
 * Set by `npm run test:all` and on CI: also PostgreSQL, Firefox, WebKit, the second accessibility engine and random worlds. `npm test`
 * has five minutes on two cores.
 */
export const isAll = isLong || process.env.ALL_TESTS === 'yes';

/** How many random cases a property draws, or how large a world is: fewer unless tests may be long. */
export const sized = (usual: number, long: number): number => (isLong ? long : usual);
