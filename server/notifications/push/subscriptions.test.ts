import { describe, expect, it } from 'vitest';
import type { ErrorCode, Params } from '../../../shared/errors.ts';
import { MAX_SUBSCRIPTIONS } from '../../../shared/schemas/push.ts';
import { aKey, asMember, ban } from '../../dev/test/builders.ts';
import { databases, usualDatabases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { aSubscription, subscribed } from './test/browser.ts';

const isHeard = async ({ ctx }: TestApp): Promise<boolean> =>
  (
    await ctx.db.selectFrom('clock').select('subscribed_types').executeTakeFirstOrThrow()
  ).subscribed_types?.includes('claim.updated') ?? false;
const endpoints = async ({ ctx }: TestApp, character_key: string): Promise<string[]> => {
  const of = ctx.db
    .selectFrom('push_subscriptions')
    .select('endpoint')
    .where('character_key', '=', character_key);
  return (await of.orderBy('id').execute()).map(({ endpoint }) => endpoint);
};

describe.each(databases)('the browsers of a member on %s', (dialect) => {
  it('subscribe to events from the first until the last has gone, without a visible change', async () => {
    const app = await createTestApp(dialect);
    const ann = await aKey(app, 'Ann');
    const bob = await aKey(app, 'Bob');
    await expectNoTick(app, async () => {
      expect(await isHeard(app)).toBe(false);
      const { endpoint } = await subscribed(app, ann);
      // The same browser, another character: each has its own.
      await subscribed(app, bob, { endpoint });
      expect([await endpoints(app, 'ann'), await endpoints(app, 'bob')]).toEqual([
        [endpoint],
        [endpoint],
      ]);
      const leave = (key: typeof ann) =>
        app.api.delete('/push/subscriptions').set(asMember(key)).send({ endpoint });
      await leave(ann).expect(200);
      expect(await isHeard(app)).toBe(true);
      await app.api
        .delete('/push/subscriptions')
        .send({ endpoint, access_key: bob.key_value })
        .expect(200);
      expect(await isHeard(app)).toBe(false);
      expectRefusal(
        await leave(ann),
        404,
        'push.notFound',
        "This browser doesn't get notifications for this character.",
        {},
      );
    });
  });

  it('learn whether they are known: an expired one learns that its push service has given it up', async () => {
    const app = await createTestApp(dialect);
    const ann = await aKey(app, 'Ann');
    const bob = await aKey(app, 'Bob');
    const subscription = aSubscription();
    const wasKnown = async (key: typeof ann): Promise<unknown> =>
      (await app.api.post('/push/subscriptions').set(asMember(key)).send(subscription).expect(201))
        .body.data;
    expect([await wasKnown(ann), await wasKnown(ann)]).toEqual([
      { was_known: false },
      { was_known: true },
    ]);
    // Of another character of the same browser it was not known.
    expect(await wasKnown(bob)).toEqual({ was_known: false });
    await app.api
      .delete('/push/subscriptions')
      .set(asMember(ann))
      .send({ endpoint: subscription.endpoint })
      .expect(200);
    expect(await wasKnown(ann)).toEqual({ was_known: false });
  });

  it('that arrive at once all count', async () => {
    const app = await createTestApp(dialect);
    const keys = [await aKey(app), await aKey(app), await aKey(app)];
    const [first] = keys;
    if (!first) throw new Error('no key');
    const { endpoint } = await subscribed(app, first);
    await Promise.all([
      app.api.delete('/push/subscriptions').set(asMember(first)).send({ endpoint }).expect(200),
      ...keys.slice(1).map((key) => subscribed(app, key)),
    ]);
    expect(await isHeard(app)).toBe(true);
  });

  it('go with the key, and with the last of them the subscription to events ends', async () => {
    const app = await createTestApp(dialect);
    const ann = await aKey(app, 'Ann');
    const bob = await aKey(app, 'Bob');
    for (const key of [ann, bob]) await subscribed(app, key);
    await app.api.delete(`/admin/access-keys/${ann.id}`).set(app.admin).expect(200);
    expect([await endpoints(app, 'ann'), await isHeard(app)]).toEqual([[], true]);
    await app.api.delete(`/admin/access-keys/${bob.id}`).set(app.admin).expect(200);
    expect([await endpoints(app, 'bob'), await isHeard(app)]).toEqual([[], false]);
  });

  it(`are ${MAX_SUBSCRIPTIONS}: one more replaces the least recently seen`, async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app, 'Ann');
    const other = await subscribed(app, await aKey(app, 'Bob'));
    const all = [];
    for (let n = 0; n < MAX_SUBSCRIPTIONS; n += 1) {
      app.setNow(new Date(Date.parse(NOW) + n * 1_000).toISOString());
      all.push(await subscribed(app, key));
    }
    app.setNow(new Date(Date.parse(NOW) + 60_000).toISOString());
    // The first says that it still wants them, with new keys; so it is the second that goes.
    const { keys } = aSubscription();
    await subscribed(app, key, { endpoint: all[0]?.endpoint ?? '', keys, language: 'pt' });
    const last = await subscribed(app, key);
    expect(await endpoints(app, 'ann')).toEqual(
      [all[0], ...all.slice(2), last].map((each) => each?.endpoint),
    );
    expect(await endpoints(app, 'bob')).toEqual([other.endpoint]);
    const renewed = app.ctx.db
      .selectFrom('push_subscriptions')
      .select(['p256dh', 'auth', 'language'])
      .orderBy('id')
      .limit(2);
    expect((await renewed.execute())[1]).toEqual({ ...keys, language: 'pt' });
  });
});

