/** Set by `npm run prove -- tests`. `npm test` has ten minutes on two cores for all tests. */
export const isLong = process.env.LONG_TESTS === 'yes';

/** How many random cases a property draws, or how large a world is: fewer in `npm test`. */
export const sized = (usual: number, long: number): number => (isLong ? long : usual);
