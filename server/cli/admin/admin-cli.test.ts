import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { isWeaker, PASSWORD_COST } from '../../auth/passwords.ts';
import { readReleased } from '../../db/released/format.ts';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import { connected } from '../../dev/test/board-watcher.ts';
import { aName, anAdmin } from '../../dev/test/builders.ts';
import { databases, freshDatabase } from '../../dev/test/databases.ts';
import { loaded } from '../../dev/test/released-database.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { connect, ended } from '../../dev/test/watcher.ts';
import { adminCommand } from './command.ts';

// Some start a dozen programs one after another, which on a busy machine takes its time.
vi.setConfig({ testTimeout: 180_000 });

const ENTRY = path.resolve(import.meta.dirname, 'index.ts');
const PASSWORD = 'a-new-password';

interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** The program itself, while a server may use the same settings; `input` is piped into it. */
async function runProgram(
  settings: Record<string, string | undefined>,
  args: string[],
  input = '',
): Promise<Outcome> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...settings };
  const child = spawn(process.execPath, [ENTRY, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  // A program that refuses at once does not read what is piped into it.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, out, err };
}

/** 2 ms a hash. */
const passwordCost = { N: 2 ** 10, r: 8, p: 1 };

/** The same in this process, at the tests' hour: starting the program takes longer than all that it does. */
async function run(
  env: Record<string, string | undefined>,
  args: string[],
  input = '',
): Promise<Outcome> {
  const printed = { out: '', err: '' };
  const code = await adminCommand({
    args,
    env,
    stdin: Readable.from(input === '' ? [] : [input]),
    out: (text) => {
      printed.out += text;
    },
    err: (text) => {
      printed.err += text;
    },
    now: () => new Date(NOW),
    passwordCost,
  });
  return { code, ...printed };
}

const refused = (line: string): Outcome => ({ code: 1, out: '', err: `${line}\n` });
const done = (line: string): Outcome => ({ code: 0, out: `${line}\n`, err: '' });
const STDIN = '--password-stdin';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe.each(databases)('npm run admin beside a running server on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const cli = (args: string[], input?: string) => run(app.settings, args, input);
  const login = (username: string, password: string) =>
    app.api.post('/login').send({ username, password });

  it('adds an admin, who can sign in, and lists all', async () => {
    const name = aName('Officer');
    const outcome = await runProgram(
      app.settings,
      ['add', ...` ${name} `.split(' '), STDIN],
      `${PASSWORD}\n`,
    );
    expect(outcome).toEqual(done(`${name} is an admin now.`));
    const { password_hash } = await app.ctx.db
      .selectFrom('admins')
      .select('password_hash')
      .where('username', '=', name)
      .executeTakeFirstOrThrow();
    expect(isWeaker(password_hash, PASSWORD_COST)).toBe(false);
    await login(name, PASSWORD).expect(200);
    const { out, code } = await cli(['list']);
    expect(code).toBe(0);
    expect(out).toMatch(/^admin {2}owner, since 2026-11-21, signed in .*\n/);
    expect(out).toMatch(
      new RegExp(`^${name} {2}admin, since \\d{4}-\\d{2}-\\d{2}, signed in once$`, 'm'),
    );
    const log = await app.api.get('/admin/activity-log?action=admin_added').set(app.admin);
    expect(log.body.data.logs[0]).toMatchObject({
      admin_id: null,
      details: { username: name, role: 'admin', by: 'command line' },
    });
    expect(JSON.stringify(log.body)).not.toContain(PASSWORD);
  });

  it('sets a password: the old one and every session end', async () => {
    const name = aName('Officer');
    await cli(['add', name, STDIN], PASSWORD);
    const session = await login(name, PASSWORD).expect(200);
    const outcome = await cli(['password', name.toUpperCase(), STDIN], 'another-password\r\n');
    expect(outcome).toEqual(done(`${name} has a new password, and is signed out everywhere.`));
    const token = { Authorization: `Bearer ${session.body.data.token}` };
    expect((await app.api.get('/admin/verify').set(token)).body.code).toBe('session.expired');
    await login(name, PASSWORD).expect(401);
    await login(name, 'another-password').expect(200);
  });

  it('removes an admin, whose calls are refused and whose live connections end within moments', async () => {
    const name = aName('Officer');
    await cli(['add', name, STDIN], PASSWORD);
    const { token } = (await login(name, PASSWORD).expect(200)).body.data;
    const [socket, other] = [token, app.admin.Authorization.replace('Bearer ', '')].map(
      (admin_token) => connect(app.url, { admin_token }),
    );
    if (!socket || !other) throw new Error('two sockets');
    await Promise.all([connected(socket), connected(other)]);
    const reason = ended(socket);
    expect(await cli(['remove', name])).toEqual(
      done(`${name} is no longer an admin, and signed out everywhere.`),
    );
    const answer = await app.api.get('/admin/verify').set('Authorization', `Bearer ${token}`);
    expect(answer.body.code).toBe('session.expired');
    await login(name, PASSWORD).expect(401);
    expect((await reason).code).toBe('session.expired');
    await expect.poll(() => [socket.connected, other.connected]).toEqual([false, true]);
  });
});

