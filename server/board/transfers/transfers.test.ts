import { describe, expect, it } from 'vitest';
import type { OwnRecords } from '../../../shared/kinds.ts';
import { omit } from '../../../shared/omit.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { OFFERS_A_DAY, OFFERS_TO_ONE } from '../../../shared/rules/transfer.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { guild, latest, undo, undoLatest } from '../../activity/test/undo.ts';
import {
  aClaim,
  aKey,
  aMemberType,
  anActiveEvent,
  anAdmin,
  asMember,
  aWait,
  ban,
  change,
  disableRespawn,
  noActiveEvent,
  submitted,
  waitFor,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { hadWork } from '../../dev/test/jobs.ts';
import { NOW, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { connect } from '../../dev/test/watcher.ts';
import { watching } from '../../dev/test/watching.ts';
import { wrongCounts, wrongOccupancy } from '../claims/consistency.ts';
import { findTransfer, forgetTransfers } from '../records/transfers.ts';
import { allowStanding, aStanding, claimsOf } from '../standing/test/standing.ts';
import {
  anOffer,
  answer,
  aSwap,
  claimed,
  handover,
  holders,
  swap,
  transferApp,
  withdraw,
} from './test/transfers.ts';

const TOMORROW = '2026-11-22';

async function expectConsistent(app: TestApp): Promise<void> {
  expect(await wrongCounts(app.ctx.db)).toEqual([]);
  expect(await wrongOccupancy(app.ctx.db)).toMatchObject({ wrong: 0, first: null });
}

const mine = async (app: TestApp, key: AccessKey) =>
  (await app.api.get('/endings/mine').set(asMember(key)).expect(200)).body.data;
const open = async (app: TestApp, key: AccessKey) =>
  (await app.api.get('/transfers').set(asMember(key)).expect(200)).body.data;
type Concerned = Awaited<ReturnType<typeof anOffer>>;
const refusal = ({ status, body }: { status: number; body: { code?: string } }) => [
  status,
  body.code,
];

describe.each(databases)('a handover on %s', (dialect) => {
  it('is offered, accepted, and in the claim history with both names', async () => {
    const app = await transferApp(dialect);
    const watchers = await watching(app);
    const { from, to, claim, transfer } = await anOffer(app);
    expect(transfer).toMatchObject({
      kind: 'handover',
      claim_id: claim.id,
      for_claim_id: null,
      from: from.character_name,
      to: to.character_name,
      wanted: null,
      offered: {
        respawn_id: 1,
        respawn_name: claim.respawn_name,
        date: TODAY,
        hour_start: 10,
        hour_end: 14,
      },
      created_at: NOW,
      expires_at: '2026-11-21T19:00:00.000Z',
    });
    expect(await open(app, from)).toEqual([transfer]);
    expect(await open(app, to)).toEqual([transfer]);
    expect(await open(app, await aKey(app))).toEqual([]);
    expect((await app.api.get('/transfers').set(app.admin).expect(200)).body.data).toEqual([
      transfer,
    ]);

    await answer(app, to, { id: transfer.id, how: 'accept' }).expect(200);
    expect(await holders(app, 1)).toEqual([to.character_name]);
    expect(await open(app, to)).toEqual([]);
    expect((await mine(app, from)).endings).toMatchObject([
      {
        claim_id: claim.id,
        reason: 'handed_over',
        by: to.character_name,
        to_name: to.character_name,
        hour_start: 10,
        hour_end: 14,
      },
    ]);
    // The former owner's date is free, the new one's is not.
    await submitted(app, from, aClaim(from, { respawn_id: 2 }));
    expect(
      refusal(
        await app.api
          .post('/claims')
          .set(asMember(to))
          .send({ claims: [aClaim(to, { respawn_id: 3 })] }),
      ),
    ).toEqual([409, 'claim.characterHasClaim']);
    await expectConsistent(app);
    await watchers.expectSynced();
    const { logs } = (await app.api.get('/admin/activity-log?limit=10').set(app.admin).expect(200))
      .body.data;
    expect(
      logs.map(({ action, actor_name }: { action: string; actor_name: string }) => [
        action,
        actor_name,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['transfer_offered', from.character_name],
        ['transfer_ended', to.character_name],
        ['claim_updated', to.character_name],
      ]),
    );
  });

  it('R11.1: expires after a day, or when the claim begins', async () => {
    const app = await transferApp(dialect);
    const { transfer, from, to } = await anOffer(app, { date: '2026-11-24' });
    expect(transfer.expires_at).toBe('2026-11-22T18:00:00.000Z');
    app.setNow('2026-11-22T17:59:59.000Z');
    await app.runDue();
    expect(await open(app, to)).toHaveLength(1);
    app.setNow('2026-11-22T18:00:00.000Z');
    await app.runDue();
    expect(await open(app, to)).toEqual([]);
    for (const key of [from, to])
      expect((await mine(app, key)).transfers).toMatchObject([
        { id: transfer.id, outcome: 'expired' },
      ]);
    expect(refusal(await answer(app, to, { id: transfer.id, how: 'accept' }))).toEqual([
      409,
      'transfer.expired',
    ]);
  });

  it('is refused by its recipient, or withdrawn by its owner or an admin, and then over', async () => {
    const app = await transferApp(dialect);
    const one = await anOffer(app);
    const two = await anOffer(app, { respawn_id: 2 });
    const three = await anOffer(app, { respawn_id: 3 });
    await answer(app, one.to, { id: one.transfer.id, how: 'refuse' }).expect(200);
    await withdraw(app, two.from, two.transfer.id).expect(200);
    await app.api.delete(`/transfers/${three.transfer.id}`).set(app.admin).expect(200);
    const codes = ['transfer.wasRefused', 'transfer.wasWithdrawn', 'transfer.wasWithdrawn'];
    for (const [nth, { from, to, transfer }] of [one, two, three].entries()) {
      for (const how of ['accept', 'refuse'] as const)
        expect(
          refusal(await expectNoTick(app, () => answer(app, to, { id: transfer.id, how }))),
        ).toEqual([409, codes[nth]]);
      const again = nth === 0 ? [409, 'transfer.wasRefused'] : [404, 'transfer.notFound'];
      expect(refusal(await withdraw(app, from, transfer.id))).toEqual(again);
      expect(await open(app, from)).toEqual([]);
    }
    // It can be offered again.
    await handover(app, one.from, { claim_id: one.claim.id, to: one.to }).expect(201);
  });

  it('is only for the characters that it concerns', async () => {
    const app = await transferApp(dialect);
    const { from, to, transfer, claim } = await anOffer(app);
    const stranger = await aKey(app);
    for (const how of ['accept', 'refuse'] as const)
      for (const key of [from, stranger])
        expect(refusal(await answer(app, key, { id: transfer.id, how }))).toEqual([
          403,
          'transfer.otherCharacter',
        ]);
    for (const key of [to, stranger])
      expect(refusal(await withdraw(app, key, transfer.id))).toEqual([
        403,
        'transfer.otherCharacter',
      ]);
    expect(refusal(await handover(app, stranger, { claim_id: claim.id, to }))).toEqual([
      403,
      'transfer.otherClaim',
    ]);
    for (const path of [
      `/claims/${claim.id}/handover`,
      `/claims/${claim.id}/swap`,
      `/transfers/${transfer.id}/accept`,
    ]) {
      const body = { to: 'Somebody', for_claim_id: 1 };
      expect((await app.api.post(path).set(app.admin).send(body)).body.code).toBe('key.required');
      expect((await app.api.post(path).send(body)).status).toBe(401);
    }
    const viewer = await anAdmin(app, 'viewer');
    expect((await app.api.delete(`/transfers/${transfer.id}`).set(viewer.headers)).status).toBe(
      403,
    );
    expect(
      (await app.api.get('/transfers').set(viewer.headers).expect(200)).body.data,
    ).toHaveLength(1);
    for (const how of ['accept', 'refuse'] as const)
      expect(refusal(await answer(app, to, { id: 9_999, how }))).toEqual([
        404,
        'transfer.notFound',
      ]);
    expect(refusal(await withdraw(app, from, 9_999))).toEqual([404, 'transfer.notFound']);
  });

  it('R11.1, R11.3: is refused where the claim or its recipient cannot be part of it', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    const claim = await claimed(app, from);
    const refused = async (recipient: { character_name: string }, id = claim.id) =>
      refusal(await expectNoTick(app, () => handover(app, from, { claim_id: id, to: recipient })));
    expect(await refused(from)).toEqual([400, 'transfer.self']);
    expect(await refused({ character_name: 'Has No Key' })).toEqual([409, 'transfer.noMember']);
    expect(await refused(to, 9_999)).toEqual([404, 'claim.notFound']);
    expect(await refused({ character_name: ' ' })).toEqual([400, 'character.nameRequired']);
    const gone = await aKey(app);
    await app.api.put(`/admin/access-keys/${gone.id}/revoke`).set(app.admin).send({}).expect(200);
    expect(await refused(gone)).toEqual([409, 'transfer.noMember']);
    const banned = await aKey(app);
    await ban(app, banned);
    expect(await refused(banned)).toEqual([409, 'transfer.noMember']);
    await claimed(app, to, { respawn_id: 2 });
    expect(await refused(to)).toEqual([409, 'transfer.cannotHave']);
    const other = await aKey(app);
    await handover(app, from, { claim_id: claim.id, to: other }).expect(201);
    expect(await refused(other)).toEqual([409, 'transfer.alreadyOpen']);
    app.setNow('2026-11-21T19:00:00.000Z');
    expect(await refused(other)).toEqual([409, 'transfer.begun']);
    await app.api.put('/admin/config').set(app.admin).send({ transfers_enabled: 0 }).expect(200);
    expect(await refused(other)).toEqual([409, 'transfer.disabled']);
  });

  it('recipients are found by how their names begin, without oneself, revoked and banned ones, twenty at most', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app, 'Mira Own');
    for (const name of ['Mira Vale', 'Mirabel', "O'Mira", '100%_Mage']) await aKey(app, name);
    const gone = await aKey(app, 'Mira Gone');
    await app.api.put(`/admin/access-keys/${gone.id}/revoke`).set(app.admin).send({}).expect(200);
    await ban(app, await aKey(app, 'Mira Banned'));
    const found = async (name: string) =>
      (await app.api.get('/transfers/recipients').query({ name }).set(asMember(from)).expect(200))
        .body.data;
    expect(await found('mIr')).toEqual(['Mira Vale', 'Mirabel']);
    expect(await found('Mira ')).toEqual(['Mira Vale', 'Mirabel']);
    expect(await found('%')).toEqual([]);
    expect(await found('100%_')).toEqual(['100%_Mage']);
    for (let n = 10; n <= 40; n += 1) await aKey(app, `Zed ${n}`);
    expect(await found('zed')).toHaveLength(20);
    expect(await found('zed 4')).toEqual(['Zed 40']);
    await app.api.get('/transfers/recipients').expect(401);
    await app.api.put('/admin/config').set(app.admin).send({ transfers_enabled: 0 }).expect(200);
    expectRefusal(
      await app.api.get('/transfers/recipients').set(asMember(from)),
      409,
      'transfer.disabled',
      "Members can't hand over or swap claims right now.",
    );
  });

  it('is refused as it is where the guild or the spot, not the recipient, is why', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    const claim = await claimed(app, from, { respawn_id: 4 });
    const refused = async () =>
      refusal(await expectNoTick(app, () => handover(app, from, { claim_id: claim.id, to })));
    await disableRespawn(app, 4);
    expect(await refused()).toEqual([409, 'respawn.disabled']);
    await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 0 }).expect(200);
    expect(await refused()).toEqual([403, 'claim.submissionDisabled']);
  });

  it('R11.3: is judged again when it is accepted', async () => {
    const app = await transferApp(dialect);
    const accept = async (
      prepare: (to: AccessKey, claim: ClaimRow) => Promise<unknown>,
      respawn_id: number,
      type = 'member',
    ) => {
      const from = await aKey(app);
      const to = await aKey(app, undefined, type);
      const claim = await claimed(app, from, { respawn_id });
      const { id } = (await handover(app, from, { claim_id: claim.id, to }).expect(201)).body.data;
      await prepare(to, claim);
      return refusal(await expectNoTick(app, () => answer(app, to, { id, how: 'accept' })));
    };
    expect(await accept((to) => claimed(app, to, { respawn_id: 50 }), 1)).toEqual([
      409,
      'claim.characterHasClaim',
    ]);
    const ofType = (fields: object) => (to: AccessKey) =>
      app.api.put(`/admin/member-types/${to.member_type}`).set(app.admin).send(fields).expect(200);
    expect(await accept(ofType({ can_submit: 0 }), 2, await aMemberType(app))).toEqual([
      403,
      'claim.typeMayNotSubmit',
    ]);
    expect(
      await accept(ofType({ earliest_submission_date: '2026-12-24' }), 3, await aMemberType(app)),
    ).toEqual([403, 'claim.beforeEarliestDate']);
    expect(await accept(ofType({ voucher_duration_hours: 3 }), 4, await aMemberType(app))).toEqual([
      400,
      'claim.durationOutOfRange',
    ]);
    expect(await accept(ofType({ max_hours_per_day: 3 }), 5, await aMemberType(app))).toEqual([
      409,
      'budget.day',
    ]);
    expect(await accept((_, { respawn_id }) => disableRespawn(app, respawn_id), 6)).toEqual([
      409,
      'respawn.disabled',
    ]);
    expect(
      await accept(
        (to) =>
          app.api.put(`/admin/access-keys/${to.id}/revoke`).set(app.admin).send({}).expect(200),
        7,
      ),
    ).toEqual([403, 'session.keyRevoked']);
    expect(
      await accept(
        (to) => app.api.post('/admin/ban-character').set(app.admin).send(to).expect(200),
        8,
      ),
    ).toEqual([403, 'session.banned']);
    await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 0 }).expect(200);
    await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 1 }).expect(200);
    expect(
      await accept(
        () =>
          app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 0 }).expect(200),
        9,
      ),
    ).toEqual([403, 'claim.submissionDisabled']);
    await expectConsistent(app);
  });

  it('R11.3: moves the hours of an event’s budget with the claim', async () => {
    const app = await transferApp(dialect);
    const type = await aMemberType(app, { max_hours_per_event: 8 });
    await anActiveEvent(app);
    const from = await aKey(app, undefined, type);
    const to = await aKey(app, undefined, type);
    const today = await claimed(app, from);
    const tomorrow = await claimed(app, from, { date: TOMORROW });
    await claimed(app, to, { respawn_id: 2, date: '2026-11-23' });
    const give = async (claim: ClaimRow) =>
      answer(app, to, {
        id: (await handover(app, from, { claim_id: claim.id, to }).expect(201)).body.data.id,
        how: 'accept',
      });
    await (await give(today)).body;
    expect(await holders(app, 1)).toEqual([to.character_name]);
    expect(refusal(await handover(app, from, { claim_id: tomorrow.id, to }))).toEqual([
      409,
      'transfer.cannotHave',
    ]);
    await claimed(app, from, { respawn_id: 3, date: '2026-11-24' });
    expect(
      (
        await app.api
          .post('/claims')
          .set(asMember(to))
          .send({ claims: [aClaim(to, { date: '2026-11-25' })] })
      ).body.code,
    ).toBe('budget.event');
    await noActiveEvent(app);
  });

  it('R11.4: the new owner confirms, even if the former one has', async () => {
    const app = await transferApp(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ confirm_enabled: 1 }).expect(200);
    const { to, claim, transfer } = await anOffer(app);
    expect(claim.to_confirm).toEqual([1]);
    await answer(app, to, { id: transfer.id, how: 'accept' }).expect(200);
    const [row] = (await app.api.get(`/respawns/1/claims/${TODAY}`).set(app.admin)).body.data;
    expect(row).toMatchObject({ character_name: to.character_name, to_confirm: [1] });
    app.setNow('2026-11-21T18:50:00.000Z');
    await app.api.post(`/claims/${claim.id}/confirm`).set(asMember(to)).expect(200);
  });

  it('R11.4: is confirmed by the new owner also if it begins soon', async () => {
    const app = await transferApp(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ confirm_enabled: 1 }).expect(200);
    const { to, claim, transfer } = await anOffer(app);
    app.setNow('2026-11-21T18:50:00.000Z');
    await answer(app, to, { id: transfer.id, how: 'accept' }).expect(200);
    const read = async () =>
      (await app.api.get(`/respawns/1/claims/${TODAY}`).set(app.admin)).body.data;
    expect(await read()).toMatchObject([
      { id: claim.id, character_name: to.character_name, to_confirm: [1] },
    ]);
    const confirmed = await app.api
      .post(`/claims/${claim.id}/confirm`)
      .set(asMember(to))
      .expect(200);
    expect(confirmed.body.data).toMatchObject([{ to_confirm: [] }]);
  });

  it('is deleted as a no-show even if the former owner claimed it too late to confirm', async () => {
    const app = await transferApp(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ confirm_enabled: 1 }).expect(200);
    await app.beat();
    app.setNow('2026-11-21T18:46:00.000Z');
    const { to, claim, transfer } = await anOffer(app);
    expect(claim.to_confirm).toEqual([]);
    await answer(app, to, { id: transfer.id, how: 'accept' }).expect(200);
    for (const at of [
      '18:47',
      '18:52',
      '18:57',
      '19:02',
      '19:07',
      '19:12',
      '19:17',
      '19:22',
      '19:27',
      '19:32',
    ]) {
      app.setNow(`2026-11-21T${at}:00.000Z`);
      await app.beat();
    }
    await app.runDue();
    expect(await holders(app, 1)).toEqual([]);
  });

  it('R11.1: takes a split claim whole', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    const split_parts = [
      { part_number: 1, respawn_id: 1, hour_start: 10, duration: 2 },
      { part_number: 2, respawn_id: 2, hour_start: 13, duration: 2 },
    ];
    const claim = await claimed(app, from, { is_split_claim: 1, split_parts });
    await answer(app, to, {
      id: (await handover(app, from, { claim_id: claim.id, to }).expect(201)).body.data.id,
      how: 'accept',
    }).expect(200);
    expect([await holders(app, 1), await holders(app, 2)]).toEqual([
      [to.character_name],
      [to.character_name],
    ]);
    expect((await mine(app, from)).endings).toHaveLength(2);
    await expectConsistent(app);
  });

  it('R11.3: takes secondary claims along if the type allows them, else it is refused', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app, undefined, 'elite');
    const elite = await aKey(app, undefined, 'elite');
    const member = await aKey(app);
    const [primary, secondary] = await submitted(
      app,
      from,
      aClaim(from),
      aClaim(from, { respawn_id: 2, is_secondary_claim: 1, secondary_priority: 5 }),
    );
    expect(refusal(await handover(app, from, { claim_id: secondary?.id ?? 0, to: elite }))).toEqual(
      [409, 'transfer.secondary'],
    );
    expect(refusal(await handover(app, from, { claim_id: primary?.id ?? 0, to: member }))).toEqual([
      409,
      'transfer.cannotHave',
    ]);
    await answer(app, elite, {
      id: (await handover(app, from, { claim_id: primary?.id ?? 0, to: elite }).expect(201)).body
        .data.id,
      how: 'accept',
    }).expect(200);
    expect([await holders(app, 1), await holders(app, 2)]).toEqual([
      [elite.character_name],
      [elite.character_name],
    ]);
    await expectConsistent(app);
  });

  it('R11.1: takes the claim of a whole event, until its first date starts', async () => {
    const app = await transferApp(dialect);
    await anActiveEvent(app, { type: 'single_claim', start_time: '2026-11-22T10:00' });
    const { to, claim, transfer } = await anOffer(app, { date: null });
    expect(transfer.expires_at).toBe('2026-11-22T18:00:00.000Z');
    await answer(app, to, { id: transfer.id, how: 'accept' }).expect(200);
    expect(await holders(app, 1, TOMORROW)).toEqual([to.character_name]);
    app.setNow('2026-11-22T19:00:00.000Z');
    expect(refusal(await handover(app, to, { claim_id: claim.id, to: await aKey(app) }))).toEqual([
      409,
      'transfer.begun',
    ]);
    await expectConsistent(app);
  });

  it('R11.5: ends when the dates of its whole event move', async () => {
    const app = await transferApp(dialect);
    const event = await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-11-23T10:00',
    });
    const { from, to, transfer } = await anOffer(app, { date: null });
    await app.api.put(`/events/${event.id}`).set(app.admin).send({ name: 'Renamed' }).expect(200);
    expect(await open(app, to)).toHaveLength(1);
    await app.api
      .put(`/events/${event.id}`)
      .set(app.admin)
      .send({ start_time: '2026-11-22T10:00' })
      .expect(200);
    for (const key of [from, to])
      expect((await mine(app, key)).transfers).toMatchObject([
        { id: transfer.id, outcome: 'changed' },
      ]);
    expect(await open(app, to)).toEqual([]);
  });

  it('R11.4: takes a claim from its standing claim, which does not make that date again', async () => {
    const app = await transferApp(dialect);
    await allowStanding(app);
    const from = await aKey(app);
    const to = await aKey(app);
    const standing = await aStanding(app, from, { weekdays: [7] });
    const [weekly] = await claimsOf(app, from);
    const { id } = (await handover(app, from, { claim_id: weekly?.id ?? 0, to }).expect(201)).body
      .data;
    await answer(app, to, { id, how: 'accept' }).expect(200);
    const [row] = (await app.api.get(`/respawns/1/claims/${TOMORROW}`).set(app.admin)).body.data;
    expect(row).toMatchObject({
      id: weekly?.id,
      character_name: to.character_name,
      standing_id: null,
    });
    await app.api
      .put(`/standing/${standing.id}`)
      .set(asMember(from))
      .send({ join_waitlist: 1 })
      .expect(200);
    expect(await claimsOf(app, from)).toEqual([]);
    await app.api.delete(`/standing/${standing.id}?claims=release`).set(asMember(from)).expect(200);
    expect(await holders(app, 1, TOMORROW)).toEqual([to.character_name]);
  });

  it('R11.2: leaves the waitlist first', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    const claim = await claimed(app, from);
    for (const next of [await aKey(app), await aKey(app)])
      await aWait(app, next, { hour_start: 12, hour_end: 14 });
    const refused = await handover(app, from, { claim_id: claim.id, to });
    expect([refused.status, refused.body]).toEqual([
      409,
      {
        code: 'transfer.waitlist',
        error: '2 members are on the waitlist for these hours, and waitlists come first.',
        params: { count: 2 },
      },
    ]);
    const other = await anOffer(app, { respawn_id: 2, hour_start: 12, hour_end: 14 });
    await aWait(app, await aKey(app), { respawn_id: 2, hour_start: 13, hour_end: 14 });
    expect(refusal(await answer(app, other.to, { id: other.transfer.id, how: 'accept' }))).toEqual([
      409,
      'transfer.waitlistJoined',
    ]);
    for (const key of [other.from, other.to])
      expect((await mine(app, key)).transfers).toMatchObject([
        { id: other.transfer.id, outcome: 'waitlist' },
      ]);
  });

  it('takes the recipient off the waitlists of that date, and offers the former owner hours again', async () => {
    const app = await transferApp(dialect);
    const { from, to, transfer } = await anOffer(app);
    const busy = await aKey(app);
    const taken = await claimed(app, busy, { respawn_id: 7 });
    await aWait(app, to, { respawn_id: 7 });
    await answer(app, to, { id: transfer.id, how: 'accept' }).expect(200);
    expect((await mine(app, to)).waits).toMatchObject([{ status: 'void' }]);
    await aWait(app, from, { respawn_id: 7 });
    await app.api.delete(`/admin/claims/${taken.id}`).set(app.admin).expect(200);
    expect((await app.api.get('/waits').set(app.admin)).body.data).toMatchObject([
      { character_name: from.character_name, status: 'offered' },
    ]);
  });

  it.each([
    ['deleted', (app: TestApp, { id }: ClaimRow) => app.api.delete(`/admin/claims/${id}`)],
    [
      'moved to other hours',
      (app: TestApp, { id }: ClaimRow) =>
        app.api.put(`/claims/admin/${id}`).send({ hour_start: 11, hour_end: 13 }),
    ],
    [
      'moved to another spot',
      (app: TestApp, { id }: ClaimRow) =>
        app.api.put(`/claims/admin/${id}/respawn`).send({ respawn_id: 9 }),
    ],
    ['released', (app: TestApp, { id }: ClaimRow) => app.api.post(`/claims/${id}/release`)],
    [
      'moved to another character',
      (app: TestApp, { id }: ClaimRow) =>
        app.api
          .put(`/claims/admin/${id}/character`)
          .send({ character_name: 'Third Person', member_type: 'member' }),
    ],
    [
      'deleted with its spot',
      (app: TestApp, { respawn_id }: ClaimRow) => app.api.delete(`/admin/respawns/${respawn_id}`),
    ],
  ])('ends when its claim is %s, and both are notified', async (_, change) => {
    const app = await transferApp(dialect);
    const { from, to, claim, transfer } = await anOffer(app, { date: TOMORROW });
    await change(app, claim).set(app.admin).expect(200);
    for (const key of [from, to]) {
      expect(await open(app, key)).toEqual([]);
      expect((await mine(app, key)).transfers).toMatchObject([
        { id: transfer.id, outcome: 'changed' },
      ]);
    }
    expect(refusal(await answer(app, to, { id: transfer.id, how: 'accept' }))).toEqual([
      409,
      'transfer.claimChanged',
    ]);
  });

  it.each([
    [
      'recipient’s key is revoked',
      ({ to }: Concerned, app: TestApp) =>
        app.api.put(`/admin/access-keys/${to.id}/revoke`).set(app.admin).send({}),
    ],
    [
      'recipient’s key is deleted',
      ({ to }: Concerned, app: TestApp) =>
        app.api.delete(`/admin/access-keys/${to.id}`).set(app.admin),
    ],
    [
      'owner is banned',
      ({ from }: Concerned, app: TestApp) =>
        app.api.post('/admin/ban-character').set(app.admin).send(from),
    ],
    [
      'owner’s key is revoked',
      ({ from }: Concerned, app: TestApp) =>
        app.api.put(`/admin/access-keys/${from.id}/revoke`).set(app.admin).send({}),
    ],
  ])('ends when the %s', async (_, act) => {
    const app = await transferApp(dialect);
    const watchers = await watching(app);
    const offer = await anOffer(app, { date: TOMORROW });
    const other = await anOffer(app, { date: TOMORROW, respawn_id: 2 });
    await act(offer, app).expect(200);
    expect((await app.api.get('/transfers').set(app.admin).expect(200)).body.data).toEqual([
      other.transfer,
    ]);
    const ended = await findTransfer(app.ctx.db, offer.transfer.id);
    expect(ended).toMatchObject({ outcome: 'gone' });
    await watchers.expectSynced();
    await expectConsistent(app);
  });

  it('is limited a day, however offers end, and to one character', async () => {
    const app = await transferApp(dialect);
    const { from, to, claim, transfer } = await anOffer(app, { date: TOMORROW });
    const others = (count: number, ended: boolean) =>
      change(app, async ({ tx }) => {
        const stored = await tx
          .selectFrom('transfers')
          .selectAll()
          .where('id', '=', transfer.id)
          .executeTakeFirstOrThrow();
        for (let nth = 0; nth < count; nth += 1) {
          const end = ended
            ? { ended_at: NOW, outcome: 'withdrawn' as const }
            : { ended_at: null, outcome: null };
          const row = { ...omit(stored, 'id'), claim_id: 90_000 + nth, ...end };
          await tx.insertInto('transfers').values(row).execute();
        }
      });
    await withdraw(app, from, transfer.id).expect(200);
    await others(OFFERS_TO_ONE, false);
    const refused = await expectNoTick(app, () => handover(app, from, { claim_id: claim.id, to }));
    expectRefusal(
      refused,
      409,
      'transfer.tooMany',
      `You already have 10 open offers to ${to.character_name}. Wait for the answers, or withdraw some.`,
      { character_name: to.character_name, max: OFFERS_TO_ONE },
    );
    const third = await aKey(app);
    const { id } = (await handover(app, from, { claim_id: claim.id, to: third }).expect(201)).body
      .data;
    await withdraw(app, from, id).expect(200);
    await others(OFFERS_A_DAY - OFFERS_TO_ONE - 2, true);
    expectRefusal(
      await expectNoTick(app, () => handover(app, from, { claim_id: claim.id, to: third })),
      409,
      'transfer.tooOften',
      'You made 50 offers within a day. Try again later.',
      { max: OFFERS_A_DAY },
    );
    app.setNow('2026-11-22T18:00:01.000Z');
    await handover(app, from, { claim_id: claim.id, to: third }).expect(201);
  });

  it('is deleted a year after it ended', async () => {
    const app = await transferApp(dialect);
    const over = await anOffer(app);
    const still = await anOffer(app, { respawn_id: 2 });
    await withdraw(app, over.from, over.transfer.id).expect(200);
    const count = async () =>
      (await app.ctx.db.selectFrom('transfers').select('id').execute()).map(({ id }) => id);
    app.setNow('2027-11-22T17:59:59.000Z');
    expect(await hadWork(app, forgetTransfers)).toBe(false);
    app.setNow('2027-11-22T18:00:01.000Z');
    expect(await hadWork(app, forgetTransfers)).toBe(true);
    expect(await count()).toEqual([still.transfer.id]);
  });

  it('R11.5: ends when transfers are turned off', async () => {
    const app = await transferApp(dialect);
    const { from, to, transfer } = await anOffer(app);
    await app.api.put('/admin/config').set(app.admin).send({ transfers_enabled: 0 }).expect(200);
    for (const key of [from, to])
      expect((await mine(app, key)).transfers).toMatchObject([{ outcome: 'disabled' }]);
    expect(refusal(await answer(app, to, { id: transfer.id, how: 'accept' }))).toEqual([
      409,
      'transfer.disabled',
    ]);
  });

  it('both members are sent their own over the live connection, and no other member is', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    const stranger = await aKey(app);
    const claim = await claimed(app, from);
    const received = await Promise.all(
      [from, to, stranger].map(async (key) => {
        const socket = connect(app.url, { access_key: key.key_value });
        const got: OwnRecords['transfer'][] = [];
        socket.on('own', ({ transfer }) => got.push(transfer));
        await new Promise<void>((resolve) => socket.once('connect', resolve));
        await socket.emitWithAck('sync', null);
        return got;
      }),
    );
    const { id } = (await handover(app, from, { claim_id: claim.id, to }).expect(201)).body.data;
    const latest = () => received.map((got) => got.at(-1)?.map((transfer) => transfer.id));
    await expect.poll(latest).toEqual([[id], [id], []]);
    await answer(app, to, { id, how: 'refuse' }).expect(200);
    await expect.poll(latest).toEqual([[], [], []]);
  });
});

