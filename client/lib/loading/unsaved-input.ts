/** Forms and fields with input, while they are on the page. */
const begun = new Set<Element>();
/** Initial values of selects outside forms. */
const untouched = new WeakMap<Element, string>();

/** Open overlays, and elements marked as lost on reload: a key shown once, an unsaved result. */
const IN_HAND =
  '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [data-unsaved]';
const FIELDS = 'input, textarea, select, [contenteditable="true"]';

/** Tracks input from now on. Idempotent. */
export function watchTyping(): void {
  for (const type of ['input', 'change', 'click'])
    document.addEventListener(type, note, { capture: true });
  document.addEventListener('focusin', remember, { capture: true });
}

function remember({ target }: Event): void {
  if (target instanceof HTMLSelectElement && !untouched.has(target))
    untouched.set(target, target.value);
}

function note({ target, type }: Event): void {
  if (!(target instanceof Element)) return;
  const form = target.closest('form');
  const element = form ?? (type !== 'click' && target.matches(FIELDS) ? target : null);
  if (!element || begun.has(element)) return;
  forgetGone();
  begun.add(element);
}

/** Frees removed elements: a tab may stay open for weeks. */
function forgetGone(): void {
  for (const element of begun) if (!element.isConnected) begun.delete(element);
}

/** How many forms and fields are remembered. */
export const begunCount = (): number => begun.size;

export function isHalfTyped(): boolean {
  forgetGone();
  if (document.querySelector(IN_HAND) || document.activeElement?.matches(FIELDS)) return true;
  return [...begun].some((element) => !isEmptied(element));
}

/** Fields outside forms that are back to empty don't count; forms count until removed. */
function isEmptied(element: Element): boolean {
  if (element instanceof HTMLSelectElement) return element.value === untouched.get(element);
  if (!(element instanceof HTMLInputElement)) return false;
  return element.type === 'checkbox' ? !element.checked : element.value === '';
}
