import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { readEnv, settings } from '../../env.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const quoted = (text: string): string[] =>
  [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, name]) => name ?? []);
/** As it is written, or in the server's folder. */
const isThere = (name: string): boolean =>
  [ROOT, path.join(ROOT, 'server')].some((folder) => existsSync(path.join(folder, name)));

describe('the root README', () => {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');

  it('is short', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1_200);
  });

  it('names scripts that exist', () => {
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    const named = [...readme.matchAll(/npm (?:run )?(\w+)/g)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(['start', 'test', 'check', 'backup', 'restore']));
    expect(named.filter((name) => !Object.hasOwn(scripts, name ?? ''))).toEqual([]);
  });

  it('names settings with their defaults', () => {
    const defaults: Record<string, unknown> = settings.parse({});
    const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (?:`(.*?)`)?/gm)].map(
      ([, name, value]) => [name, value],
    );
    expect(rows).toHaveLength(10);
    expect(rows).toEqual(rows.map(([name]) => [name, defaults[name ?? '']?.toString()]));
    expect(rows.filter(([name]) => !Object.hasOwn(settings.shape, name ?? ''))).toEqual([]);
  });
});

it('the sample of the settings file has the settings of the README, and each is valid', () => {
  const sample = readFileSync(path.join(ROOT, 'server/ops/claimboard.env.example'), 'utf8');
  const listed = [...sample.matchAll(/^# ([A-Z_]+=.*)$/gm)].map(([, line]) => line).join('\n');
  const rows = [
    ...readFileSync(path.join(ROOT, 'README.md'), 'utf8').matchAll(/^\| `([A-Z_]+)` \|/gm),
  ].map(([, name]) => name);
  expect(Object.keys(parseEnv(listed)).sort()).toEqual(rows.sort());
  expect(() => readEnv(parseEnv(listed))).not.toThrow();
  expect(parseEnv(sample)).toEqual({});
});

describe.each(
  globSync(['*.md', '.github/*.md', 'server/decisions/*.md', '{server,shared,data}/**/README.md'], {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  }),
)('%s', (readme) => {
  const text = readFileSync(path.join(ROOT, readme), 'utf8');
  const folder = path.dirname(path.join(ROOT, readme));

  it('names and links only files that exist', () => {
    const links = [...text.matchAll(/(?:\]\(|srcset="|src=")([^)#"]+)/g)].flatMap(
      ([, to]) => to ?? [],
    );
    const paths = quoted(text).filter(
      (name) =>
        /^[\w.-]+\/[\w./-]*(\/|\.(ts|tsx|mjs|md|json))$/.test(name) && !name.startsWith('/'),
    );
    expect(
      links.filter((to) => !to.startsWith('https://') && !existsSync(path.join(folder, to))),
    ).toEqual([]);
    expect(paths.filter((name) => !isThere(name) && !existsSync(path.join(folder, name)))).toEqual(
      [],
    );
    // A name without a folder is one of this document's subject.
    const names = quoted(text).filter((name) => /^[\w.-]+\.(ts|tsx|mjs)$/.test(name));
    const below = new Set(
      globSync('**/*.{ts,tsx,mjs}', {
        cwd: folder,
        exclude: ['**/node_modules/**', '**/dist/**'],
      }).map((file) => path.basename(file)),
    );
    expect(names.filter((name) => !below.has(name))).toEqual([]);
  });
});
