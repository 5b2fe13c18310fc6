import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { deleteClaim, latest, undoLatest } from '../../activity/test/undo.ts';
import { admin } from '../../activity/test/write.ts';
import {
  aClaim,
  aKey,
  aRespawn,
  asMember,
  aWait,
  change,
  submit,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { manyClaims } from '../../dev/test/many-claims.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';
import { jobKindsOf } from '../../feature.ts';
import { features } from '../../features.ts';
import { deadlineMoved } from '../../jobs/deadlines.ts';
import { createJobs } from '../../jobs/runner.ts';
import { wrongCounts } from './consistency.ts';

/** SS+10 of today begins at 19:00 UTC. */
const [EARLY, OPEN, LAST, OVER] = [
  '18:44:59.999',
  '18:45:00.000',
  '19:09:59.999',
  '19:10:00.000',
].map((time) => `2026-11-21T${time}Z`);

const settings = (app: TestApp, change: object) =>
  admin(app, 'put /admin/config', change).expect(200);
const confirm = (
  app: TestApp,
  key: AccessKey,
  claim: Pick<ClaimRow, 'id'> | undefined,
  body: object = {},
) => app.api.post(`/claims/${claim?.id}/confirm`).set(asMember(key)).send(body);
const storedClaims = async (
  app: TestApp,
  claim: Pick<ClaimRow, 'id'> | undefined,
): Promise<ClaimRow[]> =>
  (await app.api.get('/admin/claims').set(app.admin).expect(200)).body.data.filter(
    (row: ClaimRow) => row.id === claim?.id,
  );
const reasons = async (app: TestApp, claim: Pick<ClaimRow, 'id'> | undefined) => {
  const found = app.ctx.db
    .selectFrom('claim_endings')
    .select(['reason', 'part_number', 'hour_start', 'hour_end', 'ended_by']);
  return found
    .where('claim_id', '=', claim?.id ?? 0)
    .orderBy('id')
    .execute();
};

/** Runs the due jobs. */
async function look(app: TestApp): Promise<void> {
  const jobs = createJobs(app.ctx, jobKindsOf(features));
  await jobs.runDue();
  await jobs.stop();
}

async function confirming(dialect: (typeof databases)[number], change: object = {}) {
  const app = await createTestApp(dialect);
  await settings(app, { confirm_enabled: 1, ...change });
  const key = await aKey(app);
  const spot = await aRespawn(app);
  return { app, key, spot };
}

describe.each(databases)('saying "I’m here" on %s', (dialect) => {
  it('R9.25: a member’s release of the rest of a running claim also confirms it, part by part; an admin’s does not', async () => {
    const { app, key, spot } = await confirming(dialect, { release_enabled: 1 });
    const other = await aKey(app);
    const another = await aRespawn(app);
    const [mine] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    const [theirs] = await submitted(app, other, aClaim(other, { respawn_id: another.id }));
    const split_key = await aKey(app);
    const split_spot = await aRespawn(app);
    const split_parts = [10, 14].map((hour_start, nth) => ({
      part_number: nth + 1,
      respawn_id: split_spot.id,
      hour_start,
      duration: 2,
    }));
    const [split] = await submitted(
      app,
      split_key,
      aClaim(split_key, { is_split_claim: 1, split_parts }),
    );
    const { member, expectSynced } = await watching(app);
    app.setNow(LAST ?? '');
    const release = (
      claim: ClaimRow | undefined,
      headers: Record<string, string>,
      body: object = {},
    ) => app.api.post(`/claims/${claim?.id}/release`).set(headers).send(body).expect(200);
    expect((await release(mine, asMember(key))).body.data).toMatchObject([
      { hour_start: 10, hour_end: 11, to_confirm: [] },
    ]);
    expect((await release(theirs, app.admin)).body.data).toMatchObject([
      { hour_start: 10, hour_end: 11, to_confirm: [1] },
    ]);
    await release(split, asMember(split_key), { part_number: 1 });
    await expectSynced();
    expect(
      [mine, theirs, split].map((claim) => member.records('claim').get(String(claim?.id))),
    ).toMatchObject([{ to_confirm: [] }, { to_confirm: [1] }, { to_confirm: [2] }]);
    app.setNow(OVER ?? '');
    await look(app);
    expect((await reasons(app, mine)).map(({ reason }) => reason)).toEqual(['released']);
    expect((await reasons(app, theirs)).map(({ reason }) => reason)).toEqual([
      'released',
      'no_show',
    ]);
    expect(await storedClaims(app, mine)).toHaveLength(1);
  });

  it('R9.25: is for the holder, within its time, once; all watchers see it', async () => {
    const { app, key, spot } = await confirming(dialect);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    expect(claim?.to_confirm).toEqual([1]);
    const other = await aKey(app);
    const { member, expectSynced } = await watching(app);
    expect(member.records('claim').get(String(claim?.id))).toMatchObject({ to_confirm: [1] });
    app.setNow(EARLY ?? '');
    await expectNoTick(app, async () => {
      const early = 'Too early: you can confirm from 15 minutes before the start.';
      expectRefusal(await confirm(app, key, claim), 409, 'confirm.tooEarly', early, {
        opens_at: OPEN ?? '',
      });
      const own = 'You can only confirm claims of your own character.';
      expectRefusal(await confirm(app, other, claim), 403, 'confirm.otherCharacter', own);
      expectRefusal(
        await app.api.post(`/claims/${claim?.id}/confirm`).send({}),
        401,
        'session.required',
        'Access denied',
      );
    });
    app.setNow(OPEN ?? '');
    const entries = await owedBy(app, async () => {
      expect((await confirm(app, key, claim).expect(200)).body.data).toMatchObject([
        { id: claim?.id, to_confirm: [] },
      ]);
    });
    expect(entries).toMatchObject([
      {
        action: 'claim_confirmed',
        actor_name: key.character_name,
        details: { claim_id: claim?.id },
      },
    ]);
    await expectSynced();
    expect(member.records('claim').get(String(claim?.id))).toMatchObject({ to_confirm: [] });
    await expectNoTick(app, async () =>
      expectRefusal(
        await confirm(app, key, claim),
        409,
        'confirm.notNeeded',
        'There is nothing to confirm.',
      ),
    );
    app.setNow('2026-11-21T20:00:00.000Z');
    await look(app);
    expect(await storedClaims(app, claim)).toHaveLength(1);
    await settings(app, { confirm_enabled: 0 });
    expectRefusal(
      await confirm(app, key, claim),
      409,
      'confirm.disabled',
      "Claims don't have to be confirmed right now.",
    );
  });

  it('R9.26: an unconfirmed claim ends after its window, its hours and day are freed, and all watchers see it', async () => {
    const { app, key, spot } = await confirming(dialect);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    const { member, expectSynced } = await watching(app);
    app.setNow(LAST ?? '');
    await look(app);
    expect(await storedClaims(app, claim)).toHaveLength(1);
    app.setNow(OVER ?? '');
    await expectNoTick(app, async () =>
      expectRefusal(
        await confirm(app, key, claim),
        409,
        'confirm.over',
        'The time to confirm has passed.',
      ),
    );
    await look(app);
    expect(await storedClaims(app, claim)).toEqual([]);
    expect(await reasons(app, claim)).toEqual([
      { reason: 'no_show', part_number: 1, hour_start: 10, hour_end: 14, ended_by: null },
    ]);
    expect(await latest(app, 'claim_no_show')).toMatchObject({
      actor_kind: 'server',
      details: { claim_id: claim?.id },
    });
    await expectSynced();
    expect(member.records('claim').has(String(claim?.id))).toBe(false);
    expectRefusal(
      await confirm(app, key, claim),
      409,
      'confirm.over',
      'The time to confirm has passed.',
    );
    await submitted(app, key, aClaim(key, { respawn_id: spot.id, hour_start: 12, hour_end: 14 }));
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('R9.26: frees the hours for other members even if the timer has not run', async () => {
    const { app, key, spot } = await confirming(dialect, { grace_minutes: 0 });
    const other = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id }));
    app.setNow('2026-11-21T18:59:59.999Z');
    expect((await submit(app, other, aClaim(other, { respawn_id: spot.id }))).body.code).toBe(
      'claim.timeConflict',
    );
    app.setNow('2026-11-21T19:00:00.000Z');
    await submitted(app, other, aClaim(other, { respawn_id: spot.id }));
    expect(await reasons(app, claim)).toMatchObject([{ reason: 'no_show' }]);
    // Also after the end of the day.
    const third = await aKey(app);
    const [late] = await submitted(
      app,
      third,
      aClaim(third, { respawn_id: spot.id, hour_start: 23, hour_end: 24 }),
    );
    await settings(app, { grace_minutes: 60 });
    app.setNow('2026-11-22T09:00:00.000Z');
    await look(app);
    expect(await reasons(app, late)).toMatchObject([{ reason: 'no_show', hour_start: 23 }]);
  });

  it('R9.21: is required for each part of a split claim: losing one leaves the other, to be confirmed alone', async () => {
    const { app, key, spot } = await confirming(dialect);
    const two = await aRespawn(app);
    const split_parts = [
      { part_number: 1, respawn_id: spot.id, hour_start: 10, duration: 2 },
      { part_number: 2, respawn_id: two.id, hour_start: 14, duration: 2 },
    ];
    const split = () => aClaim(key, { is_split_claim: 1, split_parts });
    const [claim] = await submitted(app, key, split());
    expect(claim?.to_confirm).toEqual([1, 2]);
    app.setNow(OVER ?? '');
    await look(app);
    expect(await storedClaims(app, claim)).toMatchObject([
      { respawn_id: two.id, hour_start: 14, is_split_claim: 0, to_confirm: [1] },
    ]);
    expect(await reasons(app, claim)).toMatchObject([
      { reason: 'no_show', part_number: 1, hour_start: 10, hour_end: 12 },
    ]);
    app.setNow('2026-11-21T23:00:00.000Z');
    await confirm(app, key, claim).expect(200);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);

    const other = await aKey(app);
    const [next] = await submitted(app, other, {
      ...split(),
      character_name: other.character_name,
      date: '2026-11-22',
    });
    app.setNow('2026-11-22T19:00:00.000Z');
    expect((await confirm(app, other, next)).body.code).toBe('split.whichPart');
    expect(
      (await confirm(app, other, next, { part_number: 1 }).expect(200)).body.data[0].to_confirm,
    ).toEqual([2]);
    app.setNow('2026-11-23T08:00:00.000Z');
    await look(app);
    expect(await storedClaims(app, next)).toMatchObject([
      { respawn_id: spot.id, is_split_claim: 0, to_confirm: [] },
    ]);
    expect(await reasons(app, next)).toMatchObject([{ part_number: 2 }]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('R9.24: is not required of claims made late or before it was on, nor of secondary claims; switched off, of none', async () => {
    const { app, spot } = await confirming(dialect, { confirm_enabled: 0 });
    const before = await aKey(app);
    const late = await aKey(app);
    const key = await aKey(app, undefined, 'elite');
    const on = (who: AccessKey, hour_start: number) =>
      aClaim(who, { respawn_id: spot.id, hour_start, hour_end: hour_start + 2 });
    const [stands] = await submitted(app, before, on(before, 12));
    await settings(app, { confirm_enabled: 1 });
    app.setNow('2026-11-21T18:45:00.001Z');
    const [claimed] = await submitted(app, late, on(late, 10));
    const [primary, secondary] = await submitted(app, key, on(key, 14), {
      ...on(key, 18),
      respawn_id: 1,
      is_secondary_claim: 1,
    });
    expect([stands, claimed, primary, secondary].map((claim) => claim?.to_confirm)).toEqual([
      [],
      [],
      [1],
      [],
    ]);
    await settings(app, { confirm_enabled: 0 });
    expect(await storedClaims(app, primary)).toMatchObject([{ to_confirm: [] }]);
    await settings(app, { confirm_enabled: 1 });
    app.setNow('2026-11-22T18:00:00.000Z');
    await look(app);
    for (const claim of [stands, claimed, primary, secondary])
      expect(await reasons(app, claim)).toEqual([]);
  });

  it('R9.24: stays when an admin moves the claim to other hours, and when an undo restores it', async () => {
    const { app, key, spot } = await confirming(dialect);
    const [claim] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: spot.id, hour_start: 18, hour_end: 20 }),
    );
    const edit = (hour_start: number) =>
      admin(app, `put /claims/admin/${claim?.id}`, {
        hour_start,
        hour_end: hour_start + 2,
      }).expect(200);
    expect((await edit(12)).body.data.to_confirm).toEqual([1]);
    const due = app.ctx.db.selectFrom('clock').select('next_due');
    expect(await due.execute()).toEqual([{ next_due: '2026-11-21T21:10:00.000Z' }]);
    await deleteClaim(app, claim);
    await undoLatest(app, 'claim_deleted');
    expect(await storedClaims(app, claim)).toMatchObject([{ to_confirm: [1] }]);
    await deleteClaim(app, claim);
    app.setNow('2026-11-21T21:30:00.000Z');
    await undoLatest(app, 'claim_deleted');
    expect(await storedClaims(app, claim)).toMatchObject([{ to_confirm: [] }]);
    await submitAsAdmin(
      app,
      'member',
      aClaim(await aKey(app), { respawn_id: spot.id, hour_start: 20, hour_end: 21 }),
    ).expect(201);
    expect(await storedClaims(app, claim)).toHaveLength(1);
  });

  it.each([
    ['R9.24: is asked of what was held when it is accepted: then it was made', 18, [1]],
    ['R9.24: is not asked of what was held where it begins soon', 9, []],
  ])('%s', async (_, hour_start, to_confirm) => {
    const { app, key, spot } = await confirming(dialect);
    const other = await aKey(app);
    const hours = { respawn_id: spot.id, hour_start, hour_end: hour_start + 4 };
    const [claim] = await submitted(app, key, aClaim(key, hours));
    const { id } = await aWait(app, other, hours);
    await deleteClaim(app, claim);
    const of = app.ctx.db
      .selectFrom('claims')
      .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id');
    const held = of
      .select(['claims.id', 'to_confirm'])
      .where('character_name', '=', other.character_name);
    const [hold] = await held.execute();
    expect(hold).toMatchObject({ to_confirm: 0 });
    const { member, expectSynced } = await watching(app);
    await app.api.post(`/waits/${id}/accept`).set(asMember(other)).send({}).expect(200);
    await expectSynced();
    expect(member.records('claim').get(String(hold?.id))).toMatchObject({ is_held: 0, to_confirm });
    app.setNow('2026-11-22T03:10:00.000Z');
    await look(app);
    const lost = [{ reason: 'no_show', hour_start, hour_end: hour_start + 4, ended_by: null }];
    expect(await reasons(app, hold)).toMatchObject(to_confirm.length > 0 ? lost : []);
  });

  it('R9.26: has the guild’s minutes of now, and a clock that leaps', async () => {
    const { app, key, spot } = await confirming(dialect);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: spot.id, date: TODAY }));
    await settings(app, { grace_minutes: 30 });
    app.setNow(OVER ?? '');
    await look(app);
    expect(await storedClaims(app, claim)).toHaveLength(1);
    const due = app.ctx.db.selectFrom('clock').select('next_due');
    expect(await due.execute()).toEqual([{ next_due: '2026-11-21T19:30:00.000Z' }]);
    app.setNow('2026-12-21T18:00:00.000Z');
    await look(app);
    expect(await reasons(app, claim)).toMatchObject([{ reason: 'no_show' }]);
  });

  it('R9.26: ends all overdue claims, also if they are more than one read returns', async () => {
    const { app } = await confirming(dialect);
    await manyClaims(app, { count: 600, spots: 2 });
    await change(app, async (unit) => {
      await unit.tx.updateTable('claim_parts').set({ to_confirm: 1 }).execute();
      deadlineMoved(unit);
    });
    app.setNow('2026-12-21T18:00:00.000Z');
    await look(app);
    const ended = app.ctx.db
      .selectFrom('claim_endings')
      .select('claim_id')
      .distinct()
      .where('reason', '=', 'no_show');
    expect(await ended.execute()).toHaveLength(600);
    expect(await app.ctx.db.selectFrom('claims').select('id').execute()).toEqual([]);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });
});
