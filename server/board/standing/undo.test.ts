import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { latest, stored, undo, undoLatest } from '../../activity/test/undo.ts';
import { aKey, anAdmin, asMember, changeUnheard } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { watching } from '../../dev/test/watching.ts';
import { wrongCounts } from '../claims/consistency.ts';
import { allowStanding, aStanding, datesOf, listStanding } from './test/standing.ts';

async function aGuild(dialect: 'sqlite' | 'postgres'): Promise<{ app: TestApp; key: AccessKey }> {
  const app = await createTestApp(dialect);
  await allowStanding(app);
  await app.runDue();
  return { app, key: await aKey(app) };
}

const end = (app: TestApp, id: number, claims: 'keep' | 'release') =>
  app.api.delete(`/standing/${id}?claims=${claims}`).set(app.admin).send({}).expect(200);

const endings = (app: TestApp) => app.ctx.db.selectFrom('claim_endings').selectAll().execute();

describe.each(databases)('undoing an admin’s ending of a weekly claim on %s', (dialect) => {
  it.each(['keep', 'release'] as const)(
    'resumes it as it was, with its claims (%s)',
    async (claims) => {
      const { app, key } = await aGuild(dialect);
      const standing = await aStanding(app, key, { weekdays: [2, 4] });
      const { expectSynced } = await watching(app);
      const before = await stored(app);
      await end(app, standing.id, claims);
      expect(await listStanding(app, key)).toEqual([]);
      expect(await datesOf(app, key)).toHaveLength(claims === 'keep' ? 2 : 0);
      // One row in the log, with the claims that it ended.
      const { body } = await app.api.get('/admin/activity-log?by=admins&limit=1').set(app.admin);
      const entry = await latest(app, 'standing_ended');
      expect(body.data.logs[0]).toMatchObject({
        id: entry.id,
        undo: 'possible',
        details: { released_claims: claims === 'keep' ? 0 : 2 },
      });
      expect(body.data.related).toEqual([]);
      const { headers } = await anAdmin(app, 'moderator');
      await app.api.post(`/admin/activity-log/${entry.id}/undo`).set(headers).expect(200);
      await app.runDue();
      expect(await listStanding(app, key)).toEqual([standing]);
      expect(await stored(app)).toEqual(before);
      expect([await endings(app), await wrongCounts(app.ctx.db)]).toEqual([[], []]);
      await expectSynced();
      expect((await latest(app, 'change_undone')).details).toMatchObject({
        undid: entry.id,
        undid_action: 'standing_ended',
        character_name: key.character_name,
        places: [{ respawn_id: 1, hour_start: 10, hour_end: 14 }],
      });
    },
  );

  it('makes the claims that came due meanwhile', async () => {
    const { app, key } = await aGuild(dialect);
    const standing = await aStanding(app, key, { weekdays: [7] });
    await end(app, standing.id, 'keep');
    app.setNow('2026-11-23T10:00:00.000Z');
    await app.runDue();
    expect(await datesOf(app, key)).toEqual(['2026-11-22']);
    await undoLatest(app, 'standing_ended');
    await app.runDue();
    expect(await datesOf(app, key)).toEqual(['2026-11-22', '2026-11-29']);
  });

  it('works when the row of the ended one is deleted already', async () => {
    const { app, key } = await aGuild(dialect);
    const standing = await aStanding(app, key, { weekdays: [7] });
    await end(app, standing.id, 'keep');
    app.setNow('2026-11-23T10:00:00.000Z');
    // As the job does after 30 days.
    await changeUnheard(app, (tx) => tx.deleteFrom('standing_claims').execute());
    await undoLatest(app, 'standing_ended');
    await app.runDue();
    expect(await listStanding(app, key)).toMatchObject([
      { id: standing.id, weekdays: [7], ended_at: null },
    ]);
    expect(await datesOf(app, key)).toContain('2026-11-29');
  });

  it('is refused for a banned character, and without the spot or the key', async () => {
    const { app, key } = await aGuild(dialect);
    const standing = await aStanding(app, key, { weekdays: [7] });
    await end(app, standing.id, 'keep');
    const entry = await latest(app, 'standing_ended');
    const refused = async (): Promise<[number, string]> => {
      const { status, body } = await undo(app, entry.id);
      return [status, body.code];
    };
    await app.api
      .post('/admin/ban-character')
      .set(app.admin)
      .send({ character_name: key.character_name })
      .expect(200);
    expect(await refused()).toEqual([409, 'character.banned']);
    await app.api
      .post('/admin/unban-character')
      .set(app.admin)
      .send({ character_name: key.character_name })
      .expect(200);
    await app.api.delete('/admin/respawns/1').set(app.admin).expect(200);
    expect(await refused()).toEqual([409, 'activity.goneMeanwhile']);
    await undoLatest(app, 'respawn_deleted');
    await app.api.delete(`/admin/access-keys/${key.id}`).set(app.admin).expect(200);
    const { character_name } = key;
    const sentence = `It belonged to something that no longer exists: ${character_name}. If the log offers to restore that, do so first.`;
    expectRefusal(await undo(app, entry.id), 409, 'activity.goneMeanwhile', sentence, {
      list: character_name,
    });
    await undoLatest(app, 'access_key_deleted');
    await undo(app, entry.id).expect(200);
    expect(await listStanding(app, key)).toHaveLength(1);
  });

  it('does not exist for what a member ended', async () => {
    const { app, key } = await aGuild(dialect);
    const standing = await aStanding(app, key, { weekdays: [7] });
    await app.api.delete(`/standing/${standing.id}`).set(asMember(key)).send({}).expect(200);
    expect((await latest(app, 'standing_ended')).undo).toBeNull();
  });
});
