import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { aClaim, aKey, asMember, aWait, ban, submitted } from '../../dev/test/builders.ts';
import { databases, usualDatabases } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { jobKindsOf } from '../../feature.ts';
import { features } from '../../features.ts';
import { createJobs } from '../../jobs/runner.ts';
import { MAX_TESTS } from '../notices/send.ts';
import { createPost } from '../outbound/post.ts';
import { MAX_PER_SERVICE } from './medium.ts';
import { aSubscription, subscribed } from './test/browser.ts';
import { timeOf, waiting } from './test/due.ts';
import { aPushService, type PushService } from './test/push-service.ts';

const at = (minutes: number): string => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();
const prefer = (app: TestApp, key: AccessKey, fields: object) =>
  app.api.put('/push/preferences').set(asMember(key)).send(fields).expect(200);
const outcomes = async ({ ctx }: TestApp): Promise<Record<string, number>> => {
  const { values } = await ctx.metrics.deliveries.get();
  return Object.fromEntries(
    values
      .filter(({ labels }) => labels.kind === 'push')
      .map(({ labels, value }) => [labels.outcome, value]),
  );
};

async function aGuild(
  dialect: (typeof databases)[number],
): Promise<{ app: TestApp; service: PushService; comes: (iso: string) => Promise<void> }> {
  const app = await createTestApp(dialect, {
    env: { ALLOW_PRIVATE_DESTINATIONS: '1', PUBLIC_URL: 'https://board.example' },
  });
  const service = await aPushService();
  return { app, service, comes: timeOf(app) };
}

/** Claims of today, one of which an admin moves by an hour. */
async function moved(app: TestApp, key: AccessKey, fields: object = {}): Promise<number> {
  const [claim] = await submitted(
    app,
    key,
    aClaim(key, { hour_start: 16, hour_end: 18, ...fields }),
  );
  await app.api
    .put(`/claims/admin/${claim?.id}`)
    .set(app.admin)
    .send({ hour_start: 17, hour_end: 19 })
    .expect(200);
  return claim?.id ?? 0;
}

