import { describe, expect, it } from 'vitest';
import { addAdmin, setPassword } from '../admin-cli/operations.ts';
import { aClaim, aKey, asMember, submit } from '../test/builders.ts';
import { databases } from '../test/databases.ts';
import { expectNoTick, expectRefusal } from '../test/expect-refusal.ts';
import { ADMIN_PASSWORD, createTestApp, type TestApp } from '../test/test-app.ts';
import { createPasswordGuard } from './check-password.ts';
import { passwordMatches } from './passwords.ts';

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
  expectRefusal(answer, 429, 'request.tooManyTries', `Too many tries. Please wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`, {
    seconds,
  });
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(300);
  expect(answer.headers['retry-after']).toBe(String(seconds));
}

const signIn = (app: TestApp, username: string, password: string) => app.api.post('/login').send({ username, password });

const ANOTHER_PASSWORD = 'first-password';
/** Hashes what is right. Hashing as many wrong guesses would be most of these tests' time. */
const matchesIfRight: typeof passwordMatches = async (password, hash) =>
  [ADMIN_PASSWORD, ANOTHER_PASSWORD].includes(password) && passwordMatches(password, hash);

/** A server that may be shown many wrong passwords. */
async function createGuessedApp(...[dialect, options]: Parameters<typeof createTestApp>): Promise<TestApp> {
  const app = await createTestApp(dialect, options);
  Object.assign(app.ctx, { passwords: createPasswordGuard({}, matchesIfRight) });
  return app;
}

describe.each(databases)('guesses on %s', (dialect) => {
  it('the eleventh wrong admin login of a name is told to wait, and the right password is never refused', async () => {
    const app = await createGuessedApp(dialect);
    expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    for (let i = 0; i < 10; i++) expect((await signIn(app, i % 2 ? 'admin' : ' ADMIN', 'wrong')).status).toBe(401);
    await expectNoTick(app, async () => {
      expectThrottled(await signIn(app, 'admin', 'wrong'));
    });
    await addAdmin(app.ctx, 'Thora', ANOTHER_PASSWORD);
    for (let i = 0; i < 11; i++) await signIn(app, 'thora', 'wrong');
    // Of the one it is known already, the other's first right one waits for its turn.
    expect((await signIn(app, 'Admin ', ADMIN_PASSWORD)).status).toBe(200);
    expect((await signIn(app, 'Thora', ANOTHER_PASSWORD)).status).toBe(200);
    // Another name, the session that exists and the members are not touched by it.
    expect((await signIn(app, 'another', 'wrong')).status).toBe(401);
    await app.api.get('/admin/verify').set(app.admin).expect(200);
    const key = await aKey(app);
    await app.api.post('/login').send({ accessKey: key.key_value }).expect(200);
  });

  it('wrong access keys are slowed after thirty, and right ones never, however many guess from the same address', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const guess = (i: number) => app.api.post(i % 2 ? '/login' : '/validate-access-key').send({ accessKey: `GUESS-${i}` });
    for (let i = 0; i < 30; i++) expectRefusal(await guess(i), 401, 'session.invalidKey', 'Invalid access key', {});
    expectThrottled(await guess(31));
    expectThrottled(await guess(32));
    for (let i = 0; i < 40; i++) {
      await app.api.post('/login').send({ accessKey: key.key_value }).expect(200);
      await app.api.post('/validate-access-key').send({ accessKey: key.key_value }).expect(200);
    }
    await app.api.get('/respawns').set(asMember(key)).expect(200);
    await submit(app, key, aClaim(key)).expect(201);
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

  /** A server where nobody loses patience: whose turn is next does not depend on how long a hash takes on a busy machine. */
  async function createPatientApp() {
    const app = await createTestApp('sqlite');
    const { matches, ...hashing } = heldHashing();
    const passwords = createPasswordGuard({ patience_ms: PATIENCE_MS }, matches);
    Object.assign(app.ctx, { passwords });
    await addAdmin(app.ctx, 'Thora', ANOTHER_PASSWORD);
    // Two are being hashed.
    const allButTwoWait = (count: number) => expect.poll(passwords.turns.waiting, { timeout: 60_000 }).toBe(count - 2);
    return { app, hashing, allButTwoWait };
  }

  it('from the same address, for the same name and for others, leaves the right password its turn, and hashes only so many at once', {
    timeout: PATIENCE_MS,
  }, async () => {
    const { app, hashing, allButTwoWait } = await createPatientApp();
    expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    const letGo = hashing.hold();
    const flood = Array.from({ length: 120 }, (_, i) =>
      signIn(app, i % 3 ? `invented ${i}` : 'Thora', `wrong ${i}`).then(({ status }) => status),
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

  it('of the same name from the same address, before it and after it, does not refuse the right password', {
    timeout: PATIENCE_MS,
  }, async () => {
    const { app, hashing, allButTwoWait } = await createPatientApp();
    const guesses = (count: number) =>
      Array.from({ length: count }, (_, i) => signIn(app, 'thora', `wrong ${i}`).then(({ status }) => status));
    await Promise.all(guesses(11));
    const letGo = hashing.hold();
    const before = guesses(60);
    const right = signIn(app, 'thora', ANOTHER_PASSWORD).then(({ status }) => status);
    const flood = [...before, ...guesses(60)];
    await allButTwoWait(121);
    letGo();
    expect(await right).toBe(200);
    for (const status of await Promise.all(flood)) expect(status).toBe(429);
  });

  it('does not keep a password that was changed', async () => {
    const app = await createTestApp('sqlite');
    expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    await setPassword(app.ctx, 'admin', 'another-password');
    expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(401);
    expect((await signIn(app, 'admin', 'another-password')).status).toBe(200);
  });
});

// Counted in the server's memory, so that one database is enough.
describe('counting guesses', () => {
  it('right passwords are not counted', async () => {
    const app = await createTestApp('sqlite');
    for (let i = 0; i < 12; i++) expect((await signIn(app, 'admin', ADMIN_PASSWORD)).status).toBe(200);
    expect((await signIn(app, 'admin', 'wrong')).status).toBe(401);
  });

  it('a guesser behind a proxy is counted by the proxy’s word only where TRUST_PROXY says so', async () => {
    const guessFrom = (app: TestApp, address: string) => signIn(app, 'admin', 'wrong').set('X-Forwarded-For', address);
    const [trusting, wary] = [await createGuessedApp('sqlite', { env: { TRUST_PROXY: '1' } }), await createGuessedApp('sqlite')];
    for (let i = 0; i < 10; i++) {
      await guessFrom(trusting, '203.0.113.1');
      await guessFrom(wary, `203.0.113.${i}`);
    }
    expectThrottled(await guessFrom(trusting, '203.0.113.1'));
    expect((await guessFrom(trusting, '203.0.113.2')).status).toBe(401);
    expectThrottled(await guessFrom(wary, '203.0.113.99'));
  });
});
