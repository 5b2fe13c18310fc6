/** What somebody has begun to fill in, as long as it is on the page. */
const begun = new Set<Element>();
/** What a choice outside a form stood on before it was touched. */
const untouched = new WeakMap<Element, string>();

/** What is about to be decided, and what says of itself that it would be gone: a key that is shown, what was just stored. */
const IN_HAND = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [data-unsaved]';
const FIELDS = 'input, textarea, select, [contenteditable="true"]';

/** Notes what is typed and chosen from now on. Twice is once. */
export function watchTyping(): void {
  for (const type of ['input', 'change', 'click']) document.addEventListener(type, note, { capture: true });
  document.addEventListener('focusin', remember, { capture: true });
}

function remember({ target }: Event): void {
  if (target instanceof HTMLSelectElement && !untouched.has(target)) untouched.set(target, target.value);
}

function note({ target, type }: Event): void {
  if (!(target instanceof Element)) return;
  const form = target.closest('form');
  const element = form ?? (type !== 'click' && target.matches(FIELDS) ? target : null);
  if (!element || begun.has(element)) return;
  forgetGone();
  begun.add(element);
}

/** A tab that is open for weeks opens many a form: what is not on the page any more would never be freed. */
function forgetGone(): void {
  for (const element of begun) if (!element.isConnected) begun.delete(element);
}

/** How many forms and fields are remembered. */
export const begunCount = (): number => begun.size;

/** Whether loading the page anew would lose something that a person has typed, chosen or opened. */
export function isHalfTyped(): boolean {
  forgetGone();
  if (document.querySelector(IN_HAND) || document.activeElement?.matches(FIELDS)) return true;
  return [...begun].some((element) => !isEmptied(element));
}

/** Filters and searches that were taken back; what has begun in a form goes on until the form is gone. */
function isEmptied(element: Element): boolean {
  if (element instanceof HTMLSelectElement) return element.value === untouched.get(element);
  if (!(element instanceof HTMLInputElement)) return false;
  return element.type === 'checkbox' ? !element.checked : element.value === '';
}
