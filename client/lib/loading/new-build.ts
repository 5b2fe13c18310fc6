import { create } from 'zustand';
import { BUILD_META, buildOf } from '../../../shared/build.ts';
import { isTabBlocked, tabStore } from '../storage.ts';
import { isHalfTyped } from './unsaved-input.ts';

/** This page's build; null on the development server. */
export const ownBuild = (): string | null =>
  document.querySelector<HTMLMetaElement>(`meta[name="${BUILD_META}"]`)?.content || null;

/** The server's build if it is another than this page's, as far as known; else null. */
export const useNewBuild = create<{ id: string | null }>(() => ({ id: null }));

/** The server named its build, with an answer or over the live connection. One that names none says nothing. */
export function noteServerBuild(serverBuild: string | null | undefined): void {
  const own = ownBuild();
  if (!serverBuild || !own) return;
  const id = serverBuild === own ? null : serverBuild;
  if (useNewBuild.getState().id !== id) useNewBuild.setState({ id });
}

/** Give up on a frozen server after this long, in milliseconds. */
const PATIENCE_MS = 10_000;

/** The build that a reload would load; null if it wouldn't load: offline, a captive portal, a proxy's error. */
export async function servedBuild(): Promise<string | null> {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const answer = await fetch('/', { cache: 'no-store', signal: patience.signal });
    return answer.ok ? buildOf(await answer.text()) : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

const RELOADED = 'reloadedFor';

/**
 * Reloads the page, at most once per tab and reason, so it can't loop. Not if a foreign page would load or input would be lost.
 * @returns whether the page is going away
 */
export async function reloadOnce(
  reason: string,
  isWorthIt: (served: string) => boolean = () => true,
): Promise<boolean> {
  const before = (tabStore.getItem(RELOADED) ?? '').split(' ');
  // A tab that remembers nothing over a reload would reload for ever.
  if (before.includes(reason) || isTabBlocked() || isHalfTyped()) return false;
  const served = await servedBuild();
  // Typing may have started meanwhile.
  if (served === null || !isWorthIt(served) || isHalfTyped()) return false;
  tabStore.setItem(RELOADED, [...before, reason].join(' ').trim());
  location.reload();
  return true;
}
