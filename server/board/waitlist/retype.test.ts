import { describe, expect, it } from 'vitest';
import { admin } from '../../activity/test/write.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  asMember,
  aWait,
  submitted,
  waitFor,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick } from '../../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';

const open = async (app: TestApp) =>
  (await app.api.get('/waits').set(app.admin).expect(200)).body.data;
const heldOf = (app: TestApp) =>
  app.ctx.db
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .select(['member_type', 'voucher_duration', 'custom_duration', 'hour_start', 'hour_end'])
    .where('held_until', 'is not', null)
    .execute();
const retype = (app: TestApp, id: number, memberType: string) =>
  admin(app, `put /admin/access-keys/${id}/member-type`, { memberType }).expect(200);

/** Taken hours, and a member of this type on their waitlist. */
async function aWaitlistEntry(app: TestApp, type: string) {
  const holder = await aKey(app);
  const key = await aKey(app, undefined, type);
  const [claim] = await submitted(app, holder, aClaim(holder));
  const wait = await aWait(app, key);
  return { key, wait, free: () => admin(app, `delete /admin/claims/${claim?.id}`).expect(200) };
}

describe.each(databases)('R9.11: a member on a waitlist whose type changes, on %s', (dialect) => {
  it('is shown with the new type to all watchers, and offered hours by its voucher', async () => {
    const app = await createTestApp(dialect);
    const short = await aMemberType(app, { voucher_duration_hours: 2 });
    const { key, wait, free } = await aWaitlistEntry(app, 'member');
    const watcher = new Watcher(app.url, { access_key: (await aKey(app)).key_value });
    await watcher.connect();
    await retype(app, key.id, short);
    await watcher.reached(app.ctx.bus.clock());
    expect([...watcher.records('wait').values()]).toEqual([{ ...wait, member_type: short }]);
    await free();
    expect(await heldOf(app)).toMatchObject([
      { member_type: short, voucher_duration: 2, hour_start: 10, hour_end: 12 },
    ]);
  });

  it('is offered at once the hours that were too few, or too many for a budget, before', async () => {
    const app = await createTestApp(dialect);
    const short = await aMemberType(app, { voucher_duration_hours: 2 });
    const poor = await aMemberType(app, { max_hours_per_day: 1 });
    for (const type of [short, poor]) {
      const { key, wait, free } = await aWaitlistEntry(app, 'member');
      await admin(app, `delete /waits/${wait.id}`).expect(200);
      const { id } = await aWait(app, key, { min_hours: 3 });
      await retype(app, key.id, type);
      await free();
      expect(await open(app)).toMatchObject([{ id, status: 'waiting', member_type: type }]);
      await retype(app, key.id, 'member');
      expect(await open(app)).toMatchObject([{ id, status: 'offered', member_type: 'member' }]);
      await admin(app, `delete /waits/${id}`).expect(200);
    }
  });

  it('keeps the hours that are held, of the new type, and accepts them by its budget', async () => {
    const app = await createTestApp(dialect);
    const poor = await aMemberType(app, { voucher_duration_hours: 3, max_hours_per_day: 3 });
    const { key, wait, free } = await aWaitlistEntry(app, 'member');
    await free();
    const watcher = new Watcher(app.url, { access_key: (await aKey(app)).key_value });
    await watcher.connect();
    await retype(app, key.id, poor);
    await watcher.reached(app.ctx.bus.clock());
    const held = {
      member_type: poor,
      voucher_duration: 3,
      custom_duration: 4,
      hour_start: 10,
      hour_end: 14,
    };
    expect(await heldOf(app)).toEqual([held]);
    expect([...watcher.records('claim').values()]).toMatchObject([held]);
    expect([...watcher.records('wait').values()]).toMatchObject([
      { member_type: poor, status: 'offered' },
    ]);
    const accept = () => app.api.post(`/waits/${wait.id}/accept`).set(asMember(key)).send({});
    expect((await accept()).body).toMatchObject({
      code: 'budget.day',
      params: { limit: 3, asked: 4 },
    });
    await retype(app, key.id, 'member');
    await accept().expect(200);
    const claims = (await app.api.get(`/respawns/1/claims/${TODAY}`).set(app.admin).expect(200))
      .body.data;
    expect(claims).toMatchObject([{ member_type: 'member', voucher_duration: 4 }]);
  });

  it('is of its key’s type where an admin let the character wait before it had one', async () => {
    const app = await createTestApp(dialect);
    const holder = await aKey(app);
    await submitted(app, holder, aClaim(holder));
    const input = {
      respawn_id: 1,
      date: TODAY,
      hour_start: 10,
      hour_end: 14,
      character_name: 'Newcomer',
      member_type: 'elite',
    };
    await admin(app, 'post /waits', input).expect(201);
    await aKey(app, 'newcomer', 'vice');
    expect(await open(app)).toMatchObject([{ character_name: 'Newcomer', member_type: 'vice' }]);
  });

  it('whose type changes, is deleted or restored, is served by its current one', async () => {
    const app = await createTestApp(dialect);
    const type = await aMemberType(app, { voucher_duration_hours: 5 });
    const change = (fields: object) =>
      admin(app, `put /admin/member-types/${type}`, fields).expect(200);
    const holder = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder));
    const key = await aKey(app, undefined, type);
    expect(
      (await waitFor(app, key, { hour_end: 15, min_hours: 5 }).expect(201)).body.data,
    ).toMatchObject({ status: 'waiting' });
    await change({ voucher_duration_hours: 3 });
    await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
    await admin(app, `delete /admin/member-types/${type}`).expect(200);
    expect(await open(app)).toMatchObject([{ status: 'waiting', member_type: type }]);
    const again = { member_type: type, voucher_duration_hours: 5, earliest_submission_date: TODAY };
    await admin(app, 'post /admin/member-types', again).expect(201);
    expect(await heldOf(app)).toMatchObject([{ member_type: type, hour_start: 10, hour_end: 15 }]);
  });

  it('R4.3, R4.4: does not accept while the type may not claim, or not yet; an admin does for it', async () => {
    const app = await createTestApp(dialect);
    const type = await aMemberType(app);
    const change = (fields: object) =>
      admin(app, `put /admin/member-types/${type}`, fields).expect(200);
    const { key, wait, free } = await aWaitlistEntry(app, type);
    await free();
    await change({ can_submit: 0 });
    expect(await open(app)).toMatchObject([{ id: wait.id, status: 'offered' }]);
    const accept = () => app.api.post(`/waits/${wait.id}/accept`).set(asMember(key)).send({});
    await expectNoTick(app, async () =>
      expect((await accept()).body.code).toBe('claim.typeMayNotSubmit'),
    );
    await change({ can_submit: 1, earliest_submission_date: '2026-11-22' });
    await expectNoTick(app, async () =>
      expect((await accept()).body.code).toBe('claim.beforeEarliestDate'),
    );
    await admin(app, `post /waits/${wait.id}/accept`).expect(200);
    expect(await heldOf(app)).toEqual([]);
  });

  it("has its key's type, even if an admin joins for it with another; without a key, the given type", async () => {
    const app = await createTestApp(dialect);
    const holder = await aKey(app);
    const key = await aKey(app, undefined, 'vice');
    await submitted(app, holder, aClaim(holder));
    const input = {
      respawn_id: 1,
      date: TODAY,
      hour_start: 10,
      hour_end: 14,
      member_type: 'elite',
    };
    for (const character_name of [key.character_name, 'Keyless'])
      await admin(app, 'post /waits', { ...input, character_name }).expect(201);
    expect(
      (await open(app)).map(({ member_type }: { member_type: string }) => member_type),
    ).toEqual(['vice', 'elite']);
  });
});

