import type { ErrorCode } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { isSessionCode } from '../api/request.ts';
import { readCookies, removeCookie, writeCookie } from '../lib/cookies.ts';
import { localStore } from '../lib/storage.ts';

/** A character this browser holds a key of. */
export interface Profile {
  characterName: string;
  memberType: string;
  accessKey: string;
  isVerified: boolean;
  /** ISO 8601 in UTC. */
  createdAt: string;
}

/** Section 9 of the specification. */
const COOKIE_DAYS = 365;
const PREFIX = 'access_key_';
const LAST_USED = 'lastProfile';

export function rememberProfile(profile: Profile): void {
  storeCookie(PREFIX, profile, COOKIE_DAYS);
}

/** Why the browser forgets it when this page is closed: it blocks cookies, or has no room for more; null: it doesn't. */
export const whyNotStored = (profile: Profile): 'blocked' | 'full' | null =>
  whyInMemory(PREFIX, profile);

/** Renews the cookies: Safari expires script-written ones after seven days despite their expiry date. */
export function renewSavedProfiles(): void {
  for (const profile of savedProfiles()) rememberProfile(profile);
}

/** Removes cookies of access keys that cannot be read. Other code may have written them. */
export function dropUnreadableProfiles(): void {
  dropCookies(PREFIX, (value) => !readProfile(value));
}

/** A cookie is named by the spelling that it was saved with, which may not be the server's: it goes by its key. */
export function forgetProfile({ accessKey }: Profile): void {
  dropCookies(PREFIX, (value) => readProfile(value)?.accessKey === accessKey);
  // One that had no room may have it now.
  if (memory.size > 0) renewSavedProfiles();
}

export function saveLastUsed(profile: Profile): void {
  localStore.setItem(LAST_USED, profile.characterName);
}

