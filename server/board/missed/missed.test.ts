import { io, type Socket } from 'socket.io-client';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { ClientEvents, ServerEvents } from '../../../shared/live.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { AdminRole } from '../../../shared/rules/roles.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import type { Ending } from '../../../shared/schemas/ending.ts';
import type { MissedClaim } from '../../../shared/schemas/missed-claim.ts';
import { latest, undo } from '../../activity/test/undo.ts';
import { admin } from '../../activity/test/write.ts';
import {
  aClaim,
  aKey,
  anAdmin,
  aRespawn,
  asMember,
  aWait,
  changeUnheard,
  submit,
  submitAsAdmin,
  submitted,
  waitFor,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { claimsOf, postStanding } from '../standing/test/standing.ts';
import { answer, claimed, handover, swap } from '../transfers/test/transfers.ts';

/** SS+10 of today begins at 19:00 UTC; ten minutes later its claim is missed. */
const MISSED_AT = '2026-11-21T19:10:00.000Z';
const UNTIL = '2026-11-24T17:00:00.000Z';
const RULES = { confirm_enabled: 1, no_show_limit: 2 };

let claim_id = 900_000;

/** A missed claim of the past, as the server records one. */
const missed = (
  app: TestApp,
  { character_name }: Pick<AccessKey, 'character_name'>,
  { ended_at = '2026-11-21T17:00:00.000Z', part_number = 1, id = ++claim_id, on = TODAY } = {},
) =>
  changeUnheard(app, (tx) =>
    tx
      .insertInto('claim_endings')
      .values({
        claim_id: id,
        part_number,
        character_name,
        character_key: nameKey(character_name),
        member_type: 'member',
        is_secondary_claim: 0,
        respawn_id: 1,
        respawn_name: 'Spot',
        event_id: null,
        date: on,
        first_date: on,
        last_date: on,
        hour_start: 2 * part_number,
        hour_end: 2 * part_number + 1,
        made_at: '2026-11-20T17:00:00.000Z',
        ended_at,
        ended_date: on,
        ended_hour: 8,
        reason: 'no_show',
        ended_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );

async function paused(app: TestApp): Promise<AccessKey> {
  const key = await aKey(app);
  for (const ended_at of ['2026-11-20T17:00:00.000Z', '2026-11-21T17:00:00.000Z'])
    await missed(app, key, { ended_at });
  return key;
}

/** The missed claims that a member's page is sent. */
async function ownMissed(
  app: TestApp,
  { key_value }: AccessKey,
): Promise<(readonly MissedClaim[])[]> {
  const socket: Socket<ServerEvents, ClientEvents> = io(app.url, {
    transports: ['websocket'],
    auth: { access_key: key_value },
  });
  onTestFinished(() => void socket.disconnect());
  const got: (readonly MissedClaim[])[] = [];
  socket.on('own', ({ missed: own }) => got.push(own));
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  await socket.emitWithAck('sync', null);
  return got;
}

const excuse = (app: TestApp, id: number, headers: Record<string, string> = app.admin) =>
  app.api.post(`/admin/endings/${id}/excuse`).set(headers);
const noShowsOf = async (app: TestApp, key: AccessKey): Promise<Ending[]> =>
  (
    await app.api
      .get('/admin/endings')
      .set(app.admin)
      .query({ character: key.character_name, reason: 'no_show' })
      .expect(200)
  ).body.data;
const REFUSAL = { count: 2, days: 14, until: UNTIL };
const SENTENCE = `You missed 2 claims. You can claim again from ${UNTIL}.`;
const expectPaused = (response: Parameters<typeof expectRefusal>[0]) =>
  expectRefusal(response, 403, 'claim.missedTooMany', SENTENCE, REFUSAL);

describe.each(databases)('R9.29: missed claims on %s', (dialect) => {
  let app: TestApp;
  beforeEach(async () => {
    app = await createTestApp(dialect);
    await admin(app, 'put /admin/config', RULES).expect(200);
  });

  it('keep a member from claiming until days after the latest; admins claim for the member', async () => {
    const key = await paused(app);
    expectPaused(await expectNoTick(app, () => submit(app, key, aClaim(key))));
    await submitAsAdmin(app, 'member', aClaim(key, { date: '2026-11-25' })).expect(201);
    app.setNow('2026-11-24T16:59:59.999Z');
    expectPaused(await submit(app, key, aClaim(key, { date: '2026-11-26' })));
    app.setNow(UNTIL);
    await submit(app, key, aClaim(key, { date: '2026-11-26' })).expect(201);
  });

  it('have no consequence without a limit, without confirmation, and of others, and count from before the switch', async () => {
    const key = await paused(app);
    for (const off of [{ no_show_limit: 0 }, { confirm_enabled: 0 }, { no_show_limit: 3 }]) {
      await admin(app, 'put /admin/config', { ...RULES, ...off }).expect(200);
      const [claim] = await submitted(app, key, aClaim(key));
      await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
    }
    await admin(app, 'put /admin/config', RULES).expect(200);
    const other = await aKey(app);
    await submit(app, other, aClaim(other)).expect(201);
    expectPaused(await submit(app, key, aClaim(key)));
  });

  it('refuse numbers out of their bounds', async () => {
    for (const change of [
      { no_show_limit: 11 },
      { no_show_limit: -1 },
      { no_show_days: 0 },
      { no_show_days: 91 },
      { no_show_pause_days: 0 },
      { no_show_pause_days: 31 },
    ])
      await admin(app, 'put /admin/config', change).expect(400);
  });

  it('are recorded by the server, once for a split claim, shown to the member at once, and then refuse', async () => {
    const key = await aKey(app);
    const spot = await aRespawn(app);
    const split_parts = [10, 12].map((hour_start, nth) => ({
      part_number: nth + 1,
      respawn_id: nth === 0 ? spot.id : 2,
      hour_start,
      duration: 1,
    }));
    await submitted(app, key, aClaim(key, { is_split_claim: 1, split_parts }));
    const mine = await ownMissed(app, key);
    const theirs = await ownMissed(app, await aKey(app));
    app.setNow(MISSED_AT);
    await app.runDue();
    app.setNow('2026-11-21T21:10:00.000Z');
    await app.runDue();
    expect(await noShowsOf(app, key)).toHaveLength(2);
    await expect.poll(() => mine.at(-1)?.map(({ date }) => date)).toEqual([TODAY, TODAY]);
    expect(theirs.flat()).toEqual([]);
    await submit(app, key, aClaim(key, { date: '2026-11-23' })).expect(201);
    await missed(app, key);
    const again = aClaim(key, { date: '2026-11-24' });
    const { body } = await submit(app, key, again).expect(403);
    expect(body).toMatchObject({
      code: 'claim.missedTooMany',
      params: { count: 2, until: '2026-11-24T21:10:00.000Z' },
    });
  });

  it('refuse to join a waitlist and to accept a hold; an admin does both', async () => {
    const holder = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder));
    const key = await aKey(app);
    await aWait(app, key);
    await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
    const { body } = await app.api.get('/waits').set(asMember(key)).expect(200);
    const { id } = body.data[0];
    for (const ended_at of ['2026-11-20T17:00:00.000Z', '2026-11-21T17:00:00.000Z'])
      await missed(app, key, { ended_at });
    expectPaused(await app.api.post(`/waits/${id}/accept`).set(asMember(key)));
    await admin(app, `post /waits/${id}/accept`).expect(200);
    const late = await paused(app);
    expectPaused(await waitFor(app, late));
    await admin(app, 'post /waits', {
      character_name: late.character_name,
      respawn_id: 1,
      date: TODAY,
      hour_start: 10,
      hour_end: 14,
    }).expect(201);
  });

  it('keep the place on a waitlist and pass it over until the pause ends or a no-show is excused', async () => {
    const holder = await aKey(app);
    const date = '2026-11-27';
    const [claim] = await submitted(app, holder, aClaim(holder, { date }));
    const first = await aKey(app);
    const second = await aKey(app);
    const entry = await aWait(app, first, { date });
    const later = await aWait(app, second, { date });
    for (const ended_at of ['2026-11-20T17:00:00.000Z', '2026-11-21T17:00:00.000Z'])
      await missed(app, first, { ended_at });
    await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
    const statuses = async () => {
      const { body } = await app.api.get('/waits').set(asMember(first)).expect(200);
      return body.data.map((wait: { id: number; status: string; position: number }) => [
        wait.id,
        wait.status,
        wait.position,
      ]);
    };
    expect(await statuses()).toEqual([
      [entry.id, 'waiting', 1],
      [later.id, 'offered', 2],
    ]);
    await app.api.post(`/waits/${later.id}/decline`).set(asMember(second)).expect(200);
    expect(await statuses()).toEqual([[entry.id, 'waiting', 1]]);
    app.setNow(UNTIL);
    await app.runDue();
    expect(await statuses()).toEqual([[entry.id, 'offered', 1]]);
  });

  it('excused, offer passed-over hours at once', async () => {
    const holder = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder));
    const key = await aKey(app);
    await aWait(app, key);
    const { id } = await missed(app, key);
    await missed(app, key);
    await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
    const status = async () =>
      (await app.api.get('/waits').set(asMember(key)).expect(200)).body.data[0].status;
    expect(await status()).toBe('waiting');
    await excuse(app, id).expect(200);
    expect(await status()).toBe('offered');
  });

  it('refuse to take over a claim by hand-over or swap; giving one away is allowed', async () => {
    await admin(app, 'put /admin/config', { transfers_enabled: 1 }).expect(200);
    const giver = await aKey(app);
    const given = await claimed(app, giver);
    const key = await aKey(app);
    const own = await claimed(app, key, { respawn_id: 2 });
    const to = await aKey(app);
    const offered = await handover(app, giver, { claim_id: given.id, to }).expect(201);
    for (const one of [key, to])
      for (const ended_at of ['2026-11-20T17:00:00.000Z', '2026-11-21T17:00:00.000Z'])
        await missed(app, one, { ended_at });
    expectPaused(await answer(app, to, { id: offered.body.data.id, how: 'accept' }));
    await app.api.delete(`/transfers/${offered.body.data.id}`).set(asMember(giver)).expect(200);
    expectPaused(await swap(app, key, { claim_id: own.id, for_claim_id: given.id }));
    const { body } = await swap(app, giver, { claim_id: given.id, for_claim_id: own.id });
    expect(body).toMatchObject({
      code: 'transfer.cannotHave',
      params: { character_name: key.character_name, reason: 'claim.missedTooMany' },
    });
    const free = await aKey(app);
    const gift = await handover(app, key, { claim_id: own.id, to: free }).expect(201);
    await answer(app, free, { id: gift.body.data.id, how: 'accept' }).expect(200);
  });

  it('skip weekly claims with the code; they may be made, and later dates are made after the pause', async () => {
    await admin(app, 'put /admin/config', { standing_enabled: 1 }).expect(200);
    const key = await paused(app);
    const { body } = await postStanding(app, key, { weekdays: [6, 7] }).expect(201);
    expect(body.data.skipped.map(({ code }: { code: string }) => code)).toContain(
      'claim.missedTooMany',
    );
    expect(await claimsOf(app, key)).toEqual([]);
    const preview = await app.api
      .post('/standing/preview')
      .set(asMember(key))
      .send({ respawn_id: 2, weekdays: [2], hour_start: 3, hour_end: 4 })
      .expect(200);
    expect(preview.body.data[0]).toMatchObject({
      outcome: 'skipped',
      refusal: { code: 'claim.missedTooMany' },
    });
    expect(preview.body.data.at(-1)).toMatchObject({ outcome: 'later', refusal: null });
    app.setNow('2026-11-28T18:00:00.000Z');
    await app.runDue();
    expect((await claimsOf(app, key)).length).toBeGreaterThan(0);
  });

  it('an admin excuses one, all parts of its claim, and the undo makes it count again', async () => {
    const key = await aKey(app);
    const own = await ownMissed(app, key);
    const counted = () => own.at(-1)?.length;
    const first = await missed(app, key, { id: 1_000_000 });
    await missed(app, key, { id: 1_000_000, part_number: 2 });
    const second = await missed(app, key);
    expectPaused(await submit(app, key, aClaim(key)));
    const { body } = await excuse(app, first.id).expect(200);
    expect(body.data.ids).toHaveLength(2);
    await expect.poll(counted).toBe(1);
    expect((await noShowsOf(app, key)).map(({ excused_by }) => excused_by)).toEqual([
      null,
      'admin',
      'admin',
    ]);
    expect(await latest(app, 'no_show_excused')).toMatchObject({
      id: body.data.activity_id,
      details: { claim_id: 1_000_000, character_name: key.character_name, date: TODAY },
    });
    const [claim] = await submitted(app, key, aClaim(key));
    expectRefusal(
      await excuse(app, first.id),
      409,
      'noShow.alreadyExcused',
      'admin has already excused this no-show.',
      { by: 'admin' },
    );
    expectRefusal(
      await excuse(app, 987_654),
      404,
      'noShow.notFound',
      'This no-show was not found.',
    );
    await undo(app, body.data.activity_id).expect(200);
    expect((await noShowsOf(app, key)).map(({ excused_by }) => excused_by)).toEqual([
      null,
      null,
      null,
    ]);
    await expect.poll(counted).toBe(3);
    // The claim made meanwhile stays.
    await admin(app, `put /claims/admin/${claim?.id}`, { hour_start: 11, hour_end: 14 }).expect(
      200,
    );
    expectPaused(await submit(app, key, aClaim(key, { date: '2026-11-25' })));
    await excuse(app, second.id).expect(200);
    await expect.poll(counted).toBe(2);
  });

  it.each([
    ['owner', 200],
    ['admin', 200],
    ['moderator', 200],
    ['viewer', 403],
  ] as const)('an admin with the role %s gets %s', async (role: AdminRole, status) => {
    const { id } = await missed(app, await aKey(app));
    const { headers } = await anAdmin(app, role);
    const { body } = await excuse(app, id, headers).expect(status);
    if (status === 200)
      await app.api
        .post(`/admin/activity-log/${body.data.activity_id}/undo`)
        .set(headers)
        .expect(200);
  });

  it('members and visitors excuse nothing', async () => {
    const key = await aKey(app);
    const { id } = await missed(app, key);
    await excuse(app, id, asMember(key)).expect(403);
    await excuse(app, id, {}).expect(401);
  });
});
