import { describe, expect, it } from 'vitest';
import { admin } from '../../activity/test/write.ts';
import { aClaim, aDestination, changeUnheard, submitAsAdmin } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { type Answering, answering, aReceiver } from '../../dev/test/receiver.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { AT_HOME, at, later, shownChannel, switchSubmission } from './test/sending.ts';

const change = (app: TestApp, id: number, fields: object) =>
  admin(app, `put /admin/destinations/${id}`, fields).expect(200);
const typesOf = (received: readonly { body: string }[]): string[] =>
  received.map(({ body }) => JSON.parse(body).type);

describe.each(databases)('a destination that is changed, on %s', (dialect) => {
  it('gets newly subscribed types from then on, not earlier events', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const all = await aReceiver(answering(204));
    const one = await aReceiver(answering(204));
    await aDestination(app, { url: all.url, events: ['submission.closed', 'submission.opened'] });
    const made = await aDestination(app, { url: one.url, events: ['claim.no_show'] });
    await switchSubmission(app, 0);
    await at(app, later(NOW, 1));
    await change(app, made.id, { events: ['submission.closed', 'submission.opened'] });
    await switchSubmission(app, 1);
    await at(app, later(NOW, 2));
    expect(typesOf(all.received)).toEqual(['submission.closed', 'submission.opened']);
    expect(typesOf(one.received)).toEqual(['submission.opened']);
  });

  it('gets newly subscribed types from then on, even if other events are pending', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const mood = { answer: answering(500) };
    const receiver = await aReceiver((...args) => mood.answer(...args));
    await aDestination(app, { events: ['submission.closed', 'submission.opened'] });
    const made = await aDestination(app, { url: receiver.url, events: ['submission.closed'] });
    for (const enabled of [0, 1, 0, 1] as const) await switchSubmission(app, enabled);
    await at(app, later(NOW, 1));
    await change(app, made.id, { events: ['submission.closed', 'submission.opened'] });
    expect(await shownChannel(app, made)).toMatchObject({ waiting: 2 });
    await switchSubmission(app, 0);
    await switchSubmission(app, 1);
    // Events of unsubscribed types from that time are not sent, either.
    await change(app, made.id, { events: ['submission.opened'] });
    await change(app, made.id, { events: ['submission.opened', 'submission.closed'] });
    await switchSubmission(app, 0);
    mood.answer = answering(204);
    receiver.received.length = 0;
    await at(app, later(NOW, 6));
    expect(typesOf(receiver.received)).toEqual(['submission.opened', 'submission.closed']);
    expect(await shownChannel(app, made)).toMatchObject({ waiting: 0 });
  });

  it('that drops its failed events gets the next one at once', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const receiver = await aReceiver(
      (response, { body }) =>
        void response.writeHead(JSON.parse(body).type === 'submission.closed' ? 500 : 204).end(),
    );
    const made = await aDestination(app, {
      url: receiver.url,
      events: ['submission.closed', 'submission.opened'],
    });
    await switchSubmission(app, 0);
    for (const seconds of [1, 6, 306]) await at(app, later(NOW, seconds));
    expect(await shownChannel(app, made)).toMatchObject({
      waiting: 1,
      next_try_at: later(NOW, 306 + 1_800),
    });
    await change(app, made.id, { events: ['submission.opened'] });
    expect(await shownChannel(app, made)).toMatchObject({
      waiting: 0,
      next_try_at: null,
      last_error: null,
    });
    await switchSubmission(app, 1);
    await at(app, later(NOW, 310));
    expect(typesOf(receiver.received).at(-1)).toBe('submission.opened');
    expect(await shownChannel(app, made)).toMatchObject({
      waiting: 0,
      last_delivery_at: later(NOW, 310),
    });
  });

  it('can be paused, renamed and resubscribed even if its address would no longer be accepted', async () => {
    const app = await createTestApp(dialect);
    const made = await aDestination(app);
    // Saved while the guild let private addresses be.
    await changeUnheard(app, (tx) =>
      tx.updateTable('channels').set({ url: 'http://192.168.0.7/hook' }).execute(),
    );
    await change(app, made.id, { name: 'At home', events: ['claim.deleted'] });
    await change(app, made.id, { is_enabled: 0 });
    expect(await shownChannel(app, made)).toMatchObject({ name: 'At home', is_enabled: 0 });
    expect(
      (
        await admin(app, `put /admin/destinations/${made.id}`, {
          url: 'http://192.168.0.8/hook',
        })
      ).body.code,
    ).toBe('destination.url');
  });

  it.each([
    ['paused', (app: TestApp, id: number) => change(app, id, { is_enabled: 0 })],
    [
      'deleted',
      (app: TestApp, id: number) => admin(app, `delete /admin/destinations/${id}`).expect(200),
    ],
    ['told less', (app: TestApp, id: number) => change(app, id, { events: ['claim.no_show'] })],
  ])('is sent nothing more once it was %s, even if more is pending', async (_, change) => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const held: (() => void)[] = [];
    const slow: Answering = (response) => void held.push(() => response.writeHead(204).end());
    const receiver = await aReceiver(slow);
    const made = await aDestination(app, {
      url: receiver.url,
      events: ['submission.closed', 'submission.opened'],
    });
    await switchSubmission(app, 0);
    await switchSubmission(app, 1);
    app.setNow(later(NOW, 1));
    await app.runDue();
    await expect.poll(() => held.length, { timeout: 30_000 }).toBe(1);
    await change(app, made.id);
    held[0]?.();
    // Time for a wrong delivery, if there is one.
    const witness = await aReceiver(answering(204));
    await aDestination(app, { url: witness.url, events: ['claim.created'] });
    for (const seconds of [2, 3, 4]) {
      await submitAsAdmin(
        app,
        'member',
        aClaim({ character_name: 'Arden' }, { respawn_id: seconds, date: `2026-11-2${seconds}` }),
      ).expect(201);
      await at(app, later(NOW, seconds));
    }
    expect(witness.received).toHaveLength(3);
    expect(typesOf(receiver.received)).toEqual(['submission.closed']);
  });
});
