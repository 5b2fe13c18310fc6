import { describe, expect, it, vi } from 'vitest';
import { omit } from '../../../shared/omit.ts';
import type { ArchivedEvent } from '../../../shared/schemas/archive.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { deleteClaim, latest, splitOn, stored, undo } from '../../activity/test/undo.ts';
import { CLAIM_BATCH_SIZE } from '../../db/database.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  anEvent,
  aRespawn,
  change,
  noActiveEvent,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { hadWork } from '../../dev/test/jobs.ts';
import { manyClaims } from '../../dev/test/many-claims.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { watching } from '../../dev/test/watching.ts';
import { wrongCounts } from '../claims/consistency.ts';
import { findRespawns } from '../records/respawns.ts';
import { archiveOld } from './move.ts';

const AFTER = { ARCHIVE_AFTER_DAYS: '10' };
/** Ten days after the usual event's last date, and eleven: SS+0 of these dates is at 9:00. */
const NOT_YET = '2026-12-08T18:00:00.000Z';
const LATER = '2026-12-09T18:00:00.000Z';

/** @returns how many writes it took */
async function archiveAll(app: TestApp): Promise<number> {
  let writes = 0;
  while (await hadWork(app, archiveOld)) writes += 1;
  return writes;
}

const get = (app: TestApp, path: string, query: object = {}) =>
  app.api.get(path).set(app.admin).query(query);
async function read<T>(app: TestApp, path: string, query: object = {}): Promise<T[]> {
  return (await get(app, path, query).expect(200)).body.data;
}
const archivedEvents = (app: TestApp) => read<ArchivedEvent>(app, '/admin/archive/events');
const archivedClaims = (app: TestApp, query: object = {}) =>
  read<ClaimRow>(app, '/admin/archive/claims', query);

