import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

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
