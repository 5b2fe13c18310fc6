import { randomBytes, randomInt } from 'node:crypto';
import { READABLE_ALPHABET as ALPHABET, TOKEN_BYTES, VERIFICATION_CODE } from '../../../shared/credentials.ts';

const { prefix: PREFIX, length: CODE_LENGTH } = VERIFICATION_CODE;

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
