import { randomInt } from 'node:crypto';
import { ACCESS_KEY, READABLE_ALPHABET } from '../../../shared/credentials.ts';

/** A random access key such as K7QM-2F9A-XW3C: 59 bits, beyond guessing. */
export function newKeyValue(): string {
  const group = (): string =>
    Array.from({ length: ACCESS_KEY.groupLength }, () => READABLE_ALPHABET[randomInt(READABLE_ALPHABET.length)]).join('');
  return Array.from({ length: ACCESS_KEY.groups }, group).join('-');
}
