import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contrast } from './readable-shade.ts';
import { deuteranopeDistance, tokens } from './test/colours.ts';

const colours = tokens();
const THEMES = [
  ['light', 0],
  ['dark', 1],
] as const;
const of = (name: string, theme: 0 | 1): string => colours.get(name)?.[theme] ?? '';

test.each(THEMES)('focus, choice, own and now are seen on every ground, %s', (_, theme) => {
  for (const name of ['focus', 'chosen', 'mine', 'now']) {
    for (const ground of ['bg', 'surface', 'raised', 'free', 'accent-ground']) {
      expect(
        contrast(of(name, theme), of(ground, theme)),
        `${name} on ${ground}`,
      ).toBeGreaterThanOrEqual(3);
    }
  }
});

test.each(THEMES)('the focus is no amber, not even for who sees no green, %s', (_, theme) => {
  expect(deuteranopeDistance(of('focus', theme), of('mine', theme))).toBeGreaterThan(20);
  expect(deuteranopeDistance(of('chosen', theme), of('mine', theme))).toBeGreaterThan(20);
});

test('no style takes the role from a list: WebKit does where its marker is none', () => {
  const sheets = globSync('client/{ui,features}/**/*.css');
  expect(sheets.length).toBeGreaterThan(50);
  expect(
    sheets.filter((file) => /list-style(-type)?:[^;]*\bnone\b/.test(readFileSync(file, 'utf8'))),
  ).toEqual([]);
});
