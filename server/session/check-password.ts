import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Tries } from '../limits/tries.ts';
import { countWrongTries } from '../limits/wrong-tries.ts';
import { hashToken } from './hash-token.ts';
import { passwordMatches } from './passwords.ts';
import { createTurns, type TurnBounds, type Turns } from './turns.ts';

/** Wrong passwords of a name from an address in a stretch of time before the answers to the next are held back. */
const WRONG_LOGINS = 10;
/** Each wrong one beyond is answered a second later than the one before, up to so many. */
const LONGEST_PAUSE_S = 5;
/** A hash takes 16 MB and one of the process's four helping threads for some 60 ms. */
const bounds = { at_once: 2, most_waiting: 200, patience_ms: 12_000 };
/** Admins whose right password is known again; far more than a guild has. */
const MOST_KNOWN = 100;

interface Attempt {
  username: string;
  password: string;
  address: string;
  /** What is stored for the name; undefined where nobody has it. */
  hash: string | undefined;
}

/** What a server remembers of the passwords it was shown. */
export interface PasswordGuard {
  wrong: Tries;
  turns: Turns;
  known: KnownPasswords;
  matches: typeof passwordMatches;
}

/**
 * @param change of the bounds, for tests: what is to be shown of the turns' order is not to hang on how busy a machine is
 * @param matches likewise, which hashes: that takes as long as a test says
 */
export const createPasswordGuard = (change: Partial<TurnBounds> = {}, matches = passwordMatches): PasswordGuard => ({
  wrong: countWrongTries(),
  turns: createTurns({ ...bounds, ...change }),
  known: knownPasswords(),
  matches,
});

/**
 * Slows the guessing of passwords, by name and address, and bounds what it costs. A right password is never refused
 * for wrong ones beside it: each try is looked at when its turn has come, only the answer to a wrong one is held back,
 * and one that was right before needs no turn. Held back are as many as are hashed in LONGEST_PAUSE_S, some 200.
 * @throws DomainError session.wrongLogin, or request.tooManyTries in its place once there were too many
 */
export async function checkPassword(guard: PasswordGuard, { username, password, address, hash }: Attempt): Promise<void> {
  const { wrong, turns, known } = guard;
  if (hash !== undefined && known.has(hash, password)) return;
  // Names that nobody has are one to the turns, so that inventing them does not multiply one's share.
  const asker = { address, name: hash === undefined ? '' : nameKey(username) };
  const matches = await turns.take(asker, () => guard.matches(password, hash));
  if (matches && hash !== undefined) return known.add(hash, password);
  // A hash, since a name may be long, and is kept for the whole stretch.
  const { tries } = wrong.count(hashToken(`${nameKey(username)}|${address}`));
  if (tries <= WRONG_LOGINS) throw new DomainError('session.wrongLogin');
  const seconds = Math.min(tries - WRONG_LOGINS, LONGEST_PAUSE_S);
  // Were it the next turn that is held back, a right password would wait behind the wrong ones.
  await setTimeout(seconds * 1_000, undefined, { ref: false });
  throw new DomainError('request.tooManyTries', { seconds });
}

interface KnownPasswords {
  has: (hash: string, password: string) => boolean;
  add: (hash: string, password: string) => void;
}

/** Passwords that were right for what is stored, under a key that never leaves this process: a flood of guesses does not delay them. */
function knownPasswords(): KnownPasswords {
  const key = randomBytes(32);
  const digest = (password: string): Buffer => createHmac('sha256', key).update(password).digest();
  const right = new Map<string, Buffer>();
  return {
    has: (hash, password) => {
      const expected = right.get(hash);
      return expected !== undefined && timingSafeEqual(expected, digest(password));
    },
    add: (hash, password) => {
      right.set(hash, digest(password));
      const [oldest] = right.keys();
      if (right.size > MOST_KNOWN && oldest !== undefined) right.delete(oldest);
    },
  };
}
