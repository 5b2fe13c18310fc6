import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RULE = /\bR\d+\.\d+\b/g;

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(path.join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(test|spec)\.tsx?$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

async function quotedIn(files: readonly string[]): Promise<Set<string>> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return new Set(texts.flatMap((text) => text.match(RULE) ?? []));
}

describe('the rulebook', () => {
  it('is quoted by the tests rule by rule, and they quote no rule that is not in it', async () => {
    const book = await readFile(path.join(import.meta.dirname, 'README.md'), 'utf8');
    const rules = new Set(
      [...book.matchAll(/^- \*\*(R\d+\.\d+)\*\*/gm)].map(([, rule]) => rule ?? ''),
    );
    const files = (await Promise.all(['shared', 'server', 'client'].map(testFiles))).flat();
    const quoted = await quotedIn(files);
    expect(rules.size).toBeGreaterThan(30);
    expect([...rules].filter((rule) => !quoted.has(rule))).toEqual([]);
    expect([...quoted].filter((rule) => !rules.has(rule))).toEqual([]);
  });
});
