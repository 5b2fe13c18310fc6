import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import { DELIVERIES_KEPT } from '../../../shared/schemas/destination.ts';
import { PUBLIC_EVENT_TYPES } from '../../../shared/schemas/domain-events.ts';
import { latest } from '../../activity/test/undo.ts';
import { admin } from '../../activity/test/write.ts';
import {
  aClaim,
  aDestination,
  aKey,
  aRespawn,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases, filledDatabase, usualDatabases } from '../../dev/test/databases.ts';
import {
  answering,
  aReceiver,
  hanging,
  type Received,
  resetting,
} from '../../dev/test/receiver.ts';
import { createTestApp, NOW, TODAY } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';
import { foldEvents, huntsIn, toldIn } from '../test/fold.ts';
import {
  AT_HOME,
  at,
  deliveriesOf,
  later,
  runAll,
  shownChannel,
  switchSubmission,
} from './test/sending.ts';

const idsOf = (received: readonly Received[]): string[] =>
  received.map(({ headers }) => String(headers['webhook-id']));
const typesOf = (received: readonly Received[]): string[] =>
  received.map(({ body }) => JSON.parse(body).type);

/** A receiver whose answers the test controls. */
async function aMoodyReceiver() {
  const mood = { answer: answering(204) };
  const receiver = await aReceiver((...args) => mood.answer(...args));
  return { ...receiver, mood };
}

