import { describe, expect, it, vi } from 'vitest';
import { SILENT_AFTER_MS } from '../../shared/live.ts';
import { CHANGE_SETS_KEPT } from '../db/unit-of-work.ts';
import { connected } from '../dev/test/board-watcher.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  anEvent,
  changeUnheard,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { connect, ended, nextChanges, Watcher } from '../dev/test/watcher.ts';

const tokenOf = (app: TestApp): string => app.admin.Authorization.replace('Bearer ', '');

async function watcher(
  app: TestApp,
  auth: { access_key?: string; admin_token?: string },
): Promise<Watcher> {
  const watching = new Watcher(app.url, auth);
  await watching.connect();
  return watching;
}

describe.each(databases)('the live connection on %s', (dialect) => {
  it('refuses a handshake without a credential, with a wrong one and with a revoked one, saying which', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await app.api.put(`/admin/access-keys/${key.id}/revoke`).set(app.admin).expect(200);
    const refusals = [
      [{}, 'session.required', 'Access denied'],
      [{ access_key: 'NOPE' }, 'session.invalidKey', 'Invalid access key'],
      [{ admin_token: 'nope' }, 'session.expired', 'Your session has expired. Please login again.'],
      [
        { access_key: key.key_value },
        'session.keyRevoked',
        'This access key has been revoked. Please contact an admin.',
      ],
    ] as const;
    for (const [auth, code, error] of refusals) {
      await expect(connected(connect(app.url, auth))).rejects.toMatchObject({
        data: { code, error },
      });
    }
  });

  it('lets visitors watch a public board', async () => {
    const app = await createTestApp(dialect, { env: { BOARD_VISIBILITY: 'public' } });
    const visitor = await watcher(app, {});
    expect(visitor.records('respawn').size).toBeGreaterThan(100);
  });

  it('shows a claim to members and admins at once, with the counts it moves, as a fresh snapshot would', async () => {
    const app = await createTestApp(dialect);
    await anActiveEvent(app);
    const key = await aKey(app);
    const [member, admin] = await Promise.all([
      watcher(app, { access_key: key.key_value }),
      watcher(app, { admin_token: tokenOf(app) }),
    ]);
    const [claim] = await submitted(app, key, aClaim(key));
    await Promise.all([member.reached(app.ctx.bus.clock()), admin.reached(app.ctx.bus.clock())]);
    for (const watching of [member, admin]) {
      expect(watching.records('claim').get(String(claim?.id))).toMatchObject({
        respawn_id: 1,
        hour_start: 10,
        hour_end: 14,
      });
      expect(watching.records('respawn').get('1')).toMatchObject({
        total_claims: 1,
        last_claim_date: '2026-11-21',
      });
      expect([...watching.records('event').values()]).toMatchObject([{ claim_count: 1 }]);
      expect(watching.snapshots).toBe(1);
    }
    expect([...admin.records('activity').values()].map((entry) => entry.action)).toContain(
      'claim_created',
    );
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    await member.reached(app.ctx.bus.clock());
    expect(member.records('claim').size).toBe(0);
    expect(member.records('respawn').get('1')).toMatchObject({
      total_claims: 0,
      last_claim_date: null,
    });
  });

  it('sends members an empty change set for an admin’s change', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const member = connect(app.url, { access_key: key.key_value });
    await connected(member);
    await member.emitWithAck('sync', null);
    const nextMessage = nextChanges(member);
    await aKey(app, 'Somebody Else');
    expect(await nextMessage).toEqual({ clock: app.ctx.bus.clock(), changes: [] });
  });

  it('keeps keys, other events and the activity log out of a member’s snapshot', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await anEvent(app);
    const member = connect(app.url, { access_key: key.key_value });
    await connected(member);
    const answer = await member.emitWithAck('sync', null);
    const kinds = 'snapshot' in answer ? Object.keys(answer.snapshot).sort() : [];
    expect(kinds).toEqual([
      'category',
      'claim',
      'config',
      'event',
      'member_type',
      'occupancy',
      'respawn',
      'wait',
    ]);
    expect('snapshot' in answer && answer.snapshot.event).toEqual([]);
  });

  it('answers a known clock with the change sets since, and nothing when there are none', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const member = connect(app.url, { access_key: key.key_value });
    await connected(member);
    const clock = app.ctx.bus.clock();
    expect(await member.emitWithAck('sync', clock)).toEqual({
      clock,
      epoch: app.ctx.bus.epoch,
      change_sets: [],
    });
    await submitted(app, key, aClaim(key));
    const answer = await member.emitWithAck('sync', clock);
    expect(answer).toMatchObject({ clock: clock + 1, change_sets: [{ clock: clock + 1 }] });
  });

  it('answers with a snapshot where the clock is unknown, in the future, or reaches too far back', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const member = connect(app.url, { access_key: key.key_value });
    await connected(member);
    const clock = app.ctx.bus.clock();
    await changeUnheard(app, (tx) =>
      tx
        .deleteFrom('changes')
        .where('clock', '<=', clock - 1)
        .execute(),
    );
    for (const clockOfClient of [null, clock + CHANGE_SETS_KEPT, clock - 2]) {
      expect(await member.emitWithAck('sync', clockOfClient)).toHaveProperty('snapshot');
    }
    expect(await member.emitWithAck('sync', clock - 1)).toHaveProperty('change_sets');
  });

  it("makes every board reload when an event is activated, and then shows that event's claims only", async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    const member = await watcher(app, { access_key: key.key_value });
    expect(member.records('claim').size).toBe(1);
    const event = await anActiveEvent(app);
    await member.reached(app.ctx.bus.clock());
    expect(member.records('claim').size).toBe(0);
    expect([...member.records('event').keys()]).toEqual([String(event.id)]);
    expect(member.snapshots).toBe(2);
  });

  it('ends the connections of a key that is revoked or deleted, with the reason, and no others', async () => {
    const app = await createTestApp(dialect);
    const [revoked, deleted, other] = await Promise.all([aKey(app), aKey(app), aKey(app)]);
    const sockets = [revoked, deleted, other].map((key) =>
      connect(app.url, { access_key: key.key_value }),
    );
    await Promise.all(sockets.map(connected));
    const [first, second, third] = sockets;
    if (!first || !second || !third) throw new Error('three sockets');
    const reasons = [ended(first), ended(second)];
    await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin).expect(200);
    await app.api.delete(`/admin/access-keys/${deleted.id}`).set(app.admin).expect(200);
    expect((await Promise.all(reasons)).map((reason) => reason.code)).toEqual([
      'session.keyRevoked',
      'session.invalidKey',
    ]);
    await expect
      .poll(() => [first.connected, second.connected, third.connected])
      .toEqual([false, false, true]);
  });

  it('lets the holders of a key whose member type changed reconnect', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const other = await aKey(app);
    const mine = connect(app.url, { access_key: key.key_value });
    const theirs = connect(app.url, { access_key: other.key_value });
    await Promise.all([connected(mine), connected(theirs)]);
    const closed = new Promise((resolve) => mine.once('disconnect', resolve));
    await app.api
      .put(`/admin/access-keys/${key.id}/member-type`)
      .set(app.admin)
      .send({ memberType: 'elite' })
      .expect(200);
    expect(await closed).toBe('io server disconnect');
    expect(theirs.connected).toBe(true);
  });

  it('starts a new day for all watchers: without an event yesterday’s claims leave the board', async () => {
    const { correctBoardDate } = await import('../board/config/day.ts');
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    const member = await watcher(app, { access_key: key.key_value });
    expect(member.records('claim').size).toBe(1);
    app.setNow('2026-11-22T18:00:00.000Z');
    await correctBoardDate(app.ctx);
    await member.reached(app.ctx.bus.clock());
    expect(member.records('claim').size).toBe(0);
    const clock = app.ctx.bus.clock();
    await correctBoardDate(app.ctx);
    expect(app.ctx.bus.clock()).toBe(clock);
  });

  it('survives nonsense from a client', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const member = connect(app.url, { access_key: key.key_value });
    await connected(member);
    // Below the typed socket, as a foreign client might send it.
    for (const packet of [
      '2["sync"]',
      '2["sync",{"clock":"x"},"not a function"]',
      '2["nothing",1]',
      '21["sync",-5]',
    ]) {
      member.io.engine.write(`${packet}`);
    }
    expect(await member.emitWithAck('sync', null)).toHaveProperty('snapshot');
  });
});

it('sends heartbeats often enough for a silence to be noticed within 15 s', async () => {
  const app = await createTestApp('sqlite');
  const { engine } = connect(app.url, {}).io;
  const { pingInterval } = await new Promise<{ pingInterval: number }>((nextMessage) =>
    engine.once('handshake', nextMessage),
  );
  // A heartbeat that is a few seconds late is not silence.
  expect(pingInterval).toBeLessThan(SILENT_AFTER_MS - 5_000);
  expect(SILENT_AFTER_MS).toBeLessThan(15_000);
});

it('a claim committed while a watcher’s snapshot is being read reaches that watcher', async () => {
  const app = await createTestApp('sqlite');
  const key = await aKey(app);
  const { snapshot } = app.ctx.readModel;
  vi.spyOn(app.ctx.readModel, 'snapshot').mockImplementationOnce(async (room) => {
    const taken = await snapshot(room);
    await submitted(app, key, aClaim(key));
    return taken;
  });
  const member = await watcher(app, { access_key: key.key_value });
  await member.reached(app.ctx.bus.clock());
  expect(member.records('claim').size).toBe(1);
});