// A server of their own, at its own hour: had another day's program written there, it would begin its day again at some moment.
describe.each(databases)('the command line beside a server on %s', (dialect) => {
  it('advances the clock like every write, and the server continues from there', async () => {
    const app = await createTestApp(dialect);
    const before = app.ctx.bus.clock();
    await run(app.settings, ['add', aName('Officer'), STDIN], PASSWORD);
    // The server finds other processes' writes when it next reads the clock row.
    await expect.poll(() => app.ctx.bus.clock(), { timeout: 15_000 }).toBe(before + 1);
    await app.api
      .post('/admin/access-keys')
      .set(app.admin)
      .send({ characterName: aName() })
      .expect(201);
    expect(app.ctx.bus.clock()).toBe(before + 2);
  });

  it('refuses in one line, and changes nothing', async () => {
    const app = await createTestApp(dialect);
    const cli = (args: string[], input?: string) => run(app.settings, args, input);
    const storedClock = async () =>
      (await app.ctx.db.selectFrom('clock').select('value').executeTakeFirstOrThrow()).value;
    const clock = await storedClock();
    expect(await cli(['add', 'ADMIN', STDIN], PASSWORD)).toEqual(
      refused('There is already an admin named ADMIN.'),
    );
    expect(await cli(['add', 'Short', STDIN], 'five5\n')).toEqual(
      refused('The password must have at least 6 characters.'),
    );
    expect(await cli(['add', 'Long', STDIN], 'x'.repeat(201))).toEqual(
      refused('The password can have at most 200 characters.'),
    );
    expect(await cli(['add', 'Empty', STDIN], '')).toEqual(
      refused('The password must have at least 6 characters.'),
    );
    expect(await cli(['add', 'x'.repeat(61), STDIN], PASSWORD)).toEqual(
      refused("An admin's name has 1 to 60 characters."),
    );
    expect(await cli(['remove', 'Nobody'])).toEqual(refused('There is no admin named Nobody.'));
    expect(await cli(['password', 'Nobody', STDIN], PASSWORD)).toEqual(
      refused('There is no admin named Nobody.'),
    );
    const noTerminal = refused(
      'There is no terminal for a password prompt. Pipe the password in with -- --password-stdin.',
    );
    expect(await cli(['add', 'Officer'])).toEqual(noTerminal);
    expect(await cli(['password', 'admin'])).toEqual(noTerminal);
    expect(await storedClock()).toBe(clock);
  });
});

