/**
 * So many of something in any stretch of so many milliseconds.
 * @returns whether there is one left; takes it
 */
export function allowance(most: number, forMs: number): { take: () => boolean } {
  let taken = 0;
  const giveBack = (): void => {
    taken -= 1;
  };
  return {
    take: () => {
      if (taken >= most) return false;
      taken += 1;
      setTimeout(giveBack, forMs).unref();
      return true;
    },
  };
}