describe.each(databases)('messages to a browser on %s', (dialect) => {
  it('advances no clock, and sends watchers nothing', async () => {
    const { app, service, comes } = await aGuild(dialect);
    const ann = await aKey(app);
    const browser = await service.browser(app, ann);
    await moved(app, ann);
    const clock = app.ctx.bus.clock();
    await comes(at(1));
    await browser.gets(1);
    expect([app.ctx.bus.clock(), await waiting(app)]).toEqual([clock, []]);
  });

  it('is one notice, however many of a member’s claims an admin changes, one by one or at once', async () => {
    const { app, service, comes } = await aGuild(dialect);
    const ann = await aKey(app, 'Ann');
    const browser = await service.browser(app, ann);
    const dates = Array.from({ length: 30 }, (_, n) =>
      new Date(Date.parse(NOW) + n * 86_400_000).toISOString().slice(0, 10),
    );
    const claims = await submitted(app, ann, ...dates.map((date) => aClaim(ann, { date })));
    for (const { id } of claims.slice(0, 10))
      await app.api.delete(`/admin/claims/${id}`).set(app.admin).expect(200);
    expect(await waiting(app)).toHaveLength(1);
    await app.api.delete('/claims/admin/respawn/1').set(app.admin).expect(200);
    expect(await waiting(app)).toHaveLength(1);
    await comes(at(1));
    const [one, ...more] = await browser.gets(1);
    expect(more).toEqual([]);
    expect(one).toMatchObject({
      title: 'An admin changed 30 of your claims',
      tag: 'claims',
      url: '/mine',
    });
    expect(one?.body).toMatch(/ and 27 more$/);
  });

  it('waits for a failing push service, and meanwhile the browser gets nothing', async () => {
    const { app, service, comes } = await aGuild(dialect);
    const ann = await aKey(app);
    const browser = await service.browser(app, ann);
    browser.answers(500);
    await moved(app, ann);
    await comes(at(1));
    expect([browser.received.length, await outcomes(app)]).toEqual([1, { failed: 1 }]);
    // Meanwhile the browser gets nothing, even if more is due.
    await moved(app, ann, { date: '2026-11-23' });
    await comes(at(1.5));
    expect(browser.received).toHaveLength(1);
    browser.answers(201);
    await comes(at(3));
    expect((await browser.gets(2))[1]).toMatchObject({
      title: 'An admin changed 2 of your claims',
    });
    const [stored] = await app.ctx.db
      .selectFrom('push_subscriptions')
      .select(['failures', 'backoff_until'])
      .execute();
    expect(stored).toEqual({ failures: 0, backoff_until: null });
  });

  it('to an expired browser is not sent again, and with the last browser the subscription to events ends', async () => {
    const { app, service, comes } = await aGuild(dialect);
    const ann = await aKey(app);
    const bob = await aKey(app);
    const gone = await service.browser(app, ann);
    const unknown = await service.browser(app, bob);
    gone.answers(410);
    unknown.answers(404);
    await moved(app, ann);
    await moved(app, bob, { respawn_id: 2 });
    await comes(at(1));
    expect(await app.ctx.db.selectFrom('push_subscriptions').select('id').execute()).toEqual([]);
    expect(
      (await app.ctx.db.selectFrom('clock').select('subscribed_types').executeTakeFirstOrThrow())
        .subscribed_types,
    ).toBeNull();
    expect(await outcomes(app)).toEqual({ switched_off: 2 });
  });

  it('is sent until it expires, for any expiry', async () => {
    const { app, service, comes } = await aGuild(dialect);
    const keys = [await aKey(app), await aKey(app)];
    const ends = [Date.parse(at(60)), 8_640_000_000_000_000];
    for (const [i, key] of keys.entries()) {
      await subscribed(app, key, {
        endpoint: `${service.url}/expires/${i}`,
        expirationTime: ends[i],
      });
      await moved(app, key, { respawn_id: i + 1 });
    }
    const sent = (i: number) =>
      service.received.filter(({ path }) => path === `/expires/${i}`).length;
    await comes(at(1));
    expect([sent(0), sent(1)]).toEqual([1, 1]);
    for (const [i, key] of keys.entries())
      await moved(app, key, { respawn_id: i + 1, date: '2026-11-23' });
    await comes(at(60));
    expect([sent(0), sent(1)]).toEqual([1, 2]);
    expect(await app.ctx.db.selectFrom('push_subscriptions').select('endpoint').execute()).toEqual([
      { endpoint: `${service.url}/expires/1` },
    ]);
  });

  it('stops with the key, and continues when that is enabled again; a new key needs a new subscription', async () => {
    const { app, service, comes } = await aGuild(dialect);
    const ann = await aKey(app, 'Ann');
    const browser = await service.browser(app, ann);
    const id = await moved(app, ann);
    const set = (what: string) =>
      app.api.put(`/admin/access-keys/${ann.id}/${what}`).set(app.admin).expect(200);
    await set('revoke');
    await comes(at(1));
    expect([browser.received, await waiting(app)]).toEqual([[], []]);
    await app.api
      .put(`/claims/admin/${id}`)
      .set(app.admin)
      .send({ hour_start: 18, hour_end: 20 })
      .expect(200);
    expect(await waiting(app)).toEqual([]);
    await set('enable');
    await app.api
      .put(`/claims/admin/${id}`)
      .set(app.admin)
      .send({ hour_start: 19, hour_end: 21 })
      .expect(200);
    await comes(at(2));
    await browser.gets(1);
    await ban(app, ann);
    await app.api
      .put(`/claims/admin/${id}`)
      .set(app.admin)
      .send({ hour_start: 18, hour_end: 20 })
      .expect(200);
    expect(await waiting(app)).toEqual([]);
    await app.api.delete(`/admin/access-keys/${ann.id}`).set(app.admin).expect(200);
    expect(await app.ctx.db.selectFrom('push_subscriptions').select('id').execute()).toEqual([]);
  });

  it('is not sent for a member’s own action, a kind switched off, or an offer answered elsewhere', async () => {
    const { app, service, comes } = await aGuild(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ release_enabled: 1 }).expect(200);
    const ann = await aKey(app);
    const bob = await aKey(app);
    const browser = await service.browser(app, ann);
    const other = await service.browser(app, bob);
    // A running claim is shortened, an upcoming one is deleted.
    const own = [
      aClaim(ann, { hour_start: 9, hour_end: 12 }),
      aClaim(ann, { date: '2026-11-22', hour_start: 16, hour_end: 18 }),
    ];
    for (const { id } of await submitted(app, ann, ...own))
      await app.api.post(`/claims/${id}/release`).set(asMember(ann)).expect(200);
    await prefer(app, bob, { claim_changed: 0 });
    await moved(app, bob);
    expect(await waiting(app)).toEqual([]);
    // A kind switched off after the notice was stored is not sent either.
    await prefer(app, bob, { claim_changed: 1 });
    await moved(app, bob, { date: '2026-11-24' });
    expect(await waiting(app)).toHaveLength(1);
    await prefer(app, bob, { claim_changed: 0 });
    await comes(at(1));
    expect([browser.received, other.received, await waiting(app)]).toEqual([[], [], []]);
  });
});

