import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const readme = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const sectionOf = (title: string): string => readme.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
const quoted = (text: string): string[] => [...text.matchAll(/`([^`\s]+)`/g)].flatMap(([, name]) => name ?? []);
const isPath = (name: string): boolean => /^[\w.][\w./-]*(\/|\.\w+)$/.test(name);
/** As it is written, or in the server's folder. */
const isThere = (name: string): boolean => [ROOT, path.join(ROOT, 'server')].some((folder) => existsSync(path.join(folder, name)));

describe('the README', () => {
  it.each(['Layout', 'The way of a claim', 'Decisions'])('names files that are there: %s', (title) => {
    const links = [...sectionOf(title).matchAll(/\]\(([^)#:]+)\)/g)].flatMap(([, to]) => to ?? []);
    const named = [...quoted(sectionOf(title)).filter((name) => name.includes('/') && isPath(name)), ...links];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !isThere(name))).toEqual([]);
  });

  it('names bounds where they stand', () => {
    const files = sectionOf('Limits')
      .split('\n')
      .slice(4)
      .filter((line) => line.startsWith('|'))
      .flatMap((row) => quoted(row.split('|').at(-2) ?? ''))
      .filter(isPath);
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((name) => !isThere(name))).toEqual([]);
  });

  it('walks a claim in seven stops at most, and what it says of a stop stands in its file', () => {
    const stops = sectionOf('The way of a claim')
      .split(/\n(?=\d+\. )/)
      .slice(1);
    expect(stops.length).toBeGreaterThan(1);
    expect(stops.length).toBeLessThanOrEqual(7);
    for (const stop of stops) {
      const [file = '', ...names] = quoted(stop);
      const code = readFileSync(path.join(ROOT, file), 'utf8');
      const missing = names.filter((name) => !isPath(name) && !new RegExp(`\\b${name}\\b`, 'i').test(code));
      expect(missing, file).toEqual([]);
    }
  });
});
