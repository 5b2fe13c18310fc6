import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 64;
const SALT_BYTES = 16;

/** scrypt with Node's default cost, as `salt:key` in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, KEY_BYTES);
  return `${salt.toString('base64url')}:${key.toString('base64url')}`;
}

/** A password that nobody has, so that an unknown name takes as long to refuse as a wrong password. */
const NOBODY = `${'A'.repeat(22)}:${'A'.repeat(86)}`;

export async function passwordMatches(password: string, hash: string | undefined): Promise<boolean> {
  const [salt = '', key = ''] = (hash ?? NOBODY).split(':');
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), KEY_BYTES);
  return timingSafeEqual(actual, expected) && hash !== undefined;
}