describe.each(databases)('pending messages of a channel on %s', (dialect) => {
  const atHome = () => createTestApp(dialect, { env: AT_HOME });

  it('arrives signed, in its order, each message once; then nothing waits and nothing is kept', async () => {
    const app = await atHome();
    const receiver = await aMoodyReceiver();
    const made = await aDestination(app, {
      url: `${receiver.url}hook/tok3n`,
      events: [...PUBLIC_EVENT_TYPES],
    });
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key));
    await admin(app, `put /claims/admin/${claim?.id}`, { hour_start: 11, hour_end: 12 }).expect(
      200,
    );
    await switchSubmission(app, 0);
    await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
    expect(receiver.received).toEqual([]);

    await at(app, later(NOW, 1));
    expect(typesOf(receiver.received)).toEqual([
      'claim.created',
      'claim.updated',
      'submission.closed',
      'claim.deleted',
    ]);
    expect(new Set(idsOf(receiver.received)).size).toBe(4);
    for (const { headers, body } of receiver.received) {
      const id = String(headers['webhook-id']);
      expect(id).toMatch(new RegExp(`^msg_\\d+_${made.id}$`));
      expect(headers['webhook-timestamp']).toBe(String(Date.parse(NOW) / 1000 + 1));
      const verifier = new Webhook(String(made.secret));
      expect(headers['webhook-signature']).toBe(verifier.sign(id, new Date(later(NOW, 1)), body));
    }
    const record = await shownChannel(app, made);
    expect(record).toMatchObject({
      waiting: 0,
      last_delivery_at: later(NOW, 1),
      last_error: null,
      next_try_at: null,
    });
    expect(await toldIn(app)).toEqual([]);
    const deliveries = await deliveriesOf(app, made);
    expect(deliveries.map(({ type }) => type)).toEqual(typesOf(receiver.received).reverse());
    expect(deliveries[0]).toMatchObject({
      outcome: 'delivered',
      attempt: 1,
      status: 204,
      error: null,
      answer: '',
    });
    const job = await app.ctx.db
      .selectFrom('jobs')
      .select('id')
      .where('kind', '=', 'destination.send')
      .execute();
    expect(job).toEqual([]);
  });

  it('waits after a failure, by the schedule, with its id; later messages wait behind it and move nothing', async () => {
    const app = await atHome();
    const receiver = await aMoodyReceiver();
    const made = await aDestination(app, { url: receiver.url, events: [...PUBLIC_EVENT_TYPES] });
    const watcher = new Watcher(app.url, {
      admin_token: app.admin.Authorization.replace('Bearer ', ''),
    });
    await watcher.connect();
    receiver.mood.answer = answering(500, {}, 'Not today');
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    expect(await shownChannel(app, made)).toMatchObject({
      waiting: 1,
      last_error: 'HTTP 500',
      next_try_at: later(NOW, 6),
      is_enabled: 1,
    });

    await switchSubmission(app, 1);
    await runAll(app);
    expect(await shownChannel(app, made)).toMatchObject({ waiting: 1, next_try_at: later(NOW, 6) });
    await watcher.reached(app.ctx.bus.clock());
    expect(watcher.records('destination').get(String(made.id))).toEqual(
      await shownChannel(app, made),
    );
    await at(app, later(NOW, 5));
    expect(receiver.received).toHaveLength(1);
    await at(app, later(NOW, 6));
    expect(await shownChannel(app, made)).toMatchObject({
      waiting: 2,
      next_try_at: later(NOW, 306),
    });
    await at(app, later(NOW, 305));
    expect(receiver.received).toHaveLength(2);

    receiver.mood.answer = answering(200);
    await at(app, later(NOW, 306));
    expect(typesOf(receiver.received)).toEqual([
      'submission.closed',
      'submission.closed',
      'submission.closed',
      'submission.opened',
    ]);
    expect(new Set(idsOf(receiver.received.slice(0, 3))).size).toBe(1);
    expect(await shownChannel(app, made)).toMatchObject({
      waiting: 0,
      last_error: null,
      next_try_at: null,
    });
    const outcomes = (await deliveriesOf(app, made)).map(
      ({ outcome, attempt }) => `${outcome} ${attempt}`,
    );
    expect(outcomes).toEqual(['delivered 1', 'delivered 3', 'retrying 2', 'retrying 1']);
  });

  it('is given up after the last attempt, and the next message is sent', async () => {
    const app = await atHome();
    const receiver = await aMoodyReceiver();
    receiver.mood.answer = resetting;
    const made = await aDestination(app, { url: receiver.url, events: [...PUBLIC_EVENT_TYPES] });
    await switchSubmission(app, 0);
    await switchSubmission(app, 1);
    let now = later(NOW, 1);
    for (let tries = 1; tries < 10; tries += 1) {
      await at(app, now);
      const { next_try_at } = await shownChannel(app, made);
      expect(next_try_at).not.toBeNull();
      now = next_try_at ?? now;
    }
    receiver.mood.answer = (response, message, socket) =>
      (JSON.parse(message.body).type === 'submission.closed' ? resetting : answering(204))(
        response,
        message,
        socket,
      );
    await at(app, now);
    expect(await shownChannel(app, made)).toMatchObject({
      waiting: 0,
      next_try_at: null,
      is_enabled: 1,
    });
    const [last, givenUp, ...others] = await deliveriesOf(app, made);
    expect(last).toMatchObject({ type: 'submission.opened', outcome: 'delivered', attempt: 1 });
    expect(givenUp).toMatchObject({
      type: 'submission.closed',
      outcome: 'given_up',
      attempt: 10,
      error: 'reset',
    });
    expect(others).toHaveLength(9);
    // 3 days and 4 hours, more or less.
    expect((Date.parse(now) - Date.parse(NOW)) / 3_600_000).toBeGreaterThan(74);
  });

  it('is disabled if the address is gone; an admin can enable it again, for later events', async () => {
    const app = await atHome();
    const receiver = await aMoodyReceiver();
    receiver.mood.answer = answering(410);
    const made = await aDestination(app, {
      url: receiver.url,
      events: ['submission.closed', 'submission.opened'],
    });
    await switchSubmission(app, 0);
    await switchSubmission(app, 1);
    await at(app, later(NOW, 1));
    expect(await shownChannel(app, made)).toMatchObject({
      is_enabled: 0,
      switched_off: 'gone',
      waiting: 0,
      last_error: 'HTTP 410',
    });
    const { actor_kind, details } = await latest(app, 'destination_switched_off');
    expect([actor_kind, details]).toEqual([
      'server',
      expect.objectContaining({ destination_id: made.id, switched_off: 'gone' }),
    ]);
    expect(
      (await app.ctx.db.selectFrom('clock').select('subscribed_types').executeTakeFirstOrThrow())
        .subscribed_types,
    ).toBeNull();
    await switchSubmission(app, 0);
    expect(await toldIn(app)).toEqual([]);
    // Another channel still receives events.
    const other = await aMoodyReceiver();
    other.mood.answer = resetting;
    await aDestination(app, { url: other.url, events: ['submission.closed', 'submission.opened'] });
    await switchSubmission(app, 1);
    await switchSubmission(app, 0);
    expect(await toldIn(app)).toHaveLength(2);

    receiver.mood.answer = answering(204);
    const { body } = await admin(app, `put /admin/destinations/${made.id}`, {
      is_enabled: true,
    }).expect(200);
    expect(body.data).toMatchObject({ is_enabled: 1, switched_off: null, last_error: null });
    await switchSubmission(app, 1);
    await at(app, later(NOW, 2));
    expect(typesOf(receiver.received)).toEqual(['submission.closed', 'submission.opened']);
  });

  it('are deleted once no channel needs them: a channel that is deleted or disabled drops its own', async () => {
    const app = await atHome();
    const receiver = await aMoodyReceiver();
    const one = await aDestination(app, { url: receiver.url, events: ['submission.closed'] });
    const two = await aDestination(app);
    await switchSubmission(app, 0);
    await admin(app, `put /admin/destinations/${one.id}`, { is_enabled: 0 }).expect(200);
    await admin(app, `delete /admin/destinations/${two.id}`).expect(200);
    await admin(app, `delete /admin/destinations/${two.id}`).expect(404);
    await admin(app, `put /admin/destinations/${one.id}`, { is_enabled: 1 }).expect(200);
    await at(app, later(NOW, 10));
    expect(receiver.received).toEqual([]);
  });
});

