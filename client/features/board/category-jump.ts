import { create } from 'zustand';

/** The category on its way into view: the timeline renders its heading, wherever that is. */
export const useJumpTarget = create<{ id: string | null }>(() => ({ id: null }));

/** Board sections are marked `data-category`, in the timeline their headings are. */
const MARKED = '[data-category]';

/** A long board is drawn in batches; give up after this long. */
const GIVE_UP_MS = 5_000;
/** Stop correcting the position after this long without a change. */
const SETTLED_MS = 600;
/** Any of these means that the reader scrolls themselves. */
const OWN_WAYS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

let stop = (): void => {};

/** Brings a category below the sticky bars as soon as it is drawn, and keeps it there while sections above change their heights. */
export function jumpTo(id: string): void {
  stop();
  useJumpTarget.setState({ id });
  const begunAt = Date.now();
  let changedAt = begunAt;
  let isFocused = false;
  let frame = 0;
  stop = () => {
    cancelAnimationFrame(frame);
    for (const way of OWN_WAYS) document.removeEventListener(way, stop);
    useJumpTarget.setState({ id: null });
    stop = () => {};
  };
  const look = (): void => {
    const section = document.querySelector<HTMLElement>(`[data-category="${id}"]`);
    if (!section || bringToTop(section)) changedAt = Date.now();
    if (section && !isFocused) isFocused = focusIn(section);
    if (Date.now() - begunAt > GIVE_UP_MS || Date.now() - changedAt > SETTLED_MS) stop();
    else frame = requestAnimationFrame(look);
  };
  // In a frame: the press that jumps, and the key, are over by then.
  frame = requestAnimationFrame(() => {
    for (const way of OWN_WAYS) document.addEventListener(way, stop, { passive: true });
    look();
  });
}

/** @returns whether the page moved: near its end it can't, until it grows */
function bringToTop(section: HTMLElement): boolean {
  const distance = Math.round(section.getBoundingClientRect().top - coveredAbove(section));
  const before = window.scrollY;
  if (distance !== 0) window.scrollBy({ top: distance, behavior: 'instant' });
  return window.scrollY !== before;
}

/** How much of the page's top the sticky bars cover, in pixels, as style sheets say it for scrolling. */
const coveredAbove = (section: Element): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) +
  Number.parseFloat(getComputedStyle(section).scrollMarginTop);

/** The keyboard goes on from the heading, in the timeline from the first row below it. @returns whether that is drawn */
function focusIn(section: HTMLElement): boolean {
  const heading = section.querySelector('h2');
  if (heading) heading.tabIndex = -1;
  const target = heading ?? section.nextElementSibling?.querySelector<HTMLElement>('[data-hour]');
  target?.focus({ preventScroll: true });
  return target !== undefined && target !== null;
}

/** A section that begins this far below the sticky bars, in pixels, is the one being read. */
const READ_WITHIN = 80;

export function categoryInView(): string | null {
  const marked = [...document.querySelectorAll<HTMLElement>(MARKED)];
  const begun = marked.filter(
    (section) => section.getBoundingClientRect().top < coveredAbove(section) + READ_WITHIN,
  );
  return begun.at(-1)?.dataset.category ?? marked[0]?.dataset.category ?? null;
}
