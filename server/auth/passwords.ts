import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { DomainError } from '../../shared/errors.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { createFairQueue } from '../db/fair-queue.ts';
import type { WrongTries } from '../http/rate-limits.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const KEY_BYTES = 64;
const SALT_BYTES = 16;

/** The cost of a hash: 128 * N * r bytes of memory, p times. */
export interface ScryptCost {
  N: number;
  r: number;
  p: number;
}
/** OWASP's recommendation for scrypt with the least memory: 32 MB. */
export const PASSWORD_COST: ScryptCost = { N: 2 ** 15, r: 8, p: 3 };

interface StoredHash {
  cost: ScryptCost;
  salt: Buffer;
  key: Buffer;
}

const scryptKey = (password: string, salt: Buffer, { N, r, p }: ScryptCost): Promise<Buffer> =>
  // Twice the blocks: Node needs a little more than them, and refuses above `maxmem`.
  derive(password, salt, KEY_BYTES, { N, r, p, maxmem: 2 * 128 * N * r });

/** As `scrypt$N$r$p$salt$key`, the last two in base64url. */
export async function hashPassword(
  password: string,
  cost: ScryptCost = PASSWORD_COST,
): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await scryptKey(password, salt, cost);
  return [
    'scrypt',
    cost.N,
    cost.r,
    cost.p,
    salt.toString('base64url'),
    key.toString('base64url'),
  ].join('$');
}

/** @returns null if it is none of ours: nothing matches it */
function parse(hash: string): StoredHash | null {
  const [scheme, N, r, p, salt = '', key = ''] = hash.split('$');
  if (scheme !== 'scrypt') return null;
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), key: Buffer.from(key, 'base64url') };
}

/** Whether guessing against a hash is cheaper than against one of this `cost`. */
export function isWeaker(hash: string, cost: ScryptCost): boolean {
  const stored = parse(hash);
  if (stored === null) return true;
  const { N, r, p } = stored.cost;
  return N * r < cost.N * cost.r || N * r * p < cost.N * cost.r * cost.p;
}

/** @param cost for a name that no admin has: refusing it must take as long as refusing a wrong password */
export async function passwordMatches(
  password: string,
  hash: string | undefined,
  cost: ScryptCost = PASSWORD_COST,
): Promise<boolean> {
  const stored = hash === undefined ? null : parse(hash);
  const actual = await scryptKey(
    password,
    stored?.salt ?? Buffer.alloc(SALT_BYTES),
    stored?.cost ?? cost,
  );
  return stored !== null && stored.key.length === KEY_BYTES && timingSafeEqual(actual, stored.key);
}

const FILE = path.join(import.meta.dirname, 'common-passwords.txt');

let common: ReadonlySet<string> | null = null;

/** Whether a password is one of the 10,000 most common ones, in any letter case. */
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

/** Requests waiting for a hash: served round-robin by address, and within an address by name. */
export interface HashingCaller {
  address: string;
  name: string;
}

export interface HashingBounds {
  /** Hashes under way at once. */
  at_once: number;
  /** Hashes that may wait; above it, the newest of the address with most of them is refused. */
  most_waiting: number;
  /** How long a hash waits before it is refused, in milliseconds. */
  patience_ms: number;
}

/** Limits expensive work fairly. A caller has a second hash under way only while no other caller waits. */
export interface HashingQueue {
  /** @throws DomainError request.tooManyTries if it waited too long or too many wait */
  take: <T>(caller: HashingCaller, work: () => Promise<T>) => Promise<T>;
  waiting: () => number;
}

