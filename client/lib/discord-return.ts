import { type KeptRequest, keepRequest, keptRequestIn } from './claim-request.ts';
import { type ReturnTo, returnToIn } from './return-to.ts';
import { tabStore } from './storage.ts';

/** Where the member was on the way to while they are at Discord: the history state does not survive that. Never in an address. */
const KEY = 'discordReturn';

/** @param state of the page that begins the sign-in */
export const keepForReturn = (state: unknown): void =>
  tabStore.setItem(KEY, JSON.stringify(state ?? null));

/** The state of the page that began the sign-in, once. */
export function takeForReturn(): (KeptRequest & Partial<ReturnTo>) | null {
  const kept = tabStore.getItem(KEY);
  tabStore.removeItem(KEY);
  let state: unknown = null;
  try {
    state = JSON.parse(kept ?? 'null');
  } catch {
    return null;
  }
  const return_to = returnToIn(state);
  return { ...keepRequest(keptRequestIn(state)), ...(return_to === null ? {} : { return_to }) };
}
