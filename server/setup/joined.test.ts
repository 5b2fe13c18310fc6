import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { at } from './command.mjs';
import { entries } from './joined.mjs';

/** A place with our file, and a lock file that says so. */
async function placeWith(lock: string) {
  const app = mkdtempSync(path.join(tmpdir(), 'claimboard-joined-'));
  onTestFinished(() => rmSync(app, { recursive: true, force: true }));
  const locked = (text: string): void => writeFileSync(path.join(app, 'package-lock.json'), text);
  locked(lock);
  const file = path.join(app, 'server/setup/joined.mjs');
  cpSync(at('server/setup/joined.mjs'), file);
  const joined: typeof import('./joined.mjs') = await import(file);
  return { locked, ...joined };
}

describe('packages that were joined', () => {
  it('are taken where they are there for all that is locked, and for nothing else', async () => {
    const { locked, joinedFolder, joinedFiles } = await placeWith('send 1.0.0');
    expect(joinedFiles()).toEqual(new Map());
    mkdirSync(joinedFolder(), { recursive: true });
    expect([...joinedFiles().keys()]).toEqual(['express', 'kysely', 'kysely/migration', 'zod']);
    expect(joinedFiles().get('kysely/migration')).toMatch(/^file:\/\/.*\/kysely-migration\.mjs$/);
    // A mended package far below one of them.
    locked('send 1.0.1');
    expect(joinedFiles()).toEqual(new Map());
  });

  it('are all that is imported of them, so that none is there twice', () => {
    const sources = execFileSync('git', ['ls-files', 'server', 'shared'], { cwd: at('.'), encoding: 'utf8' });
    const imported = sources
      .split('\n')
      .filter((file) => /(?<!\.test)\.ts$/.test(file))
      .flatMap((file) => [...readFileSync(at(file), 'utf8').matchAll(/(?:from |import\()'((?:express|kysely|zod)(?:\/[^']*)?)'/g)])
      .map(([, specifier = '']) => specifier);
    expect([...new Set(imported)].sort()).toEqual(Object.values(entries).sort());
  });
});
