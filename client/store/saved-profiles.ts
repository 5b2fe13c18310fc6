import Cookies from 'js-cookie';

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

/** Named from the lowercased character name with non-alphanumerics replaced by underscores. */
const cookieName = (characterName: string): string => PREFIX + characterName.toLowerCase().replace(/[^a-z0-9]/g, '_');

export function rememberProfile(profile: Profile): void {
  Cookies.set(cookieName(profile.characterName), JSON.stringify(profile), {
    expires: COOKIE_DAYS,
    sameSite: 'strict',
    secure: location.protocol === 'https:',
  });
}

export function forgetProfile(profile: Profile): void {
  Cookies.remove(cookieName(profile.characterName));
}

export function saveLastUsed(profile: Profile): void {
  localStorage.setItem(LAST_USED, profile.characterName);
}

/** The profiles that cookies hold, the one used last first. */
export function savedProfiles(): Profile[] {
  const lastUsed = localStorage.getItem(LAST_USED);
  return Object.entries(Cookies.get())
    .filter(([name]) => name.startsWith(PREFIX))
    .map(([, value]) => readProfile(value))
    .filter((profile) => profile !== null)
    .sort((a, b) => Number(b.characterName === lastUsed) - Number(a.characterName === lastUsed));
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
