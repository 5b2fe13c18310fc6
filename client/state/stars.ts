import { create } from 'zustand';
import { nameKey } from '../../shared/rules/names.ts';
import { onOtherTabs } from '../lib/page-events.ts';
import { localStore } from '../lib/storage.ts';
import { useSession } from './session-store.ts';

/** At most this many; the oldest goes. */
export const MAX_STARS = 300;
/** Stars of a browser without a character. */
const GUEST = '';
const PREFIX = 'starred:';

export interface Stars {
  /** Whose: a character, as a name's key. */
  who: string;
  /** The spots that have one. */
  ids: ReadonlySet<number>;
}

function readStars(who: string): Set<number> {
  try {
    const stored: unknown = JSON.parse(localStore.getItem(PREFIX + who) ?? '[]');
    return new Set(Array.isArray(stored) ? stored.filter((id) => Number.isInteger(id)).slice(-MAX_STARS) : []);
  } catch {
    return new Set();
  }
}

/** Starred spots, kept in this browser per character. */
export const useStars = create<Stars>(() => ({ who: GUEST, ids: readStars(GUEST) }));

export const useIsStarred = (respawn_id: number): boolean => useStars(({ ids }) => ids.has(respawn_id));

/** Toggles a star, in every tab of this browser. */
export function toggleStar(respawn_id: number): void {
  const { who } = useStars.getState();
  // Another tab may have changed them a moment ago.
  const ids = readStars(who);
  if (!ids.delete(respawn_id)) ids.add(respawn_id);
  const kept = [...ids].slice(-MAX_STARS);
  localStore.setItem(PREFIX + who, JSON.stringify(kept));
  useStars.setState({ ids: new Set(kept) });
}

function look(): void {
  const { current } = useSession.getState();
  const who = current ? nameKey(current.characterName) : GUEST;
  const before = useStars.getState();
  const ids = readStars(who);
  const isSame = before.who === who && before.ids.size === ids.size && [...ids].every((id) => before.ids.has(id));
  if (!isSame) useStars.setState({ who, ids });
}

/**
 * Keeps the stars those of the character in use, as other tabs change them.
 * @returns a function that stops it
 */
export function followStars(): () => void {
  look();
  const stopListening = onOtherTabs(look);
  const stopFollowing = useSession.subscribe(({ current }, before) => {
    if (current !== before.current) look();
  });
  return () => {
    stopListening();
    stopFollowing();
  };
}
