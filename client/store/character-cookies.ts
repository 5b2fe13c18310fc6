import Cookies from 'js-cookie';

/** Cookies about characters, one each: its access key, its pending verification. */

interface OfCharacter {
  characterName: string;
}

/** Section 9 of the specification: the lowercased character name with non-alphanumerics replaced by underscores. */
const cookieName = (prefix: string, { characterName }: OfCharacter): string =>
  prefix + characterName.toLowerCase().replace(/[^a-z0-9]/g, '_');

/** Keeps a record in its character's cookie, for so many days. */
export function keepCookie(prefix: string, record: OfCharacter, days: number): void {
  Cookies.set(cookieName(prefix, record), JSON.stringify(record), {
    expires: days,
    sameSite: 'strict',
    secure: location.protocol === 'https:',
  });
}

export function dropCookie(prefix: string, of: OfCharacter): void {
  Cookies.remove(cookieName(prefix, of));
}

/** Drops every cookie of a prefix whose content is so, whatever it is named. */
export function dropCookies(prefix: string, isSo: (value: string) => boolean): void {
  for (const [name, value] of Object.entries(Cookies.get())) if (name.startsWith(prefix) && isSo(value)) Cookies.remove(name);
}

/** What the cookies of one prefix hold, as JSON that anybody may have written. */
export function cookiesOf(prefix: string): string[] {
  return Object.entries(Cookies.get())
    .filter(([name]) => name.startsWith(prefix))
    .map(([, value]) => value);
}