describe.each(usualDatabases)('a push service that a message goes to, on %s', (dialect) => {
  it('is encrypted for it alone, signed by the server, and of use for so long', async () => {
    const { app, service, comes } = await aGuild(dialect);
    const ann = await aKey(app, 'Ann');
    const browser = await service.browser(app, ann);
    const id = await moved(app, ann);
    await comes(at(1));
    expect(await browser.gets(1)).toEqual([
      {
        kind: 'claim_changed',
        title: 'An admin changed your claim',
        body: expect.stringMatching(
          /^Ann: .+, Sat, Nov 21, 18:00 to 20:00 \(SS\+17 to SS\+19\)\. Before: .+, SS\+16 to SS\+18\.$/,
        ),
        tag: `claim-${id}`,
        url: `/?date=2026-11-21&claim=${id}`,
        language: 'en',
      },
    ]);
    const [received] = browser.received;
    if (!received) throw new Error('nothing came');
    const { headers, body } = received;
    expect(headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      urgency: 'normal',
      ttl: String(24 * 3_600 - 60),
    });
    expect(headers.topic).toMatch(/^[\w-]{32}$/);
    expect(body.length).toBeLessThan(3_000);
    expect(body.toString('latin1')).not.toContain('Ann');
    // RFC 8292: who sends, for which push service, and for how long.
    const [, token = '', k = ''] =
      /^vapid t=(\S+), ?k=(\S+)$/.exec(headers.authorization ?? '') ?? [];
    const [head = '', claims = '', signature = ''] = token.split('.');
    const point = Buffer.from(k, 'base64url');
    const jwk = {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    };
    const key = {
      key: createPublicKey({ key: jwk, format: 'jwk' }),
      dsaEncoding: 'ieee-p1363' as const,
    };
    expect(
      verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')),
    ).toBe(true);
    expect(
      (await app.api.get('/push/key').set(asMember(ann)).set('Host', 'board.example')).body.data
        .public_key,
    ).toBe(k);
    const claimsOfToken = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(claimsOfToken).toMatchObject({ aud: service.url, sub: 'https://board.example' });
    expect(claimsOfToken.exp - Date.now() / 1_000).toBeLessThanOrEqual(24 * 3_600);
    expect(await outcomes(app)).toEqual({ delivered: 1 });
  });

  it('is not delayed by a back-off that a clock ahead planned, nor once a test has succeeded', async () => {
    const { app, service, comes } = await aGuild(dialect);
    const ann = await aKey(app);
    const browser = await service.browser(app, ann);
    const rest = (backoff_until: string) =>
      app.ctx.writes.transaction((tx) =>
        tx.updateTable('push_subscriptions').set({ failures: 5, backoff_until }).execute(),
      );
    await rest('2027-11-21T18:00:00.000Z');
    await moved(app, ann);
    await comes(at(1));
    expect(await browser.gets(1)).toMatchObject([{ kind: 'claim_changed' }]);
    await rest(at(300));
    await app.api.post('/push/test').set(asMember(ann)).expect(200);
    await moved(app, ann, { date: '2026-11-23' });
    await comes(at(2));
    expect(await browser.gets(3)).toMatchObject([{}, { kind: 'test' }, { kind: 'claim_changed' }]);
  });

  it('is signed for the very host that it is sent to, however that is written', async () => {
    const { app, service } = await aGuild(dialect);
    const ann = await aKey(app);
    await subscribed(app, ann, {
      endpoint: `${service.url.replace('127.0.0.1', '127.0%2e0.1')}/written`,
    });
    expect((await app.api.post('/push/test').set(asMember(ann)).expect(200)).body.data).toEqual({
      sent: 1,
      failed: 0,
    });
    const [, claims = ''] = service.received[0]?.headers.authorization?.split('.') ?? [];
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: service.url,
    });
  });

  it('waits as long as a push service asks for', async () => {
    const { app, service, comes } = await aGuild(dialect);
    const ann = await aKey(app);
    const browser = await service.browser(app, ann);
    browser.answers(429);
    service.headers['Retry-After'] = '1200';
    await moved(app, ann);
    await comes(at(1));
    browser.answers(201);
    await comes(at(20));
    expect(browser.received).toHaveLength(1);
    await comes(at(22));
    await browser.gets(2);
  });

  it('to a browser whose service refuses it ten times in a row is not sent again; that it is busy counts for nothing', async () => {
    const { app, service, comes } = await aGuild(dialect);
    const ann = await aKey(app);
    const bob = await aKey(app);
    const refused = await service.browser(app, ann);
    const busy = await service.browser(app, bob);
    refused.answers(403);
    busy.answers(429);
    const failures = async () =>
      (
        await app.ctx.db.selectFrom('push_subscriptions').select('failures').orderBy('id').execute()
      ).map((row) => row.failures);
    const refuse = async (n: number): Promise<void> => {
      const date = new Date(Date.parse(NOW) + n * 86_400_000).toISOString().slice(0, 10);
      app.setNow(at(n * 1_440));
      for (const [i, key] of [ann, bob].entries())
        await moved(app, key, { date, respawn_id: i + 1 });
      await comes(at(n * 1_440 + 1));
    };
    // Each day so many tries; in between all is left alone.
    for (let n = 0; (await failures()).length === 2 && n < 12; n += 1) await refuse(n);
    expect([refused.received.length, busy.received.length >= 10]).toEqual([10, true]);
    expect(await failures()).toHaveLength(1);
    expect(await outcomes(app)).toMatchObject({ switched_off: 1 });
  });

  it('to one that never answers delays nothing else, and is given up when it is out of date', async () => {
    const { app, service, comes } = await aGuild(dialect);
    Object.assign(app.ctx, { post: createPost(app.ctx.env, { within_ms: 500 }) });
    const ann = await aKey(app);
    const bob = await aKey(app);
    const hangs = await service.browser(app, ann);
    const answers = await service.browser(app, bob);
    hangs.answers('hang');
    await moved(app, ann);
    await moved(app, bob, { respawn_id: 2 });
    await comes(at(1));
    await answers.gets(1);
    // Four attempts, the last an hour apart; then the day is over.
    for (const hours of [1, 3, 10, 17, 23.9]) await comes(at(hours * 60));
    expect(await waiting(app)).toEqual([]);
    expect(await outcomes(app)).toMatchObject({ delivered: 1, given_up: 1 });
    expect(hangs.received.length).toBeLessThan(8);
  });

  it('uses one service for no more than its share, however much is pending for it', async () => {
    const app = await createTestApp(dialect, { env: { ALLOW_PRIVATE_DESTINATIONS: '1' } });
    const hangs = await aPushService();
    const answers = await aPushService();
    const ann = await aKey(app);
    const bob = await aKey(app);
    const hung = await Promise.all(Array.from({ length: 9 }, () => aKey(app)));
    for (const key of hung)
      for (let n = 0; n < 10; n += 1) (await hangs.browser(app, key)).answers('hang');
    const quick = await answers.browser(app, ann);
    const second = await answers.browser(app, bob);
    for (const [n, key] of hung.entries()) await moved(app, key, { respawn_id: 10 + n });
    await moved(app, ann);
    app.setNow(at(1));
    const jobs = createJobs(app.ctx, jobKindsOf(features), { everyMs: 1_000_000_000 });
    onTestFinished(jobs.stop);
    await jobs.runDue();
    await quick.gets(1);
    // Later messages are accepted while earlier ones are still in flight.
    await moved(app, bob, { respawn_id: 2 });
    app.setNow(at(2));
    await jobs.runDue();
    await second.gets(1);
    expect(hangs.received).toHaveLength(MAX_PER_SERVICE);
  });

  it('is blocked to private networks', async () => {
    const app = await createTestApp(dialect);
    const service = await aPushService();
    const key = await aKey(app);
    await subscribed(app, key);
    // A name that was public when it was stored, and is not when connecting.
    await app.ctx.writes.transaction((tx) =>
      tx
        .updateTable('push_subscriptions')
        .set({
          endpoint: `${service.url.replace('127.0.0.1', 'localhost').replace('http:', 'https:')}/send`,
        })
        .execute(),
    );
    expect((await app.api.post('/push/test').set(asMember(key)).expect(200)).body.data).toEqual({
      sent: 0,
      failed: 1,
    });
    expect(service.received).toEqual([]);
  });
});