describe.each(usualDatabases)('a message that its receiver delays, on %s', (dialect) => {
  const atHome = () => createTestApp(dialect, { env: AT_HOME });

  it('is sent when a receiver asks for it, within an hour', async () => {
    const app = await atHome();
    const receiver = await aMoodyReceiver();
    receiver.mood.answer = answering(429, { 'retry-after': '40' });
    const made = await aDestination(app, { url: receiver.url, events: ['submission.closed'] });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    expect((await shownChannel(app, made)).next_try_at).toBe(later(NOW, 41));
    receiver.mood.answer = answering(429, { 'retry-after': '999999' });
    await at(app, later(NOW, 41));
    expect((await shownChannel(app, made)).next_try_at).toBe(later(NOW, 41 + 3_600));
  });

  it('reaches others while one hangs', async () => {
    const app = await atHome();
    const dead = await aReceiver(hanging);
    const alive = await aMoodyReceiver();
    await aDestination(app, { url: dead.url, events: ['submission.closed', 'submission.opened'] });
    const made = await aDestination(app, {
      url: alive.url,
      events: ['submission.closed', 'submission.opened'],
    });
    await switchSubmission(app, 0);
    app.setNow(later(NOW, 1));
    await app.runDue();
    await expect.poll(() => dead.received.length, { timeout: 30_000 }).toBe(1);
    await expect.poll(() => alive.received.length, { timeout: 30_000 }).toBe(1);
    await expect
      .poll(async () => (await shownChannel(app, made)).last_delivery_at, { timeout: 30_000 })
      .not.toBeNull();
    await switchSubmission(app, 1);
    app.setNow(later(NOW, 2));
    await app.runDue();
    await expect.poll(() => alive.received.length, { timeout: 30_000 }).toBe(2);
    expect(dead.received).toHaveLength(1);
  });

  it('is sent to another address at once where an admin gives it one', async () => {
    const app = await atHome();
    const old = await aMoodyReceiver();
    const fresh = await aMoodyReceiver();
    old.mood.answer = answering(503);
    const made = await aDestination(app, { url: old.url, events: ['submission.closed'] });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    await at(app, later(NOW, 6));
    const { body } = await admin(app, `put /admin/destinations/${made.id}`, {
      url: fresh.url,
    }).expect(200);
    expect(body.data).toMatchObject({ next_try_at: null, last_error: null });
    await runAll(app);
    expect([old.received.length, typesOf(fresh.received)]).toEqual([2, ['submission.closed']]);
    expect((await deliveriesOf(app, made))[0]).toMatchObject({ outcome: 'delivered', attempt: 1 });
  });

  it("shows the last attempts, with the beginning of the receiver's answer, never the address", async () => {
    const app = await atHome();
    const receiver = await aMoodyReceiver();
    const url = `${receiver.url}hook/s3cret?key=t0ken`;
    receiver.mood.answer = (response, message) =>
      void response.writeHead(200).end(`Got ${message.path} at ${url} ${'x'.repeat(900)}`);
    const made = await aDestination(app, { url, events: ['claim.created'] });
    const claims = Array.from({ length: DELIVERIES_KEPT + 10 }, (_, n) =>
      aClaim(
        { character_name: `Hunter ${n}` },
        { respawn_id: 1 + (n % 20), date: `2026-11-${22 + Math.floor(n / 20)}` },
      ),
    );
    await submitAsAdmin(app, 'member', ...claims).expect(201);
    await at(app, later(NOW, 1));
    expect(receiver.received).toHaveLength(DELIVERIES_KEPT + 10);
    const deliveries = await deliveriesOf(app, made);
    expect(deliveries.map(({ message_id }) => message_id)).toEqual(
      idsOf(receiver.received).reverse().slice(0, DELIVERIES_KEPT),
    );
    expect(await app.ctx.db.selectFrom('deliveries').select('id').execute()).toHaveLength(
      DELIVERIES_KEPT,
    );
    for (const { answer } of deliveries) {
      expect(answer).toHaveLength(500);
      expect(answer).toContain('Got …');
      expect(answer).not.toMatch(/s3cret|t0ken/);
    }
    expect(foldEvents(receiver.received.map(({ body }) => JSON.parse(body)))).toEqual(
      await huntsIn(app),
    );
    await submitAsAdmin(
      app,
      'member',
      aClaim({ character_name: 'Last' }, { respawn_id: 21 }),
    ).expect(201);
    await at(app, later(NOW, 2));
    expect(await app.ctx.db.selectFrom('deliveries').select('id').execute()).toHaveLength(
      DELIVERIES_KEPT,
    );
  });
});

