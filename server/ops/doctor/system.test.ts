import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { System } from '../../../shared/schemas/system.ts';
import { createBackOff } from '../../db/back-off.ts';
import { connected } from '../../dev/test/board-watcher.ts';
import { aKey, changeUnheard } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { connect } from '../../dev/test/watcher.ts';
import { beginBackup } from '../backup/records.ts';
import { createCheckups } from './checkups.ts';

// Programs are started, on a machine that does other things.
vi.setConfig({ testTimeout: 180_000 });
const PATIENT = { timeout: 150_000 };

const read = async (app: TestApp): Promise<System> =>
  (await app.api.get('/admin/system').set(app.admin).expect(200)).body.data;

describe.each(databases)('the system page on %s', (dialect) => {
  it('returns versions, and watchers', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const socket = connect(app.url, { access_key: key.key_value });
    await connected(socket);
    const before = await read(app);
    expect(before).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      build: null,
      database: { kind: dialect },
      watching: { members: 1, admins: 0, choosing: 0 },
      clock: {
        time: NOW,
        date: '2026-11-21',
        hour: 9,
        next_server_save: '2026-11-22T09:00:00.000Z',
      },
      backup: { newest: null, running: null, failure: null },
      checkup: { last: null, running: null },
    });
    expect(before.database.bytes).toBeGreaterThan(100_000);
    expect(before.disk?.total).toBeGreaterThan(0);
    socket.disconnect();
  });
});

// The suite of two servers does the same on PostgreSQL.
describe('the system page', () => {
  it('returns the last findings; two simultaneous requests share one run', async () => {
    const app = await createTestApp('sqlite');
    await changeUnheard(app, (tx) =>
      tx.updateTable('respawns').set({ total_claims: 3 }).where('id', '=', 5).execute(),
    );
    const ask = async () =>
      (await app.api.post('/admin/system/checkup').set(app.admin).send({}).expect(200)).body.data;
    app.setNow('2026-11-21T18:00:10.000Z');
    const first = await ask();
    app.setNow('2026-11-21T18:00:20.000Z');
    // The server keeps serving meanwhile, and the second one starts no other.
    expect(await ask()).toMatchObject({
      last: null,
      running: { started_at: first.running.started_at },
    });
    await expect
      .poll(async () => (await read(app)).checkup.last?.started_at, PATIENT)
      .toBe('2026-11-21T18:00:10.000Z');
    const { last, running } = (await read(app)).checkup;
    expect(running).toBeNull();
    expect(last?.checks).toHaveLength(19);
    expect(last?.checks.at(-1)).toMatchObject({
      name: 'counts',
      state: 'failed',
      params: { id: 5, kept: '3', counted: '0' },
    });
  });

  it('makes a requested backup beside the scheduled ones, and keeps the configured number', async () => {
    const app = await createTestApp('sqlite', { env: { BACKUPS_KEPT: '0' } });
    const folder = path.join(app.settings.DATA_DIR, 'backups');
    const made = (): Promise<string[]> => readdir(folder).catch(() => []);
    const ask = () => app.api.post('/admin/system/backup').set(app.admin).send({}).expect(200);
    expect((await ask()).body.data).toEqual({
      running: { started_at: NOW, percent: null },
      failure: null,
    });
    await ask();
    const name = 'claimboard-2026-11-21-180000-asked.jsonl.gz';
    await expect
      .poll(async () => (await read(app)).backup, PATIENT)
      .toMatchObject({ running: null, failure: null, newest: { name, made_at: NOW } });
    expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600);
    // Of the very same second: it is refused, with a message.
    await ask();
    await expect
      .poll(async () => (await read(app)).backup, PATIENT)
      .toMatchObject({
        running: null,
        failure: { at: NOW, reason: expect.stringContaining('exists already') },
      });
    app.setNow('2026-11-21T19:00:00.000Z');
    await ask();
    await expect.poll(made, PATIENT).toEqual(['claimboard-2026-11-21-190000-asked.jsonl.gz']);
    await expect
      .poll(async () => (await read(app)).backup, PATIENT)
      .toMatchObject({ running: null, failure: null });
  });
});

