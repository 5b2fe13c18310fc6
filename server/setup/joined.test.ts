import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { at } from './command.mjs';
import { entries } from './joined.mjs';

/** A place where these versions are installed, with our file beside them. */
async function installed(versions: Record<string, string>) {
  const app = mkdtempSync(path.join(tmpdir(), 'claimboard-joined-'));
  onTestFinished(() => rmSync(app, { recursive: true, force: true }));
  const install = (name: string, version: string): void => {
    mkdirSync(path.join(app, 'node_modules', name), { recursive: true });
    writeFileSync(path.join(app, 'node_modules', name, 'package.json'), JSON.stringify({ version }));
  };
  for (const [name, version] of Object.entries(versions)) install(name, version);
  const file = path.join(app, 'server/setup/joined.mjs');
  cpSync(at('server/setup/joined.mjs'), file);
  const joined: typeof import('./joined.mjs') = await import(file);
  return { install, ...joined };
}

describe('packages that were joined', () => {
  it('are taken where they are there for the installed versions, and for no others', async () => {
    const { install, joinedFolder, joinedFiles } = await installed({ express: '1.0.0', kysely: '1.0.0', zod: '1.0.0' });
    expect(joinedFiles()).toEqual(new Map());
    mkdirSync(joinedFolder(), { recursive: true });
    expect([...joinedFiles().keys()]).toEqual(['express', 'kysely', 'kysely/migration', 'zod']);
    expect(joinedFiles().get('kysely/migration')).toMatch(/^file:\/\/.*kysely@1\.0\.0.*\/kysely-migration\.mjs$/);
    install('zod', '1.0.1');
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