describe.each(databases)('an offer on %s', (dialect) => {
  async function offered(language: 'en' | 'es' | 'pt', preferences: object = {}) {
    const guild = await aGuild(dialect);
    const { app, service } = guild;
    const holder = await aKey(app);
    const ann = await aKey(app, 'Ann');
    const browser = await service.browser(app, ann, language);
    await prefer(app, ann, { time_zone: 'Europe/Berlin', ...preferences });
    const [claim] = await submitted(app, holder, aClaim(holder));
    const wait = await aWait(app, ann);
    const free = () => app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    return { ...guild, ann, browser, wait, free };
  }

  it.each([
    [
      'en',
      /^Held for you: /,
      'Ann: Sat, Nov 21, 20:00 to 00:00 (SS+10 to SS+14). Take or decline it by 19:10.',
    ],
    [
      'es',
      /^Guardado para ti: /,
      'Ann: sáb, 21 nov, de 20:00 a 00:00 (SS+10 a SS+14). Tómalo o recházalo antes de las 19:10.',
    ],
    [
      'pt',
      /^Guardado para você: /,
      'Ann: sáb, 21 de nov, das 20:00 às 00:00 (SS+10 a SS+14). Pegue ou recuse até 19:10.',
    ],
  ] as const)(
    'is sent at once, in %s, and wakes a sleeping phone',
    async (language, title, body) => {
      const { browser, wait, free } = await offered(language);
      await free();
      expect(await browser.gets(1)).toEqual([
        {
          kind: 'hold_offered',
          title: expect.stringMatching(title),
          body,
          tag: `hold-${wait.id}`,
          url: `/mine?wait=${wait.id}`,
          language,
        },
      ]);
      expect(browser.received[0]?.headers).toMatchObject({ urgency: 'high', ttl: '600' });
    },
  );

  it('R9.13: is not made in quiet hours, and made and sent when they end', async () => {
    const { app, browser, free, ann, comes } = await offered('en', {
      quiet_from: '18:00',
      quiet_until: '19:05',
    });
    await free();
    const statuses = async () =>
      (await app.api.get('/waits').set(asMember(ann)).expect(200)).body.data;
    expect([await waiting(app), await statuses()]).toMatchObject([[], [{ status: 'waiting' }]]);
    await comes(at(4));
    expect([browser.received, await statuses()]).toMatchObject([[], [{ status: 'waiting' }]]);
    await comes(at(5));
    await browser.gets(1);
    expect(await statuses()).toMatchObject([{ status: 'offered', held_until: at(15) }]);
  });

  it('that could not be sent before quiet hours is not sent in them, though the hold remains', async () => {
    const { app, browser, free, ann, comes } = await offered('en', {
      quiet_from: '19:01',
      quiet_until: '19:05',
    });
    browser.answers(500);
    await free();
    await browser.gets(1);
    await vi.waitUntil(async () =>
      (await waiting(app)).every(({ leased_until }) => leased_until === null),
    );
    await comes(at(2));
    await vi.waitUntil(async () => (await waiting(app)).length === 0);
    await comes(at(6));
    expect([browser.received.length, await waiting(app)]).toEqual([1, []]);
    const { body } = await app.api.get('/waits').set(asMember(ann)).expect(200);
    expect(body.data).toMatchObject([{ status: 'offered' }]);
  });

  it('that was answered meanwhile is not sent', async () => {
    const { app, browser, free, wait, ann, comes } = await offered('en');
    browser.answers(500);
    await free();
    await browser.gets(1);
    await vi.waitUntil(async () =>
      (await waiting(app)).every(({ leased_until }) => leased_until === null),
    );
    await app.api.post(`/waits/${wait.id}/accept`).set(asMember(ann)).expect(200);
    await comes(at(2));
    expect([browser.received.length, await waiting(app)]).toEqual([1, []]);
  });
});

