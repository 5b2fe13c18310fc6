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
