import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import { aKey } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, NOW } from '../../dev/test/test-app.ts';
import { notifyingJobsOf } from '../../feature.ts';
import { features } from '../../features.ts';
import { backupCommand } from './command.ts';
import { aFolder, anEmpty, recordsOf } from './test/records.ts';

vi.setConfig({ testTimeout: 180_000 });

async function run(env: Record<string, string | undefined>, ...args: string[]) {
  const printed = { out: '', err: '' };
  const into = (name: 'out' | 'err') => ({ write: (text: string) => (printed[name] += text) });
  const code = await backupCommand({
    args,
    env,
    notifyingJobs: notifyingJobsOf(features),
    out: into('out'),
    err: into('err'),
    now: () => new Date(NOW),
  });
  // How far it is, which it says when it takes longer than a second, as on a busy machine.
  return { code, ...printed, err: printed.err.replace(/^(Backing up|Restoring): .*\n/gm, '') };
}

describe.each(databases)('npm run backup and npm run restore on %s', (dialect) => {
  it('write a file private to its user, beside a running server, and restore it', async () => {
    const app = await createTestApp(dialect);
    await aKey(app);
    const made = await run(app.settings, 'backup');
    const file = path.join(
      app.settings.DATA_DIR,
      'backups',
      'claimboard-2026-11-21-180000.jsonl.gz',
    );
    expect(made).toMatchObject({ code: 0, err: '' });
    expect(made.out).toContain(`Backup written: ${file} (`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    // It is not written over, and nothing else is left.
    expect(await run(app.settings, 'backup')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/exists already.*\n$/),
    });
    expect(await readdir(path.dirname(file))).toEqual([path.basename(file)]);

    const to = await anEmpty(dialect);
    expect(await run(to.settings, 'restore', file)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('Restored '),
    });
    expect(await recordsOf(to.settings)).toEqual(await recordsOf(app.settings));
    const before = await recordsOf(to.settings);
    const again = await run(to.settings, 'restore', file);
    expect(again).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringMatching(/is not empty: its table \w+ has rows\. .*\n$/),
    });
    expect(await recordsOf(to.settings)).toEqual(before);
  });

  it('names a backup by the time of the database, if this machine is a day ahead of PostgreSQL', async () => {
    const app = await createTestApp(dialect);
    const today = new Date();
    vi.useFakeTimers({ toFake: ['Date'], now: today.getTime() + 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    const out: string[] = [];
    const output = { write: (text: string) => out.push(text) };
    expect(
      await backupCommand({
        args: ['backup'],
        env: app.settings,
        notifyingJobs: notifyingJobsOf(features),
        out: output,
        err: output,
      }),
    ).toBe(0);
    const expected = dialect === 'postgres' ? today : new Date();
    const dates = [0, 60_000].map((ms) =>
      new Date(expected.getTime() + ms).toISOString().slice(0, 10),
    );
    expect(out.join('')).toMatch(new RegExp(`claimboard-(${dates.join('|')})-`));
  });

  it.runIf(dialect === 'sqlite')(
    'restore nothing beside a log that a deleted database left',
    async () => {
      const app = await createTestApp(dialect);
      const file = path.join(await aFolder(), 'board.gz');
      await run(app.settings, 'backup', file);
      const to = await anEmpty(dialect);
      const log = `${DATABASE_FILE}-wal`;
      await copyFile(path.join(app.settings.DATA_DIR, log), path.join(to.settings.DATA_DIR, log));
      expect(await run(to.settings, 'restore', file)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/is missing, but \S+-wal is there.*\n$/),
      });
      expect(await readdir(to.settings.DATA_DIR)).not.toContain(DATABASE_FILE);
      await rm(path.join(to.settings.DATA_DIR, log));
      expect(await run(to.settings, 'restore', file)).toMatchObject({ code: 0 });
    },
  );

  it('print in one line what is wrong, and their usage', async () => {
    const to = await anEmpty(dialect);
    const folder = await aFolder();
    const file = path.join(folder, 'a.gz');
    await writeFile(file, 'x');
    const lines = [
      await run(to.settings, 'restore', path.join(folder, 'none.gz')),
      await run(to.settings, 'restore', file),
      await run({ ...to.settings, PORT: 'x' }, 'backup'),
      await run({ DATA_DIR: path.join(folder, 'none') }, 'backup', path.join(folder, 'b.gz')),
    ];
    for (const { code, out, err } of lines)
      expect([code, out, err.split('\n').length]).toEqual([1, '', 2]);
    for (const args of [['restore'], ['backup', 'a', 'b'], ['delete']])
      expect(await run(to.settings, ...args)).toMatchObject({
        code: 1,
        err: expect.stringContaining('npm run restore -- FILE'),
      });
    expect(await readdir(folder)).toEqual(['a.gz']);
  });
});

describe('npm run restore', () => {
  it('does not take the place of a database whose server runs', async () => {
    const app = await createTestApp('sqlite');
    const made = await run(app.settings, 'backup', path.join(await aFolder(), 'a.gz'));
    const file = /Backup written: (\S+)/.exec(made.out)?.[1] ?? '';
    expect(await run(app.settings, 'restore', file)).toMatchObject({
      code: 1,
      err: expect.stringContaining('in use by another Claimboard server'),
    });
  });
});

describe('the program itself', () => {
  it('exits with the status of its outcome', async () => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const args = [path.resolve(import.meta.dirname, '../../cli/backup.ts'), 'restore', '/nowhere'];
    const child = spawn(process.execPath, args, { env: { PATH, NODE_COMPILE_CACHE } });
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([code, err]).toEqual([1, 'There is no file /nowhere.\n']);
  });
});
