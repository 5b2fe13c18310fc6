const CHECK_EVERY_MS = 2_000;
/** A timer this late means that the computer slept. Browsers run timers of hidden pages only once a minute. */
const ASLEEP_MS = 10_000;
const ASLEEP_WHILE_HIDDEN_MS = 90_000;
/** The clock was set back by at least this. */
const SET_BACK_MS = 2_000;

/**
 * Calls `onWoken` after the computer or page has slept or its clock was set. Requests and connections are probably dead then.
 * @returns a function that stops listening
 */
export function onWake(onWoken: () => void): () => void {
  let checkedAt = Date.now();
  const check = (): void => {
    const passed = Date.now() - checkedAt;
    checkedAt += passed;
    if (
      passed < -SET_BACK_MS ||
      passed > CHECK_EVERY_MS + (document.hidden ? ASLEEP_WHILE_HIDDEN_MS : ASLEEP_MS)
    )
      onWoken();
  };
  const timer = setInterval(check, CHECK_EVERY_MS);
  // The page may become visible before its first late timer runs.
  document.addEventListener('visibilitychange', check);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', check);
  };
}
