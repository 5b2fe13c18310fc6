import supertest from 'supertest';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RespawnWithClaims } from '../../../shared/schemas/respawn.ts';
import {
  aClaim,
  aDestination,
  aKey,
  anActiveEvent,
  anAdmin,
  anEvent,
  aSpot,
  asMember,
  change,
  disableRespawn,
  noActiveEvent,
  submit,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import {
  createSuiteApp,
  createTestApp,
  NOW,
  type TestApp,
  TODAY,
} from '../../dev/test/test-app.ts';

const board = async (app: TestApp): Promise<RespawnWithClaims[]> =>
  (await app.api.get('/respawns').set(app.admin).expect(200)).body;
const spotOf = async (app: TestApp, id: number): Promise<RespawnWithClaims | undefined> =>
  (await board(app)).find((each) => each.id === id);

describe.each(databases)('the list of respawns on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('is a bare array with every spot of the catalogue, by name, and its picture', async () => {
    const spots = await expectNoTick(app, () => board(app));
    expect(spots.length).toBeGreaterThan(250);
    const names = spots.map((each) => each.name.toLowerCase());
    expect(names).toEqual([...names].sort());
    expect(spots.find((each) => each.id === 1)).toEqual({
      id: 1,
      name: 'Boosted Creature',
      image: 'boosted-creature.gif',
      image_url: '/assets/respawns/boosted-creature.gif',
      category_id: 1,
      category_name: 'General',
      is_enabled: 1,
      total_claims: 0,
      last_claim_date: null,
      created_at: NOW,
      claims: [],
    });
    expect(spots.some((each) => each.category_id === null && each.category_name === null)).toBe(
      true,
    );
  });

  it('serves a path that is one already as it is', async () => {
    await change(app, async ({ tx, changes }) => {
      await tx
        .updateTable('respawns')
        .set({ image: '/assets/own/a.gif' })
        .where('id', '=', 50)
        .execute();
      changes.reset();
    });
    expect((await spotOf(app, 50))?.image_url).toBe('/assets/own/a.gif');
  });

  it('R4.10: leaves out disabled respawns, which only the admins’ list shows', async () => {
    await disableRespawn(app, 60);
    expect(await spotOf(app, 60)).toBeUndefined();
    const all = await app.api.get('/admin/respawns').set(app.admin).expect(200);
    expect(all.body.data.find((each: { id: number }) => each.id === 60)).toMatchObject({
      is_enabled: 0,
      total_claims: 0,
    });
  });

  it('R5.1, R5.6: has each part of a split claim on its spot, and secondary claims, marked', async () => {
    const key = await aKey(app, 'Bubble', 'elite');
    const here = aSpot();
    const there = aSpot();
    const waiting = aSpot();
    const split_parts = [here, there].map((respawn_id, i) => ({
      part_number: i + 1,
      respawn_id,
      hour_start: 10 + 4 * i,
      duration: 2,
    }));
    const secondary = aClaim(key, { respawn_id: waiting, is_secondary_claim: 1 });
    const rows = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: here, is_split_claim: 1, split_parts }),
      secondary,
    );
    const spots = await Promise.all([here, there, waiting].map((id) => spotOf(app, id)));
    expect(spots.map((each) => each?.claims)).toEqual(rows.map((row) => [row]));
    expect(spots.map((each) => each?.claims[0]?.is_secondary_claim)).toEqual([0, 0, 1]);
    expect(spots.map((each) => each?.total_claims)).toEqual([1, 1, 1]);
  });

  it('counts all claims of a spot and the last of their dates', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const claims = [TODAY, '2026-12-24', '2026-01-01'].map((date) =>
      aClaim(key, { respawn_id, date }),
    );
    await submitAsAdmin(app, 'member', ...claims).expect(201);
    const spot = await spotOf(app, respawn_id);
    expect(spot).toMatchObject({ total_claims: 3, last_claim_date: '2026-12-24' });
    // Without an event the board shows today's and later claims.
    expect(spot?.claims.map((claim) => claim.date)).toEqual([TODAY, '2026-12-24']);
  });
});

