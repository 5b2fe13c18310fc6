import { beforeAll, describe, expect, it } from 'vitest';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import { addAdmin, removeAdminByName } from '../cli/admin/operations.ts';
import {
  aClaim,
  aKey,
  aName,
  anActiveEvent,
  anEvent,
  aSpot,
  aWait,
  submit,
  submitAsAdmin,
  submitted,
} from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import {
  ADMIN_PASSWORD,
  createSuiteApp,
  createTestApp,
  NOW,
  type TestApp,
  TODAY,
} from '../dev/test/test-app.ts';
import { owedBy } from '../dev/test/watching.ts';
import { deleteClaim } from './test/undo.ts';

const log = (app: TestApp, query: object = {}) =>
  app.api.get('/admin/activity-log').set(app.admin).query(query);
const byAdmin = { admin_id: 1, admin_username: 'admin', timestamp: NOW };

describe.each(databases)('the log entry of each write on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const put = (path: string, body: object = {}) =>
    app.api.put(path).set(app.admin).send(body).expect(200);

  it('a login and a logout', async () => {
    const entries = await owedBy(app, async () => {
      const { body } = await app.api
        .post('/login')
        .send({ username: 'admin', password: ADMIN_PASSWORD });
      await app.api.post('/logout').set('Authorization', `Bearer ${body.data.token}`).expect(200);
    });
    expect(entries).toMatchObject(
      ['admin_login', 'admin_logout'].map((action) => ({ ...byAdmin, action, details: {} })),
    );
  });

  it('an access key’s life', async () => {
    let key: AccessKey | undefined;
    const entries = await owedBy(app, async () => {
      key = await aKey(app);
      await put(`/admin/access-keys/${key.id}/member-type`, { memberType: 'elite' });
      await put(`/admin/access-keys/${key.id}/revoke`);
      await put(`/admin/access-keys/${key.id}/enable`);
      await app.api.delete(`/admin/access-keys/${key.id}`).set(app.admin).expect(200);
    });
    const details = { access_key_id: key?.id, character_name: key?.character_name };
    expect(entries).toMatchObject([
      { ...byAdmin, action: 'access_key_created', details: { ...details, member_type: 'member' } },
      {
        action: 'access_key_updated',
        details: { ...details, changed: { member_type: { from: 'member', to: 'elite' } } },
      },
      { action: 'access_key_revoked', details },
      { action: 'access_key_enabled', details },
      { action: 'access_key_deleted', details: { ...details, verification_records: 0 } },
    ]);
    expect(JSON.stringify(entries)).not.toContain(key?.key_value);
  });

  it('an event’s life, with old and new values', async () => {
    const other = await createTestApp(dialect);
    const name = aName('Event');
    const renamed = aName('Event');
    const entries = await owedBy(other, async () => {
      const event = await anActiveEvent(other, { name });
      await other.api
        .put(`/events/${event.id}`)
        .set(other.admin)
        .send({ name: renamed, type: 'multiple_claims' })
        .expect(200);
      await other.api.post(`/events/${event.id}/deactivate`).set(other.admin).expect(200);
      await other.api.delete(`/events/${event.id}`).set(other.admin).expect(200);
    });
    expect(entries).toMatchObject([
      {
        ...byAdmin,
        action: 'event_created',
        details: { name, type: 'multiple_claims', start_time: '2026-11-15T10:00' },
      },
      { action: 'event_activated', details: { name } },
      {
        action: 'event_updated',
        details: { name: renamed, changed: { name: { from: name, to: renamed } } },
      },
      { action: 'event_deactivated', details: { name: renamed } },
      { action: 'event_deleted', details: { name: renamed, claim_count: 0 } },
    ]);
  });

  it('each claim of a submission, a member’s with the member’s name', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const dates = [TODAY, '2026-11-22'];
    const entries = await owedBy(app, () =>
      submitted(app, key, ...dates.map((date) => aClaim(key, { respawn_id, date }))),
    );
    const { character_name } = key;
    expect(entries).toMatchObject(
      dates.map((date) => ({
        action: 'claim_created',
        admin_id: null,
        admin_username: null,
        details: {
          by: character_name,
          character_name,
          member_type: 'member',
          date,
          event_id: null,
          places: [{ respawn_id, hour_start: 10, hour_end: 14 }],
        },
      })),
    );
  });

  it('an admin’s claim with the admin’s name, and one entry for a split claim with both places', async () => {
    const here = aSpot();
    const there = aSpot();
    const split_parts = [here, there].map((respawn_id, i) => ({
      part_number: i + 1,
      respawn_id,
      hour_start: 10 + 4 * i,
      duration: 2,
    }));
    const claim = aClaim(
      { character_name: aName() },
      { respawn_id: here, is_split_claim: 1, split_parts },
    );
    const entries = await owedBy(app, () => submitAsAdmin(app, 'member', claim).expect(201));
    expect(entries).toMatchObject([
      {
        ...byAdmin,
        details: { is_split_claim: 1, places: [{ respawn_id: here }, { respawn_id: there }] },
      },
    ]);
  });

  it('nothing, when it is refused, and nothing for a read', async () => {
    const key = await aKey(app);
    const entries = await owedBy(app, async () => {
      await submit(app, key, aClaim(key, { hour_start: 22, hour_end: 25 })).expect(400);
      await app.api.delete('/admin/claims/99999').set(app.admin).expect(404);
      await app.api.post('/login').send({ username: 'admin', password: 'wrong' }).expect(401);
      await app.api.get('/respawns').set(app.admin).expect(200);
    });
    expect(entries).toEqual([]);
  });
});

