import { expect, test } from 'vitest';
import { wordsOf } from '../lib/words/search.ts';
import { foundIn } from './found-in.ts';

const marked = (text: string, search: string): string => {
  let out = '';
  let at = 0;
  for (const [from, to] of foundIn(text, wordsOf(search))) {
    out += `${text.slice(at, from)}[${text.slice(from, to)}]`;
    at = to;
  }
  return out + text.slice(at);
};

test.each([
  ['Fire Library', 'lib', 'Fire [Lib]rary'],
  ['Fire Library', 'rary fire', '[Fire] Lib[rary]'],
  ['Câmara', 'camara', '[Câmara]'],
  ['Asura’s Mirror', 'asuras', '[Asura’s] Mirror'],
  ["Asura's Mirror", 'asura´s', "[Asura's] Mirror"],
  ['Łowisko Œrsted', 'lowisko oersted', '[Łowisko] [Œrsted]'],
  ['Ingol -2', 'ingol –2', '[Ingol] [-2]'],
  ['Banana', 'ana nan', 'B[anana]'],
  ['𝒳 Tower', 'tow', '𝒳 [Tow]er'],
  ['Fire Library', 'cobra', 'Fire Library'],
  ['Fire Library', '', 'Fire Library'],
])('%s, searched for "%s", is marked %s', (text, search, expected) => {
  expect(marked(text, search)).toBe(expected);
});
