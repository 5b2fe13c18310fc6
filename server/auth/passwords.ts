import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { WrongTries } from '../http/rate-limits.ts';
import { createTurns, type TurnBounds, type Turns } from './hashing-queue.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const KEY_BYTES = 64;
const SALT_BYTES = 16;

/** What a hash costs: 128 * N * r bytes of memory, p times. */
export interface ScryptCost {
  N: number;
  r: number;
  p: number;
}
/** OWASP's recommendation for scrypt in its form with the least memory: 32 MB. */
export const PASSWORD_COST: ScryptCost = { N: 2 ** 15, r: 8, p: 3 };
/** Node's default, with which hashes were made that do not name their parameters. */
const UNNAMED_COST: ScryptCost = { N: 2 ** 14, r: 8, p: 1 };

interface StoredHash {
  cost: ScryptCost;
  salt: Buffer;
  key: Buffer;
}

const scryptKey = (password: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> =>
  // Node refuses what needs more than `maxmem`, and needs a little beside the blocks.
  derive(password, salt, KEY_BYTES, { N, r, p, maxmem: 2 * 128 * N * r });

/** As `scrypt$N$r$p$salt$key`, the last two in base64url. */
export async function hashPassword(password: string, cost: ScryptCost = PASSWORD_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await scryptKey(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

function parse(hash: string): StoredHash {
  const [scheme, N, r, p, salt = '', key = ''] = hash.split('$');
  if (scheme === 'scrypt') {
    const cost = { N: Number(N), r: Number(r), p: Number(p) };
    return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
  }
  const [oldSalt = '', oldKey = ''] = hash.split(':');
  return { cost: UNNAMED_COST, salt: Buffer.from(oldSalt, 'base64url'), key: Buffer.from(oldKey, 'base64url') };
}

/** Whether a hash costs a guesser less than one that is made with `cost`. */
export function isWeaker(hash: string, cost: ScryptCost): boolean {
  const { N, r, p } = parse(hash).cost;
  return N * r < cost.N * cost.r || N * r * p < cost.N * cost.r * cost.p;
}

/** @param cost of the comparison for a name that no admin has, so that it takes as long to refuse as a wrong password */
export async function passwordMatches(password: string, hash: string | undefined, cost: ScryptCost = PASSWORD_COST): Promise<boolean> {
  const stored = hash === undefined ? { cost, salt: Buffer.alloc(SALT_BYTES), key: Buffer.alloc(KEY_BYTES) } : parse(hash);
  const actual = await scryptKey(password, stored.salt, stored.cost);
  return stored.key.length === KEY_BYTES && timingSafeEqual(actual, stored.key) && hash !== undefined;
}

const FILE = path.join(import.meta.dirname, 'common-passwords.txt');

let common: ReadonlySet<string> | null = null;

/** Whether a password is one of the 10,000 that guessers try first, in any case. Read when first needed: few processes set passwords. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(
    readFileSync(FILE, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('# ')),
  );
  return common.has(password.toLowerCase());
}

/** @throws DomainError admin.passwordCommon */
export function refuseCommonPassword(password: string): void {
  if (isCommonPassword(password)) throw new DomainError('admin.passwordCommon');
}

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