describe('two servers on one database', () => {
  it('agree on a backup that an owner requested from one of them, and make one at a time', async () => {
    const [first, second] = await onOneDatabase();
    const ask = async (app: TestApp) =>
      (await app.api.post('/admin/system/backup').set(app.admin).send({}).expect(200)).body.data;
    expect((await ask(first)).running).toMatchObject({ started_at: NOW });
    second.setNow('2026-11-21T18:00:05.000Z');
    // The check continues although a balancer sends the next requests elsewhere.
    expect((await ask(second)).running).toMatchObject({ started_at: NOW });
    await expect
      .poll(async () => (await read(second)).backup, PATIENT)
      .toMatchObject({ running: null, newest: { made_at: NOW } });
    const { backup } = await read(second);
    expect([
      backup.failure,
      backup.newest?.elsewhere,
      (await read(first)).backup.newest?.elsewhere,
    ]).toEqual([null, hostname(), null]);
    expect(await readdir(path.join(second.settings.DATA_DIR, 'backups')).catch(() => [])).toEqual(
      [],
    );
  });

  it('report a failed backup whose server was killed, and can make another', async () => {
    const [first, second] = await onOneDatabase();
    await beginBackup(first.ctx, {
      occasion: 'asked',
      file: '/elsewhere/backups/claimboard.jsonl.gz',
    });
    expect((await read(second)).backup.running).toMatchObject({ started_at: NOW });
    second.setNow('2026-11-21T18:02:00.000Z');
    expect((await read(second)).backup).toMatchObject({
      running: null,
      failure: { reason: 'the server that made it stopped' },
    });
    await second.api.post('/admin/system/backup').set(second.admin).send({}).expect(200);
    await expect
      .poll(async () => (await read(second)).backup, PATIENT)
      .toMatchObject({
        running: null,
        failure: null,
        newest: { made_at: '2026-11-21T18:02:00.000Z' },
      });
  });

  it('agree on the last check', async () => {
    const [first, second] = await onOneDatabase();
    await first.api.post('/admin/system/checkup').set(first.admin).send({}).expect(200);
    await expect.poll(async () => (await read(second)).checkup.last?.started_at, PATIENT).toBe(NOW);
    expect((await read(second)).checkup).toEqual((await read(first)).checkup);
  });
});

/** Two servers, each with its own folder. */
async function onOneDatabase(): Promise<[TestApp, TestApp]> {
  const first = await createTestApp('postgres');
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-system-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return [
    first,
    await createTestApp('postgres', {
      on: { settings: { ...first.settings, DATA_DIR: folder }, drop: async () => {} },
    }),
  ];
}

describe.each(databases)('the checks of a server on %s', (dialect) => {
  const aWorker = async (code: string): Promise<URL> => {
    const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-system-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'worker.mjs');
    const head = `const { names } = await new Promise((resolve) => process.once('message', resolve));
      const post = (progress) => process.send(progress);`;
    await writeFile(file, `${head}\n${code}`);
    return pathToFileURL(file);
  };
  const log = pino({ level: 'silent' });
  const app = createSuiteApp(dialect);
  const checking = (worker: URL, backOff = createBackOff(log)) =>
    createCheckups({ ...app.ctx, backOff, worker });

  it('show errors that only the server knows', async () => {
    const backOff = createBackOff(log);
    backOff.recordFailure('holds', app.ctx.now(), new Error('no'));
    expect(backOff.names(new Date('2026-11-21T18:30:00.000Z'))).toEqual([]);
    const worker = await aWorker("for (const name of names) post({ name, finding: 'ok' });");
    const checkups = checking(worker, backOff);
    await checkups.start();
    await expect
      .poll(
        async () => (await checkups.state()).last?.checks.find(({ name }) => name === 'due'),
        PATIENT,
      )
      .toMatchObject({
        state: 'failed',
        finding: 'failing',
        text: 'Expiry fails for: holds.',
      });
  });

  it('show how far they are, and end with the server', async () => {
    const worker = await aWorker(
      "post({ name: names[0], finding: 'ok' }); post({ begun: names[1], within_s: 900 }); setInterval(() => {}, 1_000);",
    );
    const checkups = checking(worker);
    const ofOther = checking(worker);
    const { last } = await checkups.state();
    await checkups.start();
    await ofOther.start();
    // The second server returns the same run.
    await expect
      .poll(async () => (await ofOther.state()).running, PATIENT)
      .toEqual({ started_at: NOW, looking_at: 'node', done: 1, of: 19 });
    await checkups.stop();
    expect(await ofOther.state()).toEqual({ last, running: null });
    await checkups.start();
    expect((await checkups.state()).running).toBeNull();
  });
});
