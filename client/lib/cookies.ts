const DAY_MS = 86_400_000;

/** Escapes of characters that a cookie may contain. Without them JSON is shorter, and as earlier versions wrote it with js-cookie. */
const UNNEEDED_ESCAPES = /%(2[346BF]|3[AC-F]|40|5[BDE]|60|7[BCD])/g;

/** All cookies by name; a value that cannot be decoded is as the browser has it. Throws where cookies are blocked. */
export function readCookies(): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const cookie of document.cookie.split('; ')) {
    const [name = ''] = cookie.split('=', 1);
    // Of one name with several paths, the browser lists the closest first.
    if (name && !cookies.has(name)) cookies.set(name, decoded(cookie.slice(name.length + 1)));
  }
  return cookies;
}

function decoded(value: string): string {
  try {
    const unquoted = value.startsWith('"') ? value.slice(1, -1) : value;
    return unquoted.replace(/(%[\dA-F]{2})+/gi, decodeURIComponent);
  } catch {
    return value;
  }
}

/** Writes a cookie for the whole site. @param days how long it is kept; negative: removes it */
export function writeCookie(name: string, value: string, days: number): void {
  const encoded = encodeURIComponent(value).replace(UNNEEDED_ESCAPES, decodeURIComponent);
  const expires = new Date(Date.now() + days * DAY_MS).toUTCString();
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: Firefox before 140 and Safari before 18.4 have no cookieStore
  document.cookie = `${name}=${encoded}; path=/; expires=${expires}; sameSite=strict${secure}`;
}

export const removeCookie = (name: string): void => writeCookie(name, '', -1);
