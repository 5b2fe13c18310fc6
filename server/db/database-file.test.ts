import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import BetterSqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { pino } from 'pino';
import supertest from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { aName, changeUnheard } from '../dev/test/builders.ts';
import { freshDatabase } from '../dev/test/databases.ts';
import { expectRefusal } from '../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../dev/test/test-app.ts';
import { createFileMonitor } from './database-file.ts';
import { openDatabase } from './open-database.ts';

const anApp = (options: TestAppOptions = {}): Promise<TestApp> => createTestApp('sqlite', options);
const fileOf = (app: TestApp): string => path.join(app.settings.DATA_DIR, 'claimboard.sqlite');
const write = (app: TestApp) =>
  app.api
    .post('/categories')
    .set(app.admin)
    .send({ name: aName('Category') });
/** Sets the connection that is written over. */
const pragma = (app: TestApp, what: string): Promise<unknown> =>
  changeUnheard(app, (tx) => sql.raw(what).execute(tx));
const health = async (app: TestApp): Promise<unknown> =>
  (await app.api.get('/admin/health').set(app.admin).expect(200)).body.data;

const LOST =
  "The server's database file is missing, so nothing can be saved. An admin has to fix this.";
const FULL = "The server's disk is full, so nothing can be saved. An admin has to free up space.";
const READ_ONLY =
  "The server can't write to its database, so nothing can be saved. An admin has to fix this.";

async function expectReady(app: TestApp, reason: string | null): Promise<void> {
  const { status, body } = await supertest(app.url).get('/readyz');
  expect({ status, body }).toEqual(
    reason
      ? { status: 503, body: { status: 'not ready', reason } }
      : { status: 200, body: { status: 'ready' } },
  );
}

describe('a database file that is taken away while the server runs', () => {
  it.each(['claimboard.sqlite', 'claimboard.sqlite-wal'])(
    '%s: no write is acknowledged, admins and /readyz say so, reads go on',
    async (name) => {
      const app = await anApp();
      await write(app).expect(201);
      expect(await health(app)).toEqual({ problem: null });
      await expectReady(app, null);
      await unlink(path.join(app.settings.DATA_DIR, name));
      expectRefusal(await write(app), 503, 'server.storageLost', LOST);
      expect(await health(app)).toEqual({ problem: 'server.storageLost' });
      await expectReady(app, 'the database file is not the one that was opened');
      await app.api.get('/categories').expect(200);
    },
  );

  it('another file in its place is not it, and when the right one is back all is well', async () => {
    const app = await anApp();
    await rename(fileOf(app), `${fileOf(app)}.away`);
    await writeFile(fileOf(app), '');
    expectRefusal(await write(app), 503, 'server.storageLost', LOST);
    await rename(`${fileOf(app)}.away`, fileOf(app));
    await write(app).expect(201);
    await expectReady(app, null);
  });
});

describe('a full disk', () => {
  it('refuses writes that need space, and accepts them again when there is some, without a restart', async () => {
    const app = await anApp();
    await pragma(app, 'pragma max_page_count = 1');
    const refused = await vi.waitUntil(
      async () => {
        const answer = await write(app);
        return answer.status === 201 ? null : answer;
      },
      { timeout: 30_000, interval: 0 },
    );
    expectRefusal(refused, 503, 'server.storageFull', FULL);
    expect(refused.headers['retry-after']).toBe('2');
    const clock = app.ctx.bus.clock();
    await app.api.get('/categories').expect(200);
    await pragma(app, 'pragma max_page_count = 1000000');
    await write(app).expect(201);
    expect(app.ctx.bus.clock()).toBe(clock + 1);
  });

  it('is announced before it is full, by its size', async () => {
    let free = 49_000_000;
    const app = await anApp({
      context: { fileMonitor: { space: async () => ({ free, total: 500_000_000_000 }) } },
    });
    await expectReady(app, 'the disk is nearly full');
    expect(await health(app)).toEqual({ problem: 'server.storageFull' });
    // There is some room still.
    await write(app).expect(201);
    free = 51_000_000;
    await expectReady(app, null);
    expect(await health(app)).toEqual({ problem: null });
    const small = createFileMonitor(fileOf(app), app.ctx.log, {
      space: async () => ({ free, total: 100_000_000 }),
    });
    expect(await small.findProblem()).toBeNull();
    free = 4_000_000;
    expect(await small.findProblem()).toBe('server.storageFull');
  });
});

it('a database that cannot be written refuses writes, and recovers when it can', async () => {
  const app = await anApp();
  const begin = vi.spyOn(BetterSqlite.prototype, 'exec').mockImplementation(() => {
    throw new BetterSqlite.SqliteError('attempt to write a readonly database', 'SQLITE_READONLY');
  });
  onTestFinished(() => begin.mockRestore());
  expectRefusal(await write(app), 503, 'server.storageReadOnly', READ_ONLY);
  await app.api.get('/categories').expect(200);
  begin.mockRestore();
  await write(app).expect(201);
});

it('shows problems of the machine only to admins', async () => {
  const app = await anApp();
  expect((await app.api.get('/admin/health')).body.code).toBe('session.required');
});

