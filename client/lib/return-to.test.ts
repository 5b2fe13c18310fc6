import fc from 'fast-check';
import { expect, test } from 'vitest';
import { returnTo, returnToIn } from './return-to.ts';

test.each([
  '/admin/dashboard/keys?search=Arden&active=1',
  '/admin/dashboard',
  '/admin/input',
  '/mine?wait=5',
  '/statistics',
])('someone who asked for %s is brought back there', (address) => {
  const { pathname, search } = new URL(address, 'https://board.example');
  expect(returnToIn(returnTo({ pathname, search }))).toBe(address);
});

test.each([
  null,
  {},
  { return_to: 7 },
  { return_to: '/admin/login' },
  { return_to: '//evil.example' },
  { return_to: 'https://evil.example/mine' },
])('%o leads nowhere', (state) => {
  expect(returnToIn(state)).toBeNull();
});

/** `fc.webUrl` takes two seconds to begin with. */
const ORIGINS = [
  'https://evil.example',
  'http://evil.example:8080',
  'https:evil.example',
  '//evil.example',
  '/\\evil.example',
  'javascript:',
];
const foreign = fc
  .tuple(fc.constantFrom(...ORIGINS), fc.webPath(), fc.string())
  .map((parts) => parts.join(''));

test('any state leads to a page of ours', () => {
  fc.assert(
    fc.property(fc.oneof(foreign, fc.webPath(), fc.string()), (text) => {
      const address = returnToIn({ return_to: text });
      if (address !== null)
        expect(new URL(address, 'https://board.example').origin).toBe('https://board.example');
    }),
  );
});
