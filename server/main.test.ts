import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { pino } from 'pino';
import { io } from 'socket.io-client';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { createContext } from './context.ts';
import { StartError } from './db/errors.ts';
import { openDatabase } from './db/open-database.ts';
import { DATABASE_FILE } from './db/sqlite.ts';
import { runServer } from './dev/test/run-server.ts';
import { fillDisk, mountSmallDisk, type SmallDisk } from './dev/test/small-disk.ts';
import { ADMIN_PASSWORD } from './dev/test/test-app.ts';
import { signInUsualAdmin, startUsualServer } from './dev/test/usual-server.ts';
import { readEnv } from './env.ts';

// Each starts a program or two, which on a busy machine takes its time.
vi.setConfig({ testTimeout: 90_000 });

/** Bytes of a page of an SQLite file. */
const PAGE = 4_096;

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** With a database that a server has filled. */
async function filledFolder(): Promise<string> {
  const DATA_DIR = await emptyFolder();
  await copyFile(inject('templates').filled.sqlite, path.join(DATA_DIR, DATABASE_FILE));
  return DATA_DIR;
}

async function call(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

/** Writes a long log, and nonsense over a page in its middle. */
async function damageLog(file: string): Promise<void> {
  const database = new BetterSqlite(file);
  const add = database.prepare(
    "insert into activity (timestamp, action, details) values ('2026-01-01T00:00:00.000Z', ?, ?)",
  );
  for (let n = 0; n < 500; n += 1)
    add.run('config_updated', JSON.stringify({ mark: `entry ${n};`, text: 'x'.repeat(500) }));
  database.close();
  const bytes = await readFile(file);
  const page = Math.floor(bytes.indexOf('entry 200;') / PAGE) * PAGE;
  bytes.fill(0x5a, page, page + PAGE);
  await writeFile(file, bytes);
}

/** The one line that a program which cannot start leaves behind. */
async function refusal(settings: Record<string, string>): Promise<string> {
  const server = runServer(settings);
  expect(await server.ended).toBe(1);
  const lines = server.output().trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

/** The same without starting the program, which would print it. */
async function refusalOf(settings: Record<string, string>): Promise<string> {
  const error: unknown = await createContext({
    env: readEnv(settings),
    log: pino({ level: 'silent' }),
  }).catch((error: unknown) => error);
  if (!(error instanceof StartError)) throw error;
  expect(error.message).not.toContain('\n');
  return error.message;
}

describe('the first start', () => {
  it('fills an empty folder, prints the admin’s password once, and that password signs in; a second server is refused the folder', async () => {
    const DATA_DIR = await emptyFolder();
    const server = runServer({ DATA_DIR });
    const url = await server.ready;
    const [, password] = /Password: (\S+)/.exec(server.output()) ?? [];
    const login = await call(`${url}/api/login`, { username: 'admin', password });
    expect(login.status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    const again = runServer({ DATA_DIR });
    await again.ready;
    expect(await refusal({ DATA_DIR })).toContain(
      `${DATA_DIR} is in use by another Claimboard server`,
    );
    expect(again.output()).not.toContain('Password');
    expect(
      (await readFile(path.join(DATA_DIR, DATABASE_FILE))).includes(password ?? 'missing'),
    ).toBe(false);
  });
});

describe('a failed start has one line that names the cause', () => {
  it('a bad setting', async () => {
    expect(await refusal({ PORT: 'http' })).toBe(
      'Claimboard cannot start: PORT must be a whole number from 0 to 65535 (it is "http")',
    );
  });

  it('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once('listening', resolve));
    const address = other.address();
    const port = address && typeof address === 'object' ? address.port : 0;
    const server = runServer({ DATA_DIR: await filledFolder(), PORT: String(port) });
    expect(await server.ended).toBe(1);
    expect(server.output()).toContain(`PORT ${port} is in use`);
    // Nor was a password printed that is stored and never shown again.
    const DATA_DIR = await emptyFolder();
    expect(await refusal({ DATA_DIR, PORT: String(port) })).toContain(`PORT ${port} is in use`);
    expect(await readdir(DATA_DIR)).toEqual([]);
  });

  it('a HOST that this machine does not have', async () => {
    expect(await refusal({ DATA_DIR: await emptyFolder(), HOST: '192.0.2.1' })).toBe(
      'Claimboard cannot start: HOST 192.0.2.1 is no address of this machine. Leave it out, or set it to 127.0.0.1.',
    );
  });

  it.runIf(process.platform === 'linux')('a folder where none can be made', async () => {
    expect(await refusalOf({ DATA_DIR: '/proc/nope/data' })).toContain(
      'Check that its disk is not full and that this user may write to DATA_DIR.',
    );
  });

  it('a database file that another program has locked', async () => {
    const DATA_DIR = await emptyFolder();
    const holder = new BetterSqlite(path.join(DATA_DIR, DATABASE_FILE));
    onTestFinished(() => void holder.close());
    holder.exec('create table held (a); begin exclusive');
    expect(await refusalOf({ DATA_DIR })).toContain('is locked by another program');
  });

  it('a file that is no database', async () => {
    const DATA_DIR = await emptyFolder();
    await writeFile(path.join(DATA_DIR, DATABASE_FILE), 'certainly not a database '.repeat(100));
    expect(await refusalOf({ DATA_DIR })).toContain('is damaged or not a database');
  });

  it('a database with damaged pages', async () => {
    const DATA_DIR = await filledFolder();
    const file = path.join(DATA_DIR, DATABASE_FILE);
    const bytes = await readFile(file);
    bytes.fill(0x5a, 8_192, bytes.length - 4_096);
    await writeFile(file, bytes);
    expect(await refusal({ DATA_DIR })).toMatch(/is damaged/);
  });

  it('a folder that may not be written to', async () => {
    const file = path.join(await emptyFolder(), 'a-file');
    await writeFile(file, '');
    expect(await refusalOf({ DATA_DIR: path.join(file, 'below') })).toContain(
      'Check that its disk is not full and that this user may write to DATA_DIR.',
    );
  });

  it('a PostgreSQL that does not answer, without the password in the line', async () => {
    const line = await refusalOf({
      DATA_DIR: await emptyFolder(),
      DATABASE_URL: 'postgres://u:topsecret@127.0.0.1:1/db',
    });
    expect(line).toContain('DATABASE_URL: PostgreSQL cannot be reached');
    expect(line).not.toContain('topsecret');
  });
});

describe('a start on a disk', () => {
  // On other machines, or as another user, no disk can be mounted.
  const aDisk = (skip: (why: string) => never): Promise<SmallDisk> =>
    mountSmallDisk().catch((error: unknown) =>
      skip(error instanceof Error ? error.message : String(error)),
    );

  /** After the server, which still has files open on it. */
  const removeLater = ({ remove }: SmallDisk): void => onTestFinished(remove);

  /** The data folder of a server that has stopped. */
  async function stoppedOn({ folder }: SmallDisk): Promise<string> {
    const DATA_DIR = path.join(folder, 'data');
    await mkdir(DATA_DIR, { mode: 0o700 });
    await copyFile(inject('templates').filled.sqlite, path.join(DATA_DIR, DATABASE_FILE));
    await (await openDatabase({ DATA_DIR }, pino({ level: 'silent' }))).close();
    return DATA_DIR;
  }

  const signIn = (url: string): Promise<Response> =>
    call(`${url}/api/login`, { username: 'admin', password: ADMIN_PASSWORD });

  it('that is full serves reads, refuses writes, and writes when there is space again', async ({
    skip,
  }) => {
    const disk = await aDisk(skip);
    removeLater(disk);
    const DATA_DIR = await stoppedOn(disk);
    let empty = await fillDisk(disk.folder);
    for (const times of ['first', 'second']) {
      const server = runServer({ DATA_DIR });
      const url = await server.ready;
      expect((await fetch(`${url}/api/categories`)).status, times).toBe(200);
      expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
        status: 'not ready',
        reason: 'the disk is nearly full',
      });
      // The space that the start freed allows some.
      const refused = await vi.waitUntil(
        async () => {
          const answer = await signIn(url);
          return answer.status === 200 ? null : answer;
        },
        { timeout: 60_000, interval: 0 },
      );
      expect([refused.status, (await refused.json()).code]).toEqual([503, 'server.storageFull']);
      expect((await fetch(`${url}/api/categories`)).status).toBe(200);
      if (times === 'second') {
        await empty();
        await vi.waitFor(async () => expect((await signIn(url)).status).toBe(200), {
          timeout: 30_000,
        });
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
      }
      server.child.kill('SIGTERM');
      expect(await server.ended).toBe(0);
      // Others take what the stop has left.
      if (times === 'first') {
        await empty();
        empty = await fillDisk(disk.folder);
      }
    }
  });

  it('that is read-only fails in one line', async ({ skip }) => {
    const disk = await aDisk(skip);
    removeLater(disk);
    const DATA_DIR = await stoppedOn(disk);
    await disk.freeze();
    expect(await refusalOf({ DATA_DIR })).toMatch(
      /^The database file \S+claimboard\.sqlite cannot be opened: [^,:]+\. Check that its disk is not full and that this user may write to DATA_DIR\.$/,
    );
  });
});

