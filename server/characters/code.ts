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

const CODE_AS_A_WORD = new RegExp(`(?<![\\p{L}\\p{N}])${PREFIX}[${ALPHABET}]{${CODE_LENGTH}}(?![\\p{L}\\p{N}])`, 'giu');

/** All codes in a comment, however they are written, as words of their own and not within longer ones: one pass, whatever it is. */
export function codesIn(comment: string): Set<string> {
  return new Set(comment.match(CODE_AS_A_WORD)?.map((code) => code.toUpperCase()));
}
