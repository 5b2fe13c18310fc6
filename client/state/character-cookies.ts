import Cookies from 'js-cookie';

/** Cookies about characters, one each: its access key, its pending verification. */

interface OfCharacter {
  characterName: string;
}

/** Section 9 of the specification: the lowercased character name with non-alphanumerics replaced by underscores. */
const cookieName = (prefix: string, { characterName }: OfCharacter): string =>
  prefix + characterName.toLowerCase().replace(/[^a-z0-9]/g, '_');

/** Values the browser refused to store: blocked cookies fail silently, and in some frames even reading throws. */
const memory = new Map<string, string>();

function cookies(): ReadonlyMap<string, string> {
  try {
    return new Map([...memory, ...Object.entries(Cookies.get())]);
  } catch {
    return memory;
  }
}

/** Keeps a record in its character's cookie, for so many days; where cookies are blocked, as long as the page. */
export function keepCookie(prefix: string, record: OfCharacter, days: number): void {
  const name = cookieName(prefix, record);
  const value = JSON.stringify(record);
  memory.delete(name);
  try {
    Cookies.set(name, value, { expires: days, sameSite: 'strict', secure: location.protocol === 'https:' });
  } catch {
    // Seen below.
  }
  if (cookies().get(name) !== value) memory.set(name, value);
}

/** Whether the browser stored it: it outlives the page. */
export const isCookieKept = (prefix: string, of: OfCharacter): boolean => !memory.has(cookieName(prefix, of));

export function dropCookie(prefix: string, of: OfCharacter): void {
  drop(cookieName(prefix, of));
}

function drop(name: string): void {
  memory.delete(name);
  try {
    Cookies.remove(name);
  } catch {
    // There is none.
  }
}

/** Drops every cookie of a prefix whose content matches, whatever it is named. */
export function dropCookies(prefix: string, matches: (value: string) => boolean): void {
  for (const [name, value] of cookies()) if (name.startsWith(prefix) && matches(value)) drop(name);
}

/** What the cookies of one prefix hold, as JSON that anybody may have written. */
export function cookiesOf(prefix: string): string[] {
  return [...cookies()].filter(([name]) => name.startsWith(prefix)).map(([, value]) => value);
}
