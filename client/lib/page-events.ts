/**
 * Calls `look` when the page is visible or focused again.
 * @returns a function that stops listening
 */
export function onReturn(look: () => void): () => void {
  window.addEventListener('focus', look);
  window.addEventListener('pageshow', look);
  document.addEventListener('visibilitychange', look);
  return () => {
    window.removeEventListener('focus', look);
    window.removeEventListener('pageshow', look);
    document.removeEventListener('visibilitychange', look);
  };
}

const listeners = new Set<() => void>();

export function announceReconnect(): void {
  for (const listener of listeners) listener();
}

/**
 * Runs `listener` when the server answers again, or when the browser is back online.
 * @returns a function that stops listening
 */
export function onReconnect(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('online', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('online', listener);
  };
}

/** A tab may get the storage event before it sees the new cookies; look again after this, in milliseconds. */
const LOOK_AGAIN_AFTER_MS = 500;

/**
 * Calls `look` when another tab may have changed stored data: on its storage event, and on return, since a sleeping page gets no events.
 * Cookies have no event, so code that changes one also writes to local storage.
 * @returns a function that stops listening
 */
export function onOtherTabs(look: () => void): () => void {
  let again: ReturnType<typeof setTimeout> | undefined;
  const stored = (): void => {
    look();
    clearTimeout(again);
    again = setTimeout(look, LOOK_AGAIN_AFTER_MS);
  };
  window.addEventListener('storage', stored);
  const stopLooking = onReturn(look);
  return () => {
    clearTimeout(again);
    window.removeEventListener('storage', stored);
    stopLooking();
  };
}
