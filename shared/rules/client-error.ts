/** Signs of what a page reports of an error. */
export const MAX_ERROR_MESSAGE = 300;
export const MAX_ERROR_STACK = 2_000;
export const MAX_ERROR_PAGE = 200;

/** An address and what follows ? or # in it. */
const QUERY = /((?:https?:\/\/|(?<![\w/])\/)[^\s?#'"()<>]*)[?#]([^\s'"()<>]*)/g;
/** What a stack puts behind an address. */
const LINE_AND_COLUMN = /(?::\d+){1,2}$/;
const ACCESS_KEY = /(?<![a-z0-9])[2-9a-hjkmnp-z]{4}(?:-[2-9a-hjkmnp-z]{4}){2}(?![a-z0-9])/gi;
/** Tokens are long and hold digits; the names of files end in a dot and more. */
const LONG_WORD = /(?<![\w-])[\w-]{20,}(?![\w-])(?!\.\w)/g;

/** A text without what may be a key, a token or the query of an address. */
export function withoutSecrets(text: string): string {
  return text
    .replace(QUERY, (_, address, query) => address + (LINE_AND_COLUMN.exec(query)?.[0] ?? ''))
    .replace(ACCESS_KEY, '…')
    .replace(LONG_WORD, (word) => (/\d/.test(word) ? '…' : word));
}