describe.each(usualDatabases)('a test on %s', (dialect) => {
  it('is sent to one browser or to all, regardless of preferences and quiet hours, and returns the number', async () => {
    const { app, service } = await aGuild(dialect);
    const ann = await aKey(app, 'Ann');
    const first = await service.browser(app, ann, 'pt');
    const second = await service.browser(app, ann);
    const gone = await service.browser(app, ann);
    await prefer(app, ann, { quiet_from: '00:00', quiet_until: '23:59' });
    const test = async (body: object = {}) =>
      (await app.api.post('/push/test').set(asMember(ann)).send(body).expect(200)).body.data;
    gone.answers(410);
    expect(await test({ endpoint: first.endpoint })).toEqual({ sent: 1, failed: 0 });
    expect(await test()).toEqual({ sent: 2, failed: 1 });
    expect(await test()).toEqual({ sent: 2, failed: 0 });
    expect(first.notices[0]).toEqual({
      kind: 'test',
      title: 'Os avisos funcionam',
      body: 'Este navegador recebe os avisos de Ann.',
      tag: 'test',
      url: '/notifications',
      language: 'pt',
    });
    expect(second.notices).toMatchObject([
      { title: 'Notifications work' },
      { title: 'Notifications work' },
    ]);
  });

  it('is for browsers that there are, and some times in five minutes', async () => {
    const { app, service } = await aGuild(dialect);
    const ann = await aKey(app);
    const bob = await aKey(app);
    const test = (key: AccessKey, body: object = {}) =>
      app.api.post('/push/test').set(asMember(key)).send(body);
    const none = "This browser doesn't get notifications for this character.";
    expectRefusal(await test(ann), 404, 'push.notFound', none, {});
    const browser = await service.browser(app, ann);
    await service.browser(app, bob);
    expectRefusal(
      await test(ann, { endpoint: aSubscription().endpoint }),
      404,
      'push.notFound',
      none,
      {},
    );
    for (let n = 0; n < MAX_TESTS; n += 1) await test(ann).expect(200);
    const refused = await test(ann);
    expect([refused.status, refused.body.code, Number(refused.headers['retry-after']) > 0]).toEqual(
      [429, 'request.tooManyTries', true],
    );
    expect(browser.received).toHaveLength(MAX_TESTS);
    await test(bob).expect(200);
  });
});