describe.each(usualDatabases)('a browser that cannot be notified on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('is refused, and says why', async () => {
    const key = await aKey(app);
    const far = "Notifications can't be sent to this address.";
    const wrong = "The keys of this browser's subscription are not valid.";
    const { keys } = aSubscription();
    const cases: [object, ErrorCode, string, Params][] = [
      [{ endpoint: 'http://push.example/a' }, 'push.endpoint', far, {}],
      [{ endpoint: 'push.example/a' }, 'push.endpoint', far, { field: 'endpoint' }],
      [{ endpoint: 'https://push.example/a b' }, 'push.endpoint', far, { field: 'endpoint' }],
      [{ endpoint: 'https://127.0.0.1/a' }, 'push.endpoint', far, {}],
      [{ endpoint: 'https://ann:secret@push.example/a' }, 'push.endpoint', far, {}],
      [{ endpoint: 'https://fcm.googleapis.com;.evil.example/a' }, 'push.endpoint', far, {}],
      [{ endpoint: 'https://android.googleapis.com/gcm/send/a' }, 'push.endpoint', far, {}],
      [{ endpoint: 'https://[push' }, 'push.endpoint', far, {}],
      [
        { endpoint: `https://push.example/${'a'.repeat(1_500)}` },
        'push.endpoint',
        far,
        { field: 'endpoint' },
      ],
      [{ endpoint: undefined }, 'push.endpoint', far, { field: 'endpoint' }],
      [{ keys: undefined }, 'push.keys', wrong, { field: 'keys' }],
      [{ keys: { ...keys, auth: 'short' } }, 'push.keys', wrong, { field: 'keys.auth' }],
      [
        { keys: { ...keys, p256dh: `A${keys.p256dh.slice(1)}` } },
        'push.keys',
        wrong,
        { field: 'keys.p256dh' },
      ],
      // Of the right length, and no point of the curve.
      [{ keys: { ...keys, p256dh: `B${'A'.repeat(86)}` } }, 'push.keys', wrong, {}],
      [
        { expirationTime: -1 },
        'request.invalid',
        'The field “expirationTime” is not valid.',
        { field: 'expirationTime' },
      ],
      [
        { language: 'de' },
        'request.invalid',
        'The field “language” is not valid.',
        { field: 'language' },
      ],
    ];
    await expectNoTick(app, async () => {
      for (const [fields, code, sentence, params] of cases) {
        const body = { ...aSubscription(), ...fields };
        expectRefusal(
          await app.api.post('/push/subscriptions').set(asMember(key)).send(body),
          400,
          code,
          sentence,
          params,
        );
      }
    });
  });

  it('no call works without a valid key', async () => {
    const revoked = await aKey(app);
    const banned = await aKey(app);
    await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin).expect(200);
    await ban(app, banned);
    const { endpoint, ...rest } = aSubscription();
    const calls = [
      () => app.api.post('/push/subscriptions').send({ endpoint, ...rest }),
      () => app.api.delete('/push/subscriptions').send({ endpoint }),
      () => app.api.post('/push/test').send({ endpoint }),
      () => app.api.get('/push/preferences'),
      () => app.api.put('/push/preferences').send({ hunt_begins: 0 }),
    ];
    await expectNoTick(app, async () => {
      for (const call of calls) {
        expectRefusal(await call(), 401, 'session.required', 'Access denied', {});
        expectRefusal(
          await call().set('X-Access-Key', 'NONE-SUCH'),
          401,
          'session.invalidKey',
          'Invalid access key',
          {},
        );
        const ended = 'This access key has been revoked. Please contact an admin.';
        const out = 'This character is banned. Please contact an admin.';
        expectRefusal(await call().set(asMember(revoked)), 403, 'session.keyRevoked', ended, {});
        expectRefusal(await call().set(asMember(banned)), 403, 'session.banned', out, {});
        const membersOnly = 'This is for members. Use the access key of a character.';
        expectRefusal(await call().set(app.admin), 403, 'key.required', membersOnly, {});
      }
    });
  });
});
