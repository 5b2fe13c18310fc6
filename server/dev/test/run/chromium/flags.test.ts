import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { chromiumFlags } from './flags.mjs';

const FLAG = '--disable-features=';

it('Chromium does without all that Playwright would have it do without, whose flag is replaced by ours', () => {
  const playwright = path.dirname(
    createRequire(import.meta.url).resolve('playwright-core/package.json'),
  );
  const [, list = ''] =
    /\bdisabledFeatures = \[(.+?)\]\.filter/s.exec(
      readFileSync(path.join(playwright, 'lib/coreBundle.js'), 'utf8'),
    ) ?? [];
  const theirs = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  expect(theirs).toContain('PaintHolding');
  const ours = chromiumFlags.filter((flag) => flag.startsWith(FLAG));
  expect(ours).toHaveLength(1);
  expect(ours.flatMap((flag) => flag.slice(FLAG.length).split(','))).toEqual(
    expect.arrayContaining(theirs),
  );
});
