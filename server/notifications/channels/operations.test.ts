import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import { MAX_DESTINATIONS } from '../../../shared/schemas/destination.ts';
import { latest, undo, undoLatest } from '../../activity/test/undo.ts';
import { admin } from '../../activity/test/write.ts';
import { aDestination, anAdmin, changeUnheard } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { runNow } from '../../dev/test/jobs.ts';
import { answering, aReceiver, hanging } from '../../dev/test/receiver.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { watching } from '../../dev/test/watching.ts';
import { toldIn } from '../test/fold.ts';
import { deleteOldEvents, MAX_EVENTS } from './events.ts';
import { testsUnderWay } from './operations.ts';
import {
  AT_HOME,
  at,
  deliveriesOf,
  later,
  runAll,
  shownChannel,
  switchSubmission,
} from './test/sending.ts';

const HOUR_S = 3_600;
const input = {
  name: 'Channel',
  kind: 'webhook',
  url: 'https://hooks.example/t0ken',
  events: ['submission.closed'],
  language: 'en',
};
const post = (app: TestApp, fields: object = {}) =>
  admin(app, 'post /admin/destinations', { ...input, ...fields });

async function stored({ ctx: { db } }: TestApp) {
  return {
    channels: await db.selectFrom('channels').selectAll().orderBy('id').execute(),
    deliveries: await db
      .selectFrom('deliveries')
      .select(['channel_id', 'message_id', 'at', 'attempt', 'status', 'error', 'outcome', 'answer'])
      .orderBy('id')
      .execute(),
    ...(await db.selectFrom('clock').select('subscribed_types').executeTakeFirstOrThrow()),
  };
}