describe.each(databases)('a channel on Discord, on %s', (dialect) => {
  it('gets up to ten changes a message, gathered over two seconds; a no-show is one', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aMoodyReceiver();
    const made = await aDestination(app, {
      kind: 'discord',
      url: receiver.url,
      events: [...PUBLIC_EVENT_TYPES],
    });
    const claims = Array.from({ length: 25 }, (_, n) =>
      aClaim({ character_name: `Hunter ${n}` }, { respawn_id: n + 1 }),
    );
    for (const some of [claims.slice(0, 12), claims.slice(12)])
      await submitAsAdmin(app, 'member', ...some).expect(201);
    await at(app, later(NOW, 1.9));
    expect(receiver.received).toEqual([]);
    await at(app, later(NOW, 2));
    expect(receiver.received.map(({ body }) => JSON.parse(body).embeds.length)).toEqual([
      10, 10, 5,
    ]);
    expect((await deliveriesOf(app, made)).map(({ type }) => type)).toEqual([
      'claim.created',
      'claim.created',
      'claim.created',
    ]);

    await admin(app, 'put /admin/config', { confirm_enabled: 1 }).expect(200);
    await submitAsAdmin(
      app,
      'member',
      aClaim({ character_name: 'Late' }, { respawn_id: 30, hour_start: 14, hour_end: 15 }),
    ).expect(201);
    await at(app, later(NOW, 5));
    // SS+14 is three in the afternoon, Pacific time.
    await at(app, '2026-11-21T23:30:00.000Z');
    await at(app, '2026-11-21T23:30:03.000Z');
    const message = JSON.parse(receiver.received.at(-1)?.body ?? '{}');
    expect(message.embeds.map(({ title }: { title: string }) => title)).toEqual(['No-show']);
    expect(await toldIn(app)).toEqual([]);
  });
});

