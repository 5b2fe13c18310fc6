/**
 * Keeps the focus in the page when the focused element is removed: the nearest focusable element around it takes it, unless the code
 * that removed it chooses another one.
 * @returns a function that stops it
 */
export function keepFocus(): () => void {
  /** The focused element and those around it, innermost first. Empty: none, or the person left it. */
  let path: readonly Element[] = [];
  let check: ReturnType<typeof setTimeout> | undefined;
  const isRemoved = (): boolean => path[0]?.isConnected === false;
  const restore = (): void => {
    if (!isRemoved()) return;
    const around = path.find((element) => element.isConnected);
    path = [];
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const target = around?.closest<HTMLElement>('[tabindex]') ?? document.querySelector('main');
    target?.focus({ preventScroll: true });
  };
  // In a later task: effects, and dialogs that close, choose first.
  const restoreSoon = (): void => {
    clearTimeout(check);
    check = setTimeout(restore);
  };
  const observer = new MutationObserver(() => isRemoved() && restoreSoon());
  const remember = ({ target }: FocusEvent): void => {
    path = target instanceof Element ? pathOf(target) : [];
  };
  // Some browsers report that a removed element lost the focus, others don't.
  const forget = ({ relatedTarget }: FocusEvent): void => {
    const left = path;
    if (relatedTarget !== null) return;
    setTimeout(() => {
      if (path === left && !isRemoved() && document.activeElement === document.body) path = [];
    });
  };
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', remember);
  document.addEventListener('focusout', forget);
  return () => {
    observer.disconnect();
    clearTimeout(check);
    document.removeEventListener('focusin', remember);
    document.removeEventListener('focusout', forget);
  };
}

function pathOf(element: Element): Element[] {
  const path: Element[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) path.push(at);
  return path;
}