it('each change of the file is logged once', async () => {
  const app = await anApp();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  let looks = 0;
  const space = async () => {
    looks += 1;
    return { free: looks > 4 && looks < 10 ? 0 : 1e12, total: 1e12 };
  };
  const stop = createFileMonitor(fileOf(app), log, { everyMs: 1, space }).start();
  await vi.waitFor(() => expect(looks).toBeGreaterThan(14), { timeout: 20_000 });
  stop();
  expect(lines).toEqual(['the database file has a problem', 'the database file is OK again']);
});

describe('the check of the whole file', () => {
  async function checkBy(
    program: string,
  ): Promise<{ lines: string[]; errors: string[]; stop: () => void }> {
    const app = await anApp();
    const checker = path.join(app.settings.DATA_DIR, 'checker.mjs');
    await writeFile(checker, program);
    const lines: string[] = [];
    const errors: string[] = [];
    const write = (line: string): void => {
      const { msg, err, found } = JSON.parse(line);
      lines.push(msg);
      errors.push(err?.message ?? found);
    };
    const monitor = createFileMonitor(fileOf(app), pino({}, { write }), {
      checker: pathToFileURL(checker),
    });
    const stop = monitor.checkIntegrity();
    onTestFinished(stop);
    return { lines, errors, stop };
  }

  it.each([
    ['process.exit(3)', 3],
    ["process.kill(process.pid, 'SIGKILL')", 'SIGKILL'],
  ])('that ends without a result has failed: %s', async (program, how) => {
    const { lines, errors } = await checkBy(program);
    await vi.waitFor(() => expect(lines).toEqual(['the database file could not be checked']), {
      timeout: 20_000,
    });
    expect(errors).toEqual([`the check ended with ${how}`]);
  });

  it('that is stopped has not', async () => {
    const { lines, stop } = await checkBy('setInterval(() => {}, 1000)');
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    stop();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(lines).toEqual([]);
  });

  it('gets none of the secrets of the environment', async () => {
    vi.stubEnv('ADMIN_PASSWORD', 'a secret');
    onTestFinished(() => void vi.unstubAllEnvs());
    const { errors } = await checkBy(
      'process.send({ found: "environment " + JSON.stringify(process.env) }, () => process.exit())',
    );
    await vi.waitFor(() => expect(errors).toEqual([expect.stringContaining('environment')]), {
      timeout: 20_000,
    });
    expect(errors[0]).not.toContain('a secret');
  });
});

describe.skipIf(process.platform === 'win32')('the data folder', () => {
  const open = async (DATA_DIR: string): Promise<void> =>
    (await openDatabase({ DATA_DIR }, pino({ level: 'silent' }))).close();
  const mode = async (file: string): Promise<string> =>
    ((await stat(file)).mode & 0o777).toString(8);

  async function folder(): Promise<string> {
    const { settings, drop } = await freshDatabase('sqlite');
    onTestFinished(drop);
    return path.join(settings.DATA_DIR, 'data');
  }

  it('is private to its user, with all files in it, also if it was open before', async () => {
    const DATA_DIR = await folder();
    await mkdir(DATA_DIR, { mode: 0o755 });
    for (const name of ['claimboard.sqlite', 'server.lock']) {
      await writeFile(path.join(DATA_DIR, name), '');
      await chmod(path.join(DATA_DIR, name), 0o644);
    }
    const app = await anApp({ on: { settings: { DATA_DIR }, drop: async () => {} } });
    await write(app).expect(201);
    const names = await readdir(DATA_DIR);
    expect(names).toEqual(
      expect.arrayContaining([
        'claimboard.sqlite',
        'claimboard.sqlite-shm',
        'claimboard.sqlite-wal',
        'server.lock',
      ]),
    );
    for (const name of names)
      expect([name, await mode(path.join(DATA_DIR, name))]).toEqual([name, '600']);
    expect(await mode(DATA_DIR)).toBe('700');
  });

  it('is made so where there is none', async () => {
    const DATA_DIR = await folder();
    await open(DATA_DIR);
    expect([await mode(DATA_DIR), await mode(path.join(DATA_DIR, 'claimboard.sqlite'))]).toEqual([
      '700',
      '600',
    ]);
  });

  it('keeps its mode if it holds other files, but ours are private', async () => {
    const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'claimboard-shared-'));
    onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
    await chmod(DATA_DIR, 0o755);
    await writeFile(path.join(DATA_DIR, 'of-somebody-else'), '');
    await open(DATA_DIR);
    expect([await mode(DATA_DIR), await mode(path.join(DATA_DIR, 'claimboard.sqlite'))]).toEqual([
      '755',
      '600',
    ]);
  });

  it.skipIf(process.getuid?.() !== 0)('with a file of another user is one line', async () => {
    const DATA_DIR = await folder();
    await open(DATA_DIR);
    await chown(path.join(DATA_DIR, 'claimboard.sqlite'), 12_345, 12_345);
    await expect(open(DATA_DIR)).rejects.toThrow(
      /claimboard\.sqlite belongs to another user \(number 12345\)\. Run Claimboard as that user/,
    );
  });
});
