import { randomInt } from 'node:crypto';

/** Letters and digits that nobody mistakes for one another when reading a key out: no 0 O 1 I L. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** A random access key such as K7QM-2F9A-XW3C: 59 bits, beyond guessing. */
export function newKeyValue(): string {
  const group = (): string => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