/** The profiles that cookies hold, each key once, the one used last first. */
export function savedProfiles(): Profile[] {
  const lastUsed = nameKey(localStore.getItem(LAST_USED) ?? '');
  const byKey = new Map<string, Profile>();
  for (const profile of cookiesOf(PREFIX).map(readProfile))
    if (profile) byKey.set(profile.accessKey, profile);
  return [...byKey.values()].sort(
    (a, b) =>
      Number(nameKey(b.characterName) === lastUsed) - Number(nameKey(a.characterName) === lastUsed),
  );
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function readProfile(value: string): Profile | null {
  try {
    const {
      characterName,
      memberType,
      accessKey,
      isVerified = true,
      createdAt = '',
    }: Partial<Profile> = JSON.parse(value);
    if (!isText(characterName) || !isText(accessKey)) return null;
    return {
      characterName,
      memberType: isText(memberType) ? memberType : 'member',
      accessKey,
      isVerified,
      createdAt,
    };
  } catch {
    return null;
  }
}

/** A session that ended without a sign-out. `who` is the character; null: the admin. */
export interface EndedSession {
  who: string | null;
  code: ErrorCode;
  /** The text of an answer without one of our codes. */
  text?: string;
}

/** Sessions that this browser's tabs share. Cookies alone can't tell a logout from an expiry, and have no event. */
interface SharedSessions {
  /** Names of the signed-in characters; null until a tab has stored them. */
  here: readonly string[] | null;
  ended: readonly EndedSession[];
}

const SESSIONS = 'sessions';
const MAX_ENDED = 20;

export function sharedSessions(): SharedSessions {
  try {
    const { here, ended }: { here?: unknown; ended?: unknown } = JSON.parse(
      localStore.getItem(SESSIONS) ?? '{}',
    );
    return {
      here: Array.isArray(here) ? here.filter((name) => typeof name === 'string') : null,
      ended: Array.isArray(ended) ? ended.filter(isEnded) : [],
    };
  } catch {
    return { here: null, ended: [] };
  }
}

function isEnded(value: Partial<EndedSession> | null): value is EndedSession {
  return isSessionCode(value?.code) && (value?.who === null || typeof value?.who === 'string');
}

/**
 * Tells other tabs who signed in (null: the admin), which clears earlier reasons.
 * @param everybody who is signed in in this tab, if no tab has shared it yet
 */
export function shareSignIn(come: readonly (string | null)[], signedIn: readonly string[]): void {
  if (come.length === 0) return;
  const { here, ended } = sharedSessions();
  const names = come.filter((who) => who !== null);
  store({
    here: [...new Set([...(here ?? signedIn), ...names])],
    ended: ended.filter(({ who }) => !come.includes(who)),
  });
}

/** Tells other tabs who was signed out (null: the admin), and why, unless it was on purpose. */
export function shareSignOut(who: string | null, code: ErrorCode | null): void {
  const { here, ended } = sharedSessions();
  const others = ended.filter((one) => one.who !== who);
  const left = here?.filter((name) => name !== who) ?? null;
  store({ here: left, ended: code ? [...others, { who, code }].slice(-MAX_ENDED) : others });
}

function store(sessions: SharedSessions): void {
  localStore.setItem(SESSIONS, JSON.stringify(sessions));
}

/** Cookies about characters, one each: its access key, its pending verification. */

interface OfCharacter {
  characterName: string;
}

/**
 * Section 9 of the specification: the lowercased character name with non-alphanumerics replaced by underscores. If another character's
 * cookie has this name, since their names differ only in punctuation, a number follows.
 */
function cookieName(prefix: string, { characterName }: OfCharacter): string {
  const base = prefix + characterName.toLowerCase().replace(/[^a-z0-9]/g, '_');
  const stored = cookies();
  for (const [name, value] of stored)
    if (name.startsWith(base) && characterIn(value) === nameKey(characterName)) return name;
  let name = base;
  for (let nth = 2; characterIn(stored.get(name)) !== null; nth++) name = `${base}_${nth}`;
  return name;
}

/** The key of the character that a cookie is about; null if there is none. */
function characterIn(value: string | undefined): string | null {
  try {
    const { characterName }: Partial<OfCharacter> = JSON.parse(value ?? '{}');
    return isText(characterName) ? nameKey(characterName) : null;
  } catch {
    return null;
  }
}

/**
 * Characters that all cookies of this address may have together: the server takes 32 kB of headers, so more would lock the browser out.
 * About a hundred profiles.
 */
const MAX_COOKIES_LENGTH = 24_000;

function hasRoom(name: string, value: string): boolean {
  try {
    return (
      readCookies().has(name) ||
      document.cookie.length + name.length + encodeURIComponent(value).length <= MAX_COOKIES_LENGTH
    );
  } catch {
    // Cookies are blocked.
    return true;
  }
}

/** In-memory values where cookies are blocked: that fails silently, and in some frames even reading throws. */
const memory = new Map<string, string>();

function cookies(): ReadonlyMap<string, string> {
  try {
    return new Map([...memory, ...readCookies()]);
  } catch {
    return memory;
  }
}

/** Keeps a record in its character's cookie, for so many days; where cookies are blocked or have no room, as long as the page. */
export function storeCookie(prefix: string, record: OfCharacter, days: number): void {
  const name = cookieName(prefix, record);
  const value = JSON.stringify(record);
  memory.delete(name);
  try {
    if (hasRoom(name, value)) writeCookie(name, value, days);
  } catch {
    // Seen below.
  }
  if (cookies().get(name) !== value) memory.set(name, value);
}

function whyInMemory(prefix: string, of: OfCharacter): 'blocked' | 'full' | null {
  const name = cookieName(prefix, of);
  const value = memory.get(name);
  if (value === undefined) return null;
  return hasRoom(name, value) ? 'blocked' : 'full';
}

export function dropCookie(prefix: string, of: OfCharacter): void {
  drop(cookieName(prefix, of));
}

function drop(name: string): void {
  memory.delete(name);
  try {
    removeCookie(name);
  } catch {
    // There is none.
  }
}

/** Deletes every cookie with the prefix whose content matches. */
function dropCookies(prefix: string, matches: (value: string) => boolean): void {
  for (const [name, value] of cookies()) if (name.startsWith(prefix) && matches(value)) drop(name);
}

/** The values of a prefix's cookies: JSON that anyone may have written. */
export function cookiesOf(prefix: string): string[] {
  return [...cookies()].filter(([name]) => name.startsWith(prefix)).map(([, value]) => value);
}
