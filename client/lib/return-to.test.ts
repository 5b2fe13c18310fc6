import fc from 'fast-check';
import { expect, test } from 'vitest';
import { returnTo, returnToIn } from './return-to.ts';

test.each(['/admin/dashboard/keys?search=Arden&active=1', '/admin/dashboard', '/admin/input', '/mine?wait=5', '/statistics'])(
  'someone who asked for %s is brought back there',
  (address) => {
    const { pathname, search } = new URL(address, 'https://board.example');
    expect(returnToIn(returnTo({ pathname, search }))).toBe(address);
  },
);

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

test('any state leads to a page of ours', () => {
  fc.assert(
    fc.property(fc.oneof(fc.webUrl(), fc.webPath(), fc.string()), (text) => {
      const address = returnToIn({ return_to: text });
      if (address !== null) expect(new URL(address, 'https://board.example').origin).toBe('https://board.example');
    }),
  );
});
