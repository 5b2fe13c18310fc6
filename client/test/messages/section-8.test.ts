import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SECTION_8 } from './section-8.ts';

const here = import.meta.dirname;

test.each(Object.keys(SECTION_8))(
  'the sentences of the chapter "%s" have their tests',
  (chapter) => {
    const file = path.join(here, `${chapter}.test.tsx`);
    expect(existsSync(file), `${chapter}.test.tsx`).toBe(true);
    // At the beginning of a line: it is called when the file is loaded, and makes the tests from the list.
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^appears\\('${chapter}', `, 'm'));
  },
);

test('no file of tests is for a chapter that is not', () => {
  const files = readdirSync(here).filter((name) => name.endsWith('.test.tsx'));
  expect(files.sort()).toEqual(
    Object.keys(SECTION_8)
      .map((chapter) => `${chapter}.test.tsx`)
      .sort(),
  );
});

test('no test of a sentence is left out', () => {
  const others = readdirSync(here).filter((name) => name !== path.basename(import.meta.filename));
  for (const name of others)
    expect(readFileSync(path.join(here, name), 'utf8'), name).not.toMatch(
      /\.(skip|todo|only|fails|skipIf|runIf)\b/,
    );
});
