import { describe, expect, it } from 'vitest';
import type { ActivityAction } from '../../../shared/activity-actions.ts';
import { latest } from '../../activity/test/undo.ts';
import {
  aClaim,
  aKey,
  anAdmin,
  asMember,
  aWait,
  submit,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { wrongCounts } from '../claims/consistency.ts';

const TOMORROW = '2026-11-22';

const entries = async ({ ctx: { db } }: TestApp) =>
  (await db.selectFrom('waits').select(['status', 'position']).orderBy('id').execute()).map(
    ({ status, position }) => `${status} ${position}`,
  );

const claimants = async ({ ctx: { db } }: TestApp) =>
  (
    await db.selectFrom('claims').select(['character_name', 'held_until']).orderBy('id').execute()
  ).map(
    ({ character_name, held_until }) => `${character_name}${held_until === null ? '' : ' (held)'}`,
  );

/** Hours held for the first of two members on a waitlist, and another claim of the same spot. */
async function heldHours(app: TestApp) {
  const holder = await aKey(app);
  const beside = await aKey(app, 'Beside');
  const first = await aKey(app, 'First');
  const second = await aKey(app, 'Second');
  const [claim] = await submitted(app, holder, aClaim(holder));
  const [other] = await submitted(app, beside, aClaim(beside, { hour_start: 20, hour_end: 22 }));
  for (const key of [first, second]) await aWait(app, key);
  await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
  expect(await entries(app)).toEqual(['offered 1', 'waiting 2']);
  const hold = await app.ctx.db
    .selectFrom('claims')
    .select('id')
    .where('held_until', 'is not', null)
    .executeTakeFirstOrThrow();
  return { first, second, other: other?.id ?? 0, hold: hold.id };
}

type Held = Awaited<ReturnType<typeof heldHours>>;

const WAYS: {
  name: string;
  action: ActivityAction;
  end: (app: TestApp, held: Held) => Promise<unknown>;
  restored: number;
}[] = [
  {
    name: 'a clearing',
    action: 'claims_cleared',
    end: (app) => app.api.delete('/claims/admin/respawn/1').set(app.admin).expect(200),
    restored: 1,
  },
  {
    name: 'a bulk deletion',
    action: 'claims_deleted',
    end: (app, { hold, other }) =>
      app.api
        .post('/admin/claims/bulk')
        .set(app.admin)
        .send({ ids: [hold, other], command: { do: 'delete' } })
        .expect(200),
    restored: 1,
  },
  {
    name: 'a deletion of the hold alone',
    action: 'claim_deleted',
    end: (app, { hold }) => app.api.delete(`/admin/claims/${hold}`).set(app.admin).expect(200),
    restored: 0,
  },
];

describe.each(databases)('undoing a deletion of held hours on %s', (dialect) => {
  it.each(WAYS)(
    '$name gives the offer back to the first on the waitlist, before the next, who was offered the hours meanwhile',
    async ({ action, end, restored }) => {
      const app = await createTestApp(dialect);
      const held = await heldHours(app);
      await end(app, held);
      expect(await entries(app)).toEqual(['void 0', 'offered 1']);
      const entry = await latest(app, action);
      expect(entry.undo).toBe('possible');
      // Moderators may delete claims, so they may undo it.
      const { headers } = await anAdmin(app, 'moderator');
      const undone = await app.api
        .post(`/admin/activity-log/${entry.id}/undo`)
        .set(headers)
        .expect(200);
      expect(undone.body.data).toEqual({ restored_claims: restored, left_claims: 0 });
      expect(await entries(app)).toEqual(['offered 1', 'waiting 2']);
      expect((await claimants(app)).sort()).toEqual(['Beside', 'First (held)']);
      expect((await latest(app, 'hold_withdrawn')).details).toMatchObject({
        character_name: 'Second',
      });
      expect(await wrongCounts(app.ctx.db)).toEqual([]);
    },
  );

  it('lets the next keep the hours that they accepted; the first waits again at the old place', async () => {
    const app = await createTestApp(dialect);
    const { second, hold } = await heldHours(app);
    await app.api.delete(`/admin/claims/${hold}`).set(app.admin).expect(200);
    await app.api.post('/waits/2/accept').send({ access_key: second.key_value }).expect(200);
    const { id } = await latest(app, 'claim_deleted');
    await app.api.post(`/admin/activity-log/${id}/undo`).set(app.admin).expect(200);
    expect(await entries(app)).toEqual(['waiting 1', 'accepted 0']);
    expect((await claimants(app)).sort()).toEqual(['Beside', 'Second']);
  });

  it('restores the entry without the claim whose hours were taken meanwhile, and the claim later', async () => {
    const app = await createTestApp(dialect);
    await heldHours(app);
    await app.api.delete('/claims/admin/respawn/1').set(app.admin).expect(200);
    const rival = await aKey(app, 'Rival');
    const [taken] = await submitted(app, rival, aClaim(rival, { hour_start: 20, hour_end: 22 }));
    const { id } = await latest(app, 'claims_cleared');
    const undo = (body: object) =>
      app.api.post(`/admin/activity-log/${id}/undo`).set(app.admin).send(body);
    expect((await undo({}).expect(409)).body).toMatchObject({
      code: 'activity.hoursTaken',
      params: { partial: true, restorable: 0, left: 1 },
    });
    expect(await entries(app)).toEqual(['void 0', 'offered 1']);
    expect((await undo({ partial: true }).expect(200)).body.data).toEqual({
      restored_claims: 0,
      left_claims: 1,
    });
    expect(await entries(app)).toEqual(['offered 1', 'waiting 2']);
    await app.api.delete(`/admin/claims/${taken?.id}`).set(app.admin).expect(200);
    expect((await undo({}).expect(200)).body.data).toEqual({ restored_claims: 1, left_claims: 0 });
    expect((await claimants(app)).sort()).toEqual(['Beside', 'First (held)']);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('gives an offer back whose member was banned in bulk', async () => {
    const app = await createTestApp(dialect);
    await heldHours(app);
    const { body } = await app.api
      .post('/admin/verify-character')
      .set(app.admin)
      .send({ character_name: 'First' });
    await app.api
      .post('/admin/verified-codes/bulk')
      .set(app.admin)
      .send({ ids: [body.data.id], command: { do: 'ban' } })
      .expect(200);
    expect(await entries(app)).toEqual(['void 0', 'offered 1']);
    const { id } = await latest(app, 'characters_banned');
    await app.api.post(`/admin/activity-log/${id}/undo`).set(app.admin).expect(200);
    expect(await entries(app)).toEqual(['offered 1', 'waiting 2']);
  });
});

describe.each(databases)('undoing what gave a member on a waitlist a claim on %s', (dialect) => {
  it('an edit of the date: the member waits again at the old place', async () => {
    const app = await createTestApp(dialect);
    const holder = await aKey(app);
    const first = await aKey(app);
    const second = await aKey(app);
    await submitted(app, holder, aClaim(holder));
    const [claim] = await submitted(app, first, aClaim(first, { respawn_id: 2, date: TOMORROW }));
    for (const key of [first, second]) await aWait(app, key);
    await app.api
      .put(`/claims/admin/${claim?.id}/respawn`)
      .set(app.admin)
      .send({ respawn_id: 2, date: TODAY })
      .expect(200);
    expect(await entries(app)).toEqual(['void 0', 'waiting 1']);
    const { id } = await latest(app, 'claim_updated');
    await app.api.post(`/admin/activity-log/${id}/undo`).set(app.admin).expect(200);
    expect(await entries(app)).toEqual(['waiting 1', 'waiting 2']);
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });

  it('a move to another character: it waits again at the old place', async () => {
    const app = await createTestApp(dialect);
    const holder = await aKey(app);
    const owner = await aKey(app);
    const first = await aKey(app);
    const second = await aKey(app);
    await submitted(app, holder, aClaim(holder));
    const [claim] = await submitted(app, owner, aClaim(owner, { respawn_id: 2 }));
    for (const key of [first, second]) await aWait(app, key);
    await app.api
      .put(`/claims/admin/${claim?.id}/character`)
      .set(app.admin)
      .send({ character_name: first.character_name, member_type: 'member' })
      .expect(200);
    expect(await entries(app)).toEqual(['void 0', 'waiting 1']);
    const { id } = await latest(app, 'claim_updated');
    await app.api.post(`/admin/activity-log/${id}/undo`).set(app.admin).expect(200);
    expect(await entries(app)).toEqual(['waiting 1', 'waiting 2']);
    // With the owner's claim of that date again, nothing is left to offer.
    expect((await submit(app, owner, aClaim(owner, { respawn_id: 3 }))).body.code).toBe(
      'claim.characterHasClaim',
    );
    expect((await app.api.get('/waits').set(asMember(second)).expect(200)).body.data).toHaveLength(
      2,
    );
  });
});
