import { onReturn } from '../lib/on-return.ts';

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
