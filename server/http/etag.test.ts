import { expect, it } from 'vitest';
import { holds } from './etag.ts';

const asked = (tags: string | undefined, etag = '"b"'): boolean => holds({ headers: { 'if-none-match': tags } }, etag);

it.each([
  ['"b"', true],
  ['W/"b"', true],
  ['"a", "b"', true],
  ['"a",W/"b" , "c"', true],
  ['*', true],
  [' * ', true],
  [undefined, false],
  ['', false],
  ['"a"', false],
  ['b', false],
  ['"a, "b', false],
  ['W/"bb", "ab"', false],
  ['"*"', false],
])('If-None-Match: %s holds "b": %s', (tags, held) => {
  expect(asked(tags)).toBe(held);
  expect(asked(tags, 'W/"b"')).toBe(held);
});
