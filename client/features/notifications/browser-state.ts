import { useSyncExternalStore } from 'react';
import { onReturn } from '../../lib/page-events.ts';

/**
 * Whether this browser can be told of anything: `insecure` where the board is opened without https, `install` on an iPhone or iPad
 * that first wants it on the home screen, `denied` where somebody has said no.
 */
export type BrowserState = 'ready' | 'denied' | 'install' | 'insecure' | 'unsupported';

function browserState(): BrowserState {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return isApple() && !isInstalled() ? 'install' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'denied' : 'ready';
}

/** An iPad says that it is a Mac, which has no touch screen. */
const isApple = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

const isInstalled = (): boolean => window.matchMedia('(display-mode: standalone)').matches;

const listeners = new Set<() => void>();

/** After the browser has asked: no browser tells the page of an answer. */
export function lookAtBrowserAgain(): void {
  for (const changed of listeners) changed();
}

/** Somebody may have been to the browser's settings, too. */
function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  const stopLooking = onReturn(changed);
  return () => {
    listeners.delete(changed);
    stopLooking();
  };
}

export const useBrowserState = (): BrowserState => useSyncExternalStore(subscribe, browserState);

/** Whether the browser will ask before it shows anything. */
export const useWillAsk = (): boolean => useSyncExternalStore(subscribe, willAsk);

const willAsk = (): boolean => browserState() === 'ready' && Notification.permission === 'default';
