import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const quoted = (text: string): string[] => [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, name]) => name ?? []);
const isPath = (name: string): boolean => /^[\w.][\w./-]*(\/|\.\w+)$/.test(name);
/** As it is written, or in the server's folder. */
const isThere = (name: string): boolean => [ROOT, path.join(ROOT, 'server')].some((folder) => existsSync(path.join(folder, name)));

describe('the root README', () => {
  const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');

  it('names bounds in files that exist', () => {
    const files = (readme.split('\n## Limits\n')[1]?.split('\n## ')[0] ?? '')
      .split('\n')
      .slice(4)
      .filter((line) => line.startsWith('|'))
      .flatMap((row) => quoted(row.split('|').at(-2) ?? ''))
      .filter(isPath);
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((name) => !isThere(name))).toEqual([]);
  });
});

describe.each(globSync(['{server,shared}/**/README.md'], { cwd: ROOT, exclude: ['**/node_modules/**'] }))('%s', (readme) => {
  const text = readFileSync(path.join(ROOT, readme), 'utf8');
  const folder = path.dirname(path.join(ROOT, readme));

  it('names and links only files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)\)/g)].flatMap(([, to]) => to ?? []);
    const paths = quoted(text).filter((name) => /^[\w.-]+\/[\w./-]*(\/|\.(ts|tsx|mjs|md|json))$/.test(name) && !name.startsWith('/'));
    expect(links.filter((to) => !existsSync(path.join(folder, to)))).toEqual([]);
    expect(paths.filter((name) => !isThere(name) && !existsSync(path.join(folder, name)))).toEqual([]);
  });
});
