import { create } from 'zustand';
import { nameKey } from '../../shared/rules/names.ts';
import { withStars } from '../../shared/rules/stars.ts';
import { deleteStar, getStars, postStars } from '../api/calls.ts';
import { onOtherTabs } from '../lib/page-events.ts';
import { localStore } from '../lib/storage.ts';
import { useSession } from './session-store.ts';

/*
 * Starred spots. A character's are on the server, which sends them with the member's own records. A browser without a character keeps
 * its own.
 */

/** Stars of a browser without a character; also a character's that are not on the server yet, from before it stored them. */
const LOCAL = 'starred:';
/** A copy of a character's stars on the server, so that the board is in order before they arrive, and offline. */
const COPY = 'stars:';
/** The name key of a browser without a character. */
const GUEST = '';

export interface Stars {
  /** Whose: a character, as a name's key. */
  who: string;
  /** The spots that have one. */
  ids: ReadonlySet<number>;
}

function stored(name: string): number[] {
  try {
    const ids: unknown = JSON.parse(localStore.getItem(name) ?? '[]');
    return Array.isArray(ids)
      ? withStars(
          [],
          ids.filter((id) => Number.isInteger(id)),
        )
      : [];
  } catch {
    return [];
  }
}
const store = (name: string, ids: readonly number[]): void => localStore.setItem(name, JSON.stringify(ids));

export const useStars = create<Stars>(() => ({ who: GUEST, ids: new Set(stored(LOCAL + GUEST)) }));

export const useIsStarred = (respawn_id: number): boolean => useStars(({ ids }) => ids.has(respawn_id));

interface PendingChange {
  who: string;
  respawn_id: number;
  isOn: boolean;
}
/** Changes that the server has not answered, in order; they are shown already. */
let pending: readonly PendingChange[] = [];

/** Shows the stars of the character in use. */
function look(): void {
  const { current } = useSession.getState();
  const who = current ? nameKey(current.characterName) : GUEST;
  const ids = new Set(withStars(stored(COPY + who), stored(LOCAL + who)));
  for (const change of pending) {
    if (change.who !== who) continue;
    if (change.isOn) ids.add(change.respawn_id);
    else ids.delete(change.respawn_id);
  }
  const before = useStars.getState();
  const isSame = before.who === who && before.ids.size === ids.size && [...ids].every((id) => before.ids.has(id));
  if (!isSame) useStars.setState({ who, ids });
}

let lastCall: Promise<unknown> = Promise.resolve();
/** One call at a time: each answer has all stars, so the last one must be the newest. */
function afterOthers(call: () => Promise<void>): Promise<void> {
  const done = lastCall.then(call);
  lastCall = done.catch(() => {});
  return done;
}

/** Moves a character's stars of this browser to the server. If that fails they stay here, for the next time. */
async function moveLocal(who: string, access_key: string): Promise<void> {
  const text = localStore.getItem(LOCAL + who);
  if (text === null) return;
  const ids = stored(LOCAL + who);
  if (ids.length > 0) store(COPY + who, await postStars(ids, access_key));
  // A tab of an earlier version may have changed them meanwhile.
  if (localStore.getItem(LOCAL + who) === text) localStore.removeItem(LOCAL + who);
}

/**
 * Toggles a star, on every device of the character in use. Without a character, in every tab of this browser.
 * @throws ApiError if the server refuses or is not reached: the star is as before
 */
export async function toggleStar(respawn_id: number): Promise<void> {
  const { current } = useSession.getState();
  if (!current) {
    // Another tab may have changed them a moment ago.
    const ids = new Set(stored(LOCAL + GUEST));
    if (!ids.delete(respawn_id)) ids.add(respawn_id);
    store(LOCAL + GUEST, withStars([], [...ids]));
    return look();
  }
  const { characterName, accessKey } = current;
  const who = nameKey(characterName);
  const change = { who, respawn_id, isOn: !useStars.getState().ids.has(respawn_id) };
  pending = [...pending, change];
  look();
  try {
    await afterOthers(async () => {
      await moveLocal(who, accessKey);
      store(COPY + who, await (change.isOn ? postStars([respawn_id], accessKey) : deleteStar(respawn_id, accessKey)));
    });
  } finally {
    pending = pending.filter((each) => each !== change);
    look();
  }
}

/** Shows what the server has of a key's character, and moves what only this browser has. */
export function applyStars(access_key: string, ids: readonly number[]): void {
  const { current } = useSession.getState();
  if (current?.accessKey !== access_key) return;
  const who = nameKey(current.characterName);
  store(COPY + who, ids);
  look();
  if (localStore.getItem(LOCAL + who) !== null) afterOthers(() => moveLocal(who, access_key)).then(look, () => {});
}

/** The live connection of an admin is sent no character's own records. */
function readBesideAdmin(): void {
  const { current, admin } = useSession.getState();
  if (!current || !admin) return;
  const { accessKey } = current;
  getStars(accessKey).then(
    (ids) => applyStars(accessKey, ids),
    () => {},
  );
}

/**
 * Keeps the stars those of the character in use, as other tabs change them.
 * @returns a function that stops it
 */
export function followStars(): () => void {
  look();
  readBesideAdmin();
  const stopListening = onOtherTabs(look);
  const stopFollowing = useSession.subscribe(({ current, admin }, before) => {
    if (current !== before.current) look();
    if (current !== before.current || admin !== before.admin) readBesideAdmin();
  });
  return () => {
    stopListening();
    stopFollowing();
  };
}
