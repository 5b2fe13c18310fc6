import { type KeyboardEvent as ReactKeyboardEvent, useEffectEvent, useLayoutEffect } from 'react';
import { areShortcutsOn } from '../../lib/preferences.ts';

interface BoardKeys {
  onStep: (days: 1 | -1) => void;
  onTimeline: () => void;
  onHelp: () => void;
}

/** Elements that take letters themselves. */
const TAKES_LETTERS =
  'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"]';
const DAY_STEPS: { [key in string]?: 1 | -1 } = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * The board's shortcuts, unless an element that takes letters has the focus: `/`, `t`, `?`. Arrow keys work only while no element has the
 * focus.
 */
export function useBoardKeys({ onStep, onTimeline, onHelp }: BoardKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (
      event.defaultPrevented ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      !areShortcutsOn()
    )
      return;
    if (!(target instanceof Element) || target.closest(TAKES_LETTERS)) return;
    const step = target === document.body || target.matches('main') ? DAY_STEPS[key] : undefined;
    const act = step
      ? () => onStep(step)
      : { '/': focusSearch, t: onTimeline, T: onTimeline, '?': onHelp }[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  // On a busy machine a passive effect would leave a visible board deaf for a moment.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
  search?.focus();
  search?.select();
}

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), summary, [data-hours-of][tabindex]';
/** A tab stop: a section of the board, or a list marked `data-stop`. */
const STOP = 'section, [data-stop]';

const STEPS: { [key in string]?: 1 | -1 } = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

const inside = (part: Element): HTMLElement[] =>
  [...part.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isThere);
/** Excludes elements inside collapsed parts. */
const isThere = (element: HTMLElement): boolean =>
  element.closest('[hidden], details:not([open]) > :not(summary)') === null;

/** The outermost stop around an element, within `root`. */
function stopOf(element: Element, root: Element): Element | null {
  let stop: Element | null = null;
  for (
    let at = element.closest(STOP);
    at && root.contains(at);
    at = at.parentElement?.closest(STOP) ?? null
  )
    stop = at;
  return stop;
}

/**
 * A board has hundreds of links, so Tab moves between sections and arrow keys move within one. Belongs on the element around all sections.
 * Tab keeps its native behavior where it leaves the sections. Enter in the search goes to the first result.
 */
export function onSectionKeys(event: ReactKeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: root, key } = event;
  if (
    event.defaultPrevented ||
    event.altKey ||
    event.ctrlKey ||
    event.metaKey ||
    !(target instanceof HTMLElement)
  )
    return;
  if (key === 'Enter' && target.matches('input[type="search"]') && !event.nativeEvent.isComposing) {
    go(event, firstHours(root));
    return;
  }
  const stop = stopOf(target, root);
  if (!stop) return;
  const step = STEPS[key];
  // From a heading that was jumped to, the browser's own Tab enters the section.
  if (key === 'Tab' && inside(stop).includes(target)) leave(event, stop, root);
  else if (key === 'Home' || key === 'End') go(event, inside(stop).at(key === 'Home' ? 0 : -1));
  else if (step && !takesArrows(target))
    go(event, inside(stop)[Math.max(0, inside(stop).indexOf(target) + step)]);
}

/** The first hours that can be claimed: a cell of the timeline, else a card's strip or a tile's link. */
const firstHours = (root: Element): HTMLElement | undefined =>
  root.querySelector<HTMLElement>(
    '[role="grid"] [tabindex="0"], section [data-hours-of][tabindex], section a[href]',
  ) ?? undefined;

const takesArrows = (element: HTMLElement): boolean =>
  element.matches('select, input:not([type="checkbox"])');

function go(event: ReactKeyboardEvent, to: HTMLElement | undefined): void {
  event.preventDefault();
  to?.focus();
}

/** Moves the focus to the section's last (or first) element, so that the browser's own Tab leaves the section. */
function leave(event: ReactKeyboardEvent, stop: Element, root: Element): void {
  const all = inside(stop);
  if (!event.shiftKey) {
    all.at(-1)?.focus({ preventScroll: true });
    return;
  }
  const [first] = all;
  const before = first && inside(root).slice(0, inside(root).indexOf(first)).at(-1);
  const stopBefore = before && stopOf(before, root);
  // Shift+Tab enters a section at its first element, as Tab does.
  if (stopBefore) go(event, inside(stopBefore)[0]);
  else first?.focus({ preventScroll: true });
}
