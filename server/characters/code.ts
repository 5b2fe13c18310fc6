import { randomBytes, randomInt } from 'node:crypto';

/** No look-alikes: no 0 O 1 I L. A prefix, so that a code is known for one in a comment full of other things. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const PREFIX = 'CLAIM-';
const CODE_LENGTH = 8;
const TOKEN_BYTES = 32;

/** A code such as CLAIM-7KQ2M9XA, for a character's comment. It is public there, and opens nothing by itself. */
export function newCode(): string {
  return PREFIX + Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** What the browser that asked for a code proves itself with. */
export function newVerificationToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** True when a comment holds the code, in any case, as a word of its own and not within a longer one. */
export function isCodeIn(comment: string, code: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${code}(?![\\p{L}\\p{N}])`, 'iu').test(comment);
}
