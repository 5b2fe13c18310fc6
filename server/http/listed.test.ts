import { beforeAll, describe, expect, it } from 'vitest';
import { splitOn } from '../activity/test/undo.ts';
import { aClaim, aKey, anEvent, change, submitted } from '../dev/test/builders.ts';
import { databases, usualDatabases } from '../dev/test/databases.ts';
import { manyClaims } from '../dev/test/many-claims.ts';
import { createSuiteApp, type TestApp } from '../dev/test/test-app.ts';

const COUNT = 10_003;
const FIRST_ID = 1_000_000;

const get = (app: TestApp, path: string, query: object = {}) =>
  app.api.get(path).set(app.admin).query(query).expect(200);
const idsIn = (answer: { body: { data: { id: number }[] } }): number[] =>
  answer.body.data.map(({ id }) => id);

describe.each(usualDatabases)('a list that has grown long, on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  let event_id = 0;
  beforeAll(async () => {
    event_id = (await anEvent(app, { start_time: '2026-11-21', end_time: '2027-11-20' })).id;
    await manyClaims(app, { count: COUNT, spots: 2, event_id, first_id: FIRST_ID });
  });

  it('returns the newest ten thousand if no page is requested, and the total', async () => {
    for (const path of ['/admin/claims', `/events/${event_id}/claims`]) {
      const answer = await get(app, path);
      const ids = idsIn(answer);
      expect([answer.headers['x-total-count'], ids.length, ids[0], ids.at(-1)]).toEqual([
        String(COUNT),
        10_000,
        FIRST_ID + 3,
        FIRST_ID + COUNT - 1,
      ]);
    }
  });

  it('is read page by page, each once and none left out; only the first page says how many there are', async () => {
    for (const path of ['/admin/claims', `/events/${event_id}/claims`]) {
      const seen: number[] = [];
      const totals: unknown[] = [];
      for (let before: number | undefined; seen.length < COUNT; before = Math.min(...seen)) {
        const answer = await get(app, path, {
          limit: 500,
          ...(before === undefined ? {} : { before }),
        });
        totals.push(answer.headers['x-total-count']);
        seen.push(...idsIn(answer));
      }
      expect(seen.length).toBe(COUNT);
      expect(new Set(seen).size).toBe(COUNT);
      expect(totals).toEqual([String(COUNT), ...Array.from({ length: 20 }, () => undefined)]);
      expect(idsIn(await get(app, path, { limit: 500, before: FIRST_ID }))).toEqual([]);
    }
  });

  it('has no entries on a page of the log beyond its end', async () => {
    for (const page of [1_000_000, Number.MAX_SAFE_INTEGER]) {
      expect((await get(app, '/admin/activity-log', { page, limit: 500 })).body.data.logs).toEqual(
        [],
      );
    }
  });

  it('refuses pages that are none, and longer ones than five hundred', async () => {
    for (const path of [
      '/admin/claims',
      `/events/${event_id}/claims`,
      '/events',
      '/admin/access-keys',
      '/admin/verified-codes',
    ]) {
      for (const wrong of [
        { limit: 501 },
        { limit: 0 },
        { limit: 1.5 },
        { before: 0 },
        { before: 2_147_483_648 },
        { limit: 'x' },
      ]) {
        const answer = await app.api.get(path).set(app.admin).query(wrong);
        expect([path, wrong, answer.status, answer.body.code]).toEqual([
          path,
          wrong,
          400,
          'request.invalid',
        ]);
      }
      await get(app, path, { limit: 500, before: 2_147_483_647 });
    }
  });
});

describe.each(databases)('a page on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('holds what is on its dates, a claim of a whole event on each of them, and counts those', async () => {
    const event = await anEvent(app, {
      type: 'single_claim',
      start_time: '2026-12-10',
      end_time: '2026-12-12',
    });
    const one = await aKey(app);
    const two = await aKey(app);
    const dated = await submitted(
      app,
      one,
      ...['2026-12-01', '2026-12-11', '2026-12-20'].map((date) => aClaim(one, { date })),
    );
    const [first, middle, last] = dated.map(({ id }) => id);
    const key = await aKey(app);
    const whole = await change(app, async ({ tx }) => {
      const rows = {
        character_name: key.character_name,
        character_key: 'k',
        member_type: 'member',
        created_at: '2026-11-21T00:00:00.000Z',
      };
      const numbers = {
        voucher_duration: 4,
        custom_duration: null,
        secondary_priority: 0,
        primary_claim_id: null,
      };
      const flags = { is_secondary_claim: 0 as const, is_split_claim: 0 as const };
      const { id } = await tx
        .insertInto('claims')
        .values({ ...rows, ...numbers, ...flags, event_id: event.id, date: null })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('claim_parts')
        .values({
          claim_id: id,
          part_number: 1,
          respawn_id: 3,
          hour_start: 0,
          hour_end: 4,
          last_date: '2026-12-12',
        })
        .execute();
      return id;
    });
    const within = async (query: object): Promise<unknown[]> => {
      const answer = await get(app, '/admin/claims', query);
      expect(answer.headers['x-total-count']).toBe(String(idsIn(answer).length));
      return idsIn(answer);
    };
    expect(await within({ to: '2026-12-09' })).toEqual([first]);
    expect(await within({ to: '2026-12-10' })).toEqual([first, whole]);
    expect(await within({ from: '2026-12-12' })).toEqual([last, whole]);
    expect(await within({ from: '2026-12-13' })).toEqual([last]);
    expect(await within({ from: '2026-12-11', to: '2026-12-11' })).toEqual([middle, whole]);
    expect(idsIn(await get(app, `/events/${event.id}/claims`, { from: '2026-12-12' }))).toEqual([
      whole,
    ]);
    const [split] = await submitted(
      app,
      two,
      aClaim(two, { ...splitOn(5, 6), date: '2026-12-25' }),
    );
    const page = await get(app, '/admin/claims', { limit: 1 });
    expect([idsIn(page), page.headers['x-total-count']]).toEqual([[split?.id, split?.id], '5']);

    // Of one character, in any case.
    const character = two.character_name.toUpperCase();
    const ofTwo = idsIn(await get(app, '/admin/claims', { character }));
    expect(ofTwo.slice(-2)).toEqual([split?.id, split?.id]);
    expect(await within({ character, to: '2026-12-24' })).toEqual(ofTwo.slice(0, -2));
    expect(await within({ character: 'Unknown Hunter' })).toEqual([]);
  });

  it('of events, keys and records has its place in their order', async () => {
    const events = [
      await anEvent(app, { start_time: '2026-11-25', end_time: '2026-11-28' }),
      await anEvent(app, { start_time: '2026-11-21', end_time: '2026-11-28' }),
    ].map(({ id }) => id);
    const keys = [await aKey(app), await aKey(app)].map(({ id }) => id);
    for (const name of ['Ayla Fenn', 'Bram Holt']) {
      await app.api.post('/generate-verification-code').send({ character_name: name }).expect(201);
    }
    expect(idsIn(await get(app, '/events', { limit: 2 }))).toEqual(events);
    for (const path of ['/events', '/admin/access-keys', '/admin/verified-codes']) {
      const all = idsIn(await get(app, path)).sort((a, b) => b - a);
      const newest = await get(app, path, { limit: 1 });
      expect([idsIn(newest), newest.headers['x-total-count']]).toEqual([
        [all[0]],
        String(all.length),
      ]);
      expect(idsIn(await get(app, path, { limit: 1, before: all[0] }))).toEqual([all[1]]);
    }
    expect(idsIn(await get(app, '/admin/access-keys', { limit: 2 }))).toEqual(keys.reverse());
  });
});
