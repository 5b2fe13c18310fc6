import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { admin } from '../../activity/test/write.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  anAdmin,
  anEvent,
  aWait,
  noActiveEvent,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';
import { wrongCounts } from '../claims/consistency.ts';

const TOMORROW = '2026-11-22';
const LATER = '2026-11-24';
const activate = (app: TestApp, id: number) =>
  admin(app, `post /events/${id}/activate`).expect(200);
const deactivate = (app: TestApp, id: number) =>
  admin(app, `post /events/${id}/deactivate`).expect(200);

const entries = async (app: TestApp) =>
  (
    await app.ctx.db
      .selectFrom('waits')
      .select(['character_name', 'status', 'position'])
      .orderBy('id')
      .execute()
  ).map(({ character_name, status, position }) => `${character_name} ${status} ${position}`);

/** The log's entries of the waitlist, oldest first, without those of joining. */
const logged = async (app: TestApp) => {
  const { body } = await app.api.get('/admin/activity-log?limit=100').set(app.admin).expect(200);
  const all: { action: string; actor_kind: string; details: Record<string, unknown> }[] =
    body.data.logs;
  return all.filter(({ action }) => /^waits_|^wait_voided/.test(action)).reverse();
};

/** An active event with a waitlist of that many members. */
async function waitlist(app: TestApp, members: number) {
  const event = await anActiveEvent(app, { name: 'Double week' });
  const holder = await aKey(app);
  const [claim] = await submitted(app, holder, aClaim(holder));
  const keys: AccessKey[] = [];
  for (let n = 0; n < members; n += 1) {
    const key = await aKey(app, `Waiting ${n}`);
    await aWait(app, key);
    keys.push(key);
  }
  return { event, claim_id: claim?.id ?? 0, keys };
}

