/**
 * Hears that the page is looked at again, on whatever way somebody comes back to it: a page that sleeps hears nothing.
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

/** Called by whoever notices that the server answers again after an outage. */
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

/** Another tab may hear of a change before its browser process shows it the new cookies; in milliseconds. */
const LOOK_AGAIN_AFTER_MS = 500;

/**
 * Hears that another tab may have changed what is stored: when it does, and on coming back, since a page that sleeps
 * hears nothing. Cookies themselves tell other tabs nothing: who changes one changes the storage, too.
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
