import { startTransition, useEffect, useRef, useState } from 'react';

/** These stand at once: what a telephone or a tablet shows as the board opens, and a wide screen's first rows. */
const FIRST = 6;
/** So many more at a time: few enough that a telephone draws them between two touches. A tile is a quarter of a card with its claims. */
const CARDS = 4;
const TILES = 16;
/** A slice that stands within so many milliseconds was small for this machine: the next is twice as large. Each lays out and paints the page anew. */
const QUICK_MS = 30;
const MOST_TIMES = 8;

/**
 * How many of a list's spots stand in the document. The rest follow in slices as soon as nothing else is to be done, until all
 * of them do: what is found in the page, the height of the page and the place of each spot then no longer depend on what
 * was scrolled to.
 * @param cards so many of the first may be cards; those after them are tiles
 * @param whole all of them at once: pictures and paper do not wait
 */
export function useBuilt(total: number, cards: number, whole: boolean): number {
  const [built, setBuilt] = useState(FIRST);
  const last = useRef({ times: 1, asked: 0 });
  useEffect(() => {
    if (built >= total) return;
    const asked = performance.now();
    const times = asked - last.current.asked < QUICK_MS ? Math.min(2 * last.current.times, MOST_TIMES) : 1;
    last.current = { times, asked };
    // A transition gives way to what the member does.
    startTransition(() => setBuilt(built + times * (built < cards ? CARDS : TILES)));
  }, [built, total, cards]);
  return whole ? total : Math.min(built, total);
}