describe.each(databases)('R9.15: waitlist entries that end with their event, on %s', (dialect) => {
  it('are restored in their order if it is activated again the same day; the log has one entry for each switch', async () => {
    const app = await createTestApp(dialect);
    const { event, claim_id } = await waitlist(app, 3);
    const watcher = new Watcher(app.url, { admin_token: app.admin.Authorization.slice(7) });
    await watcher.connect();
    await deactivate(app, event.id);
    expect(await entries(app)).toEqual([
      'Waiting 0 void 0',
      'Waiting 1 void 0',
      'Waiting 2 void 0',
    ]);
    await activate(app, event.id);
    expect(await entries(app)).toEqual([
      'Waiting 0 waiting 1',
      'Waiting 1 waiting 2',
      'Waiting 2 waiting 3',
    ]);
    const names = ['Waiting 0', 'Waiting 1', 'Waiting 2'];
    expect(await logged(app)).toMatchObject([
      { action: 'waits_voided', actor_kind: 'server', details: { count: 3, names } },
      {
        action: 'waits_reopened',
        actor_kind: 'admin',
        details: { count: 3, names, event_id: event.id, name: 'Double week' },
      },
    ]);
    await watcher.reached(app.ctx.bus.clock());
    expect([...watcher.records('wait').values()]).toMatchObject([
      { position: 1 },
      { position: 2 },
      { position: 3 },
    ]);
    // They are on the waitlist as before.
    await admin(app, `delete /admin/claims/${claim_id}`).expect(200);
    expect(await entries(app)).toEqual([
      'Waiting 0 offered 1',
      'Waiting 1 waiting 2',
      'Waiting 2 waiting 3',
    ]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('are restored after another event was active, in which their members joined the same waitlist', async () => {
    const app = await createTestApp(dialect);
    const { event, keys } = await waitlist(app, 2);
    const other = await anEvent(app);
    await activate(app, other.id);
    const holder = await aKey(app);
    await submitted(app, holder, aClaim(holder, { hour_start: 14, hour_end: 16 }));
    for (const key of keys) await aWait(app, key, { hour_start: 14, hour_end: 16 });
    await activate(app, event.id);
    expect((await entries(app)).map((entry) => entry.split(' ')[2])).toEqual([
      'waiting',
      'waiting',
      'void',
      'void',
    ]);
    await activate(app, other.id);
    expect((await entries(app)).map((entry) => entry.split(' ')[2])).toEqual([
      'void',
      'void',
      'waiting',
      'waiting',
    ]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('get the hours that were freed meanwhile', async () => {
    const app = await createTestApp(dialect);
    const { event, claim_id } = await waitlist(app, 2);
    await deactivate(app, event.id);
    await admin(app, `delete /admin/claims/${claim_id}`).expect(200);
    await activate(app, event.id);
    expect(await entries(app)).toEqual(['Waiting 0 offered 1', 'Waiting 1 waiting 2']);
  });

  it('an offer ends, and its member waits in the same place', async () => {
    const app = await createTestApp(dialect);
    const { event, claim_id } = await waitlist(app, 2);
    await admin(app, `delete /admin/claims/${claim_id}`).expect(200);
    expect((await entries(app))[0]).toBe('Waiting 0 offered 1');
    await deactivate(app, event.id);
    expect(await app.ctx.db.selectFrom('claims').select('id').execute()).toEqual([]);
    await activate(app, event.id);
    expect(await entries(app)).toEqual(['Waiting 0 offered 1', 'Waiting 1 waiting 2']);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('stay ended on the next day, and if they ended for another reason', async () => {
    const app = await createTestApp(dialect);
    const { event, keys } = await waitlist(app, 2);
    const [left] = keys;
    await app.api
      .delete('/waits/1')
      .set({ 'X-Access-Key': left?.key_value ?? '' })
      .send({})
      .expect(200);
    await deactivate(app, event.id);
    await activate(app, event.id);
    expect(await entries(app)).toEqual(['Waiting 0 withdrawn 0', 'Waiting 1 waiting 1']);
    await deactivate(app, event.id);
    app.setNow('2026-11-22T10:00:00.000Z');
    await activate(app, event.id);
    expect(await entries(app)).toEqual(['Waiting 0 withdrawn 0', 'Waiting 1 void 0']);
  });

  it('are restored with their deleted event, even days later, once it is activated', async () => {
    const app = await createTestApp(dialect);
    const event = await anActiveEvent(app);
    const holder = await aKey(app);
    await submitted(app, holder, aClaim(holder, { date: LATER }));
    await aWait(app, await aKey(app, 'Waiting 0'), { date: LATER });
    await admin(app, `delete /events/${event.id}`).expect(200);
    expect(await entries(app)).toEqual(['Waiting 0 void 0']);
    app.setNow('2026-11-22T10:00:00.000Z');
    const { body } = await app.api
      .get('/admin/activity-log?action=event_deleted')
      .set(app.admin)
      .expect(200);
    await admin(app, `post /admin/activity-log/${body.data.logs[0].id}/undo`).expect(200);
    await activate(app, event.id);
    expect(await entries(app)).toEqual(['Waiting 0 waiting 1']);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('stay ended for members who could not join now: banned, without a valid key, with a claim of that date', async () => {
    const app = await createTestApp(dialect);
    const { event, keys } = await waitlist(app, 5);
    const [banned, revoked, deleted, claimant] = keys;
    await deactivate(app, event.id);
    await admin(app, 'post /admin/ban-character', {
      character_name: banned?.character_name,
    }).expect(200);
    await admin(app, `put /admin/access-keys/${revoked?.id}/revoke`).expect(200);
    await admin(app, `delete /admin/access-keys/${deleted?.id}`).expect(200);
    if (claimant)
      await submitted(
        app,
        claimant,
        aClaim(claimant, { respawn_id: 2, hour_start: 18, hour_end: 20 }),
      );
    await activate(app, event.id);
    expect(await entries(app)).toEqual([
      ...[0, 1, 2, 3].map((n) => `Waiting ${n} void 0`),
      'Waiting 4 waiting 1',
    ]);
  });

  it('stay ended if the event has lost their date or allows no waitlist, or the spot is disabled', async () => {
    const app = await createTestApp(dialect);
    const { event, claim_id } = await waitlist(app, 1);
    await admin(app, `delete /admin/claims/${claim_id}`).expect(200);
    await deactivate(app, event.id);
    const original = { start_time: event.start_time, type: 'multiple_claims' };
    const states: { change: () => unknown; revert: () => unknown }[] = [
      {
        change: () => admin(app, `put /events/${event.id}`, { start_time: TOMORROW }).expect(200),
        revert: () => admin(app, `put /events/${event.id}`, original).expect(200),
      },
      {
        change: () => admin(app, `put /events/${event.id}`, { type: 'single_claim' }).expect(200),
        revert: () => admin(app, `put /events/${event.id}`, original).expect(200),
      },
      {
        change: () => admin(app, 'put /admin/respawns/1', { is_enabled: 0 }).expect(200),
        revert: () => admin(app, 'put /admin/respawns/1', { is_enabled: 1 }).expect(200),
      },
    ];
    for (const { change, revert } of states) {
      await change();
      await activate(app, event.id);
      expect(await entries(app)).toEqual(['Waiting 0 void 0']);
      await noActiveEvent(app);
      await revert();
    }
    await activate(app, event.id);
    expect(await entries(app)).toEqual(['Waiting 0 offered 1']);
  });

  it('a single entry keeps its own log entry; a moderator or viewer may not switch events, and nothing changes', async () => {
    const app = await createTestApp(dialect);
    const { event } = await waitlist(app, 1);
    for (const role of ['moderator', 'viewer'] as const) {
      const { headers } = await anAdmin(app, role);
      await app.api.post(`/events/${event.id}/deactivate`).set(headers).expect(403);
    }
    expect(await entries(app)).toEqual(['Waiting 0 waiting 1']);
    await deactivate(app, event.id);
    expect(await logged(app)).toMatchObject([
      { action: 'wait_voided', details: { character_name: 'Waiting 0' } },
    ]);
  });
});
