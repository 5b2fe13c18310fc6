import { CHOOSING_MS, type ChosenHours } from '../../shared/live.ts';

type Choices = readonly ChosenHours[] | null;

/** Announce hours only after a pause, not each step of a click through them. */
const SETTLE_MS = 300;

/** Sends to the server; null while the live connection is down. */
let sendChoices: ((choices: Choices) => void) | null = null;
let chosen: { choices: Choices; text: string; until: number } | null = null;
/** The last choice sent, serialized; empty: none. */
let announcedText = '';
let settleTimer: ReturnType<typeof setTimeout> | undefined;
let expiryTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows others which hours the viewer is choosing, until cleared (null), unchanged for a minute, or the page is hidden. */
export function announceChoosing(choices: Choices): void {
  const text = choices && choices.length > 0 ? JSON.stringify(choices) : '';
  if (text === (chosen?.text ?? '')) return;
  clearTimeout(settleTimer);
  clearTimeout(expiryTimer);
  // The same listener again is no second one.
  document.addEventListener('visibilitychange', announce);
  chosen = text ? { choices, text, until: Date.now() + CHOOSING_MS } : null;
  if (chosen) {
    settleTimer = setTimeout(announce, SETTLE_MS);
    expiryTimer = setTimeout(announce, CHOOSING_MS);
  } else announce();
}

/** A connection that is new knows nothing yet. */
export function announceVia(next: typeof sendChoices): void {
  sendChoices = next;
  announcedText = '';
  announce();
}

function announce(): void {
  const visibleChoice = chosen && Date.now() < chosen.until && !document.hidden ? chosen : null;
  const text = visibleChoice?.text ?? '';
  if (!sendChoices || text === announcedText) return;
  announcedText = text;
  sendChoices(visibleChoice?.choices ?? null);
}
