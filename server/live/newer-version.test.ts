import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { UNDO_VERSION } from '../activity/undo-store.ts';
import { aClaim, aKey, aSpot, changeUnheard, submit, submitted } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { expectRefusal } from '../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';

const tokenOf = (app: TestApp): string => app.admin.Authorization.replace('Bearer ', '');

/** A change set as a server of a newer version would store it. */
async function writtenByNewer({ ctx }: TestApp, changes: readonly object[]): Promise<void> {
  const clock = await changeUnheard({ ctx }, async (tx) => {
    const { value } = await tx
      .updateTable('clock')
      .set({ value: sql<number>`value + 1` })
      .returning('value')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('changes')
      .values({ clock: value, body: JSON.stringify(changes), at: ctx.now().toISOString() })
      .execute();
    return value;
  });
  ctx.bus.wake(clock);
  await ctx.bus.idle();
}

const anEntry = {
  timestamp: '2026-11-21T18:00:00.000Z',
  action: 'raid_planned',
  actor_kind: 'server',
  actor_name: null,
  admin_id: null,
} as const;

describe.each(databases)('rows of a newer version, on %s', (dialect) => {
  it('ends no watcher and hides nothing else: an action, a detail, a kind, an audience that this one does not know is skipped', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const details = JSON.stringify({ raid: { size: 5 }, tags: ['a'] });
    const known = { ...anEntry, action: 'user_banned' };
    await changeUnheard(app, (tx) =>
      tx
        .insertInto('activity')
        .values([
          { ...known, admin_key: null, details: '{"character_name":"Bubble","reason":{"days":3}}' },
          { ...anEntry, admin_key: null, details },
        ])
        .execute(),
    );
    const admin = new Watcher(app.url, { admin_token: tokenOf(app) });
    const member = new Watcher(app.url, { access_key: key.key_value });
    await Promise.all([admin.connect(), member.connect()]);
    const { body } = await app.api.get('/admin/activity-log').set(app.admin).expect(200);
    for (const entries of [
      [...admin.records('activity').values()].sort((a, b) => b.id - a.id),
      body.data.logs,
    ]) {
      expect(entries[0]).toMatchObject({
        action: 'user_banned',
        actor_kind: 'server',
        details: { character_name: 'Bubble' },
      });
      expect(JSON.stringify(entries)).not.toMatch(/raid|reason/);
    }
    expect([body.data.total, body.data.filtered]).toEqual([
      body.data.logs.length,
      body.data.logs.length,
    ]);
    const page = await app.api
      .get('/admin/activity-log')
      .query({ limit: 1 })
      .set(app.admin)
      .expect(200);
    expect(page.body.data.logs).toMatchObject([{ action: 'user_banned' }]);

    await writtenByNewer(app, [
      { audience: 'all', change: { op: 'put', kind: 'raid', record: { id: 7 } } },
      {
        audience: 'raiders',
        change: { op: 'put', kind: 'category', record: { id: 99, name: 'Nobody’s' } },
      },
      { audience: 'all', change: { op: 'move', kind: 'category', id: 1 } },
      {
        audience: 'admins',
        change: {
          op: 'put',
          kind: 'activity',
          record: { ...anEntry, id: 999, details: {}, undo: null },
        },
      },
      {
        audience: 'admins',
        change: {
          op: 'put',
          kind: 'activity',
          record: { ...known, id: 998, details: {}, undo: null },
        },
      },
    ]);
    await submitted(app, key, aClaim(key));
    for (const watcher of [admin, member]) {
      await watcher.reached(app.ctx.bus.clock());
      expect(watcher.records('claim').size).toBe(1);
      expect(watcher.records('category').has('99')).toBe(false);
      expect(watcher.snapshots).toBe(1);
    }
    expect(admin.records('activity').has('999')).toBe(false);
    expect(admin.records('activity').get('998')).toMatchObject({ action: 'user_banned' });
  });

  it('as the answer to a submission is the answer to its repetition', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const respawn_id = aSpot();
    const once = () =>
      submit(app, key, aClaim(key, { respawn_id })).set('Idempotency-Key', 'again');
    await once().expect(201);
    const answer = [
      { id: 1, character_name: key.character_name, held_until: null, is_secondary_claim: 'never' },
    ];
    await changeUnheard(app, (tx) =>
      tx
        .updateTable('idempotent_answers')
        .set({ answer: JSON.stringify(answer) })
        .execute(),
    );
    expect((await once().expect(201)).body.data).toEqual(answer);
  });

  it('as the rows of an undo is put back as far as it is known here, and refused where it cannot be read', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const deletedEntry = async (
      change: (claim: object) => object,
      version = UNDO_VERSION,
    ): Promise<number> => {
      const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
      await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
      const undos = app.ctx.db
        .selectFrom('undo_pieces')
        .innerJoin('undos', 'undos.id', 'undo_id')
        .select(['undo_id', 'entry_id', 'body']);
      const { undo_id, entry_id, body } = await undos
        .orderBy('undo_id', 'desc')
        .executeTakeFirstOrThrow();
      const changed = JSON.stringify(JSON.parse(body).map(change));
      await changeUnheard(app, (tx) =>
        tx
          .updateTable('undo_pieces')
          .set({ body: changed })
          .where('undo_id', '=', undo_id)
          .execute(),
      );
      await changeUnheard(app, (tx) =>
        tx.updateTable('undos').set({ version }).where('id', '=', undo_id).execute(),
      );
      return entry_id ?? 0;
    };
    for (const other of [
      await deletedEntry(() => ({ compressed: 'x' })),
      await deletedEntry((claim) => claim, UNDO_VERSION + 1),
    ]) {
      const refused = await app.api.post(`/admin/activity-log/${other}/undo`).set(app.admin);
      expectRefusal(refused, 409, 'activity.otherVersion', expect.any(String), {});
    }
    const more = await deletedEntry((claim) => ({ ...claim, held_until: 'x' }));
    await app.api.post(`/admin/activity-log/${more}/undo`).set(app.admin).expect(200);
  });
});