describe.each(databases)('the archive on %s', (dialect) => {
  it('takes an ended event with its claims, which read as before, and leaves every count and every other claim', async () => {
    const app = await createTestApp(dialect, { env: AFTER });
    const event = await anActiveEvent(app);
    const one = await aKey(app, 'Vice', 'vice');
    const two = await aKey(app);
    const three = await aKey(app);
    const primary = aClaim(one, { respawn_id: 3 });
    await submitted(app, one, primary, { ...primary, respawn_id: 4, is_secondary_claim: 1 });
    await submitted(app, two, aClaim(two, splitOn(5, 6)));
    const before = await read<ClaimRow>(app, `/events/${event.id}/claims`);
    await noActiveEvent(app);
    const next = await anEvent(app, { name: 'Next', end_time: '2026-11-29T10:00' });
    await submitted(app, three, aClaim(three, { respawn_id: 3, date: '2026-11-29' }));
    const spots = await findRespawns(app.ctx.db);
    const { expectSynced } = await watching(app);
    app.setNow(LATER);

    await archiveAll(app);
    await expectSynced(1);
    expect(await read(app, '/events')).toMatchObject([{ id: next.id }]);
    const known = omit({ ...event, claim_count: 3 }, 'is_active');
    expect(await archivedEvents(app)).toEqual([{ ...known, archived_at: LATER }]);
    expect(await read(app, `/admin/archive/events/${event.id}/claims`)).toEqual(before);
    expect(await archivedClaims(app)).toEqual(before);
    const links = await app.ctx.db
      .selectFrom('archived_claims')
      .select(['id', 'primary_claim_id'])
      .orderBy('id')
      .execute();
    expect(links.map(({ primary_claim_id }) => primary_claim_id)).toEqual([
      null,
      links[0]?.id,
      null,
    ]);
    expect(await read(app, '/admin/claims')).toMatchObject([
      { character_name: three.character_name },
    ]);
    const { hours, days } = (await stored(app)) as Record<'hours' | 'days', { date: string }[]>;
    expect(new Set([...hours, ...days].map(({ date }) => date))).toEqual(new Set(['2026-11-29']));
    expect(await findRespawns(app.ctx.db)).toEqual(spots);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
    expect((await latest(app, 'event_archived')).details).toMatchObject({
      event_id: event.id,
      name: event.name,
      claim_count: 3,
    });
  });

  it('takes no active event, none that ended a day too late, and nothing at all unless configured', async () => {
    const off = await createTestApp(dialect);
    const on = await createTestApp(dialect, { env: AFTER });
    for (const app of [off, on]) {
      const key = await aKey(app);
      await submitted(app, key, aClaim(key, { date: '2026-11-28' }));
      await anEvent(app);
    }
    const active = await anActiveEvent(on, { start_time: '2026-11-01', end_time: '2026-11-02' });
    on.setNow(NOT_YET);
    off.setNow(LATER);
    for (const app of [off, on])
      await expectNoTick(app, async () => expect(await hadWork(app, archiveOld)).toBe(false));
    on.setNow(LATER);
    // The other event, in two writes, and a claim of no event.
    expect(await archiveAll(on)).toBe(3);
    expect(await read(on, '/events')).toMatchObject([{ id: active.id }]);
  });

  it.each(['an event', 'no event'])(
    'takes claims of %s, at most so many with a write, each with whom it was submitted with',
    async (of) => {
      const app = await createTestApp(dialect, { env: AFTER });
      const event = of === 'an event' ? await anEvent(app) : null;
      const count = CLAIM_BATCH_SIZE + 50;
      const first_id = 1_000_000;
      await manyClaims(app, {
        count,
        first_id,
        spots: count / 10,
        ...(event && { event_id: event.id }),
      });
      const primary = first_id + CLAIM_BATCH_SIZE - 1;
      const secondary = first_id + CLAIM_BATCH_SIZE;
      await change(app, ({ tx }) =>
        tx
          .updateTable('claims')
          .set({ primary_claim_id: primary })
          .where('id', '=', secondary)
          .execute(),
      );
      const spots = await findRespawns(app.ctx.db, { ids: [1, 2] });
      app.setNow(LATER);
      const { expectSynced } = await watching(app);
      if (event) await hadWork(app, archiveOld);
      const left = async () =>
        (await app.ctx.db.selectFrom('claims').select('id').execute()).length;
      for (const still of [50, 0]) {
        expect(await hadWork(app, archiveOld)).toBe(true);
        expect(await left()).toBe(still);
        expect(await wrongCounts(app.ctx.db)).toEqual([]);
      }
      await expectNoTick(app, async () => expect(await hadWork(app, archiveOld)).toBe(false));
      await expectSynced(0);
      const link = app.ctx.db
        .selectFrom('archived_claims')
        .select('primary_claim_id')
        .where('id', '=', secondary);
      expect(await link.execute()).toEqual([{ primary_claim_id: primary }]);
      expect(await findRespawns(app.ctx.db, { ids: [1, 2] })).toEqual(spots);
      const { headers, body } = await get(app, '/admin/archive/claims', {
        limit: 2,
        from: TODAY,
        to: TODAY,
      }).expect(200);
      expect([headers['x-total-count'], body.data.length]).toEqual([String(count), 2]);
      const older = await archivedClaims(app, { limit: 2, before: body.data[0].id });
      expect(older.map(({ id }) => id)).toEqual([body.data[0].id - 2, body.data[0].id - 1]);
      expect(await archivedClaims(app, { from: '2026-11-22' })).toEqual([]);
    },
  );

  it('takes few claims at once that held hours on every date of a long event', async () => {
    const app = await createTestApp(dialect, { env: AFTER });
    await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-08-21',
      end_time: '2026-11-28',
    });
    const keys = [await aKey(app), await aKey(app), await aKey(app)];
    for (const [at, key] of keys.entries())
      await submitted(app, key, aClaim(key, { respawn_id: 1 + at, date: null }));
    await noActiveEvent(app);
    app.setNow(LATER);
    await hadWork(app, archiveOld);
    await hadWork(app, archiveOld);
    // Of a hundred dates.
    expect(await app.ctx.db.selectFrom('claims').select('id').execute()).toHaveLength(1);
    await archiveAll(app);
    expect(await archivedClaims(app, { from: '2026-11-28', to: '2026-11-28' })).toHaveLength(3);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('has an event from the first write on: nothing changes it while its claims follow, and a claim may still be deleted', async () => {
    const app = await createTestApp(dialect, { env: AFTER });
    const event = await anActiveEvent(app);
    const one = await aKey(app);
    const two = await aKey(app);
    const [claim] = await submitted(app, one, aClaim(one));
    const [other] = await submitted(app, two, aClaim(two, { respawn_id: 2 }));
    await noActiveEvent(app);
    app.setNow(LATER);
    const { expectSynced } = await watching(app);
    await hadWork(app, archiveOld);
    await expectSynced(0);
    expect(await archivedEvents(app)).toMatchObject([{ id: event.id, claim_count: 2 }]);
    const { headers, body } = await get(app, '/events').expect(200);
    expect([headers['x-total-count'], body.data]).toEqual(['0', []]);
    const at = `/events/${event.id}`;
    for (const refused of [
      get(app, `${at}/claims`),
      app.api.put(at).set(app.admin).send({ end_time: '2027-01-01' }),
      app.api.delete(at).set(app.admin),
      app.api.post(`${at}/activate`).set(app.admin),
    ])
      expect((await refused).body.code).toBe('event.notFound');
    await deleteClaim(app, claim);
    await expectSynced();
    const answer = await expectNoTick(app, async () =>
      undo(app, (await latest(app, 'claim_deleted')).id),
    );
    expectRefusal(answer, 409, 'activity.goneMeanwhile', answer.body.error, { list: event.name });
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
    await archiveAll(app);
    await expectSynced(0);
    expect(await archivedEvents(app)).toMatchObject([{ id: event.id, claim_count: 1 }]);
    expect(await archivedClaims(app)).toMatchObject([{ id: other?.id }]);
    expect((await undo(app, (await latest(app, 'claim_deleted')).id)).body.code).toBe(
      'activity.goneMeanwhile',
    );
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
    // Its name is free.
    await anEvent(app, { name: event.name });
  });

  it('finishes a started run, even if the settings change meanwhile', async () => {
    const app = await createTestApp(dialect, { env: AFTER });
    const event = await anEvent(app);
    app.setNow(LATER);
    await hadWork(app, archiveOld);
    app.ctx.env.ARCHIVE_AFTER_DAYS = 0;
    expect(await archiveAll(app)).toBe(1);
    expect(await app.ctx.db.selectFrom('events').select('id').execute()).toEqual([]);
    expect(await archivedEvents(app)).toMatchObject([{ id: event.id }]);
  });

  it('keeps the names of deleted spots, and the last claim date of spots that still exist', async () => {
    const app = await createTestApp(dialect, { env: AFTER });
    const gone = await aRespawn(app);
    const stays = await aRespawn(app);
    const keys = [await aKey(app), await aKey(app)];
    for (const [at, respawn_id] of [gone.id, stays.id].entries()) {
      const key = keys[at];
      if (key) await submitted(app, key, aClaim(key, { respawn_id }));
    }
    app.setNow(LATER);
    await archiveAll(app);
    const again = aClaim({ character_name: 'Late' }, { respawn_id: stays.id, date: '2026-11-20' });
    const { body } = await submitAsAdmin(app, 'member', again).expect(201);
    await deleteClaim(app, body.data[0]);
    expect(await findRespawns(app.ctx.db, { ids: [stays.id] })).toMatchObject([
      { total_claims: 1, last_claim_date: TODAY },
    ]);
    await app.api.delete(`/admin/respawns/${gone.id}`).set(app.admin).expect(200);
    expect((await archivedClaims(app)).map(({ respawn_name }) => respawn_name)).toEqual([
      gone.name,
      stays.name,
    ]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('answers for no event that it does not have', async () => {
    const app = await createTestApp(dialect);
    expectRefusal(
      await get(app, '/admin/archive/events/1/claims'),
      404,
      'event.notFound',
      'This event no longer exists.',
      {},
    );
  });
});

it('a running server archives old claims in batches, also after a downtime', async () => {
  const app = await createTestApp('sqlite', { env: AFTER, serve: { jobs: { everyMs: 20 } } });
  const key = await aKey(app);
  await submitted(app, key, aClaim(key));
  await anEvent(app);
  const failed = vi.spyOn(app.ctx.log, 'error');
  vi.spyOn(app.ctx.writes, 'transaction').mockRejectedValueOnce(new Error('not now'));
  let seconds = 0;
  await expect
    .poll(async () => {
      seconds += 60;
      app.setNow(new Date(Date.parse(LATER) + seconds * 1_000).toISOString());
      const left = (['events', 'claims'] as const).map((table) =>
        app.ctx.db.selectFrom(table).select('id').execute(),
      );
      return (await Promise.all(left)).flat();
    })
    .toEqual([]);
  expect(failed).toHaveBeenCalledTimes(1);
});