describe.each(databases)('a swap on %s', (dialect) => {
  it('R11.1: changes both claims at once, on one date too', async () => {
    const app = await transferApp(dialect);
    const { from, to, own, theirs, transfer } = await aSwap(app);
    expect(transfer).toMatchObject({
      kind: 'swap',
      claim_id: own.id,
      for_claim_id: theirs.id,
      wanted: { respawn_id: 2 },
    });
    await answer(app, to, { id: transfer.id, how: 'accept' }).expect(200);
    expect([await holders(app, 1), await holders(app, 2)]).toEqual([
      [to.character_name],
      [from.character_name],
    ]);
    expect((await mine(app, from)).endings).toMatchObject([
      { claim_id: own.id, reason: 'swapped', to_name: to.character_name },
    ]);
    expect((await mine(app, to)).endings).toMatchObject([
      { claim_id: theirs.id, reason: 'swapped', to_name: from.character_name },
    ]);
    await expectConsistent(app);
    const { body } = await app.api
      .get(`/statistics?from=${TODAY}&to=${TODAY}`)
      .set(app.admin)
      .expect(200);
    expect(body.data.transfers).toEqual({ handed_over: 0, swapped: 2 });
  });

  it('R11.3: of claims on two dates is refused if a member has another claim on the other date', async () => {
    const app = await transferApp(dialect);
    const { from, to, transfer } = await aSwap(app, {}, { respawn_id: 2, date: TOMORROW });
    await claimed(app, from, { respawn_id: 3, date: TOMORROW });
    expect(refusal(await answer(app, to, { id: transfer.id, how: 'accept' }))).toEqual([
      409,
      'transfer.cannotHave',
    ]);
    await expectConsistent(app);
  });

  it('R11.1: is one open offer for each of its claims', async () => {
    const app = await transferApp(dialect);
    const { to, own, theirs } = await aSwap(app);
    expect(refusal(await handover(app, to, { claim_id: theirs.id, to: await aKey(app) }))).toEqual([
      409,
      'transfer.alreadyOpen',
    ]);
    const third = await aKey(app);
    const another = await claimed(app, third, { respawn_id: 4 });
    expect(refusal(await swap(app, third, { claim_id: another.id, for_claim_id: own.id }))).toEqual(
      [409, 'transfer.alreadyOpen'],
    );
    expect(
      refusal(await swap(app, third, { claim_id: another.id, for_claim_id: another.id })),
    ).toEqual([400, 'transfer.self']);
    expect(refusal(await swap(app, third, { claim_id: another.id, for_claim_id: 9_999 }))).toEqual([
      404,
      'claim.notFound',
    ]);
    expect(refusal(await swap(app, third, { claim_id: own.id, for_claim_id: another.id }))).toEqual(
      [403, 'transfer.otherClaim'],
    );
  });

  it('R11.2, R11.5: ends when either claim changes, or a member waits for either', async () => {
    const app = await transferApp(dialect);
    const one = await aSwap(app);
    const two = await aSwap(app, { respawn_id: 3 }, { respawn_id: 4 });
    await app.api.delete(`/admin/claims/${one.theirs.id}`).set(app.admin).expect(200);
    await aWait(app, await aKey(app), { respawn_id: 4 });
    expect(refusal(await answer(app, one.to, { id: one.transfer.id, how: 'accept' }))).toEqual([
      409,
      'transfer.claimChanged',
    ]);
    expect(refusal(await answer(app, two.to, { id: two.transfer.id, how: 'accept' }))).toEqual([
      409,
      'transfer.waitlistJoined',
    ]);
  });
});

