import { describe, expect, it } from 'vitest';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import { aClaim, aKey, aSpot, change, submitted } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../dev/test/expect-refusal.ts';
import { hadWork, tidyUp } from '../dev/test/jobs.ts';
import { createTestApp, NOW, type TestApp } from '../dev/test/test-app.ts';
import { watching } from '../dev/test/watching.ts';
import { ACTIVITY_IN_SNAPSHOT } from './log.ts';
import { FORGOTTEN_AT_ONCE, forgetEntries, forgetUndos } from './retention.ts';
import { deleteClaim, latest, undo } from './test/undo.ts';

/** Ten days after now, at SS+9 again, and eleven. */
const IN_TEN = '2026-12-01T18:00:00.000Z';
const IN_ELEVEN = '2026-12-02T18:00:00.000Z';

async function log(
  app: TestApp,
  query: object = {},
): Promise<{ logs: ActivityEntry[]; total: number }> {
  return (await app.api.get('/admin/activity-log').set(app.admin).query(query).expect(200)).body
    .data;
}

/** Entries as of now, each with an undo of so many pieces, if any. */
const entries = (
  app: TestApp,
  count: number,
  {
    action = 'admin_login',
    pieces = 0,
    timestamp = NOW,
  }: { action?: string; pieces?: number; timestamp?: string } = {},
) =>
  change(app, async ({ tx }) => {
    for (let nth = 0; nth < count; nth += 1) {
      const entry = tx
        .insertInto('activity')
        .values({ timestamp, action, details: '{}' })
        .returning('id');
      const { id: entry_id } = await entry.executeTakeFirstOrThrow();
      if (pieces === 0) continue;
      const undo = tx
        .insertInto('undos')
        .values({ entry_id, version: 1, made_at: timestamp, claims: 0, pieces })
        .returning('id');
      const { id: undo_id } = await undo.executeTakeFirstOrThrow();
      const bodies = Array.from({ length: pieces }, (_, piece) => ({ undo_id, piece, body: '[]' }));
      await tx.insertInto('undo_pieces').values(bodies).execute();
    }
  });

/** How many undos are kept, in how many pieces. */
async function kept({ ctx: { db } }: TestApp): Promise<[number, number]> {
  const undos = await db.selectFrom('undos').select('id').execute();
  return [undos.length, (await db.selectFrom('undo_pieces').select('piece').execute()).length];
}

async function aDeletion(app: TestApp): Promise<ActivityEntry> {
  const key = await aKey(app);
  const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
  await deleteClaim(app, claim);
  return latest(app, 'claim_deleted');
}