describe('a database with damage in a page that no start reads', () => {
  it('is served to readers and never written again, and the log, /readyz and admins say why', async () => {
    const DATA_DIR = await filledFolder();
    const first = await startUsualServer({ DATA_DIR }, { now: new Date().toISOString() });
    const token = await signInUsualAdmin(first.api);
    await first.close();
    await damageLog(path.join(DATA_DIR, DATABASE_FILE));

    const server = runServer({ DATA_DIR, LOG_LEVEL: 'error' });
    const url = await server.ready;
    const readyz = async () => (await (await fetch(`${url}/readyz`)).json()).reason;
    await vi.waitFor(async () => expect(await readyz()).toBe('the database file is damaged'), {
      timeout: 60_000,
      interval: 200,
    });
    // Another pipe than the answer's: it may arrive later.
    await vi.waitFor(() => expect(server.output()).toContain('is damaged or not a database'));
    expect(server.output()).toMatch(
      /The database file \S+claimboard\.sqlite is damaged or not a database\. Restore it from a backup/,
    );
    const refused = await call(`${url}/api/login`, { username: 'admin', password: ADMIN_PASSWORD });
    expect([refused.status, (await refused.json()).code]).toEqual([503, 'server.storageDamaged']);
    expect((await fetch(`${url}/api/categories`)).status).toBe(200);
    const health = await fetch(`${url}/api/admin/health`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await health.json()).toEqual({
      success: true,
      data: { problem: 'server.storageDamaged' },
    });
  });
});