describe.each(databases)('racing answers on %s', (dialect) => {
  it('of two accepts one wins, and the other learns that it was accepted', async () => {
    const app = await transferApp(dialect);
    const { from, to, transfer } = await anOffer(app);
    const answers = await Promise.all(
      [1, 2, 3].map(() => answer(app, to, { id: transfer.id, how: 'accept' })),
    );
    expect(answers.map(refusal).sort()).toEqual([
      [200, undefined],
      [409, 'transfer.wasAccepted'],
      [409, 'transfer.wasAccepted'],
    ]);
    expect(await holders(app, 1)).toEqual([to.character_name]);
    expect((await mine(app, from)).endings).toHaveLength(1);
    await expectConsistent(app);
  });

  it('against the deletion of the claim, its withdrawal, a refusal and a waitlist entry: one wins, the other gets its sentence', async () => {
    const app = await transferApp(dialect);
    const rivals = [
      [
        'transfer.claimChanged',
        200,
        (id: number) => app.api.delete(`/admin/claims/${id}`).set(app.admin),
      ],
      [
        'transfer.wasWithdrawn',
        409,
        (_: number, transfer: number, from: AccessKey) => withdraw(app, from, transfer),
      ],
      [
        'transfer.wasRefused',
        409,
        (_: number, transfer: number, __: AccessKey, to: AccessKey) =>
          answer(app, to, { id: transfer, how: 'refuse' }),
      ],
      [
        'transfer.waitlistJoined',
        201,
        (
          _: number,
          __: number,
          ___: AccessKey,
          ____: AccessKey,
          next: AccessKey,
          respawn_id: number,
        ) => waitFor(app, next, { respawn_id }),
      ],
    ] as const;
    for (const [nth, [code, status, rival]] of rivals.entries())
      for (const order of [0, 1]) {
        const respawn_id = 1 + nth * 2 + order;
        const next = await aKey(app);
        const { from, to, claim, transfer } = await anOffer(app, { respawn_id });
        const compete = [
          () => answer(app, to, { id: transfer.id, how: 'accept' }),
          () => rival(claim.id, transfer.id, from, to, next, respawn_id),
        ];
        if (order === 1) compete.reverse();
        const outcomes = await Promise.all(compete.map(async (go) => go()));
        if (order === 1) outcomes.reverse();
        const [accepted, other] = outcomes.map(refusal);
        if (accepted?.[0] === 200) expect(other?.[0], code).toBe(status);
        else {
          expect(accepted, code).toEqual([409, code]);
          expect([200, 201]).toContain(other?.[0]);
        }
      }
    await expectConsistent(app);
  });
});