describe.each(databases)('destinations on %s', (dialect) => {
  it('are twenty at most, disabled ones included, each with its own name', async () => {
    const app = await createTestApp(dialect);
    for (let n = 0; n < MAX_DESTINATIONS; n += 1)
      await post(app, { name: `Channel ${n}`, is_enabled: n % 2 === 0 }).expect(201);
    await expectNoTick(app, async () => {
      const sentence = 'There are already 20 channels. Delete one first.';
      expectRefusal(await post(app, { name: 'One more' }), 409, 'destination.tooMany', sentence, {
        max: 20,
      });
    });
    const [first] = (await app.api.get('/admin/destinations').set(app.admin).expect(200)).body.data;
    await admin(app, `delete /admin/destinations/${first.id}`).expect(200);
    const sentence = 'There is already a channel named Channel 1';
    expectRefusal(await post(app, { name: ' channel  1' }), 409, 'destination.exists', sentence, {
      name: 'Channel 1',
    });
    await post(app, { name: 'One more' }).expect(201);
  });

  it('refuse invalid addresses, created and changed alike', async () => {
    const app = await createTestApp(dialect);
    const made = await aDestination(app);
    const bad: [object, string][] = [
      [{ url: 'http://hooks.example/' }, 'destination.url'],
      [{ url: 'https://me:word@hooks.example/' }, 'destination.url'],
      [{ url: 'nonsense' }, 'destination.url'],
      [{ url: '' }, 'destination.url'],
      [{ url: 'https://192.168.0.1/' }, 'destination.private'],
      [{ kind: 'discord' }, 'destination.notDiscord'],
      [{ kind: 'discord', url: 'https://discord.com/' }, 'destination.notDiscord'],
      [{ events: ['claim.created', 'claim.created'] }, 'request.invalid'],
      [{ events: ['claim.exploded'] }, 'request.invalid'],
      [{ name: ' ' }, 'destination.nameRequired'],
      [{ language: 'de' }, 'request.invalid'],
    ];
    await expectNoTick(app, async () => {
      for (const [fields, code] of bad) {
        const text = JSON.stringify(fields);
        expect((await post(app, fields)).body.code, text).toBe(code);
        expect(
          (await admin(app, `put /admin/destinations/${made.id}`, fields)).body.code,
          text,
        ).toBe(code);
      }
      for (const call of [
        'put /admin/destinations/999',
        'delete /admin/destinations/999',
        'post /admin/destinations/999/rotate-secret',
        'post /admin/destinations/999/test',
      ] as const)
        expectRefusal(
          await admin(app, call),
          404,
          'destination.notFound',
          'This channel no longer exists',
        );
      expect((await app.api.get('/admin/destinations/999/deliveries').set(app.admin)).status).toBe(
        404,
      );
    });
  });

  it('return their address and their secret once, and never again: not in any answer, change, log or error', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aReceiver(answering(500));
    const url = `${receiver.url}hook/t0ken?key=s3cret`;
    const { body } = await post(app, { url }).expect(201);
    const { id, secret } = body.data;
    expect([body.data.url, secret]).toEqual([
      url,
      expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    ]);
    const again = await admin(app, `put /admin/destinations/${id}`, {
      url: `${url}2`,
      name: 'Other',
    }).expect(200);
    const rotated = (await admin(app, `post /admin/destinations/${id}/rotate-secret`).expect(200))
      .body.data.secret;
    expect(rotated).not.toBe(secret);
    const tested = await admin(app, `post /admin/destinations/${id}/test`).expect(200);
    expect(tested.body.data).toMatchObject({ ok: false, status: 500, error: 'HTTP 500' });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    const answers = [again.text, tested.text];
    for (const path of [
      '/admin/destinations',
      `/admin/destinations/${id}/deliveries`,
      '/snapshot',
      '/admin/activity-log',
    ])
      answers.push((await app.api.get(path).set(app.admin).expect(200)).text);
    await admin(app, `delete /admin/destinations/${id}`).expect(200);
    const { db } = app.ctx;
    const kept = [
      await db.selectFrom('changes').selectAll().execute(),
      await db.selectFrom('activity').selectAll().execute(),
      await db.selectFrom('jobs').selectAll().execute(),
      await db.selectFrom('deliveries').selectAll().execute(),
      await app.ctx.metrics.registry.metrics(),
    ];
    for (const text of [...answers, ...kept.map((each) => JSON.stringify(each))]) {
      expect(text).not.toMatch(/t0ken|s3cret|whsec_/);
      expect(text).not.toContain(String(secret).slice(6, 30));
      expect(text).not.toContain(String(rotated).slice(6, 30));
    }
    expect(JSON.stringify(kept)).toContain(`127.0.0.1:${receiver.port}`);
  });

  it('return with their address, secret and attempts when their deletion is undone, and are sent what was pending', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    let status = 500;
    const receiver = await aReceiver((response) => void response.writeHead(status).end());
    const { id } = (await post(app, { url: `${receiver.url}hook` }).expect(201)).body.data;
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    const before = await stored(app);
    expect(before).toMatchObject({
      channels: [{ id, attempts: 1 }],
      deliveries: [{ outcome: 'retrying' }],
      subscribed_types: 'submission.closed',
    });
    const { expectSynced } = await watching(app);
    await admin(app, `delete /admin/destinations/${id}`).expect(200);
    expect(await stored(app)).toMatchObject({
      channels: [],
      deliveries: [],
      subscribed_types: null,
    });
    status = 200;
    await undoLatest(app, 'destination_deleted');
    // The pending event is sent at once.
    await runAll(app);
    await expectSynced();
    const after = await stored(app);
    const [channel] = before.channels;
    expect(after.subscribed_types).toBe('submission.closed');
    expect(after.channels).toMatchObject([
      { id, url: channel?.url, secret: channel?.secret, events: channel?.events, attempts: 0 },
    ]);
    expect(after.deliveries).toEqual([
      ...before.deliveries,
      expect.objectContaining({ outcome: 'delivered' }),
    ]);
    expect(receiver.received).toHaveLength(2);
  });

  it('are not restored beside another of their name', async () => {
    const app = await createTestApp(dialect);
    const { id } = (await post(app).expect(201)).body.data;
    await admin(app, `delete /admin/destinations/${id}`).expect(200);
    await post(app).expect(201);
    const entry = await latest(app, 'destination_deleted');
    const sentence = 'There is already a channel named Channel';
    expectRefusal(await undo(app, entry.id), 409, 'destination.exists', sentence, {
      name: 'Channel',
    });
    const { headers } = await anAdmin(app, 'moderator');
    expect(
      (await app.api.post(`/admin/activity-log/${entry.id}/undo`).set(headers)).body.code,
    ).toBe('session.notAllowed');
  });

  it('sign with both secrets for a day after one was rotated; channels have none', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aReceiver(answering(204));
    const made = await aDestination(app, {
      url: receiver.url,
      events: ['submission.closed', 'submission.opened'],
    });
    const fresh = (
      await admin(app, `post /admin/destinations/${made.id}/rotate-secret`).expect(200)
    ).body.data.secret;
    const signed = async (iso: string, secret: string): Promise<boolean> => {
      const { headers = {}, body = '' } = receiver.received.at(-1) ?? {};
      const signature = new Webhook(secret).sign(
        String(headers['webhook-id']),
        new Date(iso),
        body,
      );
      return String(headers['webhook-signature']).split(' ').includes(signature);
    };
    const both = later(NOW, 24 * HOUR_S - 1);
    await switchSubmission(app, 0);
    await at(app, both);
    expect([await signed(both, fresh), await signed(both, String(made.secret))]).toEqual([
      true,
      true,
    ]);
    const one = later(NOW, 24 * HOUR_S + 1);
    app.setNow(one);
    await switchSubmission(app, 1);
    await at(app, later(one, 1));
    expect([
      await signed(later(one, 1), fresh),
      await signed(later(one, 1), String(made.secret)),
    ]).toEqual([true, false]);
    const channel = await aDestination(app, { kind: 'discord', url: receiver.url });
    expect(channel.secret).toBeNull();
    const rotate = await admin(app, `post /admin/destinations/${channel.id}/rotate-secret`);
    expectRefusal(rotate, 409, 'destination.notWebhook', 'Only webhooks have a secret');
  });

  it('are tested past pending messages, once, without a trace; simultaneous requests get one answer', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const mood = { answer: hanging };
    const receiver = await aReceiver((...args) => mood.answer(...args));
    const made = await aDestination(app, { url: receiver.url, events: ['submission.closed'] });
    await switchSubmission(app, 0);
    await expectNoTick(app, async () => {
      const reads = vi.spyOn(testsUnderWay(app.ctx), 'get');
      const bothAsked = vi.waitFor(() => expect(reads).toHaveBeenCalledTimes(2));
      mood.answer = (response) => void bothAsked.then(() => response.writeHead(410).end('Gone'));
      const test = () => admin(app, `post /admin/destinations/${made.id}/test`).expect(200);
      const [one, other] = await Promise.all([test(), test()]);
      expect(one.body.data).toMatchObject({ ok: false, status: 410, error: 'HTTP 410' });
      expect(other.body.data).toEqual(one.body.data);
      const tests = receiver.received.filter(({ headers }) =>
        String(headers['webhook-id']).startsWith('msg_test_'),
      );
      expect(tests).toHaveLength(1);
      mood.answer = answering(204);
      expect((await test()).body.data).toMatchObject({ ok: true, status: 204, error: null });
    });
    expect(String(receiver.received.at(-1)?.headers['webhook-id'])).toMatch(/^msg_test_/);
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({ type: 'test' });
    expect(await deliveriesOf(app, made)).toEqual([]);
    expect(await shownChannel(app, made)).toMatchObject({ is_enabled: 1, last_error: null });
  });

  it('that a clock running ahead postponed for weeks run at the next poll of a right clock, or with the next message', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const mood = { answer: answering(500) };
    const receiver = await aReceiver((...args) => mood.answer(...args));
    const events = ['submission.closed', 'submission.opened'] as const;
    const made = await aDestination(app, { url: receiver.url, events: [...events] });
    await switchSubmission(app, 0);
    const ahead = '2026-12-15T12:00:00.000Z';
    await at(app, ahead);
    expect((await shownChannel(app, made)).next_try_at).toBe(later(ahead, 5));
    app.setNow(NOW);
    mood.answer = answering(204);
    // A recurring job that a clock's leap postponed runs at once: it wakes them.
    await runAll(app);
    expect(receiver.received).toHaveLength(2);
    expect(await shownChannel(app, made)).toMatchObject({ waiting: 0, next_try_at: null });

    mood.answer = answering(500);
    app.setNow(ahead);
    await switchSubmission(app, 1);
    await at(app, later(ahead, 10));
    app.setNow(NOW);
    mood.answer = answering(204);
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    expect(receiver.received).toHaveLength(5);
    expect(await shownChannel(app, made)).toMatchObject({ waiting: 0, next_try_at: null });
  });

  it('delete events that all channels have passed, that are a month old, or beyond a hundred thousand', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aReceiver(answering(500));
    const rare = await aDestination(app, { events: ['event.activated'] });
    const made = await aDestination(app, {
      url: receiver.url,
      events: ['submission.closed', 'submission.opened'],
    });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    await switchSubmission(app, 1);
    // Messages since the last attempt are counted within the hour, or at the next attempt.
    expect(await shownChannel(app, made)).toMatchObject({ waiting: 1 });
    expect(
      await app.ctx.metrics.registry.getSingleMetricAsString('claimboard_oldest_waiting_seconds'),
    ).toMatch(/ 1$/m);
    await runNow(app, deleteOldEvents);
    expect(await shownChannel(app, made)).toMatchObject({ waiting: 2 });
    expect((await toldIn(app)).map(({ type }) => type)).toEqual([
      'submission.closed',
      'submission.opened',
    ]);
    const month = later(NOW, 31 * 24 * HOUR_S + 1);
    app.setNow(month);
    await runNow(app, deleteOldEvents);
    expect((await toldIn(app)).map(({ type }) => type)).toEqual(['submission.opened']);
    expect(await shownChannel(app, made)).toMatchObject({ waiting: 1 });
    const far = { id: MAX_EVENTS + 5, at: month, type: 'submission.closed', body: '{}' } as const;
    await changeUnheard(app, (tx) => tx.insertInto('outbox').values(far).execute());
    await runNow(app, deleteOldEvents);
    expect(await app.ctx.db.selectFrom('outbox').select('id').execute()).toEqual([
      { id: MAX_EVENTS + 5 },
    ]);
    app.setNow(NOW);
    await admin(app, `delete /admin/destinations/${made.id}`).expect(200);
    await runNow(app, deleteOldEvents);
    expect(await app.ctx.db.selectFrom('outbox').select('id').execute()).toEqual([]);
    expect(await shownChannel(app, rare)).toMatchObject({ waiting: 0 });
    expect(
      await app.ctx.metrics.registry.getSingleMetricAsString('claimboard_oldest_waiting_seconds'),
    ).toMatch(/ 0$/m);
  });

  it('lose nothing to a clock that leaps a day ahead and back, and to one that leaps by years two hours of their news a look', async () => {
    const app = await createTestApp(dialect);
    const made = await aDestination(app, { events: ['submission.closed'] });
    const day = 24 * HOUR_S;
    const rows = Array.from({ length: 30 }, (_, n) => ({
      at: later(NOW, (n - 30) * day + 60),
      type: 'submission.closed' as const,
      body: '{}',
    }));
    await changeUnheard(app, (tx) => tx.insertInto('outbox').values(rows).execute());
    const left = async () => (await app.ctx.db.selectFrom('outbox').select('id').execute()).length;
    for (const [now, kept] of [
      [later(NOW, day), 30],
      [NOW, 30],
      [later(NOW, 4_000 * day), 29],
      [NOW, 29],
      [later(NOW, 2 * day + 61), 28],
    ] as const) {
      // The server's own clock stays: what the look wakes has the server look as well, and that would forget two hours more.
      await runNow({ ctx: { ...app.ctx, now: () => new Date(now) } }, deleteOldEvents);
      expect(await left(), now).toBe(kept);
    }
    expect(
      (
        await app.ctx.db
          .selectFrom('channels')
          .select('last_event_id')
          .where('id', '=', made.id)
          .executeTakeFirst()
      )?.last_event_id,
    ).toBe(0);
  });

  it('that are changed to the same values are unchanged', async () => {
    const app = await createTestApp(dialect);
    const { id, name, kind, events, language } = await aDestination(app);
    await expectNoTick(app, async () => {
      await admin(app, `put /admin/destinations/${id}`, {
        name,
        kind,
        events,
        language,
        is_enabled: true,
      }).expect(200);
      await admin(app, `put /admin/destinations/${id}`).expect(200);
    });
  });
});