export function createHashingQueue({
  at_once,
  most_waiting,
  patience_ms,
}: HashingBounds): HashingQueue {
  interface Waiting {
    /** Names the caller in `underWay`. */
    caller: string;
    begin: () => Promise<void>;
    refuse: () => void;
  }
  const queue = createFairQueue<Waiting>();
  /** The callers of the hashes under way. */
  const underWay: string[] = [];

  const proceed = (): void => {
    while (underWay.length < at_once) {
      const next = queue.next(({ caller }) => !underWay.includes(caller)) ?? queue.next();
      if (!next) return;
      underWay.push(next.caller);
      void next.begin().finally(() => {
        underWay.splice(underWay.indexOf(next.caller), 1);
        proceed();
      });
    }
  };

  return {
    take: ({ address, name }, work) =>
      new Promise((resolve, reject) => {
        const refuse = (): void => {
          clearTimeout(patience);
          reject(
            new DomainError('request.tooManyTries', { seconds: Math.ceil(patience_ms / 1_000) }),
          );
        };
        const one: Waiting = {
          caller: JSON.stringify([address, name]),
          begin: () => {
            clearTimeout(patience);
            return work().then(resolve, reject);
          },
          refuse,
        };
        const patience = setTimeout(() => {
          for (const late of queue.takeWhere((each) => each === one)) late.refuse();
        }, patience_ms).unref();
        queue.add({ group: address, member: name }, one);
        proceed();
        if (queue.size() > most_waiting) queue.newestOfGreediest()?.refuse();
      }),
    waiting: queue.size,
  };
}

/** Wrong passwords for a name from an address in five minutes; after that, one try in 30 s is checked. */
export const WRONG_LOGINS = 10;
/** A hash takes 32 MB and one of Node's four worker threads for about 250 ms. */
const bounds = { at_once: 2, most_waiting: 100, patience_ms: 12_000 };
/** Correct passwords remembered; far more than a guild has admins. */
const MAX_KNOWN = 100;

interface Attempt {
  username: string;
  password: string;
  address: string;
  /** The stored hash; undefined if no admin has the name. */
  hash: string | undefined;
}

/** Checks and hashes passwords, a bounded number at once. */
export interface PasswordGuard {
  wrongTries: WrongTries;
  turns: HashingQueue;
  known: KnownPasswords;
  /** The cost of new hashes. */
  cost: ScryptCost;
  matches: typeof passwordMatches;
}

interface GuardOptions {
  wrongTries: WrongTries;
  /** For tests, which would spend most of their time hashing. */
  cost?: ScryptCost;
  /** For tests of the order, which must not depend on the machine's load. */
  turns?: Partial<HashingBounds>;
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
  turns: createHashingQueue({ ...bounds, ...turns }),
  known: knownPasswords(),
  cost,
  matches,
});

const isWrongLogin = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'session.wrongLogin';

/**
 * Checks a password. Wrong ones count by name and address; past the limit, one try in 30 s is checked. Other addresses and open sessions
 * are not affected. A password that was correct before is not hashed again, so a flood of guesses does not delay its owner.
 * @throws DomainError session.wrongLogin or request.tooManyTries
 */
export async function checkPassword(
  guard: PasswordGuard,
  { username, password, address, hash }: Attempt,
): Promise<void> {
  const { turns, known, wrongTries, cost } = guard;
  const name = nameKey(username);
  const evaluate = async (): Promise<void> => {
    if (hash !== undefined && known.has(hash, password)) return;
    // Unknown names share one place in the queue, so that inventing names gains nothing.
    const caller = { address, name: hash === undefined ? '' : name };
    const matches = await turns.take(caller, () => guard.matches(password, hash, cost));
    if (!matches || hash === undefined) throw new DomainError('session.wrongLogin');
    known.add(hash, password);
  };
  await wrongTries.attempt({ secret: ['password', name], address }, evaluate, isWrongLogin);
}

/** Hashes a new password when the queue gets to it. */
export const hashInQueue = (
  guard: PasswordGuard,
  by: { address: string; name: string },
  password: string,
): Promise<string> => guard.turns.take(by, () => hashPassword(password, guard.cost));

/** Hashes a correct password again if its stored hash is weaker than today's; else null. */
export async function strongerHash(
  guard: PasswordGuard,
  { username, password, address, hash }: Attempt,
): Promise<string | null> {
  if (hash === undefined || !isWeaker(hash, guard.cost)) return null;
  const stronger = await hashInQueue(guard, { address, name: nameKey(username) }, password);
  guard.known.add(stronger, password);
  return stronger;
}

interface KnownPasswords {
  has: (hash: string, password: string) => boolean;
  add: (hash: string, password: string) => void;
}

/** Remembers the correct password of a hash, under a key that never leaves this process. */
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
      if (right.size > MAX_KNOWN && oldest !== undefined) right.delete(oldest);
    },
  };
}