describe.each(databases)('an admin on %s', (dialect) => {
  const move = (app: TestApp, id: number, character_name: string, member_type = 'member') =>
    app.api
      .put(`/claims/admin/${id}/character`)
      .set(app.admin)
      .send({ character_name, member_type });

  it('R11.6: moves a claim to another character at once, and back', async () => {
    const app = await transferApp(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ transfers_enabled: 0 }).expect(200);
    const watchers = await watching(app);
    const from = await aKey(app);
    const claim = await claimed(app, from);
    const [row] = (await move(app, claim.id, 'Has No Key', 'elite').expect(200)).body.data;
    expect(row).toMatchObject({
      id: claim.id,
      character_name: 'Has No Key',
      member_type: 'elite',
      hour_start: 10,
      hour_end: 14,
    });
    expect((await mine(app, from)).endings).toMatchObject([
      { reason: 'handed_over', by: 'admin', to_name: 'Has No Key' },
    ]);
    const [back] = (await move(app, claim.id, from.character_name).expect(200)).body.data;
    expect(back).toMatchObject({
      character_name: from.character_name,
      member_type: 'member',
      custom_duration: claim.custom_duration,
    });
    await watchers.expectSynced();
    await expectConsistent(app);
  });

  it('R11.6: undoes a move as if it had not been made: standing claim, confirmation, vouchers and claim history', async () => {
    const app = await transferApp(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ confirm_enabled: 1 }).expect(200);
    await allowStanding(app);
    const from = await aKey(app);
    const elite = await aKey(app, undefined, 'elite');
    await aStanding(app, from, { weekdays: [7], hour_end: 12 });
    const [weekly] = await claimsOf(app, from);
    expect(weekly?.to_confirm).toEqual([1]);
    const secondary = aClaim(elite, {
      respawn_id: 3,
      is_secondary_claim: 1,
      secondary_priority: 5,
    });
    const [primary] = await submitted(app, elite, aClaim(elite, { respawn_id: 2 }), secondary);
    const watchers = await watching(app);
    const before = await guild(app);
    for (const id of [weekly?.id ?? 0, primary?.id ?? 0]) {
      await move(app, id, 'Has No Key', 'elite').expect(200);
      expect((await latest(app, 'claim_updated')).undo).toBe('possible');
      await undoLatest(app, 'claim_updated').then(({ status }) => expect(status).toBe(200));
      expect(await guild(app)).toEqual(before);
      expect((await latest(app, 'change_undone')).details).toMatchObject({
        undid_action: 'claim_updated',
      });
      expect(refusal(await undoLatest(app, 'claim_updated'))).toEqual([
        409,
        'activity.alreadyUndone',
      ]);
    }
    for (const key of [from, elite]) expect((await mine(app, key)).endings).toEqual([]);
    await watchers.expectSynced();
    await expectConsistent(app);
  });

  it('leaves the former owner to confirm, although the undo comes when new claims need no confirmation', async () => {
    const app = await transferApp(dialect);
    await app.api.put('/admin/config').set(app.admin).send({ confirm_enabled: 1 }).expect(200);
    const claim = await claimed(app, await aKey(app));
    await move(app, claim.id, 'Has No Key').expect(200);
    app.setNow('2026-11-21T18:50:00.000Z');
    await undoLatest(app, 'claim_updated').then(({ status }) => expect(status).toBe(200));
    const [row] = (await app.api.get(`/respawns/1/claims/${TODAY}`).set(app.admin)).body.data;
    expect(row).toMatchObject({ id: claim.id, to_confirm: [1] });
  });

  it('may undo a move with the role that moves claims, until the claim changes again', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app);
    const to = await aKey(app);
    const moderator = await anAdmin(app, 'moderator');
    const claim = await claimed(app, from);
    const moved = async () => {
      await move(app, claim.id, to.character_name).expect(200);
      return (await latest(app, 'claim_updated')).id;
    };
    const refused = async (id: number) => refusal(await expectNoTick(app, () => undo(app, id)));
    await app.api
      .post(`/admin/activity-log/${await moved()}/undo`)
      .set(moderator.headers)
      .expect(200);
    expect(await holders(app, 1)).toEqual([from.character_name]);
    // Confirming and offering it are no reason against the undo; the offer ends.
    const offered = await moved();
    const next = await aKey(app);
    const offer = (await handover(app, to, { claim_id: claim.id, to: next }).expect(201)).body.data;
    await undo(app, offered).expect(200);
    expect(refusal(await answer(app, next, { id: offer.id, how: 'accept' }))).toEqual([
      409,
      'transfer.claimChanged',
    ]);
    const first = await moved();
    await claimed(app, from, { respawn_id: 2 });
    expect(await refused(first)).toEqual([409, 'claim.characterHasClaim']);
    await app.api
      .put(`/claims/admin/${claim.id}`)
      .set(app.admin)
      .send({ hour_start: 10, hour_end: 13 })
      .expect(200);
    expect(await refused(first)).toEqual([409, 'activity.changedBy']);
    await move(app, claim.id, next.character_name).expect(200);
    expect(await refused(first)).toEqual([409, 'activity.changedBy']);
    await app.api.delete(`/admin/claims/${claim.id}`).set(app.admin).expect(200);
    expect(await refused(first)).toEqual([409, 'activity.changedBy']);
    await expectConsistent(app);
  });

  it('to another spelling of the same name corrects it, with its secondary claim', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app, undefined, 'elite');
    const [primary] = await submitted(
      app,
      from,
      aClaim(from),
      aClaim(from, { respawn_id: 2, is_secondary_claim: 1 }),
    );
    const correct = from.character_name.toUpperCase();
    const { body } = await move(app, primary?.id ?? 0, correct, 'elite').expect(200);
    expect(body.data).toMatchObject([
      { id: primary?.id, character_name: correct, member_type: 'elite' },
    ]);
    const names = await app.ctx.db
      .selectFrom('claims')
      .select(['character_name', 'character_key'])
      .execute();
    expect(names).toEqual(
      [1, 2].map(() => ({ character_name: correct, character_key: nameKey(correct) })),
    );
    const { details } = await latest(app, 'claim_updated');
    expect(details.changed).toEqual({ character_name: { from: from.character_name, to: correct } });
    expect(await app.ctx.db.selectFrom('claim_endings').selectAll().execute()).toEqual([]);
    expect(refusal(await move(app, primary?.id ?? 0, correct, 'elite'))).toEqual([
      400,
      'transfer.self',
    ]);
    await expectConsistent(app);
  });

  it('gets its refusals, and only roles that change claims may', async () => {
    const app = await transferApp(dialect);
    const from = await aKey(app, undefined, 'elite');
    const to = await aKey(app);
    const [primary, secondary] = await submitted(
      app,
      from,
      aClaim(from),
      aClaim(from, { respawn_id: 2, is_secondary_claim: 1, secondary_priority: 5 }),
    );
    const refused = async (id: number | undefined, name: string, type?: string) =>
      refusal(await expectNoTick(app, () => move(app, id ?? 0, name, type)));
    expect(await refused(9_999, 'Anyone')).toEqual([404, 'claim.notFound']);
    expect(await refused(primary?.id, from.character_name)).toEqual([400, 'transfer.self']);
    expect(await refused(primary?.id, 'Somebody')).toEqual([403, 'secondary.typeNotAllowed']);
    expect(await refused(secondary?.id, 'Somebody', 'elite')).toEqual([409, 'transfer.secondary']);
    await claimed(app, to, { respawn_id: 5 });
    expect(await refused(primary?.id, to.character_name, 'elite')).toEqual([
      409,
      'claim.characterHasClaim',
    ]);
    await aWait(app, await aKey(app), { respawn_id: 5 });
    await app.api
      .delete(
        `/admin/claims/${(await app.api.get(`/respawns/5/claims/${TODAY}`).set(app.admin)).body.data[0].id}`,
      )
      .set(app.admin)
      .expect(200);
    const [hold] = (await app.api.get(`/respawns/5/claims/${TODAY}`).set(app.admin)).body.data;
    expect(await refused(hold.id, 'Somebody')).toEqual([409, 'hold.notEdited']);
    const body = { character_name: 'Somebody', member_type: 'elite' };
    const path = `/claims/admin/${primary?.id}/character`;
    expect((await app.api.put(path).send(body)).status).toBe(401);
    expect(
      (
        await app.api
          .put(path)
          .set((await anAdmin(app, 'viewer')).headers)
          .send(body)
      ).status,
    ).toBe(403);
    await app.api
      .put(path)
      .set((await anAdmin(app, 'moderator')).headers)
      .send(body)
      .expect(200);
  });
});
