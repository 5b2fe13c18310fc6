import { create } from 'zustand';
import { BUILD_META, buildOf } from '../../../shared/build.ts';
import { isTabBlocked, tabStore } from '../storage.ts';
import { isHalfTyped } from './half-typed.ts';

/** What this page is; null on the development server. */
export const ownBuild = (): string | null => document.querySelector<HTMLMetaElement>(`meta[name="${BUILD_META}"]`)?.content || null;

/** The build that the server has instead of this page's, as far as it was heard; null: it is this one's. */
export const useNewBuild = create<{ id: string | null }>(() => ({ id: null }));

/** The server named its build, with an answer or over the live connection. One that names none says nothing. */
export function noteServerBuild(heard: string | null | undefined): void {
  const own = ownBuild();
  if (!heard || !own) return;
  const id = heard === own ? null : heard;
  if (useNewBuild.getState().id !== id) useNewBuild.setState({ id });
}

/** The server may be frozen: after so long, in milliseconds, no page would come. */
const PATIENCE_MS = 10_000;

/** The build that loading the page anew would bring; null where none would come: no network, a portal's page, a proxy's error. */
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
 * Loads the page anew, unless this tab has done so by itself for the same reason before: it can never go on for ever. Not
 * where another page than ours would come, nor where something is half typed.
 * @returns whether the page is going away
 */
export async function reloadOnce(reason: string, isWorthIt: (served: string) => boolean = () => true): Promise<boolean> {
  const before = (tabStore.getItem(RELOADED) ?? '').split(' ');
  // A tab that remembers nothing over a reload would reload for ever.
  if (before.includes(reason) || isTabBlocked() || isHalfTyped()) return false;
  const served = await servedBuild();
  // Somebody may have begun to type while it was asked for.
  if (served === null || !isWorthIt(served) || isHalfTyped()) return false;
  tabStore.setItem(RELOADED, [...before, reason].join(' ').trim());
  location.reload();
  return true;
}
