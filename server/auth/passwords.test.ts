import { expect, it } from 'vitest';
import {
  hashPassword,
  isCommonPassword,
  isWeaker,
  PASSWORD_COST,
  passwordMatches,
} from './passwords.ts';

it('a new hash names its parameters, at OWASP’s strength for scrypt with 32 MB', async () => {
  const hash = await hashPassword('hunting-at-night');
  expect(hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{86}$/);
  expect(await passwordMatches('hunting-at-night', hash)).toBe(true);
  expect(await passwordMatches('hunting-by-day', hash)).toBe(false);
  expect(isWeaker(hash, PASSWORD_COST)).toBe(false);
});

it.each([
  ['scrypt$16384$8$5$s$k', true],
  ['scrypt$32768$8$1$s$k', true],
  ['scrypt$32768$8$3$s$k', false],
  ['scrypt$131072$8$1$s$k', false],
])('%s is weaker than today’s: %s', (hash, weaker) => {
  expect(isWeaker(hash, PASSWORD_COST)).toBe(weaker);
});

it.each(['none', '', `${'A'.repeat(22)}:${'A'.repeat(86)}`, 'scrypt$1024$8$1$$'])(
  'nothing matches %j, which is no hash',
  async (hash) => {
    expect(await passwordMatches('', hash)).toBe(false);
  },
);

it('common passwords are known in any case, others are not', () => {
  expect(
    ['123456', 'Password1', 'QWERTYUIOP', '!qaz2wsx'].filter(
      (password) => !isCommonPassword(password),
    ),
  ).toEqual([]);
  expect(
    ['hunting-at-night', 'x7Kp-q2', '# All rights reserved.', ''].filter(isCommonPassword),
  ).toEqual([]);
});
