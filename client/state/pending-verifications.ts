import { useSyncExternalStore } from 'react';
import { nameKey } from '../../shared/rules/names.ts';
import { onOtherTabs } from '../lib/page-events.ts';
import { localStore } from '../lib/storage.ts';
import { inNameOrder } from '../lib/words/order.ts';
import { cookiesOf, dropCookie, storeCookie } from './saved-sessions.ts';

/** A code that this browser requested, until it is verified or deleted. */
export interface PendingVerification {
  characterName: string;
  code: string;
  /** ISO 8601 in UTC. */
  expiresAt: string;
  /** Proves that the code is ours; empty: the server gave none; null: a test-mode code, made here and known to no server. */
  verification_token: string | null;
}

/** Section 9 of the specification. */
const COOKIE_DAYS = 10;
const PREFIX = 'verification_';

/** Changed with every change of the cookies, which themselves tell other tabs nothing. */
const CHANGED = 'verificationsChanged';

const listeners = new Set<() => void>();
const tell = (): void => {
  localStore.setItem(CHANGED, String(Date.now()));
  for (const listener of listeners) listener();
};

/** Stores a code, replacing an earlier one of the same character. */
export function rememberVerification(pending: PendingVerification): void {
  storeCookie(PREFIX, pending, COOKIE_DAYS);
  tell();
}

export function forgetVerification(pending: PendingVerification): void {
  dropCookie(PREFIX, pending);
  tell();
}

let known: { text: string; list: readonly PendingVerification[] } = { text: '', list: [] };

/** All that cookies hold, by name. The same list as long as they hold the same. */
export function pendingVerifications(): readonly PendingVerification[] {
  const cookies = cookiesOf(PREFIX);
  const text = cookies.join('\n');
  if (text !== known.text) {
    const list = cookies.map(read).filter((pending) => pending !== null);
    known = { text, list: inNameOrder(list, ({ characterName }) => characterName) };
  }
  return known.list;
}

function read(value: string): PendingVerification | null {
  try {
    const {
      characterName,
      code,
      expiresAt,
      verification_token = null,
    }: Partial<PendingVerification> = JSON.parse(value);
    if (!characterName || !code || !expiresAt || Number.isNaN(Date.parse(expiresAt))) return null;
    return { characterName, code, expiresAt, verification_token };
  } catch {
    return null;
  }
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  const stopFollowing = onOtherTabs(changed);
  return () => {
    listeners.delete(changed);
    stopFollowing();
  };
}

export const usePendingVerifications = (): readonly PendingVerification[] =>
  useSyncExternalStore(subscribe, pendingVerifications);

export const pendingOf = (
  list: readonly PendingVerification[],
  characterName: string,
): PendingVerification | undefined =>
  list.find((pending) => nameKey(pending.characterName) === nameKey(characterName));
