import { describe, expect, it, vi } from 'vitest';
import { aClaim, aKey, submit } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { ADMIN_PASSWORD, createTestApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import { fetched } from '../notifications/calendar/test/calendar.ts';
import { WRONG_KEYS } from './rate-limits.ts';

/** The tests' time so many seconds later. */
const later = (seconds: number): string =>
  new Date(Date.parse(NOW) + seconds * 1_000).toISOString();

/** Requests a calendar that does not exist; of the right shape, so that the server looks it up. */
const guessCalendar = async (app: TestApp): Promise<number> =>
  (await fetched(app, `/calendar/${'y'.repeat(43)}.ics`)).status;
const guessCalendars = (app: TestApp, count: number) =>
  Promise.all(Array.from({ length: count }, () => guessCalendar(app)));
const guessKey = async (app: TestApp): Promise<number> =>
  (await app.api.post('/login').send({ accessKey: 'NO-SUCH-KEY' })).status;
const signIn = async (app: TestApp, password: string): Promise<number> =>
  (await app.api.post('/login').send({ username: 'admin', password })).status;

describe.each(databases)('wrong tries on %s', (dialect) => {
  it('past the limit of an address, wrong calendar URLs write nothing and read no counts', async () => {
    const app = await createTestApp(dialect);
    for (let i = 0; i < WRONG_KEYS; i++) expect(await guessCalendar(app)).toBe(404);
    const writes = vi.spyOn(app.ctx.writes, 'transaction');
    const reads = vi.spyOn(app.ctx.db, 'selectFrom');
    expect(new Set(await guessCalendars(app, 20))).toEqual(new Set([429]));
    expect(writes).not.toHaveBeenCalled();
    expect(reads.mock.calls.filter(([table]) => String(table) === 'wrong_tries')).toEqual([]);
    app.setNow(later(300));
    expect(await guessCalendar(app)).toBe(404);
  });

  it.runIf(dialect === 'postgres')(
    'past the limit that another server counted, a server writes nothing either',
    async () => {
      const app = await createTestApp(dialect);
      const other = await createTestApp(dialect, {
        on: { settings: app.settings, drop: async () => {} },
      });
      for (let i = 0; i < WRONG_KEYS; i++) expect(await guessCalendar(app)).toBe(404);
      const writes = vi.spyOn(other.ctx.writes, 'transaction');
      for (let i = 0; i < 3; i++) expect(await guessCalendar(other)).toBe(429);
      expect(writes).not.toHaveBeenCalled();
    },
  );

  it('many wrong calendar URLs at once cause no more writes than the limit', async () => {
    const app = await createTestApp(dialect);
    const writes = vi.spyOn(app.ctx.writes, 'transaction');
    const statuses = await guessCalendars(app, 2 * WRONG_KEYS);
    expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(WRONG_KEYS);
    expect(writes.mock.calls.length).toBeLessThanOrEqual(WRONG_KEYS);
  });

  it.each([
    ['calendar URLs', guessCalendar],
    [
      'access keys in a header',
      async (app: TestApp) =>
        (await app.api.get('/respawns').set('X-Access-Key', 'NO-SUCH-KEY')).status,
    ],
  ])(
    'a flood of wrong %s does not push a member’s claim out of the write queue',
    async (_, guess) => {
      const limit = WRONG_KEYS - 10;
      const app = await createTestApp(dialect, { context: { queue: { limit } } });
      const member = await aKey(app);
      const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
      const holding = app.ctx.writes.transaction(() => held);
      const writes = vi.spyOn(app.ctx.writes, 'transaction');
      const guesses = Array.from({ length: limit + 5 }, () => guess(app));
      await expect.poll(() => writes.mock.calls.length, { timeout: 60_000 }).toBe(limit + 5);
      const claim = submit(app, member, aClaim(member)).then(({ status }) => status);
      await expect.poll(() => writes.mock.calls.length, { timeout: 60_000 }).toBe(limit + 6);
      letGo();
      await holding;
      expect(await claim).toBe(201);
      expect((await Promise.all(guesses)).filter((status) => status === 503)).toHaveLength(6);
    },
  );

  it('those that a clock stored while it ran ahead are not believed, and their rows are deleted', async () => {
    const app = await createTestApp(dialect);
    app.setNow(later(3_600));
    for (let i = 0; i < WRONG_KEYS; i++) await guessKey(app);
    for (let i = 0; i < 10; i++) await signIn(app, 'wrong');
    expect([await guessKey(app), await signIn(app, 'wrong')]).toEqual([429, 429]);
    app.setNow(NOW);
    expect([await guessKey(app), await signIn(app, 'wrong')]).toEqual([401, 401]);
    expect(await signIn(app, ADMIN_PASSWORD)).toBe(200);
    const rows = await app.ctx.db.selectFrom('wrong_tries').select(['tries', 'until']).execute();
    expect(rows).toEqual([1, 1].map((tries) => ({ tries, until: later(300) })));
  });

  it('a next try that a clock set while it ran ahead does not delay the next one', async () => {
    const app = await createTestApp(dialect);
    for (let i = 0; i < 10; i++) await signIn(app, 'wrong');
    app.setNow(later(299));
    expect(await signIn(app, 'wrong')).toBe(401);
    app.setNow(NOW);
    expect(await signIn(app, ADMIN_PASSWORD)).toBe(200);
  });
});