describe.each(databases)('the last owner on %s', (dialect) => {
  const last = (name: string) =>
    refused(`${name} is the last owner. Make another admin an owner first.`);
  const owners = async (app: TestApp) =>
    app.ctx.db.selectFrom('admins').select('username').where('role', '=', 'owner').execute();

  it('keeps the last owner: not removed, not given another role, not even by two who remove each other at once', async () => {
    const app: TestApp = await createTestApp(dialect);
    expect(await run(app.settings, ['remove', 'admin'])).toEqual(last('admin'));
    await run(app.settings, ['add', 'Officer', STDIN], PASSWORD);
    // An admin of another role owns nothing.
    expect(await run(app.settings, ['remove', 'admin'])).toEqual(last('admin'));
    expect(await run(app.settings, ['role', 'admin', 'viewer'])).toEqual(last('admin'));
    expect(await run(app.settings, ['role', 'Officer', 'owner'])).toEqual(
      done('Officer is an owner now.'),
    );
    // In one process, SQLite's lock would block the command that holds it.
    const command = dialect === 'sqlite' ? runProgram : run;
    const outcomes = await Promise.all(
      ['admin', 'Officer'].map((name) => command(app.settings, ['remove', name])),
    );
    const [failed] = outcomes.filter(({ code }) => code !== 0);
    expect(failed?.err).toMatch(/is the last owner/);
    expect(outcomes.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(await owners(app)).toHaveLength(1);
  });

  it('stays where one is demoted by the command line while the other demotes by a call', async () => {
    const app: TestApp = await createTestApp(dialect);
    const other = await anAdmin(app, 'owner');
    const [byCall, byLine] = await Promise.all([
      app.api.put(`/admin/admins/${other.id}`).set(app.admin).send({ role: 'viewer' }),
      run(app.settings, ['role', 'admin', 'viewer']),
    ]);
    expect([byCall.status === 200, byLine.code === 0].filter(Boolean)).toHaveLength(1);
    expect(await owners(app)).toHaveLength(1);
  });
});

describe.each(databases)('roles by the command line on %s', (dialect) => {
  it('are given to who is added and changed later, and named in the list', async () => {
    const app: TestApp = await createTestApp(dialect);
    expect(
      await run(app.settings, ['add', 'Old', 'Bram', '--role', 'moderator', STDIN], PASSWORD),
    ).toEqual(done('Old Bram is a moderator now.'));
    expect(
      (await app.api.post('/login').send({ username: 'Old Bram', password: PASSWORD }).expect(200))
        .body.data.user.role,
    ).toBe('moderator');
    expect(await run(app.settings, ['role', 'Old', 'Bram', 'viewer'])).toEqual(
      done('Old Bram is a viewer now.'),
    );
    expect((await run(app.settings, ['list'])).out).toMatch(/^Old Bram {2}viewer, since/m);
    const roles = refused('A role is one of owner, admin, moderator, viewer.');
    expect(await run(app.settings, ['role', 'Old', 'Bram', 'king'])).toEqual(roles);
    expect(await run(app.settings, ['add', 'Kael', '--role', 'king', STDIN], PASSWORD)).toEqual(
      roles,
    );
    expect(await run(app.settings, ['role', 'Nobody', 'viewer'])).toEqual(
      refused('There is no admin named Nobody.'),
    );
    for (const args of [['role'], ['role', 'viewer'], ['remove', 'Old Bram', '--role', 'viewer']]) {
      expect(await run(app.settings, args)).toMatchObject({
        code: 1,
        err: expect.stringContaining('npm run admin list'),
      });
    }
  });
});

/** Every module that an import loads, as a separate program would load them. */
async function loadedBy(module: string): Promise<string> {
  const program = `
    import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
    await import(${JSON.stringify(module)});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
}

describe('npm run admin', () => {
  it('loads neither the context of a server nor its bus and sockets', async () => {
    const loaded = await loadedBy(path.resolve(import.meta.dirname, 'command.ts'));
    expect(loaded).toContain('server/tool-context.ts');
    expect(loaded).not.toMatch(
      /server\/(context|live\/(bus|presence.*))\.ts|node_modules\/socket\.io\//,
    );
  });

  it('prints its usage for any other input', async () => {
    for (const args of [[], ['help'], ['add'], ['list', 'all'], ['remove', ' ']]) {
      const { code, out, err } = await run({ DATA_DIR: await emptyFolder() }, args);
      expect({ code, out, err }).toEqual({
        code: 1,
        out: '',
        err: expect.stringMatching(/^npm run admin list\nnpm run admin add <name>/),
      });
    }
    const { code, err } = await run({}, ['list', '--all']);
    expect([code, err.trimEnd().split('\n').length]).toEqual([1, 1]);
  });

  it('needs a database that was started once, and makes none', async () => {
    const DATA_DIR = await emptyFolder();
    const line = `There is no database in ${DATA_DIR} yet. Start Claimboard once, or set DATA_DIR to its folder.`;
    expect(await run({ DATA_DIR }, ['add', 'Officer', STDIN], PASSWORD)).toEqual(refused(line));
    expect(await run({ DATA_DIR }, ['list'])).toEqual(refused(line));
    // As a server leaves it.
    await copyFile(inject('templates').filled.sqlite, path.join(DATA_DIR, DATABASE_FILE));
    expect((await run({ DATA_DIR }, ['list'])).out).toMatch(/^admin {2}owner, since/);
    expect(await run({ DATA_DIR }, ['add', 'Officer', STDIN], PASSWORD)).toEqual(
      done('Officer is an admin now.'),
    );
  });

  it('needs a PostgreSQL database that was started once', async () => {
    const { settings, drop } = await freshDatabase('postgres');
    onTestFinished(drop);
    const line = 'This database is empty. Start Claimboard once to create the first admin.';
    expect(await run(settings, ['list'])).toEqual(refused(line));
    const client = new pg.Client({ connectionString: settings.DATABASE_URL });
    await client.connect();
    await client.query('drop table clock');
    await client.end();
    expect(await run(settings, ['list'])).toEqual(refused(line));
  });

  it.each(databases)(
    'needs a server to bring an older database on %s up to date first',
    async (dialect) => {
      const on = await loaded(dialect, readReleased('004'));
      const line =
        'an older Claimboard made this database. Start Claimboard once; it brings the database up to date.';
      expect(await run(on.settings, ['list'])).toEqual(refused(line));
      expect(await run(on.settings, ['add', 'Officer', STDIN], PASSWORD)).toEqual(refused(line));
      await createTestApp(dialect, { on });
      expect(await run(on.settings, ['add', 'Officer', STDIN], PASSWORD)).toEqual(
        done('Officer is an admin now.'),
      );
    },
  );

  it('names a bad setting, and a PostgreSQL that does not answer, in one line', async () => {
    expect(await runProgram({ PORT: 'http' }, ['list'])).toEqual(
      refused('PORT must be a whole number from 0 to 65535 (it is "http")'),
    );
    const { code, err } = await run({ DATABASE_URL: 'postgres://u:topsecret@127.0.0.1:1/db' }, [
      'list',
    ]);
    expect(code).toBe(1);
    expect(err).toMatch(/^DATABASE_URL: PostgreSQL cannot be reached: [^\n]*\n$/);
    expect(err).not.toContain('topsecret');
  });
});
