import { expect, it } from 'vitest';
import { withoutSecrets } from './client-error.ts';

const TOKEN = 'q3JZr0bKx9-Vn2TqYw5LmD8sHc4eU7aPf6GoXi1kQtE';

it.each([
  ['access keys', 'no such key: K7QM-2F9A-XW3C, nor k7qm-2f9a-xw3c', 'no such key: …, nor …'],
  ['tokens', `Bearer ${TOKEN} was refused`, 'Bearer … was refused'],
  ['tokens in paths', `GET /calendar/${TOKEN}.`, 'GET /calendar/….'],
  ['queries of addresses', 'at https://board.example/login?type=access-key&next=/x now', 'at https://board.example/login now'],
  ['queries of paths, and what is behind a #', 'left /input?respawn=3 for /verify#Sable', 'left /input for /verify'],
])('leaves %s out', (_, text, left) => {
  expect(withoutSecrets(text)).toBe(left);
});

it('leaves a stack readable', () => {
  const stack = [
    "TypeError: Cannot read properties of undefined (reading 'hour_start?.x')",
    '    at getDerivedStateFromProps (https://board.example/static/admin-input-page-D8f3kd01.js:12:345)',
    '    at claimsByRespawn (https://board.example/static/first-Bx3kd9_2.js:1:2)',
  ].join('\n');
  expect(withoutSecrets(stack)).toBe(stack);
  expect(withoutSecrets('at a (http://x.example/a.js?t=1:10:5)')).toBe('at a (http://x.example/a.js:10:5)');
});
