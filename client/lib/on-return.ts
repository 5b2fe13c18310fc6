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