describe.each(databases)('R9.14: a member whose type may not claim any more, on %s', (dialect) => {
  it('is skipped, keeps its place, and gets an offer as soon as it may: after another change, or on its first day', async () => {
    for (const [shut, opens] of [
      [{ can_submit: 0 }, { can_submit: 1 }],
      [{ earliest_submission_date: '2026-11-22' }, null],
    ] as const) {
      const app = await createTestApp(dialect);
      const type = await aMemberType(app);
      const holder = await aKey(app);
      const change = (fields: object) =>
        admin(app, `put /admin/member-types/${type}`, fields).expect(200);
      const [claim] = await submitted(app, holder, aClaim(holder, { date: '2026-11-22' }));
      const shutOut = await aKey(app, undefined, type);
      const next = await aKey(app);
      const first = await aWait(app, shutOut, { date: '2026-11-22' });
      const second = await aWait(app, next, { date: '2026-11-22' });
      await change(shut);
      await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
      expect(await open(app)).toMatchObject([
        { id: first.id, status: 'waiting', position: 1 },
        { id: second.id, status: 'offered', position: 2 },
      ]);
      await app.api.post(`/waits/${second.id}/decline`).set(asMember(next)).send({}).expect(200);
      expect(await open(app)).toMatchObject([{ id: first.id, status: 'waiting' }]);
      if (opens) await change(opens);
      else app.setNow('2026-11-22T09:00:00.000Z');
      await app.runDue();
      expect(await open(app)).toMatchObject([{ id: first.id, status: 'offered' }]);
    }
  });

  it('gets an offer if an admin added the entry, who accepts for them', async () => {
    const app = await createTestApp(dialect);
    const type = await aMemberType(app, { can_submit: 0 });
    const holder = await aKey(app);
    const key = await aKey(app, undefined, type);
    const [claim] = await submitted(app, holder, aClaim(holder));
    const input = {
      respawn_id: 1,
      date: TODAY,
      hour_start: 10,
      hour_end: 14,
      character_name: key.character_name,
    };
    const { id } = (await admin(app, 'post /waits', input).expect(201)).body.data;
    await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
    expect(await open(app)).toMatchObject([{ id, status: 'offered' }]);
    await admin(app, `post /waits/${id}/accept`).expect(200);
  });
});
