import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../db/open-database.ts';
import { readReleased } from '../../db/released/format.ts';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import { aKey } from '../../dev/test/builders.ts';
import { freshDatabase } from '../../dev/test/databases.ts';
import { loaded } from '../../dev/test/released-database.ts';
import { createTestApp } from '../../dev/test/test-app.ts';

const PROGRAM = path.resolve(import.meta.dirname, 'index.ts');
const ENV = {
  PATH: process.env.PATH,
  SETTINGS_FILE: '',
  PORT: '0',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
  BACKUP_HOURS: '0',
};

it('npm run demo fills a folder of its own and starts it as an invented guild, whatever the guild uses', {
  timeout: 180_000,
}, async () => {
  const { settings, drop } = await freshDatabase('sqlite');
  onTestFinished(drop);
  const folder = path.join(settings.DATA_DIR, 'demo');
  const guild = {
    DATA_DIR: path.join(settings.DATA_DIR, 'guild'),
    DATABASE_URL: 'postgres://127.0.0.1:1/guild',
  };
  const start = async (): Promise<{ output: string; config: unknown }> => {
    const demo = spawn(process.execPath, [PROGRAM, folder], { env: { ...ENV, ...guild } });
    onTestFinished(() => void demo.kill());
    const ended = once(demo, 'exit');
    let output = '';
    for await (const text of demo.stdout) {
      output += String(text);
      if (/ready at \S+/.test(output)) break;
    }
    const [, port] = /ready at http:\/\/localhost:(\d+)/.exec(output) ?? [];
    const config = await (await fetch(`http://127.0.0.1:${port}/api/config`)).json();
    demo.kill();
    await ended;
    return { output, config };
  };
  const first = await start();
  expect(first.config).toMatchObject({ is_demo: 1 });
  expect(first.output).toMatch(/password \S+ .*\n.*access key: \S+/);
  expect(first.output).toContain(`Start it again with npm run demo -- ${folder}.`);
  // It is kept as it is, and the guild's own folder was never made.
  const again = await start();
  expect(again.config).toMatchObject({ is_demo: 1 });
  expect(again.output).not.toContain('password');
  expect(existsSync(guild.DATA_DIR)).toBe(false);
});

it('npm run demo begins again where one was killed while it filled, and deletes nothing else', {
  timeout: 180_000,
}, async () => {
  const { settings, drop } = await freshDatabase('sqlite');
  onTestFinished(drop);
  const folder = path.join(settings.DATA_DIR, 'demo');
  const killed = spawn(process.execPath, [PROGRAM, folder, '--fill-only'], { env: ENV });
  onTestFinished(() => void killed.kill('SIGKILL'));
  const ended = once(killed, 'exit');
  let output = '';
  killed.stdout.on('data', (text) => {
    output += String(text);
  });
  await expect.poll(() => output, { timeout: 90_000 }).toContain('00 claims');
  // So that it can't finish before it is killed.
  killed.kill('SIGSTOP');
  const fillOnly = () =>
    promisify(execFile)(process.execPath, [PROGRAM, folder, '--fill-only'], { env: ENV });
  await expect(fillOnly()).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is in use by another Claimboard server'),
  });
  killed.kill('SIGKILL');
  await ended;
  const note = path.join(folder, 'a-note-of-mine');
  await writeFile(note, 'kept');
  const { stdout } = await fillOnly();
  expect(stdout).toMatch(/The invented guild is ready in .*: 60 members, 1000 claims\.\n/);
  expect(await readFile(note, 'utf8')).toBe('kept');
  expect((await readdir(folder)).sort()).toEqual(['a-note-of-mine', DATABASE_FILE]);
  const database = await openDatabase({ DATA_DIR: folder }, pino({ level: 'silent' }));
  const { count } = await database.db
    .selectFrom('claims')
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  await database.close();
  expect(count).toBeGreaterThanOrEqual(1_000);
});

it('npm run demo leaves a guild as it is', { timeout: 120_000 }, async () => {
  const app = await createTestApp('sqlite');
  await aKey(app);
  const folder = await mkdtemp(path.join(app.settings.DATA_DIR, 'copy'));
  const database = await openDatabase(app.settings, pino({ level: 'silent' }), { beside: true });
  await sql`vacuum into ${path.join(folder, DATABASE_FILE)}`.execute(database.longReads);
  await database.close();
  const run = promisify(execFile)(process.execPath, [PROGRAM, folder], { env: ENV });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has a guild already. Name an empty folder'),
  });
});

it('npm run demo leaves a database of an older version as it is', {
  timeout: 120_000,
}, async () => {
  const older = readReleased('004-demo');
  const { settings } = await loaded('sqlite', older);
  const run = promisify(execFile)(process.execPath, [PROGRAM, settings.DATA_DIR], { env: ENV });
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('an older Claimboard made this database'),
  });

  const { db, close } = await openDatabase(settings, pino({ level: 'silent' }));
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by name`.execute(db);
  await close();
  expect(rows.map(({ name }) => name)).toEqual(older.migrations);
});
