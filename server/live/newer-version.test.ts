import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { aClaim, aKey, aSpot, changeUnheard, submit, submitted } from '../test/builders.ts';
import { databases } from '../test/databases.ts';
import { expectRefusal } from '../test/expect-refusal.ts';
import { createTestApp, type TestApp } from '../test/test-app.ts';
import { Watcher } from '../test/watcher.ts';

const tokenOf = (app: TestApp): string => app.admin.Authorization.replace('Bearer ', '');

/** A change set as a server of a newer version would store it. */
async function writtenByNewer({ ctx }: TestApp, changes: readonly object[]): Promise<void> {
  const clock = await changeUnheard({ ctx }, async (tx) => {
    const { value } = await tx.updateTable('clock').set({ value: sql<number>`value + 1` }).returning('value').executeTakeFirstOrThrow();
    await tx
      .insertInto('changes')
      .values({ clock: value, body: JSON.stringify(changes), at: ctx.now().toISOString() })
      .execute();
    return value;
  });
  ctx.bus.wake(clock);
  await ctx.bus.idle();
}

const anEntry = { timestamp: '2026-11-21T18:00:00.000Z', action: 'raid_planned', admin_id: null, admin_username: null };

describe.each(databases)('what a newer version wrote, on %s', (dialect) => {
  it('ends no watcher and hides nothing: an action, a kind, a field, an audience that this one does not know', async () => {
    const app = await createTestApp(dialect);
    const key = await aKey(app);
    const details = JSON.stringify({ raid: { size: 5 }, tags: ['a'] });
    await changeUnheard(app, (tx) =>
      tx
        .insertInto('activity')
        .values({ ...anEntry, admin_key: null, details, undo: null })
        .execute(),
    );
    const [admin, member] = [new Watcher(app.url, { admin_token: tokenOf(app) }), new Watcher(app.url, { access_key: key.key_value })];
    await Promise.all([admin.connect(), member.connect()]);
    expect([...admin.records('activity').values()].map(({ action }) => action)).toContain('raid_planned');
    const { body } = await app.api.get('/admin/activity-log').set(app.admin).expect(200);
    expect(body.data.logs[0]).toMatchObject({ action: 'raid_planned', details: { raid: { size: 5 } }, undo: null });

    await writtenByNewer(app, [
      { audience: 'all', change: { op: 'put', kind: 'raid', record: { id: 7 } } },
      { audience: 'raiders', change: { op: 'put', kind: 'category', record: { id: 99, name: 'Nobody’s' } } },
      { audience: 'all', change: { op: 'move', kind: 'category', id: 1 } },
      { audience: 'admins', change: { op: 'put', kind: 'activity', record: { ...anEntry, id: 999, details: {}, undo: null } } },
    ]);
    await submitted(app, key, aClaim(key));
    for (const watcher of [admin, member]) {
      await watcher.reached(app.ctx.bus.clock());
      expect(watcher.records('claim').size).toBe(1);
      expect(watcher.records('category').has('99')).toBe(false);
      expect(watcher.snapshots).toBe(1);
    }
    expect(admin.records('activity').get('999')).toMatchObject({ action: 'raid_planned' });
  });

  it('as the answer to a submission is the answer to its repetition', async () => {
    const app = await createTestApp(dialect);
    const [key, respawn_id] = [await aKey(app), aSpot()];
    const once = () => submit(app, key, aClaim(key, { respawn_id })).set('Idempotency-Key', 'again');
    await once().expect(201);
    const answer = [{ id: 1, character_name: key.character_name, held_until: null, is_secondary_claim: 'never' }];
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
    const deletedEntry = async (change: (stored: { claims: object[] }) => unknown): Promise<number> => {
      const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
      await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
      const entry = await app.ctx.db.selectFrom('activity').select(['id', 'undo']).orderBy('id', 'desc').executeTakeFirstOrThrow();
      const undo = JSON.stringify(change(JSON.parse(entry.undo ?? '')));
      await changeUnheard(app, (tx) => tx.updateTable('activity').set({ undo }).where('id', '=', entry.id).execute());
      return entry.id;
    };
    const other = await deletedEntry(({ claims, ...rest }) => ({ ...rest, claims: claims.map(() => ({ packed: 'x' })) }));
    const refused = await app.api.post(`/admin/activity-log/${other}/undo`).set(app.admin);
    expectRefusal(refused, 409, 'activity.otherVersion', expect.any(String), {});
    const more = await deletedEntry(({ claims, ...rest }) => ({
      ...rest,
      version: 9,
      claims: claims.map((one) => ({ ...one, held_until: 'x' })),
    }));
    await app.api.post(`/admin/activity-log/${more}/undo`).set(app.admin).expect(200);
  });
});
