import { describe, expect, it } from 'vitest';
import { WAITS_A_CHARACTER, WAITS_IN_ALL, WAITS_ON_WAITLIST } from '../../../shared/rules/waits.ts';
import type { WaitInput } from '../../../shared/schemas/wait.ts';
import { inBatches } from '../../db/database.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  anActiveEvent,
  asMember,
  aWait,
  change,
  changeUnheard,
  noActiveEvent,
  submitted,
  waitFor,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';

async function taken(app: TestApp, ...spots: number[]) {
  const holder = await aKey(app);
  for (const respawn_id of spots.length > 0 ? spots : [1]) {
    const each = await aKey(app);
    await submitted(app, each, aClaim(each, { respawn_id }));
  }
  return { holder, next: await aKey(app) };
}

describe.each(databases)('refused waitlist entries, on %s', (dialect) => {
  it("R9.1 to R9.4: which members can't join, and which hours can't be joined", async () => {
    const app = await createTestApp(dialect);
    const { next } = await taken(app);
    const refusedAs = async (fields: Partial<WaitInput>) => {
      const { status, body } = await expectNoTick(app, () => waitFor(app, next, fields));
      return [status, body.code];
    };
    expect(await refusedAs({ hour_start: 14, hour_end: 16 })).toEqual([409, 'wait.nothingTaken']);
    expect(await refusedAs({ hour_end: 15 })).toEqual([400, 'wait.tooLong']);
    expect(await refusedAs({ hour_end: 10 })).toEqual([400, 'times.endBeforeStart']);
    expect(await refusedAs({ min_hours: 5 })).toEqual([400, 'wait.tooShort']);
    expect(await refusedAs({ hour_end: 25 })).toEqual([400, 'times.exceedsDay']);
    expect(await refusedAs({ date: '2026-11-20' })).toEqual([400, 'wait.dateOver']);
    expect(await refusedAs({ hour_start: 5, hour_end: 9 })).toEqual([400, 'wait.hoursOver']);
    expect(await refusedAs({ date: '2027-11-21' })).toEqual([400, 'claim.beyondHorizon']);
    expect(await refusedAs({ respawn_id: 9_999 })).toEqual([404, 'respawn.notFound']);
    expect(await refusedAs({ character_name: 'Somebody Else' })).toEqual([
      403,
      'wait.otherCharacter',
    ]);
    await aWait(app, next);
    for (const hours of [{}, { hour_start: 13, hour_end: 15 }])
      expect(await refusedAs(hours)).toEqual([409, 'wait.exists']);
    await submitted(app, next, aClaim(next, { respawn_id: 5 }));
    expect(await refusedAs({ hour_end: 13 })).toEqual([409, 'wait.hasClaim']);
    await app.api.put('/admin/respawns/1').set(app.admin).send({ is_enabled: 0 }).expect(200);
    expect(await refusedAs({})).toEqual([409, 'respawn.disabled']);
    await anActiveEvent(app, { type: 'single_claim' });
    expect(await refusedAs({ respawn_id: 2 })).toEqual([409, 'wait.singleClaim']);
    await noActiveEvent(app);
    await anActiveEvent(app, { start_time: '2026-11-22' });
    expect(await refusedAs({ respawn_id: 2 })).toEqual([400, 'claim.dateOutsideEvent']);
  });

  it('R4.3, R4.4: a member whose type takes no part; an admin lets them', async () => {
    const app = await createTestApp(dialect);
    await taken(app);
    const idle = await aKey(app, undefined, await aMemberType(app, { can_submit: 0 }));
    const early = await aKey(
      app,
      undefined,
      await aMemberType(app, { earliest_submission_date: '2026-12-01' }),
    );
    expect((await waitFor(app, idle)).body.code).toBe('claim.typeMayNotSubmit');
    expect((await waitFor(app, early)).body.code).toBe('claim.beforeEarliestDate');
    const wanted = { respawn_id: 1, date: TODAY, hour_start: 10, hour_end: 12 };
    expectRefusal(
      await app.api.post('/waits').set(app.admin).send(wanted),
      400,
      'character.nameRequired',
      'Character name is required',
    );
    const { body } = await app.api
      .post('/waits')
      .set(app.admin)
      .send({ ...wanted, character_name: idle.character_name })
      .expect(201);
    expect(body.data).toMatchObject({
      character_name: idle.character_name,
      member_type: idle.member_type,
      status: 'waiting',
    });
    await app.api
      .post('/waits')
      .set(app.admin)
      .send({ ...wanted, character_name: 'Nobody Known', member_type: 'elite' })
      .expect(201);
    await app.api
      .post('/admin/ban-character')
      .set(app.admin)
      .send({ character_name: early.character_name })
      .expect(200);
    const banned = await app.api
      .post('/waits')
      .set(app.admin)
      .send({ ...wanted, character_name: early.character_name });
    expect([banned.status, banned.body.code]).toEqual([409, 'character.banned']);
  });

  it(`R9.4: at most ${WAITS_A_CHARACTER} entries a character, and ${WAITS_ON_WAITLIST} entries a waitlist`, async () => {
    const app = await createTestApp(dialect);
    const { next } = await taken(app, 1, 2, 3, 4);
    for (const respawn_id of [1, 2, 3]) await aWait(app, next, { respawn_id });
    expectRefusal(
      await waitFor(app, next, { respawn_id: 4 }),
      409,
      'wait.tooMany',
      `${next.character_name} is already on 3 waitlists.`,
      {
        character_name: next.character_name,
        max: WAITS_A_CHARACTER,
      },
    );
    const row = (nth: number) => ({
      respawn_id: 4,
      event_id: null,
      date: TODAY,
      hour_start: 10,
      hour_end: 14,
      min_hours: 1,
      member_type: 'member',
      character_name: `Many ${nth}`,
      character_key: `many ${nth}`,
      status: 'waiting' as const,
      position: nth + 1,
      created_at: NOW,
    });
    const rows = Array.from({ length: WAITS_ON_WAITLIST }, (_, nth) => row(nth));
    const again = changeUnheard(app, (tx) =>
      tx
        .insertInto('waits')
        .values([row(0), row(0)])
        .execute(),
    );
    await expect(again, 'one entry a character, spot and date, by construction').rejects.toThrow();
    await change(app, async ({ tx }) => {
      await tx.insertInto('waits').values(rows).execute();
      await tx
        .updateTable('clock')
        .set({ open_waits: 3 + rows.length })
        .execute();
    });
    const other = await aKey(app);
    expectRefusal(
      await waitFor(app, other, { respawn_id: 4 }),
      409,
      'wait.lineFull',
      'This waitlist is full.',
      {},
    );
  });

  it(`R9.4: at most ${WAITS_IN_ALL} entries in all waitlists together`, async () => {
    const app = await createTestApp(dialect);
    const { next } = await taken(app);
    const rows = Array.from({ length: WAITS_IN_ALL - 1 }, (_, nth) => ({
      respawn_id: 2 + (nth % 90),
      event_id: null,
      date: '2026-11-22',
      hour_start: 10,
      hour_end: 14,
      min_hours: 1,
      member_type: 'member',
      character_name: `Many ${nth}`,
      character_key: `many ${nth}`,
      status: 'waiting' as const,
      position: 1 + Math.floor(nth / 90),
      created_at: NOW,
    }));
    await change(app, async ({ tx }) => {
      for (const some of inBatches(rows)) await tx.insertInto('waits').values(some).execute();
      await tx.updateTable('clock').set({ open_waits: rows.length }).execute();
    });
    await aWait(app, next);
    const other = await aKey(app);
    const { body, status } = await expectNoTick(app, () => waitFor(app, other, { hour_end: 13 }));
    expect([status, body.code]).toEqual([409, 'wait.lineFull']);
    expect((await app.api.get('/waits').set(app.admin).expect(200)).body.data).toHaveLength(
      WAITS_IN_ALL,
    );
  });

  it('a member acts for its own character, with a valid key; an admin acts for any character', async () => {
    const app = await createTestApp(dialect);
    const { next, holder } = await taken(app);
    const { id } = await aWait(app, next);
    const requests = [
      (of: Record<string, string>) => app.api.delete(`/waits/${id}`).set(of),
      (of: Record<string, string>) => app.api.post(`/waits/${id}/accept`).set(of),
      (of: Record<string, string>) => app.api.post(`/waits/${id}/decline`).set(of),
    ];
    await expectNoTick(app, async () => {
      for (const action of requests) {
        expectRefusal(await action({}), 401, 'session.required', 'Access denied', {});
        expectRefusal(
          await action({ 'X-Access-Key': 'NONE-SUCH' }),
          401,
          'session.invalidKey',
          'Invalid access key',
          {},
        );
        expectRefusal(
          await action({ Authorization: 'Bearer none' }),
          401,
          'session.expired',
          'Your session has expired. Please login again.',
          {},
        );
        expectRefusal(
          await action(asMember(holder)),
          403,
          'wait.otherCharacter',
          'You can only act for your own character.',
          {},
        );
      }
      for (const action of ['accept', 'decline']) {
        const early = await app.api.post(`/waits/${id}/${action}`).set(app.admin);
        expectRefusal(
          early,
          409,
          'wait.notOffered',
          'Nothing has been offered to this waitlist entry yet.',
          {},
        );
        expectRefusal(
          await app.api.post(`/waits/9999/${action}`).set(app.admin),
          404,
          'wait.notFound',
          'This waitlist entry no longer exists.',
          {},
        );
      }
      expectRefusal(
        await app.api.post('/waits').send({}),
        400,
        'claim.selectRespawn',
        'Please select a respawn',
      );
    });
    await app.api.delete(`/waits/${id}`).send({ access_key: next.key_value }).expect(200);
    for (const action of ['accept', 'decline'])
      expectRefusal(
        await app.api.post(`/waits/${id}/${action}`).set(app.admin),
        409,
        'wait.notOpen',
        'This waitlist entry has ended.',
        {},
      );
  });

  it('an expired hold blocks no entry, even before a write has ended it', async () => {
    const app = await createTestApp(dialect);
    const { next } = await taken(app);
    await aWait(app, next);
    await app.api.delete('/claims/admin/respawn/1').set(app.admin).expect(200);
    const has = async () => {
      const wanted = app.api
        .get(`/claims/check-character-claims/${next.character_name}`)
        .query({ date: TODAY });
      const dates = app.api
        .get(`/claims/character-claims/${next.character_name}`)
        .query({ from: TODAY, to: TODAY });
      return [
        (await wanted.set(app.admin)).body.data.hasClaimsForDate,
        (await dates.set(app.admin)).body.data.length,
      ];
    };
    expect(await has()).toEqual([true, 1]);
    expect((await waitFor(app, next, { hour_end: 13 })).body.code).toBe('wait.exists');
    app.setNow(new Date(Date.parse(NOW) + 600_000).toISOString());
    expect(await has()).toEqual([false, 0]);
  });
});