const refusal = (code: number, message: string, more: object = {}) =>
  answering(
    400,
    { 'content-type': 'application/json' },
    JSON.stringify({ message, code, ...more }),
  );

describe.each(databases)('a channel on Discord that refuses messages, on %s', (dialect) => {
  it('leaves out the one change that it never takes, and gets all others at once', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aMoodyReceiver();
    const made = await aDestination(app, {
      kind: 'discord',
      url: `${receiver.url}webhooks/1/t0k3n-of-it`,
      events: ['claim.created'],
    });
    // As long as Discord's about ten changes.
    const errors = {
      embeds: Array.from({ length: 100 }, () => ({ description: 'BASE_TYPE_BAD_LENGTH' })),
    };
    receiver.mood.answer = (response, message, socket) => {
      const fits = !message.body.includes('Hunter 3');
      const answer = fits
        ? answering(204)
        : refusal(50_035, 'Invalid Form Body at t0k3n-of-it', { errors });
      answer(response, message, socket);
    };
    const claims = Array.from({ length: 12 }, (_, n) =>
      aClaim({ character_name: `Hunter ${n}` }, { respawn_id: n + 1 }),
    );
    await submitAsAdmin(app, 'member', ...claims).expect(201);
    await at(app, later(NOW, 2));
    const sent = receiver.received
      .filter(({ body }) => !body.includes('Hunter 3'))
      .flatMap(({ body }) => JSON.parse(body).embeds);
    expect(sent).toHaveLength(11);
    const record = await shownChannel(app, made);
    expect(record).toMatchObject({
      is_enabled: 1,
      waiting: 0,
      next_try_at: null,
      last_delivery_at: later(NOW, 2),
    });
    expect(record.last_error).toMatch(/^Discord 50035: Invalid Form Body at (?!t0k3n)/);
    const outcomes = (await deliveriesOf(app, made)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'given_up')).toHaveLength(1);

    await submitAsAdmin(
      app,
      'member',
      aClaim({ character_name: 'Late' }, { respawn_id: 30 }),
    ).expect(201);
    await at(app, later(NOW, 5));
    expect(await shownChannel(app, made)).toMatchObject({
      last_error: null,
      last_delivery_at: later(NOW, 5),
    });
  });

  it('keeps what waits for a webhook that no message reaches, until its address is changed', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aMoodyReceiver();
    const made = await aDestination(app, {
      kind: 'discord',
      url: receiver.url,
      events: ['submission.closed'],
    });
    receiver.mood.answer = refusal(
      220_001,
      'Webhooks posted to forum channels must have a thread_name or thread_id',
    );
    const error =
      'Discord 220001: Webhooks posted to forum channels must have a thread_name or thread_id';
    const test = await admin(app, `post /admin/destinations/${made.id}/test`).expect(200);
    expect(test.body.data).toMatchObject({ ok: false, status: 400, error });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 2));
    expect(await shownChannel(app, made)).toMatchObject({
      waiting: 1,
      last_error: error,
      next_try_at: later(NOW, 7),
    });
    receiver.mood.answer = answering(204);
    await admin(app, `put /admin/destinations/${made.id}`, {
      url: `${receiver.url}other`,
    }).expect(200);
    await runAll(app);
    expect(await shownChannel(app, made)).toMatchObject({ waiting: 0, last_error: null });
    expect(receiver.received.at(-1)).toMatchObject({ path: '/other' });
  });
});

