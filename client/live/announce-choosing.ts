import { CHOOSING_MS, type ChosenHours } from '../../shared/live.ts';

type Choices = readonly ChosenHours[] | null;

/** Who clicks through the hours is not followed step by step. */
const SETTLE_MS = 300;

/** Sends to the server; null while the live connection is down. */
let tellServer: ((choices: Choices) => void) | null = null;
let chosen: { choices: Choices; text: string; until: number } | null = null;
/** The last choice sent, serialized; empty: none. */
let announcedText = '';
let settleTimer: ReturnType<typeof setTimeout> | undefined;
let lapsed: ReturnType<typeof setTimeout> | undefined;

/** Shows others which hours the viewer is choosing, until cleared (null), unchanged for a minute, or the page is hidden. */
export function announceChoosing(choices: Choices): void {
  const text = choices && choices.length > 0 ? JSON.stringify(choices) : '';
  if (text === (chosen?.text ?? '')) return;
  clearTimeout(settleTimer);
  clearTimeout(lapsed);
  // The same listener again is no second one.
  document.addEventListener('visibilitychange', tell);
  chosen = text ? { choices, text, until: Date.now() + CHOOSING_MS } : null;
  if (chosen) {
    settleTimer = setTimeout(tell, SETTLE_MS);
    lapsed = setTimeout(tell, CHOOSING_MS);
  } else tell();
}

/** A connection that is new knows nothing yet. */
export function announceVia(next: typeof tellServer): void {
  tellServer = next;
  announcedText = '';
  tell();
}

function tell(): void {
  const visibleChoice = chosen && Date.now() < chosen.until && !document.hidden ? chosen : null;
  const text = visibleChoice?.text ?? '';
  if (!tellServer || text === announcedText) return;
  announcedText = text;
  tellServer(visibleChoice?.choices ?? null);
}