describe.each(databases)('the claims of the board on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  beforeEach(() => noActiveEvent(app));

  it("are the active event's, on all its dates, and no others", async () => {
    const key = await aKey(app);
    const before = await aKey(app);
    const here = aSpot();
    const there = aSpot();
    await submitted(app, before, aClaim(before, { respawn_id: here }));
    await anActiveEvent(app);
    const claims = [
      aClaim(key, { respawn_id: here, date: '2026-11-15' }),
      aClaim(key, { respawn_id: there }),
    ];
    const { data: rows } = (await submitAsAdmin(app, 'member', ...claims).expect(201)).body;
    const boardClaims = (await board(app)).flatMap((each) => each.claims);
    expect(boardClaims.sort((a, b) => a.id - b.id)).toEqual(rows);
    expect(await spotOf(app, here)).toMatchObject({ total_claims: 2, last_claim_date: TODAY });
  });

  it('start, without an event, with the server-save date: SS+23 is still yesterday’s', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    await submitted(
      app,
      key,
      aClaim(key, { respawn_id }),
      aClaim(key, { respawn_id, date: '2026-11-22' }),
    );
    const dates = async () => (await spotOf(app, respawn_id))?.claims.map((claim) => claim.date);
    app.setNow('2026-11-22T08:59:00.000Z');
    expect(await dates()).toEqual([TODAY, '2026-11-22']);
    app.setNow('2026-11-22T09:00:00.000Z');
    // The first write of the new day, or the server itself within seconds, moves every board on.
    await aKey(app);
    expect(await dates()).toEqual(['2026-11-22']);
  });

  it('of a single_claim event have no date, and say when the event ends', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    await anActiveEvent(app, { type: 'single_claim' });
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id }));
    expect(await spotOf(app, respawn_id)).toMatchObject({
      last_claim_date: '2026-11-28',
      claims: [{ id: claim?.id, date: null }],
    });
  });
});

describe.each(databases)('an unchanged board on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const etagOf = async (): Promise<string> =>
    (await app.api.get('/respawns').set(app.admin).expect(200)).headers.etag ?? '';
  const ifChanged = (etag: string) =>
    app.api.get('/respawns').set(app.admin).set('If-None-Match', etag);

  it('is a 304 without a body, until something is written', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const etag = await etagOf();
    const same = await ifChanged(etag).expect(304);
    expect([same.text, same.headers['cache-control']]).toEqual(['', 'private, no-cache']);
    expect(same.headers).toMatchObject({ etag, vary: 'Accept-Encoding' });
    await submitted(app, key, aClaim(key));
    const changed = await ifChanged(etag).expect(200);
    expect(changed.headers.etag).not.toBe(etag);
    // A refused write leaves it unchanged.
    await submit(app, other, aClaim(other)).expect(409);
    await ifChanged(changed.headers.etag ?? '').expect(304);
  });

  it('has changed for admins with records that only they see, and not for members', async () => {
    const member = asMember(await aKey(app));
    const callers = {
      member,
      guildAdmin: app.admin,
      viewer: (await anAdmin(app, 'viewer')).headers,
    };
    const read = (headers: Record<string, string>, etag = '') =>
      app.api.get('/respawns').set({ ...headers, ...(etag && { 'If-None-Match': etag }) });
    const seenByAdminsOnly: Record<string, () => Promise<unknown>> = {
      'an access key': () => aKey(app),
      'a notification channel': () => aDestination(app),
      'an inactive event': () => anEvent(app),
    };
    for (const [name, write] of Object.entries(seenByAdminsOnly)) {
      const before: Record<string, string> = {};
      for (const [who, headers] of Object.entries(callers))
        before[who] = (await read(headers).expect(200)).headers.etag ?? '';
      await write();
      const statuses: Record<string, number> = {};
      for (const [who, headers] of Object.entries(callers))
        statuses[who] = (await read(headers, before[who])).status;
      expect([name, statuses]).toEqual([name, { member: 304, guildAdmin: 200, viewer: 200 }]);
    }
    // All callers get the same board.
    const bodies = await Promise.all(
      Object.values(callers).map(async (headers) => (await read(headers).expect(200)).text),
    );
    expect(new Set(bodies).size).toBe(1);
    const { etag } = (await read(app.admin).expect(200)).headers;
    await read(app.admin, etag).expect(304);
  });

  it('is sent in full to a caller with an older tag, or without one', async () => {
    await ifChanged('W/"0"').expect(200);
    await app.api.get('/respawns').set(app.admin).expect(200);
  });

  it('is refused to visitors all the same', async () => {
    const answer = await app.api.get('/respawns').set('If-None-Match', await etagOf());
    expectRefusal(answer, 401, 'session.required', 'Access denied', {});
  });

  it('needs no query: a member gets the 304 even while the database is away', async () => {
    const other = await createTestApp(dialect);
    const key = await aKey(other);
    const get = () => other.api.get('/respawns').set(asMember(key));
    const { etag = '' } = (await get().expect(200)).headers;
    await other.ctx.db.destroy();
    await get().set('If-None-Match', etag).expect(304);
    // It is one key in every spelling: spellings must not fill the server's memory.
    const typed = { 'X-Access-Key': key.key_value.toLowerCase() };
    await other.api.get('/respawns').set(typed).set('If-None-Match', etag).expect(304);
    await supertest(other.url).get('/readyz').expect(503);
  });
});
