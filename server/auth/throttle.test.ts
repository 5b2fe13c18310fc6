import { describe, expect, it, vi } from 'vitest';
import { addAdmin, setPassword } from '../cli/admin/operations.ts';
import { inBatches } from '../db/database.ts';
import { connected } from '../dev/test/board-watcher.ts';
import { aClaim, aKey, changeUnheard, submit } from '../dev/test/builders.ts';
import { databases, usualDatabases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { ADMIN_PASSWORD, createTestApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import { connect } from '../dev/test/watcher.ts';
import { addressOf } from '../http/client-address.ts';
import { MAX_ROWS } from '../http/rate-limits.ts';
import { createPasswordGuard, passwordMatches } from './passwords.ts';

/** Of a machine on which much else is under way. */
const PATIENCE_MS = 180_000;

interface Throttled {
  status: number;
  headers: Record<string, string>;
  body: { params: { seconds: number } };
}

/** 429 as every failure is shaped, with the wait in the header, the sentence and the parameters. */
function expectThrottled(answer: Throttled): void {
  const { seconds } = answer.body.params;
  expectRefusal(
    answer,
    429,
    'request.tooManyTries',
    `Too many attempts. Please wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    {
      seconds,
    },
  );
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(300);
  expect(answer.headers['retry-after']).toBe(String(seconds));
}

const signIn = (app: TestApp, username: string, password: string) =>
  app.api.post('/login').send({ username, password });

const ANOTHER_PASSWORD = 'first-password';
/** Hashes what is right. Hashing as many wrong guesses would be most of these tests' time. */
const matchesIfRight: typeof passwordMatches = async (password, hash) =>
  [ADMIN_PASSWORD, ANOTHER_PASSWORD].includes(password) && passwordMatches(password, hash);

/** A server that may be shown many wrong passwords. */
async function createGuessedApp(
  ...[dialect, options]: Parameters<typeof createTestApp>
): Promise<TestApp> {
  const app = await createTestApp(dialect, options);
  Object.assign(app.ctx.passwords, { matches: matchesIfRight });
  return app;
}

/** The tests' time so many seconds later. */
const later = (seconds: number): string =>
  new Date(Date.parse(NOW) + seconds * 1_000).toISOString();

describe.each(databases)('guesses on %s', (dialect) => {
  it('past ten wrong logins of a name from an address one try in 30 s is evaluated, be it right or not', async () => {
    const app = await createGuessedApp(dialect);
    const evaluated = vi.spyOn(app.ctx.passwords, 'matches');
    for (let i = 0; i < 10; i++)
      expect((await signIn(app, i % 2 ? 'admin' : ' ADMIN', 'wrong')).status).toBe(401);
    expect(evaluated).toHaveBeenCalledTimes(10);
    await expectNoTick(app, async () => {
      for (const password of ['wrong', ADMIN_PASSWORD]) {
        const answer = await signIn(app, 'admin', password);
        expectThrottled(answer);
        expect(answer.headers['retry-after']).toBe('30');
      }
    });
    // Another name, the session that is open and the members are not touched by it.
    expect((await signIn(app, 'another', 'wrong')).status).toBe(401);
    await app.api.get('/admin/verify').set(app.admin).expect(200);
    const key = await aKey(app);
    await app.api.post('/login').send({ accessKey: key.key_value }).expect(200);
    evaluated.mockClear();

    app.setNow(later(30));
    const answers = await Promise.all([1, 2, 3].map(() => signIn(app, 'admin', 'wrong')));
    expect(answers.map(({ status }) => status).sort()).toEqual([401, 429, 429]);
    expect(evaluated).toHaveBeenCalledTimes(1);
    expectThrottled(await signIn(app, 'admin', ADMIN_PASSWORD));
    app.setNow(later(60));
    expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    app.setNow(later(300));
    expect((await signIn(app, 'admin', 'wrong')).status).toBe(401);
    expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(200);
  });

  it('many at once are not evaluated before the first of them are counted', async () => {
    const app = await createGuessedApp(dialect);
    const evaluated = vi.spyOn(app.ctx.passwords, 'matches');
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => signIn(app, 'admin', 'wrong')),
    );
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(10);
    expect(evaluated.mock.calls.length).toBeLessThanOrEqual(10);
  });

  it.runIf(dialect === 'postgres')(
    'are counted together by all servers of a database',
    async () => {
      const app = await createGuessedApp(dialect);
      const other = await createTestApp(dialect, {
        on: { settings: app.settings, drop: async () => {} },
      });
      Object.assign(other.ctx.passwords, { matches: matchesIfRight });
      for (let i = 0; i < 10; i++)
        expect((await signIn(i % 2 ? app : other, 'admin', 'wrong')).status).toBe(401);
      for (const each of [app, other]) expectThrottled(await signIn(each, 'admin', ADMIN_PASSWORD));
      const guess = (each: TestApp) =>
        each.api.post('/login').send({ accessKey: 'NONE-SUCH-KEYS' });
      for (let i = 0; i < 30; i++) expect((await guess(i % 2 ? app : other)).status).toBe(401);
      for (const each of [app, other]) expectThrottled(await guess(each));
    },
  );

  it('past thirty wrong access keys from an address, further wrong ones get 429, and right ones work as before', async () => {
    const app = await createTestApp(dialect);
    const member = await aKey(app);
    const newcomer = await aKey(app);
    const calls = [
      (key: string) => app.api.post('/login').send({ accessKey: key }),
      (key: string) => app.api.post('/validate-access-key').send({ accessKey: key }),
      (key: string) => app.api.get('/respawns').set('X-Access-Key', key),
      (key: string) => app.api.post('/claims').send({ claims: [aClaim(member)], access_key: key }),
    ];
    const guess = (i: number, key: string) => (calls[i % 4] ?? (() => app.api.get('/')))(key);
    for (let i = 0; i < 30; i++)
      expectRefusal(
        await guess(i, `GUESS-${i}`),
        401,
        'session.invalidKey',
        'Invalid access key',
        {},
      );
    const writes = vi.spyOn(app.ctx.writes, 'transaction');
    for (let i = 0; i < 4; i++) expectThrottled(await guess(i, `GUESS-${i}`));
    await expect(connected(connect(app.url, { access_key: 'GUESS-1' }))).rejects.toMatchObject({
      data: { code: 'request.tooManyTries' },
    });
    expect(writes).not.toHaveBeenCalled();
    // This server has not seen the newcomer's key before.
    await connected(connect(app.url, { access_key: newcomer.key_value }));
    for (let i = 0; i < 3; i++) expect((await guess(i, newcomer.key_value)).status).toBe(200);
    await submit(app, member, aClaim(member)).expect(201);
    app.setNow(later(300));
    expect((await guess(0, 'GUESS-1')).status).toBe(401);
  });
});

describe.each(usualDatabases)('the stored counts of guesses on %s', (dialect) => {
  it('leave a limited number of rows, none with a name or an address, and none once they have expired', async () => {
    const app = await createTestApp(dialect);
    const rows = () => app.ctx.db.selectFrom('wrong_tries').selectAll().execute();
    await signIn(app, 'Thora', 'wrong');
    expect(JSON.stringify(await rows())).not.toMatch(/thora|127\.0\.0\.1/i);
    const until = (n: number): string => later(100 + n / 1_000);
    const many = Array.from({ length: MAX_ROWS }, (_, n) => ({
      subject_hash: `who ${n}`,
      tries: 1,
      until: until(n),
      next_at: NOW,
    }));
    await changeUnheard(app, async (tx) => {
      for (const batch of inBatches(many))
        await tx.insertInto('wrong_tries').values(batch).execute();
    });
    await signIn(app, 'another', 'wrong');
    const left = await rows();
    expect(left).toHaveLength(MAX_ROWS);
    expect(left.some(({ subject_hash }) => subject_hash === 'who 1')).toBe(false);
    app.setNow(later(300));
    await signIn(app, 'another', 'wrong');
    expect(await rows()).toHaveLength(1);
  });
});

describe('a flood of guesses', () => {
  /** Hashing that ends when a test says so. */
  function heldHashing() {
    let held = Promise.resolve();
    let underWay = 0;
    let most = 0;
    return {
      most: () => most,
      matches: async (password: string, hash: string | undefined): Promise<boolean> => {
        underWay += 1;
        most = Math.max(most, underWay);
        await held;
        underWay -= 1;
        return matchesIfRight(password, hash);
      },
      /** @returns lets go */
      hold: (): (() => void) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        held = promise;
        return resolve;
      },
    };
  }

  /** A server whose queue never times out: the order doesn't depend on how long a hash takes on a busy machine. */
  async function createPatientApp() {
    const app = await createTestApp('sqlite');
    const { matches, ...hashing } = heldHashing();
    const { wrongTries, cost } = app.ctx.passwords;
    const passwords = createPasswordGuard({
      wrongTries,
      cost,
      turns: { most_waiting: 200, patience_ms: PATIENCE_MS },
      matches,
    });
    Object.assign(app.ctx, { passwords });
    await addAdmin(app.ctx, 'Thora', { password: ANOTHER_PASSWORD, cost: app.ctx.passwords.cost });
    // Two are being hashed.
    const allButTwoWait = (count: number) =>
      expect.poll(passwords.turns.waiting, { timeout: 60_000 }).toBe(count - 2);
    return { app, hashing, allButTwoWait };
  }

  it('from the same address, for other names, do not block the right password, and few are hashed at once', {
    timeout: PATIENCE_MS,
  }, async () => {
    const { app, hashing, allButTwoWait } = await createPatientApp();
    expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    const letGo = hashing.hold();
    const flood = Array.from({ length: 120 }, (_, i) =>
      signIn(app, `invented ${i}`, `wrong ${i}`).then(({ status }) => status),
    );
    const right = signIn(app, 'thora', ANOTHER_PASSWORD).then(({ status }) => status);
    const known = signIn(app, 'admin', ADMIN_PASSWORD).then(({ status }) => status);
    expect(await known).toBe(200);
    await allButTwoWait(121);
    letGo();
    expect(await right).toBe(200);
    for (const status of await Promise.all(flood)) expect([401, 429]).toContain(status);
    expect(hashing.most()).toBe(2);
    await app.api.get('/admin/verify').set(app.admin).expect(200);
  });

  it('does not keep a password that was changed', async () => {
    const app = await createTestApp('sqlite');
    expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    await setPassword(app.ctx, 'admin', {
      password: 'another-password',
      cost: app.ctx.passwords.cost,
    });
    expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(401);
    expect((await signIn(app, 'admin', 'another-password')).status).toBe(200);
  });
});

describe('counting guesses', () => {
  it('right passwords are not counted', async () => {
    const app = await createTestApp('sqlite');
    for (let i = 0; i < 12; i++)
      expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    expect((await signIn(app, 'admin', 'wrong')).status).toBe(401);
  });

  it('a guesser behind a proxy is counted by the proxy’s word only where TRUST_PROXY says so', async () => {
    const guessFrom = (app: TestApp, address: string) =>
      signIn(app, 'admin', 'wrong').set('X-Forwarded-For', address);
    const trusting = await createGuessedApp('sqlite', { env: { TRUST_PROXY: '1' } });
    const wary = await createGuessedApp('sqlite');
    for (let i = 0; i < 10; i++) {
      await guessFrom(trusting, '203.0.113.1');
      await guessFrom(wary, `203.0.113.${i}`);
    }
    expectThrottled(await guessFrom(trusting, '203.0.113.1'));
    expect((await guessFrom(trusting, '203.0.113.2')).status).toBe(401);
    expectThrottled(await guessFrom(wary, '203.0.113.99'));
  });

  it.each([
    ['203.0.113.7', '203.0.113.7:5678'],
    ['203.0.113.7:1', '198.51.100.1, 203.0.113.7:2'],
    ['2001:db8::7', '[2001:db8::7]'],
    ['[2001:db8::7]:80', '[2001:db8::7]:81'],
  ])('%s and %s are one address', async (address, same) => {
    const app = await createGuessedApp('sqlite', { env: { TRUST_PROXY: '1' } });
    const guessFrom = (from: string) => signIn(app, 'admin', 'wrong').set('X-Forwarded-For', from);
    for (let i = 0; i < 10; i++) await guessFrom(address);
    expectThrottled(await guessFrom(same));
    expect((await guessFrom('198.51.100.1')).status).toBe(401);
  });

  it.each(['garbage', '999.1.1.1', '1.2.3.4:x', ''])(
    'an entry %j that is no address counts as the proxy',
    async (entry) => {
      const req = { headers: { 'x-forwarded-for': entry }, socket: { remoteAddress: '10.0.0.1' } };
      expect(addressOf(req, { TRUST_PROXY: '1' })).toBe('10.0.0.1');
    },
  );
});