describe.each(databases)('the activity log on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  // Two logins at the start (SS+9 of the 21st), three events at SS+22 of the 22nd, two at SS+23 of it, one at SS+0 of the 23rd.
  beforeAll(async () => {
    for (const [now, count] of [
      ['2026-11-23T07:59:59.999Z', 3],
      ['2026-11-23T08:30:00.000Z', 2],
      ['2026-11-23T09:00:00.000Z', 1],
    ] as const) {
      app.setNow(now);
      for (let i = 0; i < count; i++) await anEvent(app);
    }
  });
  const counts = async (query: object): Promise<[number, number]> => {
    const { logs, filtered } = (await log(app, query).expect(200)).body.data;
    return [logs.length, filtered];
  };

  it('is answered newest first, with the number of all entries and of those that match', async () => {
    const { body } = await expectNoTick(app, () => log(app));
    expect([body.success, body.data.total, body.data.filtered, body.data.logs.length]).toEqual([
      true,
      7,
      7,
      7,
    ]);
    const ids = body.data.logs.map((entry: ActivityEntry) => entry.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(body.data.logs[0]).toEqual({
      id: ids[0],
      timestamp: '2026-11-23T09:00:00.000Z',
      action: 'event_created',
      actor_kind: 'admin',
      actor_name: 'admin',
      admin_id: 1,
      admin_username: 'admin',
      details: expect.objectContaining({ type: 'multiple_claims' }),
      clock: expect.any(Number),
      undo: null,
    });
  });

  it('is answered in pages', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) => (await log(app, { limit: 3, page })).body.data),
    );
    expect(pages.map((page) => [page.logs.length, page.total, page.filtered])).toEqual([
      [3, 7, 7],
      [3, 7, 7],
      [1, 7, 7],
      [0, 7, 7],
    ]);
    const ids = pages.flatMap((page) => page.logs.map((entry: ActivityEntry) => entry.id));
    expect(new Set(ids).size).toBe(7);
  });

  it('is answered from an entry back, so that pages do not shift while new entries arrive', async () => {
    const other = await createTestApp(dialect);
    for (let i = 0; i < 5; i++) await anEvent(other);
    const page = async (query: object): Promise<ActivityEntry[]> =>
      (await log(other, { limit: 2, ...query }).expect(200)).body.data.logs;
    const seen: number[] = [];
    for (
      let at = await page({});
      at.length > 0 && seen.length < 20;
      at = await page({ before: seen.at(-1) ?? 0 })
    ) {
      seen.push(...at.map((entry) => entry.id));
      await anEvent(other);
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1]);
    const { body } = await log(other, { before: 3, action: 'event_created' });
    expect([
      body.data.logs.map((entry: ActivityEntry) => entry.id),
      body.data.total,
      body.data.filtered,
    ]).toEqual([[2], 9, 8]);
    expect((await page({ before: 6, page: 2 })).map((entry) => entry.id)).toEqual([3, 2]);
  });

  it('R1.1: is filtered by an admin whose name is no ASCII, also once that admin is removed', async () => {
    const other = await createTestApp(dialect);
    await addAdmin(other.ctx, 'Ölaf Ærø', {
      password: ADMIN_PASSWORD,
      cost: other.ctx.passwords.cost,
    });
    const signIn = () =>
      other.api.post('/login').send({ username: 'ÖLAF ærø', password: ADMIN_PASSWORD });
    await signIn().expect(200);
    await signIn().expect(200);
    await removeAdminByName(other.ctx, 'ölaf ÆRØ');
    for (const admin of ['Ölaf Ærø', 'ölaf ærø', ' ÖLAF  ÆRØ ']) {
      const { logs, filtered } = (await log(other, { admin }).expect(200)).body.data;
      expect([filtered, logs.map((entry: ActivityEntry) => entry.admin_username)]).toEqual([
        2,
        ['Ölaf Ærø', 'Ölaf Ærø'],
      ]);
    }
  });

  it('counts entries as they arrive, without counting old ones again', async () => {
    const other = await createTestApp(dialect);
    const total = async (): Promise<number> => (await log(other, { limit: 1 })).body.data.total;
    expect(await total()).toBe(1);
    await Promise.all([anEvent(other), anEvent(other), total(), total()]);
    expect([await total(), await total()]).toEqual([3, 3]);
  });

  it('is filtered by action and by admin, whose name is written in any case', async () => {
    expect(await counts({ action: 'event_created' })).toEqual([6, 6]);
    expect(await counts({ action: 'admin_login', admin: ' ADMIN ' })).toEqual([1, 1]);
    expect(await counts({ admin: 'nobody' })).toEqual([0, 0]);
    expect((await log(app, { admin: 'nobody' })).body.data.total).toBe(7);
  });

  it('leaves out members’ actions if only admins’ are requested', async () => {
    const other = await createTestApp(dialect);
    const key = await aKey(other);
    await submit(other, key, aClaim(key)).expect(201);
    const { logs, total, filtered } = (await log(other, { by: 'admins' }).expect(200)).body.data;
    expect(logs.map(({ actor_kind }: ActivityEntry) => actor_kind)).toEqual(['admin', 'admin']);
    expect([total, filtered]).toEqual([3, 2]);
    expectRefusal(
      await log(other, { by: 'members' }),
      400,
      'request.invalid',
      'The field “by” is not valid.',
    );
  });

  it('comes with what an action caused, which shares its write and may not match the filter', async () => {
    const other = await createTestApp(dialect);
    await other.api.put('/admin/config').set(other.admin).send({ waits_enabled: 1 }).expect(200);
    const holder = await aKey(other);
    const next = await aKey(other);
    const [claim] = await submitted(other, holder, aClaim(holder));
    await aWait(other, next);
    await deleteClaim(other, claim);
    const { logs, related } = (await log(other, { by: 'admins', limit: 1 }).expect(200)).body.data;
    expect(logs).toMatchObject([
      { action: 'claim_deleted', actor_kind: 'admin', clock: expect.any(Number) },
    ]);
    expect(related).toMatchObject([
      { action: 'hold_offered', actor_kind: 'server', clock: logs[0].clock },
    ]);
    expect(related[0].id).toBeGreaterThan(logs[0].id);
    const all = (await log(other, { limit: 2 }).expect(200)).body.data;
    expect(all.logs.map(({ action }: ActivityEntry) => action)).toEqual([
      'hold_offered',
      'claim_deleted',
    ]);
    expect(all.related).toEqual([]);
  });

  it('is searched by the beginning of a character’s or a spot’s name, also of a former name', async () => {
    const other = await createTestApp(dialect);
    const rigga = await aKey(other, 'Rigga Ölander');
    const riggan = await aKey(other, 'Riggan Kett');
    const [claim] = await submitted(other, rigga, aClaim(rigga));
    const spot = (
      await other.ctx.db
        .selectFrom('respawns')
        .select('name')
        .where('id', '=', claim?.respawn_id ?? 0)
        .executeTakeFirstOrThrow()
    ).name;
    await other.api
      .put(`/admin/respawns/${claim?.respawn_id}`)
      .set(other.admin)
      .send({ name: 'Hollow Gate' })
      .expect(200);
    await deleteClaim(other, claim);
    const found = async (query: object): Promise<string[]> => {
      const { logs, filtered } = (await log(other, query).expect(200)).body.data;
      expect(filtered).toBe(logs.length);
      return logs.map(({ action }: ActivityEntry) => action);
    };
    const ofRigga = ['claim_deleted', 'claim_created', 'access_key_created'];
    expect(await found({ name: ' RIGGA ölander ' })).toEqual(ofRigga);
    expect(await found({ name: 'rigga' })).toEqual([
      'claim_deleted',
      'claim_created',
      'access_key_created',
      'access_key_created',
    ]);
    expect(await found({ name: riggan.character_name })).toEqual(['access_key_created']);
    expect(await found({ name: 'hollow' })).toEqual(['claim_deleted', 'respawn_updated']);
    expect(await found({ name: spot })).toEqual(['respawn_updated', 'claim_created']);
    expect(await found({ name: 'olander' })).toEqual([]);
    expect(await found({ name: 'rigga', action: 'claim_created' })).toEqual(['claim_created']);
    expect(await found({ name: 'rigga', action: 'claim_history' })).toEqual(['claim_deleted']);
    const pages = [1, 2].map((page) => log(other, { name: 'rigga', limit: 3, page }));
    expect(
      (await Promise.all(pages)).map(({ body }) => [body.data.logs.length, body.data.filtered]),
    ).toEqual([
      [3, 4],
      [1, 4],
    ]);
  });

  it('is found by each character of a bulk deletion, and by the spot of an undone change', async () => {
    const other = await createTestApp(dialect);
    const ids: number[] = [];
    for (let n = 1; n <= 12; n += 1) {
      const key = await aKey(other, `Hunter ${String.fromCharCode(96 + n)}`);
      const [claim] = await submitted(
        other,
        key,
        aClaim(key, { date: '2026-11-22', hour_start: n, hour_end: n + 1 }),
      );
      ids.push(claim?.id ?? 0);
    }
    await other.api
      .post('/admin/claims/bulk')
      .set(other.admin)
      .send({ ids, command: { do: 'delete' } })
      .expect(200);
    const found = async (query: object): Promise<string[]> =>
      (await log(other, query).expect(200)).body.data.logs.map(
        ({ action }: ActivityEntry) => action,
      );
    expect(await found({ name: 'hunter l', action: 'claim_history' })).toEqual(['claims_deleted']);
    await other.api
      .put('/admin/respawns/3')
      .set(other.admin)
      .send({ name: 'Hollow Gate' })
      .expect(200);
    const { logs } = (await log(other, { limit: 1 })).body.data;
    await other.api.post(`/admin/activity-log/${logs[0].id}/undo`).set(other.admin).expect(200);
    expect(await found({ name: 'hollow gate' })).toEqual(['change_undone', 'respawn_updated']);
  });

  it.each([
    {
      what: 'an event',
      action: 'event_deleted',
      remove: (to: TestApp, event_id: number) => to.api.delete(`/events/${event_id}`),
    },
    {
      what: 'a spot',
      action: 'respawn_deleted',
      remove: (to: TestApp) => to.api.delete('/admin/respawns/1'),
    },
    {
      what: 'many spots',
      action: 'respawns_deleted',
      remove: (to: TestApp) =>
        to.api.post('/admin/respawns/bulk').send({ ids: [1, 2], command: { do: 'delete' } }),
    },
    {
      what: "a spot's claims",
      action: 'claims_cleared',
      remove: (to: TestApp) => to.api.delete('/claims/admin/respawn/1'),
    },
  ])('finds the deletion of $what by each character whose claim it took', async (deletion) => {
    const other = await createTestApp(dialect);
    const event = await anActiveEvent(other);
    for (const [hour_start, name] of ['Mira', 'Aldo'].entries()) {
      const key = await aKey(other, name);
      const hours = { hour_start: 10 + hour_start, hour_end: 11 + hour_start };
      await submitted(
        other,
        key,
        aClaim(key, { respawn_id: 1, date: '2026-11-24', event_id: event.id, ...hours }),
      );
    }
    await deletion.remove(other, event.id).set(other.admin).expect(200);
    for (const name of ['mira', 'aldo']) {
      const { logs } = (await log(other, { name, action: deletion.action }).expect(200)).body.data;
      expect(logs).toHaveLength(1);
    }
  });

  it('has the claim history as a filter', async () => {
    const other = await createTestApp(dialect);
    const key = await aKey(other);
    const ids: number[] = [];
    for (const date of ['2026-11-22', '2026-11-23', '2026-11-24']) {
      const [claim] = await submitted(other, key, aClaim(key, { date }));
      await deleteClaim(other, claim);
      ids.push((await log(other, { limit: 1 })).body.data.logs[0].id);
    }
    ids.reverse();
    const read = async (query: object): Promise<[number[], number]> => {
      const { logs, filtered } = (
        await log(other, { action: 'claim_history', ...query }).expect(200)
      ).body.data;
      return [logs.map(({ id }: ActivityEntry) => id), filtered];
    };
    expect(await read({})).toEqual([ids, 3]);
    expect(await read({ limit: 2, page: 2 })).toEqual([ids.slice(2), 3]);
    expect(await read({ before: ids[0] })).toEqual([ids.slice(1), 3]);
    expect(await read({ limit: 500, page: 20 })).toEqual([[], 3]);
    expect(await read({ admin: 'nobody' })).toEqual([[], 0]);
  });

  it('R8.2: is filtered by server-save dates, both included: SS+23 belongs to the date before', async () => {
    expect(await counts({ from: '2026-11-22', to: '2026-11-22' })).toEqual([5, 5]);
    expect(await counts({ from: '2026-11-23' })).toEqual([1, 1]);
    expect(await counts({ to: '2026-11-21' })).toEqual([1, 1]);
    expect(await counts({ from: '2026-11-21', to: '2026-11-23' })).toEqual([7, 7]);
    expect(await counts({ from: '2026-11-23', to: '2026-11-21' })).toEqual([0, 0]);
    expect(
      await counts({ from: '2026-11-22', to: '2026-11-22', action: 'event_created', limit: 2 }),
    ).toEqual([2, 5]);
  });

  it.each([
    [{ action: 'nonsense' }, 'action'],
    [{ limit: 0 }, 'limit'],
    [{ limit: 501 }, 'limit'],
    [{ page: 0 }, 'page'],
    [{ page: 'two' }, 'page'],
    [{ action: 'claim_history', limit: 500, page: 21 }, 'page'],
    [{ admin: 'a'.repeat(201) }, 'admin'],
    [{ before: 0 }, 'before'],
    [{ before: 'last' }, 'before'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '0000-01-01' }, 'from'],
    [{ to: '2026-02-30' }, 'to'],
    [{ to: '9999-12-31' }, 'to'],
    [{ admin: ' ' }, 'admin'],
    [{ name: ' ' }, 'name'],
    [{ name: 'a'.repeat(101) }, 'name'],
  ])('refuses the query %j', async (query, field) => {
    expectRefusal(
      await log(app, query),
      400,
      'request.invalid',
      `The field “${field}” is not valid.`,
      { field },
    );
  });
});
