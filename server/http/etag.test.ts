import { expect, it } from 'vitest';
import { matchesEtag } from './etag.ts';

const asked = (tags: string | undefined, etag = '"b"'): boolean => matchesEtag({ headers: { 'if-none-match': tags } }, etag);

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
])('If-None-Match: %s matches "b": %s', (tags, matches) => {
  expect(asked(tags)).toBe(matches);
  expect(asked(tags, 'W/"b"')).toBe(matches);
});
