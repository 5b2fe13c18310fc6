import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDoctorPass, isDoctorPass } from '../../auth/doctor-pass.ts';
import { openDatabase } from '../../db/open-database.ts';
import { changeUnheard } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { startFaultProxy } from '../../dev/test/fault-proxy.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import {
  portalPage,
  startWebFaultProxy,
  type WebFaultProxy,
} from '../../dev/test/web-fault-proxy.ts';
import { readEnv } from '../../env.ts';
import { writeArchive } from '../backup/archive-writer.ts';
import { fileNameAt } from '../backup/backup-files.ts';
import type { Finding } from './check.ts';
import { doctorCommand } from './command.ts';
import { runChecks } from './run-checks.ts';
import { BUILD, looksAt } from './test/looks.ts';

const PAGE = {
  status: 200,
  body: `<!doctype html><meta name="claimboard-build" content="${BUILD}">`,
};
/** Short, for answers that never come. */
const timeout_ms = 2_500;

describe('the public address of a board', () => {
  const app = createSuiteApp('sqlite', { context: { build: () => BUILD } });
  let proxy: WebFaultProxy;
  beforeAll(async () => {
    proxy = await startWebFaultProxy(app.url);
    return () => proxy.close();
  });
  beforeEach(() => {
    proxy.heal();
    proxy.rewrite((text) => text);
    proxy.fault(/^\/$/, PAGE);
  });
  const looks = async (url = proxy.url, on = app): Promise<Finding[]> =>
    looksAt({ ...on, env: { PUBLIC_URL: url } }, 'clock', 'address', 'page', 'live');
  /** For intermediaries without timing. */
  const findings = async (url?: string): Promise<string[]> =>
    (
      await looksAt(
        { ...app, env: { PUBLIC_URL: url ?? proxy.url }, timeout_ms },
        'address',
        'page',
        'live',
      )
    ).map(({ finding }) => finding);

  it('is healthy: the API, the page, and the live connection with its sync', async () => {
    expect(await looks()).toMatchObject([
      { finding: 'ok' },
      { finding: 'ok' },
      { finding: 'ok' },
      { finding: 'ok' },
    ]);
  });

  it('has a proxy that drops upgrades, cuts them off, or holds messages back', async () => {
    proxy.fault(/socket\.io/, { status: 400 });
    expect((await looks())[3]).toEqual({
      name: 'live',
      finding: 'noUpgrade',
      params: { url: proxy.url, status: 400 },
    });
    proxy.fault(/socket\.io/, 'cut');
    expect((await findings())[2]).toBe('cut');
    proxy.fault(/socket\.io/, 'silent');
    expect((await findings())[2]).toBe('silent');
    proxy.heal();
    proxy.rewrite(() => null);
    expect((await findings())[2]).toBe('silent');
  });

  it('has a proxy that answers for us, from its cache, or with another version', async () => {
    proxy.fault(/./, portalPage(200));
    expect(await findings()).toEqual(['stranger', 'stranger', 'noUpgrade']);
    proxy.fault(/./, portalPage(502));
    expect(await findings()).toEqual(['status', 'status', 'noUpgrade']);
    proxy.heal();
    proxy.fault(/api/, {
      status: 200,
      type: 'application/json',
      body: JSON.stringify({ server_time: '2026-11-21T17:00:00.000Z' }),
    });
    proxy.fault(/^\/$/, { ...PAGE, body: PAGE.body.replace(BUILD, 'old999') });
    proxy.rewrite((text) => text.replace(`"${BUILD}"`, '"old999"'));
    expect(await findings()).toEqual(['kept', 'otherBuild', 'otherBuild']);
    proxy.fault(/api/, {
      status: 200,
      type: 'application/json',
      body: JSON.stringify({ server_time: NOW }),
    });
    expect((await findings())[0]).toBe('otherBuild');
    proxy.fault(/api/, {
      status: 421,
      type: 'application/json',
      body: JSON.stringify({ code: 'request.otherHost' }),
    });
    expect((await findings())[0]).toBe('otherHost');
    proxy.fault(/api/, 'silent');
    expect((await findings())[0]).toBe('silent');
  });

  it('leads on to another address, or nowhere', async () => {
    const away = createServer((_req, res) =>
      res.writeHead(301, { Location: 'https://elsewhere.example/' }).end(),
    );
    away.listen(0, '127.0.0.1');
    await once(away, 'listening');
    onTestFinished(() => void away.close());
    const address = away.address();
    const url = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
    expect((await looks(url))[1]).toMatchObject({
      finding: 'redirect',
      params: { to: 'https://elsewhere.example/' },
    });
    expect(await findings('http://127.0.0.1:9')).toEqual(['unreachable', 'status', 'cut']);
    expect((await findings('http://nobody.invalid'))[0]).toBe('unknownName');
  });

  it('leads to a server with another database, which is shown no key', async () => {
    const other = await createTestApp('sqlite', { context: { build: () => BUILD } });
    await anotherSecret(other);
    expect((await looks(other.url))[3]).toMatchObject({ finding: 'otherBoard' });
    const open = await createTestApp('sqlite', {
      context: { build: () => BUILD },
      env: { BOARD_VISIBILITY: 'public' },
    });
    await app.api.post('/categories').set(app.admin).send({ name: 'A write more' }).expect(201);
    expect((await looks(open.url))[3]).toMatchObject({ finding: 'otherBoard' });
  });

  it('reports that this machine’s clock is ahead, or behind', async () => {
    const by = async (seconds: number): Promise<Finding | undefined> => {
      const machineTime = (): Date => new Date(Date.now() + seconds * 1_000);
      return (await looksAt({ ...app, env: { PUBLIC_URL: proxy.url }, machineTime }, 'clock'))[0];
    };
    expect(await by(0)).toMatchObject({ finding: 'ok' });
    const { params, finding } = (await by(600)) ?? {};
    expect(finding).toBe('ahead');
    expect(Math.abs(Number(params?.seconds) - 600)).toBeLessThan(30);
    expect(await by(-600)).toMatchObject({ finding: 'behind' });
  });

  it('accepts no pass that is old, forged, or of another database', async () => {
    const now = new Date(NOW);
    const pass = await createDoctorPass(app.ctx.hashAddress, now);
    const judge = (pass: string, at: string = NOW): Promise<boolean> =>
      isDoctorPass(pass, app.ctx.hashAddress, new Date(at));
    expect(await judge(pass)).toBe(true);
    expect(await judge(pass, '2026-11-21T18:20:00.000Z')).toBe(false);
    expect(await judge(pass.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toBe(false);
    const [until = ''] = pass.split('.');
    for (const made of [
      '',
      '.',
      until,
      `${until}.`,
      `${Number(until) + 1}.${pass.split('.')[1]}`,
      'NaN.x',
    ])
      expect(await judge(made)).toBe(false);
    const other = await createTestApp('sqlite');
    await anotherSecret(other);
    expect(await judge(await createDoctorPass(other.ctx.hashAddress, now))).toBe(false);
  });
});

/** Databases of tests are copies of one. */
const anotherSecret = (app: TestApp): Promise<unknown> =>
  changeUnheard(app, (tx) =>
    tx.updateTable('secrets').set({ value: 'another' }).where('name', '=', 'address').execute(),
  );

const report = async (
  env: Record<string, string | undefined>,
  args: string[] = [],
  worker?: URL,
) => {
  let out = '';
  let err = '';
  const code = await doctorCommand({
    args,
    env,
    notifyingJobs: [],
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    ...(worker ? { worker } : {}),
  });
  return { code, out, err };
};

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-doctor-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function aWorker(folder: string, code: string): Promise<URL> {
  const file = path.join(folder, 'worker.mjs');
  await writeFile(file, code);
  return pathToFileURL(file);
}

const WORKER = new URL('./worker.ts', import.meta.url);

describe.each(databases)('npm run doctor on %s', (dialect) => {
  it('prints data; exits with 1 if something failed', { timeout: 120_000 }, async () => {
    const app = await createTestApp(dialect);
    await app.ctx.writes.transaction((tx) =>
      tx.updateTable('respawns').set({ total_claims: 3 }).where('id', '=', 5).execute(),
    );
    const { out, code } = await report({ ...app.settings, PORT: '0', BACKUP_HOURS: '0' }, [
      '--json',
    ]);
    expect(code).toBe(1);
    const { checks } = JSON.parse(out);
    expect(checks).toHaveLength(19);
    expect(checks.find(({ name }: Finding) => name === 'database')).toMatchObject({
      state: 'ok',
      text: `${dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, up to date.`,
    });
    expect(checks.at(-1)).toEqual({
      name: 'counts',
      state: 'failed',
      finding: 'wrong',
      params: { n: 1, of: 'respawn', id: 5, kept: '3', counted: '0' },
      text: expect.stringContaining('respawn 5 has 3, should have 0'),
      what_to_do: expect.stringContaining('Make a backup and restore it'),
    });
  });
});

describe('npm run doctor', () => {
  it('prints a line a check with its fix', { timeout: 120_000 }, async () => {
    const app = await createTestApp('sqlite');
    const { out, code } = await report({ ...app.settings, PORT: '0', BACKUP_HOURS: '0' });
    const lines = out.trim().split('\n');
    expect(lines).toHaveLength(19);
    expect(lines).toContain('ok      Database: SQLite, up to date.');
    expect(lines.find((line) => line.includes('Public address'))).toMatch(
      /^warning Public address: Skipped because PUBLIC_URL isn't set.*Set PUBLIC_URL to/,
    );
    // The pages may be built here, or not.
    expect(code).toBe(out.includes('FAILED') ? 1 : 0);
  });

  it('names a bad setting, and how it is used', async () => {
    expect(await report({ PORT: 'abc' })).toEqual({
      code: 1,
      out: expect.stringMatching(/^FAILED {2}Settings: PORT must be a whole number.*\n$/),
      err: '',
    });
    expect((await report({}, ['--what'])).err).toContain('npm run doctor -- --json');
  });

  it('names a variable that looks like a mistyped setting, which is a warning', {
    timeout: 120_000,
  }, async () => {
    const folder = await aFolder();
    const worker = await aWorker(
      folder,
      `const { names } = await new Promise((resolve) => process.once('message', resolve));
      for (const name of names) process.send({ name, finding: 'ok' });`,
    );
    const first = async (env: Record<string, string>): Promise<string | undefined> => {
      const { out, code } = await report({ DATA_DIR: folder, ...env }, [], worker);
      expect(code).toBe(0);
      return out.split('\n')[0];
    };
    expect(await first({ PUBIC_URL: 'https://board.example' })).toMatch(
      /^warning Settings: .*PUBIC_URL.* PUBLIC_URL/,
    );
    expect(await first({ PUBLIC_URL: 'https://board.example', PUBIC_URL: 'x' })).toMatch(
      /^ok {6}Settings: /,
    );
  });

  it('abandons a check that takes too long or ends its process, and runs the others', {
    timeout: 120_000,
  }, async () => {
    const folder = await aFolder();
    const worker = await aWorker(
      folder,
      `const { names, found } = await new Promise((resolve) => process.once('message', resolve));
      const post = (progress) => process.send(progress);
      for (const name of names) {
        post({ begun: name, within_s: name === 'clock' ? -1.8 : 60 });
        if (name === 'clock') await new Promise(() => setInterval(() => {}, 1000));
        if (name === 'integrity') process.exit(3);
        post({ name, finding: name === 'counts' && found.length !== 17 ? 'wrong' : 'ok' });
      }`,
    );
    const { out } = await report({ DATA_DIR: folder }, ['--json'], worker);
    const { checks } = JSON.parse(out);
    expect(checks).toHaveLength(19);
    const unwell = checks.filter(({ state }: { state: string }) => state !== 'ok');
    expect(unwell).toMatchObject([
      { name: 'clock', finding: 'tookTooLong' },
      {
        name: 'integrity',
        finding: 'broke',
        params: { reason: expect.stringContaining('ended with 3') },
      },
    ]);
  });

  it('ends a check that is abandoned within a statement of SQLite, so that nothing delays the exit', {
    timeout: 120_000,
  }, async () => {
    const folder = await aFolder();
    const worker = await aWorker(
      folder,
      `import { writeFileSync } from 'node:fs';
      import BetterSqlite from ${JSON.stringify(import.meta.resolve('better-sqlite3'))};
      const { names, found } = await new Promise((resolve) => process.once('message', resolve));
      const post = (progress) => process.send(progress);
      for (const name of names) {
        if (name === 'integrity') {
          writeFileSync(${JSON.stringify(path.join(folder, 'pid'))}, String(process.pid));
          await new Promise((resolve) => process.send({ begun: name, within_s: -1.8 }, resolve));
          new BetterSqlite(':memory:').prepare('with recursive n(i) as (select 1 union all select 1 from n) select count(*) from n').get();
        }
        post({ name, finding: 'ok' });
      }`,
    );
    const { out } = await report({ DATA_DIR: folder }, ['--json'], worker);
    expect(JSON.parse(out).checks).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ finding: 'tookTooLong' })]),
    );
    const pid = Number(await readFile(path.join(folder, 'pid'), 'utf8'));
    expect(pid).not.toBe(process.pid);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('says why its process could not go on', { timeout: 120_000 }, async () => {
    const folder = await aFolder();
    const worker = await aWorker(
      folder,
      `const send = process.send.bind(process);
      process.send = (message) => {
        if (message.begun === 'node') throw new Error('no memory');
        return send(message);
      };
      await import(${JSON.stringify(WORKER.href)});`,
    );
    const first: Finding[] = [];
    for await (const progress of runChecks({
      env: readEnv({ DATA_DIR: folder }),
      notifyingJobs: [],
      worker,
    })) {
      if (!('begun' in progress)) first.push(progress);
      if (first.length === 2) break;
    }
    expect(first[1]).toMatchObject({ finding: 'broke', params: { reason: 'no memory' } });
  });

  it('starts its checks although PostgreSQL does not return its time', {
    timeout: 120_000,
  }, async () => {
    const app = await createTestApp('postgres');
    const proxy = await startFaultProxy(app.settings.DATABASE_URL ?? '');
    onTestFinished(proxy.close);
    proxy.swallowAt('clock_timestamp', 'before');
    const checks = runChecks({
      env: readEnv({ ...app.settings, DATABASE_URL: proxy.url }),
      notifyingJobs: [],
    });
    expect((await checks.next()).value).toMatchObject({ begun: 'settings' });
    expect((await checks.next()).value).toMatchObject({
      name: 'settings',
      finding: expect.not.stringMatching('tookTooLong'),
    });
    await checks.return(undefined);
  });

  it('uses the time of PostgreSQL, however wrong this machine is', {
    timeout: 120_000,
  }, async () => {
    const app = await createTestApp('postgres');
    const folder = path.join(app.settings.DATA_DIR, 'backups');
    const database = await openDatabase(app.ctx.env, app.ctx.log);
    await writeArchive(database, path.join(folder, fileNameAt(new Date(), 'timed')), {
      now: () => new Date(),
    });
    await database.close();
    const worker = await aWorker(
      await aFolder(),
      `const [RealDate, DAYS_MS] = [Date, 30 * 86_400_000];
      globalThis.Date = class extends RealDate {
        constructor(...given) { super(...(given.length > 0 ? given : [RealDate.now() + DAYS_MS])); }
        static now() { return RealDate.now() + DAYS_MS; }
      };
      await import(${JSON.stringify(WORKER.href)});`,
    );
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 86_400_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { out } = await report(
      { ...app.settings, PORT: '0', BACKUP_HOURS: '24' },
      ['--json'],
      worker,
    );
    const found = JSON.parse(out).checks;
    expect(found.find(({ name }: Finding) => name === 'clock')).toMatchObject({
      finding: 'database',
    });
    expect(found.find(({ name }: Finding) => name === 'backup')).toMatchObject({ finding: 'ok' });
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
