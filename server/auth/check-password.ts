import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { WrongTries } from '../http/limits/wrong-tries.ts';
import { hashPassword, isWeaker, PASSWORD_COST, passwordMatches, type ScryptCost } from './passwords.ts';
import { createTurns, type TurnBounds, type Turns } from './turns.ts';

/** Wrong passwords of a name from an address in five minutes; further ones are evaluated once in 30 s. */
export const WRONG_LOGINS = 10;
/** A hash takes 32 MB and one of the process's four worker threads for some 250 ms. */
const bounds = { at_once: 2, most_waiting: 100, patience_ms: 12_000 };
/** Admins whose right password is known again; far more than a guild has. */
const MOST_KNOWN = 100;

interface Attempt {
  username: string;
  password: string;
  address: string;
  /** What is stored for the name; undefined where nobody has it. */
  hash: string | undefined;
}

/** Checks and hashes passwords, a bounded number at once. */
export interface PasswordGuard {
  wrongTries: WrongTries;
  turns: Turns;
  known: KnownPasswords;
  /** What a new hash costs. */
  cost: ScryptCost;
  matches: typeof passwordMatches;
}

interface GuardOptions {
  wrongTries: WrongTries;
  /** For tests, which would spend most of their time on it. */
  cost?: ScryptCost;
  /** For tests: an order of turns must not depend on how busy a machine is. */
  turns?: Partial<TurnBounds>;
  /** For tests. */
  matches?: typeof passwordMatches;
}

export const createPasswordGuard = ({
  wrongTries,
  cost = PASSWORD_COST,
  turns,
  matches = passwordMatches,
}: GuardOptions): PasswordGuard => ({
  wrongTries,
  turns: createTurns({ ...bounds, ...turns }),
  known: knownPasswords(),
  cost,
  matches,
});

const isWrongLogin = (error: unknown): boolean => error instanceof DomainError && error.code === 'session.wrongLogin';

/**
 * Compares a password with what is stored. Wrong ones are counted by name and address; past the limit there is no comparison but once
 * in 30 s, so that guessing gets nowhere. From other addresses, and for sessions that are open, nothing changes. One that was right
 * before needs no turn: a flood of guesses from elsewhere does not delay it.
 * @throws DomainError session.wrongLogin or request.tooManyTries
 */
export async function checkPassword(guard: PasswordGuard, { username, password, address, hash }: Attempt): Promise<void> {
  const { turns, known, wrongTries, cost } = guard;
  const name = nameKey(username);
  const evaluate = async (): Promise<void> => {
    if (hash !== undefined && known.has(hash, password)) return;
    // Names that no admin has share one turn, so that inventing names does not multiply one's share.
    const asker = { address, name: hash === undefined ? '' : name };
    const matches = await turns.take(asker, () => guard.matches(password, hash, cost));
    if (!matches || hash === undefined) throw new DomainError('session.wrongLogin');
    known.add(hash, password);
  };
  await wrongTries.attempt({ secret: ['password', name], address }, evaluate, isWrongLogin);
}

/** Hashes a new password when its turn comes. */
export const hashInTurn = (guard: PasswordGuard, by: { address: string; name: string }, password: string): Promise<string> =>
  guard.turns.take(by, () => hashPassword(password, guard.cost));

/** A stronger hash of a password that was just found right, where the stored one is weaker than today's. */
export async function strongerHash(guard: PasswordGuard, { username, password, address, hash }: Attempt): Promise<string | null> {
  if (hash === undefined || !isWeaker(hash, guard.cost)) return null;
  const stronger = await hashInTurn(guard, { address, name: nameKey(username) }, password);
  guard.known.add(stronger, password);
  return stronger;
}

interface KnownPasswords {
  has: (hash: string, password: string) => boolean;
  add: (hash: string, password: string) => void;
}

/** Passwords that were right for a stored hash, under a key that never leaves this process. */
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
