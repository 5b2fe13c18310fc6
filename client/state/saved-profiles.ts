import { nameKey } from '../../shared/rules/names.ts';
import { localStore } from '../lib/storage.ts';
import { cookiesOf, dropCookies, isCookieKept, keepCookie } from './character-cookies.ts';

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
  keepCookie(PREFIX, profile, COOKIE_DAYS);
}

/** Whether the browser remembers it after this page is closed. */
export const isProfileKept = (profile: Profile): boolean => isCookieKept(PREFIX, profile);

/**
 * Writes what is kept anew, as it is. Safari keeps for seven days what a script wrote, whatever it was told: whoever comes
 * once a week stays logged in. (A code that is pending is of no use after a day.)
 */
export function renewSavedProfiles(): void {
  for (const profile of savedProfiles()) rememberProfile(profile);
}

/** A cookie is named by the spelling that it was saved with, which may not be the server's: it goes by its key. */
export function forgetProfile({ accessKey }: Profile): void {
  dropCookies(PREFIX, (value) => readProfile(value)?.accessKey === accessKey);
}

export function saveLastUsed(profile: Profile): void {
  localStore.setItem(LAST_USED, profile.characterName);
}

/** The profiles that cookies hold, each key once, the one used last first. */
export function savedProfiles(): Profile[] {
  const lastUsed = nameKey(localStore.getItem(LAST_USED) ?? '');
  const byKey = new Map<string, Profile>();
  for (const profile of cookiesOf(PREFIX).map(readProfile)) if (profile) byKey.set(profile.accessKey, profile);
  return [...byKey.values()].sort((a, b) => Number(nameKey(b.characterName) === lastUsed) - Number(nameKey(a.characterName) === lastUsed));
}

function readProfile(value: string): Profile | null {
  try {
    const { characterName, memberType = 'member', accessKey, isVerified = true, createdAt = '' }: Partial<Profile> = JSON.parse(value);
    if (!characterName || !accessKey) return null;
    return { characterName, memberType, accessKey, isVerified, createdAt };
  } catch {
    return null;
  }
}
