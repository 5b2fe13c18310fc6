/** How often it is looked whether time has leapt, in milliseconds. */
const LOOK_EVERY_MS = 2_000;
/** A page in view is never kept waiting for so long by anything else than a sleep; browsers run the timers of a hidden one once a minute. */
const ASLEEP_MS = 10_000;
const ASLEEP_WHILE_HIDDEN_MS = 90_000;
/** A clock that is set back is noticed from this many milliseconds on. */
const SET_BACK_MS = 2_000;

/**
 * Hears when this computer, or this page, has slept, or its clock was set: timers were late by more than they ever are.
 * Whatever was under way is then as good as lost, and nobody has said so.
 * @returns a function that stops listening
 */
export function onWake(woken: () => void): () => void {
  let looked = Date.now();
  const look = (): void => {
    const passed = Date.now() - looked;
    looked += passed;
    if (passed < -SET_BACK_MS || passed > LOOK_EVERY_MS + (document.hidden ? ASLEEP_WHILE_HIDDEN_MS : ASLEEP_MS)) woken();
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  // Before the first timer runs, what was hidden may be seen.
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}
