import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { admin } from '../../activity/test/write.ts';
import {
  aClaim,
  aKey,
  anActiveEvent,
  aRespawn,
  asMember,
  aWait,
  noActiveEvent,
  submit,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';
import { wrongCounts } from './consistency.ts';

const TOMORROW = '2026-11-22';
/** SS+11 runs. */
const AT_11 = '2026-11-21T20:30:00.000Z';

const settings = (app: TestApp, change: object) =>
  admin(app, 'put /admin/config', change).expect(200);
const release = (
  app: TestApp,
  key: AccessKey,
  claim: Pick<ClaimRow, 'id'> | undefined,
  body: object = {},
) => app.api.post(`/claims/${claim?.id}/release`).set(asMember(key)).send(body);
const hoursOf = async (app: TestApp, respawn_id: number): Promise<number[]> =>
  (
    await app.ctx.db
      .selectFrom('occupied_hours')
      .select('hour')
      .where('respawn_id', '=', respawn_id)
      .orderBy('date')
      .orderBy('hour')
      .execute()
  ).map(({ hour }) => hour);
const endingsOf = async (app: TestApp, id: number | undefined) =>
  app.ctx.db
    .selectFrom('claim_endings')
    .select(['reason', 'part_number', 'hour_start', 'hour_end', 'ended_by'])
    .where('claim_id', '=', id ?? 0)
    .orderBy('id')
    .execute();

describe.each(databases)('giving back on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('R9.20: is for members while it is switched on, and for admins always', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id, date: TOMORROW }));
    await settings(app, { release_enabled: 0 });
    await expectNoTick(app, async () =>
      expectRefusal(
        await release(app, key, claim),
        409,
        'release.disabled',
        "Claims can't be released right now.",
      ),
    );
    const answer = await admin(app, `post /claims/${claim?.id}/release`).expect(200);
    expect(answer.body.data).toEqual([]);
    expect(await endingsOf(app, claim?.id)).toMatchObject([
      { reason: 'released', ended_by: 'admin' },
    ]);
  });

  it('R9.20: before it starts deletes it whole: its hours and its day are free, and all watchers see it', async () => {
    await settings(app, { release_enabled: 1 });
    const key = await aKey(app);
    const other = await aKey(app);
    const spot = await aRespawn(app);
    const { member, expectSynced } = await watching(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    const entries = await owedBy(app, async () => {
      expect((await release(app, key, claim).expect(200)).body).toEqual({
        success: true,
        data: [],
      });
    });
    expect(entries).toMatchObject([
      {
        action: 'claim_released',
        actor_kind: 'member',
        actor_name: key.character_name,
        details: {
          claim_id: claim?.id,
          places: [{ respawn_id: spot.id, hour_start: 10, hour_end: 14 }],
        },
        undo: null,
      },
    ]);
    await expectSynced();
    expect(member.records('claim').has(String(claim?.id))).toBe(false);
    expect(await endingsOf(app, claim?.id)).toEqual([
      {
        reason: 'released',
        part_number: 1,
        hour_start: 10,
        hour_end: 14,
        ended_by: key.character_name,
      },
    ]);
    await submitted(app, other, aClaim(other, { respawn_id: spot.id }));
    await submitted(app, key, aClaim(key, { respawn_id: spot.id, hour_start: 16, hour_end: 18 }));
    await expectNoTick(app, async () =>
      expectRefusal(
        await release(app, key, claim),
        404,
        'claim.notFound',
        'This claim no longer exists.',
      ),
    );
  });

  it('R9.20: of a running claim frees the hours that have not started, once; past and running hours stay', async () => {
    await settings(app, { release_enabled: 1 });
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const { member, expectSynced } = await watching(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    app.setNow(AT_11);
    const { body } = await release(app, key, claim).expect(200);
    expect(body.data).toMatchObject([
      { id: claim?.id, hour_start: 10, hour_end: 12, custom_duration: 2, respawn_name: spot.name },
    ]);
    await expectSynced();
    expect(member.records('claim').get(String(claim?.id))).toMatchObject({
      hour_end: 12,
      custom_duration: 2,
    });
    expect(await hoursOf(app, spot.id)).toEqual([10, 11]);
    expect(await endingsOf(app, claim?.id)).toMatchObject([
      { reason: 'released', hour_start: 12, hour_end: 14 },
    ]);
    const nothing = 'No full hour of this claim is left to release.';
    await expectNoTick(app, async () =>
      expectRefusal(await release(app, key, claim), 409, 'release.nothingLeft', nothing),
    );
    app.setNow('2026-11-22T20:30:00.000Z');
    expectRefusal(await release(app, key, claim), 409, 'release.nothingLeft', nothing);
  });

  it('R9.21: of a split claim frees the part that is named; the other is a claim like any other then, and asking again takes nothing', async () => {
    await settings(app, { release_enabled: 1 });
    const key = await aKey(app);
    const one = await aRespawn(app);
    const two = await aRespawn(app);
    const split_parts = [
      { part_number: 1, respawn_id: one.id, hour_start: 10, duration: 2 },
      { part_number: 2, respawn_id: two.id, hour_start: 14, duration: 2 },
    ];
    const [claim] = await submitted(app, key, aClaim(key, { is_split_claim: 1, split_parts }));
    const which = 'Say which part of the split claim: 1 or 2.';
    await expectNoTick(app, async () => {
      for (const body of [{}, { part_number: null }])
        expectRefusal(await release(app, key, claim, body), 400, 'split.whichPart', which);
      expectRefusal(
        await release(app, key, claim, { part_number: 3 }),
        400,
        'split.whichPart',
        which,
      );
    });
    const { body } = await release(app, key, claim, { part_number: 1 }).expect(200);
    expect(body.data).toMatchObject([
      {
        id: claim?.id,
        respawn_id: two.id,
        hour_start: 14,
        hour_end: 16,
        is_split_claim: 0,
        split_parts: [],
        custom_duration: 2,
      },
    ]);
    expect([await hoursOf(app, one.id), await hoursOf(app, two.id)]).toEqual([[], [14, 15]]);
    expect(await endingsOf(app, claim?.id)).toMatchObject([
      { part_number: 1, hour_start: 10, hour_end: 12 },
    ]);
    const gone = 'This claim is no longer split, so that part no longer exists.';
    await expectNoTick(app, async () => {
      for (const part_number of [1, 2])
        expectRefusal(await release(app, key, claim, { part_number }), 409, 'split.partGone', gone);
    });
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
    await admin(app, `put /claims/admin/${claim?.id}`, { hour_start: 15, hour_end: 17 }).expect(
      200,
    );
    expect((await release(app, key, claim).expect(200)).body.data).toEqual([]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('R9.21: cuts a part that runs, and leaves the other, also on the same spot', async () => {
    await settings(app, { release_enabled: 1 });
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const split_parts = [
      { part_number: 1, respawn_id: spot.id, hour_start: 11, duration: 2 },
      { part_number: 2, respawn_id: spot.id, hour_start: 16, duration: 2 },
    ];
    const [claim] = await submitted(app, key, aClaim(key, { is_split_claim: 1, split_parts }));
    app.setNow(AT_11);
    const { body } = await release(app, key, claim, { part_number: 1 }).expect(200);
    expect(body.data[0]).toMatchObject({
      is_split_claim: 1,
      custom_duration: 3,
      split_parts: [{ hour_start: 11, duration: 1 }, { duration: 2 }],
    });
    expect(await hoursOf(app, spot.id)).toEqual([11, 16, 17]);
    await release(app, key, claim, { part_number: 2 }).expect(200);
    expect(await hoursOf(app, spot.id)).toEqual([11]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('R9.20, R9.21: frees the rest of a running claim, or one part of a split one, for the next on the waitlist', async () => {
    await settings(app, { release_enabled: 1 });
    const key = await aKey(app);
    const nextKey = await aKey(app);
    const one = await aRespawn(app);
    const two = await aRespawn(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: one.id }));
    const split_parts = [one, two].map(({ id: respawn_id }, nth) => ({
      part_number: nth + 1,
      respawn_id,
      hour_start: 10 + 4 * nth,
      duration: 2,
    }));
    const [split] = await submitted(
      app,
      key,
      aClaim(key, { date: TOMORROW, is_split_claim: 1, split_parts }),
    );
    const waits = [
      await aWait(app, nextKey, { respawn_id: one.id }),
      await aWait(app, nextKey, { respawn_id: one.id, date: TOMORROW, hour_end: 12 }),
    ];
    const held = async (wait: Wait | undefined) => {
      const of = app.ctx.db
        .selectFrom('waits')
        .innerJoin('claim_parts', 'claim_parts.claim_id', 'held_claim_id');
      return of
        .select(['status', 'claim_parts.hour_start', 'claim_parts.hour_end'])
        .where('waits.id', '=', wait?.id ?? 0)
        .execute();
    };
    app.setNow(AT_11);
    await release(app, key, claim).expect(200);
    expect(await held(waits[0])).toEqual([{ status: 'offered', hour_start: 12, hour_end: 14 }]);
    await release(app, key, split, { part_number: 1 }).expect(200);
    expect(await held(waits[1])).toEqual([{ status: 'offered', hour_start: 10, hour_end: 12 }]);
  });

  it('R9.22: shortens its secondary claim, but does not delete it', async () => {
    await settings(app, { release_enabled: 1 });
    const key = await aKey(app, undefined, 'elite');
    const one = await aRespawn(app);
    const two = await aRespawn(app);
    const both = (date: string) => [
      aClaim(key, { respawn_id: one.id, date }),
      aClaim(key, { respawn_id: two.id, date, hour_start: 12, is_secondary_claim: 1 }),
    ];
    const [primary, secondary] = await submitted(app, key, ...both(TODAY));
    app.setNow(AT_11);
    await release(app, key, primary).expect(200);
    expect(await endingsOf(app, secondary?.id)).toMatchObject([
      { reason: 'released', hour_start: 14, hour_end: 16 },
    ]);
    const [ahead, waiting] = await submitted(app, key, ...both(TOMORROW));
    await release(app, key, ahead).expect(200);
    expect(await endingsOf(app, waiting?.id)).toEqual([]);
    expect((await release(app, key, waiting).expect(200)).body.data).toEqual([]);
  });

  it('R9.22: leaves the past hours of a secondary claim unchanged', async () => {
    await settings(app, { release_enabled: 1 });
    for (const [hour_start, hour_end] of [
      [7, 11],
      [9, 12],
    ] as const) {
      const key = await aKey(app, undefined, 'elite');
      const one = await aRespawn(app);
      const two = await aRespawn(app);
      app.setNow(NOW);
      const [primary, secondary] = await submitted(
        app,
        key,
        aClaim(key, { respawn_id: one.id }),
        aClaim(key, {
          respawn_id: two.id,
          hour_start: Math.max(hour_start, 9),
          is_secondary_claim: 1,
        }),
      );
      await admin(app, `put /claims/admin/${secondary?.id}`, {
        hour_start,
        hour_end: hour_start + 4,
      }).expect(200);
      app.setNow(AT_11);
      await release(app, key, primary).expect(200);
      const parts = app.ctx.db.selectFrom('claim_parts').select(['hour_start', 'hour_end']);
      expect(await parts.where('claim_id', '=', secondary?.id ?? 0).execute()).toEqual([
        { hour_start, hour_end },
      ]);
    }
  });

  it('R9.20: allows only one’s own claims, and none of a whole event', async () => {
    await settings(app, { release_enabled: 1 });
    const key = await aKey(app);
    const other = await aKey(app);
    const spot = await aRespawn(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id, date: TOMORROW }));
    await expectNoTick(app, async () => {
      const own = 'You can only release claims of your own character.';
      expectRefusal(await release(app, other, claim), 403, 'release.otherCharacter', own);
      expectRefusal(
        await app.api.post(`/claims/${claim?.id}/release`).send({}),
        401,
        'session.required',
        'Access denied',
      );
      const wrong = await app.api
        .post(`/claims/${claim?.id}/release`)
        .send({ access_key: 'NONE-SUCH-KEYS' });
      expectRefusal(wrong, 401, 'session.invalidKey', 'Invalid access key');
    });
    await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-12-01',
      end_time: '2026-12-03',
    });
    const [whole] = (
      await submitAsAdmin(app, 'member', aClaim(key, { respawn_id: spot.id, date: null }))
    ).body.data;
    await expectNoTick(app, async () =>
      expectRefusal(
        await release(app, key, whole),
        409,
        'release.noDate',
        "A claim for a whole event can't be released. Please contact an admin.",
      ),
    );
    await noActiveEvent(app);
    // A key in the body acts as its member, also beside another credential in the header.
    const asOther = await app.api
      .post(`/claims/${claim?.id}/release`)
      .set(app.admin)
      .send({ access_key: other.key_value });
    expect(asOther.body.code).toBe('release.otherCharacter');
    await app.api
      .post(`/claims/${claim?.id}/release`)
      .send({ access_key: key.key_value })
      .expect(200);
    expect(
      (await submit(app, other, aClaim(other, { respawn_id: spot.id, date: TOMORROW }))).status,
    ).toBe(201);
  });
});
