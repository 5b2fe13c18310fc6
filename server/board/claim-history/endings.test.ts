import { describe, expect, it } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Ending } from '../../../shared/schemas/ending.ts';
import { MAX_PAGE } from '../../../shared/schemas/fields.ts';
import { deleteClaim, undoLatest } from '../../activity/test/undo.ts';
import { admin } from '../../activity/test/write.ts';
import { inBatches } from '../../db/database.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  anEvent,
  aRespawn,
  asMember,
  changeUnheard,
  noActiveEvent,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createSuiteApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';

const all = async (app: TestApp, query: object = {}): Promise<Ending[]> =>
  (await app.api.get('/admin/endings').set(app.admin).query(query).expect(200)).body.data;
const ofClaim = async (app: TestApp, id: number | undefined): Promise<Ending[]> =>
  (await all(app)).filter(({ claim_id }) => claim_id === id).reverse();
const inShort = (endings: readonly Ending[]) =>
  endings.map(({ reason, hour_start, hour_end, by }) => [reason, hour_start, hour_end, by]);

describe.each(databases)('why claims end, on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('is kept when an admin deletes one, with all that was known of it, and taken back by the undo', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    app.setNow('2026-11-21T19:00:00.000Z');
    await deleteClaim(app, claim);
    expect(await ofClaim(app, claim?.id)).toEqual([
      {
        id: expect.any(Number),
        claim_id: claim?.id,
        character_name: key.character_name,
        member_type: 'member',
        respawn_id: spot.id,
        respawn_name: spot.name,
        event_id: null,
        date: TODAY,
        hour_start: 10,
        hour_end: 14,
        made_at: NOW,
        ended_at: '2026-11-21T19:00:00.000Z',
        reason: 'admin',
        by: 'admin',
        standing_id: null,
        to_name: null,
        excused_by: null,
      },
    ]);
    await undoLatest(app, 'claim_deleted');
    expect(await ofClaim(app, claim?.id)).toEqual([]);
    await deleteClaim(app, claim);
    expect(inShort(await ofClaim(app, claim?.id))).toEqual([['admin', 10, 14, 'admin']]);
  });

  it('is kept for each part of a split claim and for a secondary one, and says nothing of the other', async () => {
    const key = await aKey(app, undefined, 'elite');
    const one = await aRespawn(app);
    const two = await aRespawn(app);
    const three = await aRespawn(app);
    const split_parts = [
      { part_number: 1, respawn_id: one.id, hour_start: 10, duration: 2 },
      { part_number: 2, respawn_id: two.id, hour_start: 14, duration: 1 },
    ];
    const [split, , secondary] = await submitted(
      app,
      key,
      aClaim(key, { is_split_claim: 1, split_parts }),
      aClaim(key, { respawn_id: three.id, is_secondary_claim: 1 }),
    );
    await admin(app, `delete /claims/admin/respawn/${two.id}`).expect(200);
    expect(inShort(await ofClaim(app, split?.id))).toEqual([
      ['cleared', 10, 12, 'admin'],
      ['cleared', 14, 15, 'admin'],
    ]);
    expect(await ofClaim(app, secondary?.id)).toEqual([]);
    await undoLatest(app, 'claims_cleared');
    expect(await ofClaim(app, split?.id)).toEqual([]);
  });

  it('is kept when the event is deleted, for all dates of a claim, and when the spot is deleted, with its name', async () => {
    const spot = await aRespawn(app);
    const event = await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-11-20',
      end_time: '2026-11-23',
    });
    const [whole] = (
      await submitAsAdmin(
        app,
        'member',
        aClaim(await aKey(app), { respawn_id: spot.id, date: null }),
      )
    ).body.data;
    await admin(app, `delete /events/${event.id}`).expect(200);
    expect(await ofClaim(app, whole.id)).toMatchObject([
      { reason: 'event', event_id: event.id, date: null, hour_start: 10, hour_end: 14 },
    ]);
    const kept = app.ctx.db
      .selectFrom('claim_endings')
      .select(['first_date', 'last_date', 'ended_date', 'ended_hour']);
    expect(await kept.where('claim_id', '=', whole.id).execute()).toEqual([
      { first_date: '2026-11-20', last_date: '2026-11-23', ended_date: TODAY, ended_hour: 9 },
    ]);
    await undoLatest(app, 'event_deleted');
    expect(await ofClaim(app, whole.id)).toEqual([]);
    await admin(app, `delete /admin/respawns/${spot.id}`).expect(200);
    expect(await ofClaim(app, whole.id)).toMatchObject([
      { reason: 'respawn', respawn_name: spot.name },
    ]);
    await admin(app, `delete /events/${event.id}`).expect(200);
  });

  it('is kept of hours that an admin’s edit takes, not of those that it gives, and of the spot that a claim is moved from', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const other = await aRespawn(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    const edit = (hour_start: number, hour_end: number) =>
      admin(app, `put /claims/admin/${claim?.id}`, { hour_start, hour_end }).expect(200);
    await edit(11, 13);
    await edit(11, 18);
    await edit(20, 22);
    await admin(app, `put /claims/admin/${claim?.id}/respawn`, { respawn_id: other.id }).expect(
      200,
    );
    const endings = await ofClaim(app, claim?.id);
    expect(inShort(endings)).toEqual([
      ['edited', 10, 11, 'admin'],
      ['edited', 13, 14, 'admin'],
      ['edited', 11, 18, 'admin'],
      ['edited', 20, 22, 'admin'],
    ]);
    expect(new Set(endings.map(({ respawn_id }) => respawn_id))).toEqual(new Set([spot.id]));
    await deleteClaim(app, claim);
    await undoLatest(app, 'claim_deleted');
    expect(await ofClaim(app, claim?.id)).toEqual(endings);
  });

  it('is kept for hours that a secondary claim loses with its primary', async () => {
    const key = await aKey(app, undefined, 'vice');
    const spot = await aRespawn(app);
    const other = await aRespawn(app);
    const [primary, secondary] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: spot.id }),
      aClaim(key, { respawn_id: other.id, hour_start: 12, is_secondary_claim: 1 }),
    );
    await admin(app, `put /claims/admin/${primary?.id}`, {
      hour_start: 10,
      hour_end: 11,
    }).expect(200);
    expect(inShort(await ofClaim(app, secondary?.id))).toEqual([['edited', 13, 16, 'admin']]);
  });

  it('is read by admins page by page, by reason and by the claims’ dates', async () => {
    const spot = await aRespawn(app);
    const dates = ['2026-12-01', '2026-12-02', '2026-12-03'];
    const key = await aKey(app);
    await submitted(app, key, ...dates.map((date) => aClaim(key, { respawn_id: spot.id, date })));
    await admin(app, `delete /claims/admin/respawn/${spot.id}`).expect(200);
    const dated = { from: '2026-12-02', to: '2026-12-31' };
    expect((await all(app, dated)).map(({ date }) => date)).toEqual(['2026-12-03', '2026-12-02']);
    expect(await all(app, { ...dated, reason: 'edited' })).toEqual([]);
    const first = await app.api
      .get('/admin/endings')
      .set(app.admin)
      .query({ limit: 2, reason: 'cleared', from: '2026-12-01' });
    expect(first.headers['x-total-count']).toBe('3');
    expect(first.body.data.map(({ date }: Ending) => date)).toEqual(['2026-12-03', '2026-12-02']);
    const rest = await all(app, {
      limit: 2,
      reason: 'cleared',
      from: '2026-12-01',
      before: first.body.data[1].id,
    });
    expect(rest.map(({ date }) => date)).toEqual(['2026-12-01']);
    expect(
      (await all(app, { reason: 'cleared', limit: 3 })).every(({ reason }) => reason === 'cleared'),
    ).toBe(true);
    const event = await anEvent(app, { start_time: '2027-01-01', end_time: '2027-01-02' });
    expect(await all(app, { from: '2027-01-01' })).toEqual([]);
    await admin(app, `delete /events/${event.id}`).expect(200);
    await noActiveEvent(app);
  });

  it('is read of one character, in any case, with its count', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const spot = await aRespawn(app);
    for (const one of [key, other]) {
      const [claim] = await submitted(app, one, aClaim(one, { respawn_id: spot.id }));
      await deleteClaim(app, claim);
    }
    const ask = (query: object) => app.api.get('/admin/endings').set(app.admin).query(query);
    const answer = await ask({
      character: ` ${key.character_name.toUpperCase()} `,
      limit: 5,
    }).expect(200);
    expect(answer.body.data.map(({ character_name }: Ending) => character_name)).toEqual([
      key.character_name,
    ]);
    expect(answer.headers['x-total-count']).toBe('1');
    expect(await all(app, { character: key.character_name, reason: 'no_show' })).toEqual([]);
    expect(await all(app, { character: key.character_name, from: TODAY })).toHaveLength(1);
    await ask({ character: '' }).expect(400);
  });

  it("lists members' own claims for the requested number of days; a caller without a character gets none", async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const spot = await aRespawn(app);
    const [mine] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    await deleteClaim(app, mine);
    const [theirs] = await submitted(app, other, aClaim(other, { respawn_id: spot.id }));
    await deleteClaim(app, theirs);
    const of = async (headers: Record<string, string>, query = {}) =>
      (await app.api.get('/endings/mine').set(headers).query(query).expect(200)).body.data;
    expect(await of(asMember(key))).toMatchObject({
      endings: [{ claim_id: mine?.id, reason: 'admin' }],
      waits: [],
    });
    expect(await of(app.admin)).toEqual({ endings: [], waits: [], transfers: [] });
    app.setNow('2026-12-22T18:00:00.000Z');
    expect((await of(asMember(key))).endings).toEqual([]);
    expect((await of(asMember(key), { days: 32 })).endings).toHaveLength(1);
  });

  it(`returns a member's newest ${MAX_PAGE} endings at most`, async () => {
    const key = await aKey(app);
    const rows = Array.from({ length: MAX_PAGE + 1 }, (_, n) => ({
      claim_id: 900_000 + n,
      part_number: 1,
      character_name: key.character_name,
      character_key: nameKey(key.character_name),
      member_type: 'member',
      is_secondary_claim: 0 as const,
      respawn_id: 1,
      respawn_name: 'Spot',
      event_id: null,
      ended_by: null,
      date: TODAY,
      first_date: TODAY,
      last_date: TODAY,
      hour_start: 2,
      hour_end: 3,
      made_at: NOW,
      reason: 'released' as const,
      ended_at: new Date(app.ctx.now().getTime() - n * 1_000).toISOString(),
      ended_date: TODAY,
      ended_hour: 4,
    }));
    await changeUnheard(app, async (tx) => {
      for (const some of inBatches(rows, 100))
        await tx.insertInto('claim_endings').values(some).execute();
    });
    const { endings } = (await app.api.get('/endings/mine').set(asMember(key)).expect(200)).body
      .data;
    expect(endings.map(({ claim_id }: Ending) => claim_id)).toEqual(
      rows.slice(0, MAX_PAGE).map(({ claim_id }) => claim_id),
    );
  });
});
