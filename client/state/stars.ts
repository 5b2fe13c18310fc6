import { create } from 'zustand';
import { nameKey } from '../../shared/rules/names.ts';
import { withStars } from '../../shared/rules/stars.ts';
import type { CharacterStars } from '../../shared/schemas/star.ts';
import { deleteStar, getStars, postStars } from '../api/calls.ts';
import { onOtherTabs, onReturn } from '../lib/page-events.ts';
import { localStore } from '../lib/storage.ts';
import { useSession } from './session-store.ts';

/*
 * Starred spots. A character's are on the server, which sends them with the member's own records. A browser without a character keeps
 * its own. Each answer has all stars and their clock, so answers may arrive in any order.
 */

/** The stars of a browser without a character. */
const LOCAL = 'starred:';
/** A copy of a character's stars on the server, so that the board is in order before they arrive, and offline. */
const COPY = 'stars:';
/** The name key of a browser without a character. */
const GUEST = '';
const MAX_ID = 2_147_483_647;

export interface Stars {
  /** Whose: a character, as a name's key. */
  who: string;
  /** The spots that have one. */
  ids: ReadonlySet<number>;
  /** Raised if the board should be sorted again at once: the reader changed a star, or is another one, or has their first stars here. */
  revision: number;
}

/** A stored value, not validated. */
function stored(name: string): Partial<Record<keyof CharacterStars, unknown>> | null {
  try {
    return JSON.parse(localStore.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

/** The server would refuse all of a list with something else in it. */
const isId = (id: unknown): boolean =>
  Number.isInteger(id) && Number(id) > 0 && Number(id) <= MAX_ID;
const idsIn = (value: unknown): number[] =>
  Array.isArray(value) ? withStars([], value.filter(isId)) : [];
const localStars = (): number[] => idsIn(stored(LOCAL));
const store = (name: string, value: CharacterStars | number[]): void =>
  localStore.setItem(name, JSON.stringify(value));

export const useStars = create<Stars>(() => ({
  who: GUEST,
  ids: new Set(localStars()),
  revision: 0,
}));

export const useIsStarred = (respawn_id: number): boolean =>
  useStars(({ ids }) => ids.has(respawn_id));

interface PendingChange {
  who: string;
  respawn_id: number;
  isOn: boolean;
}
/** Changes that the server has not answered, in order; they are shown already. */
let pending: readonly PendingChange[] = [];

function showStars(isAtOnce = false): void {
  const { current } = useSession.getState();
  const who = current ? nameKey(current.characterName) : GUEST;
  const ids = new Set(current ? idsIn(stored(COPY + who)?.ids) : localStars());
  for (const change of pending) {
    if (change.who !== who) continue;
    if (change.isOn) ids.add(change.respawn_id);
    else ids.delete(change.respawn_id);
  }
  const before = useStars.getState();
  const isSame =
    before.who === who &&
    before.ids.size === ids.size &&
    [...ids].every((id) => before.ids.has(id));
  if (!isSame)
    useStars.setState({
      who,
      ids,
      revision: before.revision + Number(isAtOnce || before.who !== who),
    });
}

/** Keeps what the server answered, unless a newer answer arrived before it, here or in another tab. */
function keep(who: string, stars: CharacterStars): void {
  const known = stored(COPY + who);
  const isOlder = known?.epoch === stars.epoch && Number(known.clock) > stars.clock;
  if (!isOlder) store(COPY + who, stars);
}

/** The last call about each subject. */
const calls = new Map<string, Promise<void>>();

/** Makes a call after the earlier ones about its subject. If one fails, so do those that wait for it. */
function inOrder(subject: string, call: () => Promise<void>): Promise<void> {
  const done = (calls.get(subject) ?? Promise.resolve()).then(async () => {
    try {
      await call();
    } catch (error) {
      calls.delete(subject);
      throw error;
    }
  });
  calls.set(subject, done);
  return done;
}

/**
 * Toggles a star, on every device of the character in use. Without a character, in every tab of this browser.
 * @throws ApiError if the server refuses or is not reached: the star is as before
 */
export async function toggleStar(respawn_id: number): Promise<void> {
  const { current } = useSession.getState();
  if (!current) {
    // Another tab may have changed them a moment ago.
    const ids = new Set(localStars());
    if (!ids.delete(respawn_id)) ids.add(respawn_id);
    store(LOCAL, withStars([], [...ids]));
    return showStars(true);
  }
  const { characterName, accessKey } = current;
  const who = nameKey(characterName);
  const change = { who, respawn_id, isOn: !useStars.getState().ids.has(respawn_id) };
  pending = [...pending, change];
  showStars(true);
  try {
    await inOrder(`${respawn_id} ${who}`, async () => {
      keep(
        who,
        await (change.isOn
          ? postStars([respawn_id], accessKey)
          : deleteStar(respawn_id, accessKey)),
      );
    });
  } finally {
    pending = pending.filter((each) => each !== change);
    showStars();
  }
}

export function applyStars(access_key: string, stars: CharacterStars): void {
  const { current } = useSession.getState();
  if (current?.accessKey !== access_key) return;
  const who = nameKey(current.characterName);
  const isFirst = localStore.getItem(COPY + who) === null;
  keep(who, stars);
  showStars(isFirst);
}

/** An admin's live connection carries no character's own records, so read them by REST. */
export function readStarsBesideAdmin(): void {
  const { current, admin } = useSession.getState();
  if (!current || !admin) return;
  const { accessKey } = current;
  getStars(accessKey).then(
    (stars) => applyStars(accessKey, stars),
    () => {},
  );
}

/**
 * Keeps the stars those of the character in use, as other tabs change them.
 * @returns a function that stops it
 */
export function followStars(): () => void {
  showStars();
  readStarsBesideAdmin();
  const stops = [
    onOtherTabs(() => showStars()),
    onReturn(readStarsBesideAdmin),
    useSession.subscribe(({ current, admin }, before) => {
      if (current !== before.current) showStars();
      if (current !== before.current || admin !== before.admin) readStarsBesideAdmin();
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}