describe.each(databases)('the log on %s', (dialect) => {
  it('deletes entries older than the settings say', async () => {
    const app = await createTestApp(dialect, { env: { ACTIVITY_KEPT_DAYS: '10' } });
    await entries(app, ACTIVITY_IN_SNAPSHOT + 20);
    const { expectSynced } = await watching(app);
    expect((await log(app)).total).toBeGreaterThan(ACTIVITY_IN_SNAPSHOT + 20);
    app.setNow(IN_TEN);
    await expectNoTick(app, async () => expect(await tidyUp(app)).toBe(false));
    const before = await latest(app, 'access_key_created');
    app.setNow(IN_ELEVEN);
    await aKey(app);
    expect(await hadWork(app, forgetEntries)).toBe(true);
    expect(await hadWork(app, forgetEntries)).toBe(false);
    await expectSynced(1);
    const { logs, total } = await log(app);
    expect([logs.map(({ action }) => action), total]).toEqual([['access_key_created'], 1]);
    expectRefusal(
      await undo(app, before.id),
      404,
      'activity.notFound',
      'There is no such entry in the log.',
      {},
    );
  });

  it('deletes a bounded number per write, and sends watchers nothing that is not on their screens', async () => {
    const app = await createTestApp(dialect, { env: { ACTIVITY_KEPT_DAYS: '10' } });
    app.setNow(IN_ELEVEN);
    await entries(app, FORGOTTEN_AT_ONCE.entries + 1);
    await entries(app, ACTIVITY_IN_SNAPSHOT, { timestamp: IN_ELEVEN });
    const { total } = await log(app);
    await hadWork(app, forgetEntries);
    expect((await log(app)).total).toBe(total - FORGOTTEN_AT_ONCE.entries);
    const { body } = await app.ctx.db
      .selectFrom('changes')
      .select('body')
      .orderBy('clock', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(body).toBe('[]');
    expect(await hadWork(app, forgetEntries)).toBe(true);
    expect(await hadWork(app, forgetEntries)).toBe(false);
  });

  it('keeps entries for ever, and undo data for ninety days, unless the settings say otherwise', async () => {
    const app = await createTestApp(dialect);
    const { id } = await aDeletion(app);
    app.setNow('2027-02-19T18:00:00.000Z');
    expect(await tidyUp(app)).toBe(false);
    app.setNow('2027-02-20T18:00:00.000Z');
    expect(await tidyUp(app)).toBe(true);
    const row = app.ctx.db.selectFrom('activity').select('undo_expired_at').where('id', '=', id);
    expect(await row.execute()).toEqual([{ undo_expired_at: '2027-02-20T18:00:00.000Z' }]);
    expect(await kept(app)).toEqual([0, 0]);
  });

  it('marks a deletion as no longer undoable, also live', async () => {
    const app = await createTestApp(dialect, { env: { UNDO_KEPT_DAYS: '10' } });
    const { id } = await aDeletion(app);
    const undone = await aDeletion(app);
    await undo(app, undone.id).expect(200);
    app.setNow(IN_TEN);
    expect(await hadWork(app, forgetUndos)).toBe(false);
    app.setNow(IN_ELEVEN);
    const { admin, expectSynced } = await watching(app);
    expect(await hadWork(app, forgetUndos)).toBe(true);
    expect(await hadWork(app, forgetUndos)).toBe(false);
    await expectSynced(0);
    const states = async () =>
      (await log(app, { action: 'claim_deleted' })).logs.map((entry) => [entry.id, entry.undo]);
    expect(await states()).toEqual([
      [undone.id, 'done'],
      [id, 'expired'],
    ]);
    expect(admin.records('activity').get(String(id))?.undo).toBe('expired');
    const answer = await expectNoTick(app, () => undo(app, id));
    expectRefusal(
      answer,
      409,
      'activity.undoExpired',
      'This is too old: the deleted data is no longer kept.',
      {},
    );
  });

  it('forgets undos by so many with a write, and by fewer where they are long, with all their pieces', async () => {
    const app = await createTestApp(dialect, { env: { UNDO_KEPT_DAYS: '10' } });
    await entries(app, FORGOTTEN_AT_ONCE.undos + 1, { pieces: 1 });
    app.setNow(IN_ELEVEN);
    await hadWork(app, forgetUndos);
    expect(await kept(app)).toEqual([1, 1]);
    await hadWork(app, forgetUndos);
    const half = FORGOTTEN_AT_ONCE.pieces / 2;
    await entries(app, 4, { pieces: half });
    await hadWork(app, forgetUndos);
    expect(await kept(app)).toEqual([2, 2 * half]);
    await hadWork(app, forgetUndos);
    await entries(app, 1, { pieces: 2 * FORGOTTEN_AT_ONCE.pieces });
    await hadWork(app, forgetUndos);
    expect(await kept(app)).toEqual([0, 0]);
  });

  it('deletes large undo records in small batches', async () => {
    const app = await createTestApp(dialect, {
      env: { ACTIVITY_KEPT_DAYS: '10', UNDO_KEPT_DAYS: '0' },
    });
    await entries(app, 3, { pieces: FORGOTTEN_AT_ONCE.pieces / 2 });
    const { total } = await log(app);
    app.setNow(IN_ELEVEN);
    await hadWork(app, forgetEntries);
    expect([(await log(app)).total, await kept(app)]).toEqual([
      1,
      [1, FORGOTTEN_AT_ONCE.pieces / 2],
    ]);
    await hadWork(app, forgetEntries);
    expect([total, (await log(app)).total, await kept(app)]).toEqual([4, 0, [0, 0]]);
  });
});
