import { serverNow } from '../../../store/clock.ts';
import type { PendingVerification } from '../../../store/pending-verifications.ts';

/** Section 9 of the specification. */
const VALID_MS = 24 * 3_600_000;
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 8;

/** The code that section 7 of the specification asks for where the server's answer carries none: it verifies nobody. */
export function testModeCode(characterName: string): PendingVerification {
  const letters = crypto.getRandomValues(new Uint8Array(LENGTH));
  const code = `TEST-${Array.from(letters, (letter) => ALPHABET[letter % ALPHABET.length]).join('')}`;
  const expiresAt = new Date(serverNow().getTime() + VALID_MS).toISOString();
  return { characterName, code, expiresAt, verification_token: null };
}
