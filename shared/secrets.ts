import { ACCESS_KEY, READABLE_ALPHABET, VERIFICATION_CODE, WEBHOOK_SECRET } from './credentials.ts';

const GONE = '…';

/** A path or an address, and the part after ? or #. */
const QUERY = /((?:https?:\/\/|(?<![\w/])\/)[^\s?#'"()<>]*)[?#]([^\s'"()<>]*)/g;
/** Line and column after an address in a stack trace. */
const LINE_AND_COLUMN = /(?::\d+){1,2}$/;
const USER_IN_URL = /(\w:\/\/)[^\s/@'"<>]+@/g;

/** All characters that look like a hyphen, and `_`. */
const HYPHENS = '\\-_\u2010-\u2015\u2212\u00ad\u30fc\ufe58\ufe63\uff0d';
const letter = `[${READABLE_ALPHABET}]`;
const keyWith = (separator: string): string =>
  Array.from({ length: ACCESS_KEY.groups }, () => `${letter}{${ACCESS_KEY.groupLength}}`).join(
    separator,
  );

const HYPHENATED_KEY = new RegExp(`^${keyWith(`[${HYPHENS}]`)}$`, 'i');
/** Keys that may begin at any place of a word; in one case, since keys are never mixed. */
const UPPER_KEYS = new RegExp(`(?=(${keyWith(`[${HYPHENS}]?`)}))`, 'g');
const LOWER_KEYS = new RegExp(UPPER_KEYS.source.toLowerCase(), 'g');
const SPACED_KEY = new RegExp(
  `(?<![\\p{L}\\p{N}])${keyWith('[ \u00a0]')}(?![\\p{L}\\p{N}])`,
  'giu',
);
const CODE = new RegExp(
  `${VERIFICATION_CODE.prefix.replace('-', `[${HYPHENS} ]?`)}${letter}{${VERIFICATION_CODE.length}}`,
  'gi',
);
const SIGNING_SECRET = new RegExp(`${WEBHOOK_SECRET.prefix}[\\w+/=-]*`, 'gi');

/** Twelve or more single characters, as someone spells a key out. */
const SPELLED = new RegExp(
  `(?<![\\p{L}\\p{N}])[\\p{L}\\p{N}](?:[\\s${HYPHENS}]{1,3}[\\p{L}\\p{N}]){11,}(?![\\p{L}\\p{N}])`,
  'gu',
);

const BETWEEN_SPELLED = new RegExp(`[\\s${HYPHENS}]`, 'g');

/** Letters, digits and hyphens in a row. */
const WORD = new RegExp(`[\\p{L}\\p{N}${HYPHENS}]{12,}`, 'gu');
/** Our tokens have 43 characters; 20 also covers those of push services and chat programs. */
const MIN_TOKEN_LENGTH = 20;
/** A date, or a point in time as file names have it. */
const TIMESTAMP = /\d{4}-\d\d-\d\d(?:T[\d-]+Z?)?/g;
/** The name of a built file: words, then a hash of eight characters. */
const BUILT_FILE = /^[A-Za-z]+(?:-[A-Za-z]+)*-[\w-]{8}$/;
/** The name of a backup: when it was made, and what for. */
const BACKUP_FILE = /^claimboard-\d{4}-\d\d-\d\d-\d{6}(?:-[a-z\d-]+)?$/;
const FILE_EXTENSION = /^\.(?:[cm]?[jt]sx?|css|jsonl?|map)\b/;

const hasDigit = (text: string): boolean => /\d/.test(text);

/**
 * Whether a word holds an access key or a token. The 3 % of keys that have no digit look like ordinary words in lower case, and
 * like constants where they are written with `_`.
 */
function isSecretWord(word: string, next: string): boolean {
  if ((BUILT_FILE.test(word) || BACKUP_FILE.test(word)) && FILE_EXTENSION.test(next)) return false;
  if (HYPHENATED_KEY.test(word) && !word.includes('_')) return true;
  if ([...word.matchAll(UPPER_KEYS)].some(([, key = '']) => hasDigit(key) || !key.includes('_')))
    return true;
  if ([...word.matchAll(LOWER_KEYS)].some(([, key = '']) => hasDigit(key))) return true;
  return word.length >= MIN_TOKEN_LENGTH && hasDigit(word.replace(TIMESTAMP, ''));
}

/** Removes secrets that are in a text unencoded. */
function withoutPlainSecrets(text: string): string {
  return text
    .replace(SIGNING_SECRET, GONE)
    .replace(CODE, (code) => (hasDigit(code) || code === code.toUpperCase() ? GONE : code))
    .replace(SPACED_KEY, (key) => (hasDigit(key) ? GONE : key))
    .replace(WORD, (word, at: number, whole: string) =>
      isSecretWord(word, whole.slice(at + word.length).slice(0, 6)) ? GONE : word,
    );
}

/** Text without a break, which may be an encoding of other text. */
const UNIT = /[^\s"'`<>(){}[\]|…]{8,}/g;
/** Encodings within encodings are followed this deep: percent-encoded twice, then in base64. */
const MAX_DEPTH = 3;
const HEX = /[0-9a-f]{12,}/gi;
const BASE64 = /[A-Za-z0-9+/_-]{8,}/g;

const fromCode = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
const fromHex = (digits: string): string => digits.match(/../g)?.map(fromCode).join('') ?? '';
function fromBase64(digits: string): string {
  const standard = digits.replaceAll('-', '+').replaceAll('_', '/');
  // A single digit left over encodes nothing.
  return atob(standard.length % 4 === 1 ? standard.slice(0, -1) : standard);
}

/** Bytes, a character each, as UTF-8. */
const fromUtf8 = (bytes: string): string =>
  new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));

/** `\\u004b` and `\\x4b`, also where JSON is in JSON. */
const ESCAPED = /\\+(?:u([0-9a-f]{4})|x([0-9a-f]{2}))/gi;

/** The bytes that a text may be an encoding of. An encoding may begin anywhere in a run of its digits. */
function* decodings(text: string): Generator<string> {
  if (text.includes('%')) yield text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => fromCode(hex));
  if (text.includes('\\'))
    yield text.replace(ESCAPED, (_, unicode?: string, byte?: string) =>
      fromCode(unicode ?? byte ?? ''),
    );
  for (const [run] of text.matchAll(HEX))
    for (const skipped of [0, 1]) yield fromHex(run.slice(skipped));
  for (const [run] of text.matchAll(BASE64))
    for (const skipped of [0, 1, 2, 3]) yield fromBase64(run.slice(skipped));
}

function encodes(text: string, isSecret: (text: string) => boolean, depth = MAX_DEPTH): boolean {
  if (depth === 0) return false;
  return [...decodings(text)].some(
    (bytes) => isSecret(bytes) || isSecret(fromUtf8(bytes)) || encodes(bytes, isSecret, depth - 1),
  );
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A text for logs, reports and other people's eyes: without access keys, codes, tokens, signing secrets and the queries of
 * addresses, also where they are percent-encoded, in base64, hexadecimal, upper or lower case.
 * @param known secrets of any shape that the text may repeat
 */
export function withoutSecrets(text: string, known: readonly string[] = []): string {
  // The longest first: one may be part of another.
  const all = known
    .filter((secret) => secret !== '')
    .sort((one, other) => other.length - one.length);
  const knownPattern = all.length === 0 ? null : new RegExp(all.map(escaped).join('|'), 'gi');
  const cleared = (part: string): string =>
    withoutPlainSecrets(knownPattern ? part.replace(knownPattern, GONE) : part);
  const isSecret = (part: string): boolean => cleared(part) !== part;
  return cleared(
    text
      .replace(
        QUERY,
        (_, address: string, query: string) => address + (LINE_AND_COLUMN.exec(query)?.[0] ?? ''),
      )
      .replace(USER_IN_URL, '$1')
      .replace(SPELLED, (spelled) =>
        isSecret(spelled.replace(BETWEEN_SPELLED, '')) ? GONE : spelled,
      )
      .replace(UNIT, (unit) => (encodes(unit, isSecret) ? GONE : unit)),
  );
}