describe('SIGTERM', () => {
  it('finishes the writes under way, closes the sockets and ends with 0', async () => {
    const DATA_DIR = await filledFolder();
    const server = runServer({ DATA_DIR });
    const url = await server.ready;
    const { data } = await (
      await call(`${url}/api/login`, { username: 'admin', password: ADMIN_PASSWORD })
    ).json();
    const socket = io(url, {
      transports: ['websocket'],
      auth: { admin_token: data.token },
      reconnection: false,
    });
    await new Promise((resolve) => socket.once('connect', () => resolve(null)));
    const closed = new Promise((resolve) => socket.once('disconnect', resolve));
    const writes = Array.from({ length: 30 }, (_, i) =>
      call(
        `${url}/api/admin/access-keys`,
        { characterName: `Hunter ${i}` },
        { Authorization: `Bearer ${data.token}` },
      ).then(
        (answer) => answer.status,
        () => 0,
      ),
    );
    await Promise.race(writes);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    await closed;
    const stored = (await Promise.all(writes)).filter((status) => status === 201).length;
    const file = new BetterSqlite(path.join(DATA_DIR, DATABASE_FILE), { readonly: true });
    onTestFinished(() => void file.close());
    expect(file.prepare('select count(*) n from access_keys').get()).toEqual({ n: stored });
    expect(stored).toBeGreaterThan(0);
  });
});