describe('25 changes at once, of names of sixty signs that mean something to Discord', () => {
  it('reach a channel with each sign as it is, and a webhook byte for byte', async () => {
    const app = await createTestApp('sqlite', { env: AT_HOME });
    const channel = await aReceiver(answering(204));
    const hook = await aReceiver(answering(204));
    await aDestination(app, { kind: 'discord', url: channel.url });
    const { secret } = await aDestination(app, { url: hook.url });
    const names = Array.from({ length: 25 }, (_, n) =>
      `${n} **Ñ** @everyone <@1>`.padEnd(60, '_`~|*'),
    );
    const spot = await aRespawn(app, 'Cave [x](https://a.example)'.padEnd(60, '*_'));
    const claims = names.map((character_name, n) =>
      aClaim(
        { character_name },
        { respawn_id: spot.id, date: addDays(TODAY, 1 + n), hour_start: 10, hour_end: 11 },
      ),
    );
    await submitAsAdmin(app, 'member', ...claims).expect(201);
    await at(app, later(NOW, 2));

    const messages = channel.received.map(({ body }) => JSON.parse(body));
    expect(messages.map(({ embeds }) => embeds.length)).toEqual([10, 10, 5]);
    expect(messages.every(({ allowed_mentions }) => allowed_mentions.parse.length === 0)).toBe(
      true,
    );
    const descriptions: string[] = messages.flatMap(({ embeds }) =>
      embeds.map(({ description }: { description: string }) => description),
    );
    for (const [n, text] of descriptions.entries()) {
      // Without the escape characters the name reads as stored.
      expect(text.replace(/\\(.)/g, '$1')).toContain(names[n]);
      expect(text).not.toMatch(/(?<!\\)@everyone|<@1>|\*\*Ñ/);
    }

    expect(hook.received.map(({ body }) => JSON.parse(body).data.character_name)).toEqual(names);
    for (const { headers, body } of hook.received) {
      const { data } = JSON.parse(body);
      expect(data.respawn_name).toBe(spot.name);
      const signed = new Webhook(String(secret)).sign(
        String(headers['webhook-id']),
        new Date(later(NOW, 2)),
        body,
      );
      expect(headers['webhook-signature']).toBe(signed);
    }
  });
});

describe('two servers on one PostgreSQL', () => {
  it('send each message by one of them, in its order', async () => {
    const on = await filledDatabase('postgres');
    const one = await createTestApp('postgres', { on, env: AT_HOME });
    const other = await createTestApp('postgres', { on, env: AT_HOME });
    const receiver = await aMoodyReceiver();
    await aDestination(one, { url: receiver.url, events: [...PUBLIC_EVENT_TYPES] });
    let now: string = NOW;
    for (let round = 0; round < 12; round += 1) {
      const date = `2026-12-${String(1 + round).padStart(2, '0')}`;
      const claims = Array.from({ length: 15 }, (_, n) =>
        aClaim({ character_name: `Hunter ${n}` }, { respawn_id: n + 1, date }),
      );
      await submitAsAdmin(round % 2 ? one : other, 'member', ...claims).expect(201);
      now = later(now, 1);
      one.setNow(now);
      other.setNow(now);
      await Promise.all([one.runDue(), other.runDue()]);
    }
    for (const app of [one, other]) await at(app, later(now, 5));
    await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(180);
    const ids = idsOf(receiver.received).map((id) => Number(id.split('_')[1]));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    expect(foldEvents(receiver.received.map(({ body }) => JSON.parse(body)))).toEqual(
      await huntsIn(one),
    );
  });
});
