import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import {
  PUBLIC_EVENT_TYPES,
  type PublicEvent,
  type PublicEventType,
} from '../../shared/schemas/domain-events.ts';
import { splitOn, undoLatest } from '../activity/test/undo.ts';
import { admin } from '../activity/test/write.ts';
import { archiveOld } from '../board/archive/move.ts';
import {
  aClaim,
  aDestination,
  aKey,
  anActiveEvent,
  anEvent,
  asMember,
  aWait,
  changeUnheard,
  submitAsAdmin,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { runNow } from '../dev/test/jobs.ts';
import { manyClaims } from '../dev/test/many-claims.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../dev/test/test-app.ts';
import { serve } from '../server.ts';
import { huntsIn, toldIn } from './test/fold.ts';

/** The events of a write. */
async function eventsOf(app: TestApp, write: () => PromiseLike<unknown>): Promise<PublicEvent[]> {
  const before = (await toldIn(app)).length;
  await write();
  return (await toldIn(app)).slice(before);
}
const typesOf = (events: readonly PublicEvent[]): PublicEventType[] =>
  events.map(({ type }) => type);

describe.each(databases)('domain events on %s', (dialect) => {
  async function listening(env: Record<string, string> = {}): Promise<TestApp> {
    const app = await createTestApp(dialect, { env });
    await aDestination(app, { events: [...PUBLIC_EVENT_TYPES] });
    return app;
  }

  it('of a type that an older version knew no subscriber of are stored after a start', async () => {
    const app = await listening();
    await changeUnheard(app, (tx) =>
      tx.updateTable('clock').set({ subscribed_types: 'claim.created' }).execute(),
    );
    const again = await serve(app.ctx);
    onTestFinished(again.stop);
    const switchOff = () => admin(app, 'put /admin/config', { submission_enabled: 0 }).expect(200);
    expect(typesOf(await eventsOf(app, switchOff))).toEqual(['submission.closed']);
  });

  it('of a claim has the whole record with its spots’ names, the actor, and the state before', async () => {
    const app = await listening();
    const key = await aKey(app, 'Arden', 'elite');
    const [created] = await eventsOf(app, () =>
      submitted(app, key, { ...aClaim(key), ...splitOn(1, 2) }),
    );
    const names = (
      await app.ctx.db
        .selectFrom('respawns')
        .select('name')
        .where('id', '<=', 2)
        .orderBy('id')
        .execute()
    ).map(({ name }) => name);
    expect(created).toMatchObject({
      type: 'claim.created',
      data: {
        character_name: 'Arden',
        respawn_name: names[0],
        by: null,
        split_group_id: created && 'id' in created.data ? created.data.id : 0,
      },
    });
    expect(created?.data).toMatchObject({
      split_parts: names.map((respawn_name) => ({ respawn_name })),
    });

    const other = await aKey(app);
    const [claim] = await submitted(app, other, aClaim(other, { respawn_id: 3 }));
    const [updated] = await eventsOf(app, () =>
      admin(app, `put /claims/admin/${claim?.id}/respawn`, { respawn_id: 4 }).expect(200),
    );
    const before = { respawn_name: claim?.respawn_name, hour_start: 10, hour_end: 14 };
    expect(updated).toMatchObject({
      type: 'claim.updated',
      data: { id: claim?.id, respawn_id: 4, by: 'admin', before },
    });
    const [deleted] = await eventsOf(app, () =>
      admin(app, `delete /admin/claims/${claim?.id}`).expect(200),
    );
    expect(deleted).toMatchObject({
      type: 'claim.deleted',
      data: { id: claim?.id, respawn_id: 4, by: 'admin', reason: 'admin' },
    });
    const [back] = await eventsOf(app, () => undoLatest(app, 'claim_deleted'));
    expect(back).toMatchObject({ type: 'claim.created', data: { id: claim?.id, by: 'admin' } });
  });

  it('is one message a claim: each date, a secondary one, a split one once', async () => {
    const app = await listening();
    const claims = [TODAY, '2026-11-22'].map((date) =>
      aClaim({ character_name: 'Arden' }, { date }),
    );
    const secondary = aClaim({ character_name: 'Arden' }, { is_secondary_claim: 1, respawn_id: 2 });
    const events = await eventsOf(app, () =>
      submitAsAdmin(app, 'elite', ...claims, secondary).expect(201),
    );
    expect(events.map(({ type, data }) => [type, 'by' in data && data.by])).toEqual(
      Array.from({ length: 3 }, () => ['claim.created', 'admin']),
    );
  });

  it('of a part of a split claim that is given up is where and when that part was', async () => {
    const app = await listening();
    const key = await aKey(app);
    await admin(app, 'put /admin/config', { release_enabled: 1 }).expect(200);
    const [claim] = await submitted(app, key, {
      ...aClaim(key, { date: '2026-11-23' }),
      ...splitOn(1, 2),
    });
    const release = { part_number: 2 };
    const events = await eventsOf(app, () =>
      app.api.post(`/claims/${claim?.id}/release`).set(asMember(key)).send(release).expect(200),
    );
    const { name } = await app.ctx.db
      .selectFrom('respawns')
      .select('name')
      .where('id', '=', 2)
      .executeTakeFirstOrThrow();
    const before = { respawn_name: name, hour_start: 14, hour_end: 16 };
    expect(events).toMatchObject([
      { type: 'claim.updated', data: { id: claim?.id, hour_start: 10, hour_end: 12, before } },
    ]);
  });

  it('of a claim that is changed to the same values is none', async () => {
    const app = await listening();
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key));
    const same = { hour_start: claim?.hour_start, hour_end: claim?.hour_end };
    expect(
      await eventsOf(app, () => admin(app, `put /claims/admin/${claim?.id}`, same).expect(200)),
    ).toEqual([]);
  });

  it('of an event is which is no longer active before which is, and nothing where nothing changes', async () => {
    const app = await listening();
    const one = await anActiveEvent(app);
    const other = await anEvent(app);
    const events = await eventsOf(app, () =>
      admin(app, `post /events/${other.id}/activate`).expect(200),
    );
    expect(
      events.map(({ type, data }) => [
        type,
        'name' in data && data.name,
        'is_active' in data && data.is_active,
      ]),
    ).toEqual([
      ['event.deactivated', one.name, 0],
      ['event.activated', other.name, 1],
    ]);
    expect(
      await eventsOf(app, () => admin(app, `post /events/${other.id}/activate`).expect(200)),
    ).toEqual([]);
    expect(
      await eventsOf(app, () => admin(app, `post /events/${one.id}/deactivate`).expect(200)),
    ).toEqual([]);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    const gone = await eventsOf(app, () => admin(app, `delete /events/${other.id}`).expect(200));
    expect(gone.map(({ type, data }) => [type, 'reason' in data && data.reason])).toEqual([
      ['event.deactivated', false],
      ['claim.deleted', 'event'],
    ]);
  });

  it('of the switch is the guild and the switch, where it is moved', async () => {
    const app = await listening({ GUILD_NAME: 'Rose' });
    const config = (fields: object) => () => admin(app, 'put /admin/config', fields).expect(200);
    expect(await eventsOf(app, config({ submission_enabled: 0 }))).toMatchObject([
      { type: 'submission.closed', data: { guild_name: 'Rose', submission_enabled: 0 } },
    ]);
    expect(await eventsOf(app, config({ submission_enabled: 0, hold_minutes: 9 }))).toEqual([]);
    expect(typesOf(await eventsOf(app, config({ submission_enabled: 1 })))).toEqual([
      'submission.opened',
    ]);
  });

  it('a hold is announced as an offer, then as a claim once accepted; declining announces nothing', async () => {
    const app = await listening();
    const holder = await aKey(app);
    const next = await aKey(app);
    const last = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder));
    const first = await aWait(app, next);
    const second = await aWait(app, last);
    const offered = await eventsOf(app, () =>
      admin(app, `delete /admin/claims/${claim?.id}`).expect(200),
    );
    expect(typesOf(offered)).toEqual(['claim.deleted', 'hold.offered']);
    expect(offered[1]?.data).toMatchObject({
      wait_id: first.id,
      character_name: next.character_name,
      is_held: 1,
      by: null,
    });
    const declined = await eventsOf(app, () =>
      app.api.post(`/waits/${first.id}/decline`).set(asMember(next)).send({}).expect(200),
    );
    expect(declined.map(({ type, data }) => [type, 'wait_id' in data && data.wait_id])).toEqual([
      ['hold.offered', second.id],
    ]);
    const accepted = await eventsOf(app, () =>
      app.api.post(`/waits/${second.id}/accept`).set(asMember(last)).send({}).expect(200),
    );
    expect(accepted).toMatchObject([
      { type: 'claim.created', data: { character_name: last.character_name, is_held: 0 } },
    ]);
  });

  it('of bulk work are one summary with the count; a single claim is reported as usual', async () => {
    const app = await listening();
    const summary = (action: string, change: object = {}) => [
      {
        type: 'claims.changed',
        data: {
          action,
          by: 'admin',
          event: null,
          respawn: null,
          created: 0,
          deleted: 0,
          ...change,
        },
      },
    ];
    const claims = (respawn_id: number, ...names: string[]) =>
      submitAsAdmin(
        app,
        'member',
        ...names.map((character_name, n) =>
          aClaim({ character_name }, { respawn_id, hour_start: 4 * n, hour_end: 4 * n + 4 }),
        ),
      ).expect(201);
    const event = await anActiveEvent(app);
    await claims(1, 'Arden', 'Bram', 'Cyra');
    const copy = { name: 'Week 2', start_time: '2026-12-01T10:00', claims: 'all' };
    const copied = await eventsOf(app, () =>
      admin(app, `post /admin/events/${event.id}/copy`, copy).expect(200),
    );
    const named = { id: event.id + 1, name: 'Week 2' };
    expect(copied).toEqual(
      summary('event_copied', { event: named, created: 3 }).map((one) => ({
        ...one,
        timestamp: NOW,
      })),
    );
    const deleted = await eventsOf(app, () => admin(app, `delete /events/${named.id}`).expect(200));
    expect(deleted).toMatchObject(summary('event_deleted', { event: named, deleted: 3 }));
    const back = await eventsOf(app, () => undoLatest(app, 'event_deleted'));
    expect(back).toMatchObject(summary('claims_restored', { event: named, created: 3 }));

    const { body } = await app.api.get('/respawns').set(app.admin).expect(200);
    const spot = z
      .array(z.object({ id: z.number(), name: z.string() }))
      .parse(body)
      .find(({ id }) => id === 1);
    const respawn = { id: 1, name: spot?.name };
    const cleared = await eventsOf(app, () =>
      admin(app, 'delete /claims/admin/respawn/1').expect(200),
    );
    expect(cleared).toMatchObject(summary('claims_cleared', { respawn, deleted: 3 }));
    await claims(1, 'Dara');
    expect(
      typesOf(await eventsOf(app, () => admin(app, 'delete /claims/admin/respawn/1').expect(200))),
    ).toEqual(['claim.deleted']);
    expect(
      await eventsOf(app, () => admin(app, 'delete /claims/admin/respawn/1').expect(200)),
    ).toEqual([]);

    await claims(2, 'Eron', 'Fia');
    const ids = [...(await huntsIn(app)).values()].flatMap(({ id, respawn_id }) =>
      respawn_id === 2 ? [id] : [],
    );
    const gone = await eventsOf(app, () =>
      admin(app, 'post /admin/claims/bulk', { ids, command: { do: 'delete' } }).expect(200),
    );
    expect(gone).toMatchObject(summary('claims_deleted', { deleted: 2 }));
    await claims(3, 'Gil', 'Hale');
    const spots = await eventsOf(app, () =>
      admin(app, 'post /admin/respawns/bulk', { ids: [3, 4], command: { do: 'delete' } }).expect(
        200,
      ),
    );
    expect(spots).toMatchObject(summary('respawns_deleted', { deleted: 2 }));
  });

  it('of thousands deleted at once is one summary; of archived ones none', async () => {
    const app = await listening({ ARCHIVE_AFTER_DAYS: '10' });
    const write = () => admin(app, 'delete /claims/admin/respawn/1').expect(200);
    await manyClaims(app, { count: 2_100 });
    expect(await eventsOf(app, write)).toMatchObject([
      { type: 'claims.changed', data: { deleted: 2_100 } },
    ]);
    expect(await eventsOf(app, () => undoLatest(app, 'claims_cleared'))).toMatchObject([
      { type: 'claims.changed', data: { created: 2_100 } },
    ]);
    app.setNow('2027-02-01T18:00:00.000Z');
    const before = (await huntsIn(app)).size;
    expect(await eventsOf(app, () => runNow(app, archiveOld))).toEqual([]);
    expect((await huntsIn(app)).size).toBeLessThan(before);
  });

  it('without a subscriber are not stored', async () => {
    const app = await createTestApp(dialect);
    const { id } = await aDestination(app, { events: ['submission.closed'] });
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    expect(await toldIn(app)).toEqual([]);
    await admin(app, `put /admin/destinations/${id}`, { is_enabled: 0 }).expect(200);
    await admin(app, 'put /admin/config', { submission_enabled: 0 }).expect(200);
    expect(await toldIn(app)).toEqual([]);
  });
});
