import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useEffectEvent } from 'react';
import { areShortcutsOn } from '../../lib/preferences.ts';

interface BoardKeys {
  /** One day back, or on. */
  onStep: (days: 1 | -1) => void;
  onTimeline: () => void;
  onHelp: () => void;
}

/** What takes letters itself. */
const TAKES_LETTERS = 'input:not([type="radio"], [type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"]';
const DAY_STEPS: { [key in string]?: 1 | -1 } = { ArrowLeft: -1, ArrowRight: 1 };

/** The board's own keys, while nothing that takes letters has the focus: `/`, `t`, `?`; arrows where nothing has it at all. */
export function useBoardKeys({ onStep, onTimeline, onHelp }: BoardKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target } = event;
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !areShortcutsOn()) return;
    if (!(target instanceof Element) || target.closest(TAKES_LETTERS)) return;
    const step = target === document.body || target.matches('main') ? DAY_STEPS[key] : undefined;
    const act = step ? () => onStep(step) : { '/': focusSearch, t: onTimeline, T: onTimeline, '?': onHelp }[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
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

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), summary, [data-hours-of][tabindex]';
/** What is one stop: a section of the board, or a list that says so. */
const STOP = 'section, [data-stop]';

const STEPS: { [key in string]?: 1 | -1 } = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

const inside = (part: Element): HTMLElement[] => [...part.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isThere);
/** Not in something that is folded away. */
const isThere = (element: HTMLElement): boolean => element.closest('[hidden], details:not([open]) > :not(summary)') === null;

/** The outermost stop around an element, within `root`. */
function stopOf(element: Element, root: Element): Element | null {
  let stop: Element | null = null;
  for (let at = element.closest(STOP); at && root.contains(at); at = at.parentElement?.closest(STOP) ?? null) stop = at;
  return stop;
}

/**
 * A board has hundreds of links: Tab goes from section to section, arrow keys within one. For the box around them all.
 * Native steps are left alone wherever they lead out of the sections. From the search Enter goes to what was found.
 */
export function onSectionKeys(event: ReactKeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: root, key } = event;
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLElement)) return;
  if (key === 'Enter' && target.matches('input[type="search"]') && !event.nativeEvent.isComposing) {
    go(event, firstHours(root));
    return;
  }
  const stop = stopOf(target, root);
  if (!stop) return;
  const step = STEPS[key];
  if (key === 'Tab') leave(event, stop, root);
  else if (key === 'Home' || key === 'End') go(event, inside(stop).at(key === 'Home' ? 0 : -1));
  else if (step && !takesArrows(target)) go(event, inside(stop)[Math.max(0, inside(stop).indexOf(target) + step)]);
}

/** The first hours that can be claimed: a cell of the timeline, else a card's strip or a tile's link. */
const firstHours = (root: Element): HTMLElement | undefined =>
  root.querySelector<HTMLElement>('[role="grid"] [tabindex="0"], section [data-hours-of][tabindex], section a[href]') ?? undefined;

const takesArrows = (element: HTMLElement): boolean => element.matches('select, input:not([type="checkbox"])');

function go(event: ReactKeyboardEvent, to: HTMLElement | undefined): void {
  event.preventDefault();
  to?.focus();
}

/** From the section's last, or first, element the browser finds by itself what comes next: the focus goes there first. */
function leave(event: ReactKeyboardEvent, stop: Element, root: Element): void {
  const all = inside(stop);
  if (!event.shiftKey) {
    all.at(-1)?.focus({ preventScroll: true });
    return;
  }
  const [first] = all;
  const before = first && inside(root).slice(0, inside(root).indexOf(first)).at(-1);
  const stopBefore = before && stopOf(before, root);
  // Back into a section is to its beginning, as it was on the way in.
  if (stopBefore) go(event, inside(stopBefore)[0]);
  else first?.focus({ preventScroll: true });
}
