import { beforeEach, describe, expect, it } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { NAMED_IN_LOG } from '../../../shared/schemas/bulk.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import {
  type EventCopied,
  type EventCopy,
  MAX_CLAIMS_TO_COPY,
} from '../../../shared/schemas/event-copy.ts';
import { latest, undo } from '../../activity/test/undo.ts';
import {
  aClaim,
  aDestination,
  aKey,
  aMemberType,
  aName,
  anActiveEvent,
  anEvent,
  aSpot,
  aWait,
  ban,
  change,
  changeUnheard,
  disableRespawn,
  noActiveEvent,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { manyClaims } from '../../dev/test/many-claims.ts';
import { createSuiteApp, createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';
import { replaceKey } from '../../members/access-keys.ts';
import { recountOwners } from '../claims/consistency.ts';

/** From today on, a week. */
const WEEK = { start_time: `${TODAY}T10:00`, end_time: '2026-11-27T09:00' };
const NEXT_WEEK = '2026-11-28T10:00';
const PATIENCE_MS = 120_000;

const ask = (app: TestApp, id: number, body: Partial<EventCopy>) =>
  app.api
    .post(`/admin/events/${id}/copy`)
    .set(app.admin)
    .send({ name: aName('Copy'), start_time: NEXT_WEEK, claims: 'all', ...body });
const copied = async (
  app: TestApp,
  id: number,
  body: Partial<EventCopy> = {},
): Promise<EventCopied> => (await ask(app, id, body).expect(200)).body.data;
const previewed = (app: TestApp, id: number, body: Partial<EventCopy> = {}): Promise<EventCopied> =>
  expectNoTick(app, () => copied(app, id, { ...body, preview: true }));

const claimsOf = async (app: TestApp, event: Pick<Event, 'id'> | null): Promise<ClaimRow[]> =>
  (await app.api.get(`/events/${event?.id}/claims`).set(app.admin).expect(200)).body.data;
/** A claim without its ids and times of creation. */
const summaryOf = (rows: readonly ClaimRow[]) =>
  rows
    .map(
      ({
        character_name,
        member_type,
        date,
        respawn_id,
        hour_start,
        hour_end,
        is_secondary_claim,
        split_part_number,
        voucher_duration,
      }) =>
        [
          character_name,
          member_type,
          date,
          respawn_id,
          hour_start,
          hour_end,
          is_secondary_claim,
          split_part_number,
          voucher_duration,
        ].join(' '),
    )
    .sort();
const reasons = ({ claims }: EventCopied) =>
  Object.fromEntries(
    claims.map(({ character_name, refusal }) => [character_name, refusal?.code ?? null]),
  );

describe.each(databases)('a copy of an event on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  beforeEach(() => noActiveEvent(app));

  it('is the same event on other dates, inactive, and without claims if none are requested', async () => {
    const source = await anActiveEvent(app, {
      ...WEEK,
      type: 'single_claim',
      single_claim_template: 'One each.',
    });
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot(), date: null }));
    const entries = await owedBy(app, async () => {
      const { event, ...rest } = await copied(app, source.id, {
        name: ' Next   week ',
        claims: 'none',
      });
      const period = { start_time: NEXT_WEEK, end_time: '2026-12-04T09:00' };
      expect(event).toEqual({
        ...source,
        ...period,
        id: event?.id,
        name: 'Next week',
        is_active: 0,
        claim_count: 0,
        created_at: event?.created_at,
      });
      expect(rest).toEqual({ ...period, copied: 0, left_out: 0, gone: 0, claims: [] });
    });
    const details = {
      name: 'Next week',
      claim_count: 0,
      copied_from: source.name,
      left_out: 0,
      start_time: NEXT_WEEK,
    };
    expect(entries).toMatchObject([{ action: 'event_copied', admin_username: 'admin', details }]);
  });

  it('is the active event at once if the request says so, in the same write', async () => {
    const source = await anActiveEvent(app, WEEK);
    const entries = await owedBy(app, async () => {
      const { event } = await copied(app, source.id, { activate: true });
      expect(event?.is_active).toBe(1);
      expect((await app.api.get('/events/active')).body.data.id).toBe(event?.id);
    });
    expect(entries.map(({ action }) => action)).toEqual(['event_activated', 'event_copied']);
    expect(new Set(entries.map(({ clock }) => clock)).size).toBe(1);
    await noActiveEvent(app);
  });

  it('R3.11: has the claims as many whole days later, split and secondary ones too, as those who watch see at once', async () => {
    const source = await anActiveEvent(app, WEEK);
    const type = 'elite';
    const whole = await aKey(app);
    const split = await aKey(app);
    const second = await aKey(app, aName(), type);
    const spots = [aSpot(), aSpot(), aSpot(), aSpot(), aSpot()] as const;
    const parts = [
      { part_number: 1, respawn_id: spots[1], hour_start: 2, duration: 2 },
      { part_number: 2, respawn_id: spots[2], hour_start: 20, duration: 1 },
    ];
    await submitted(
      app,
      whole,
      ...[TODAY, '2026-11-27'].map((date) =>
        aClaim(whole, { respawn_id: spots[0], date, hour_end: 12 }),
      ),
    );
    await submitted(
      app,
      split,
      aClaim(split, { is_split_claim: 1, split_parts: parts, date: '2026-11-23' }),
    );
    const secondary = {
      respawn_id: spots[4],
      is_secondary_claim: 1 as const,
      hour_start: 15,
      hour_end: null,
    };
    await submitted(
      app,
      second,
      aClaim(second, { respawn_id: spots[3] }),
      aClaim(second, secondary),
    );
    const before = await claimsOf(app, source);
    await noActiveEvent(app);
    const { expectSynced } = await watching(app);
    const entries = await owedBy(app, async () => {
      const { event, ...rest } = await copied(app, source.id);
      expect(rest).toMatchObject({ copied: 5, left_out: 0, gone: 0, claims: [] });
      expect(event?.claim_count).toBe(5);
      const week = (date: string | null): string =>
        `2026-${{ [TODAY]: '11-28', '2026-11-23': '11-30', '2026-11-27': '12-04' }[date ?? '']}`;
      expect(summaryOf(await claimsOf(app, event))).toEqual(
        summaryOf(before.map((row) => ({ ...row, date: week(row.date) }))),
      );
    });
    await expectSynced(0);
    expect(entries.map(({ action }) => action)).toEqual([
      ...Array(5).fill('claim_created'),
      'event_copied',
    ]);
    const rows = await app.ctx.db
      .selectFrom('claims')
      .select(['id', 'primary_claim_id'])
      .where('is_secondary_claim', '=', 1)
      .execute();
    expect(
      new Set(rows.map(({ primary_claim_id }) => primary_claim_id)).size,
      'the copy waits beside the copy',
    ).toBe(2);
  });

  it('of a single claim has the hours on each of its dates, and its copied claims end with it', async () => {
    const source = await anActiveEvent(app, { ...WEEK, type: 'single_claim' });
    const key = await aKey(app);
    const respawn_id = aSpot();
    await submitted(app, key, aClaim(key, { respawn_id, date: null }));
    const { event } = await copied(app, source.id, { end_time: '2026-11-29T10:00' });
    const [claim] = await claimsOf(app, event);
    expect(claim).toMatchObject({ date: null, event_id: event?.id, hour_start: 10, hour_end: 14 });
    const hours = await app.ctx.db
      .selectFrom('occupied_hours')
      .select(['date', 'hour'])
      .where('claim_id', '=', claim?.id ?? 0)
      .execute();
    expect([hours.length, ...new Set(hours.map(({ date }) => date))].sort()).toEqual([
      '2026-11-28',
      '2026-11-29',
      8,
    ]);
    const spot = (await app.api.get('/respawns').set(app.admin).expect(200)).body.find(
      ({ id }: { id: number }) => id === respawn_id,
    );
    expect(spot).toMatchObject({ total_claims: 2, last_claim_date: '2026-11-29' });
  });

  it('has calendar dates, also across clock changes', async () => {
    const key = await aKey(app);
    for (const [from, to] of [
      // Europe puts its clocks back on 25 October, America on 1 November; both forward in March.
      ['2026-10-24', '2026-10-31'],
      ['2026-10-31', '2026-11-07'],
      ['2027-03-06', '2027-03-13'],
      ['2027-03-27', '2027-04-03'],
    ] as const) {
      app.setNow('2026-10-20T18:00:00.000Z');
      const source = await anActiveEvent(app, { start_time: from, end_time: to });
      const respawn_id = aSpot();
      const dates = [from, to];
      expect(
        await submitAsAdmin(
          app,
          'member',
          ...dates.map((date) => aClaim(key, { respawn_id, date, hour_start: 22, hour_end: 24 })),
        ),
      ).toMatchObject({
        status: 201,
      });
      const { event } = await copied(app, source.id, { start_time: addDays(to, 1) });
      const shifted = dates.map((date) => addDays(date, 8));
      expect(
        (await claimsOf(app, event)).map(({ date, hour_start, hour_end }) => [
          date,
          hour_start,
          hour_end,
        ]),
      ).toEqual(shifted.map((date) => [date, 22, 24]));
      await app.api.delete(`/events/${event?.id}`).set(app.admin).expect(200);
      await app.api.delete(`/events/${source.id}`).set(app.admin).expect(200);
    }
  });

  it('takes only the chosen claims, and counts those deleted since', async () => {
    const source = await anActiveEvent(app, WEEK);
    const key = await aKey(app, aName(), 'elite');
    const [one, second] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot() }),
      aClaim(key, { respawn_id: aSpot(), is_secondary_claim: 1, hour_start: 15, hour_end: null }),
    );
    const [other] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot(), date: '2026-11-22' }),
    );
    await noActiveEvent(app);
    const foreign = (
      await submitted(
        app,
        await aKey(app, 'Foreigner'),
        aClaim({ character_name: 'Foreigner' }, { respawn_id: aSpot() }),
      )
    )[0];
    const ids = [second?.id ?? 0, other?.id ?? 0, foreign?.id ?? 0, 2_000_000];
    const { event, ...rest } = await copied(app, source.id, { claims: ids });
    expect(rest).toMatchObject({ copied: 1, left_out: 1, gone: 2 });
    expect(rest.claims).toMatchObject([
      { id: second?.id, refusal: { code: 'secondary.needsPrimary' } },
    ]);
    expect((await claimsOf(app, event)).map(({ date }) => date)).toEqual(['2026-11-29']);
    expect(one?.event_id).toBe(source.id);
  });

  it('R3.11: has nothing for those whose keys were deleted in bulk, the log names them or not', async () => {
    const source = await anActiveEvent(app, WEEK);
    const keys: AccessKey[] = [];
    for (let n = 0; n <= NAMED_IN_LOG; n += 1) keys.push(await aKey(app));
    const first = keys[0] ?? (await aKey(app));
    const last = keys.at(-1) ?? (await aKey(app));
    for (const key of [first, last])
      await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    app.setNow('2026-11-21T18:10:00.000Z');
    const ids = keys.map(({ id }) => id);
    await app.api
      .post('/admin/access-keys/bulk')
      .set(app.admin)
      .send({ ids, command: { do: 'delete' } })
      .expect(200);
    // Facts are not read from the log, which is pruned after ACTIVITY_KEPT_DAYS.
    await changeUnheard(app, (tx) => tx.deleteFrom('activity').execute());
    expect(Object.values(reasons(await previewed(app, source.id)))).toEqual([
      'copy.keyDeleted',
      'copy.keyDeleted',
    ]);
  });

  it('R3.11: skips claims that a submission would be refused for, and names the conflicting ones', async () => {
    const short = await aMemberType(app, { voucher_duration_hours: 4 });
    const frugal = await aMemberType(app, { max_hours_per_event: 4 });
    const source = await anActiveEvent(app, WEEK);
    const named = async (name: string, type?: string): Promise<AccessKey> =>
      aKey(app, aName(name), type);
    const free = await named('Free');
    const taken = await named('Taken');
    const busy = await named('Busy');
    const held = await named('Held');
    const spotless = await named('Spotless');
    const cut = await named('Cut', short);
    const frugalOne = await named('Frugal', frugal);
    const secondary = await named('Second', 'vice');
    const late = await named('Late');
    const spots = new Map<AccessKey, number>();
    for (const key of [free, taken, busy, held, spotless, cut, frugalOne, secondary, late]) {
      spots.set(key, aSpot());
      await submitted(app, key, aClaim(key, { respawn_id: spots.get(key) ?? 0 }));
    }
    await submitted(
      app,
      frugalOne,
      aClaim(frugalOne, { respawn_id: aSpot(), date: '2026-11-22', hour_end: 11 }),
    ).catch(() => null);
    const second = {
      respawn_id: aSpot(),
      is_secondary_claim: 1 as const,
      hour_start: 3,
      hour_end: null,
      date: '2026-11-24',
    };
    await submitted(
      app,
      secondary,
      aClaim(secondary, { respawn_id: aSpot(), date: '2026-11-24' }),
      aClaim(secondary, second),
    );
    await submitted(app, late, aClaim(late, { respawn_id: aSpot(), date: '2026-11-27' }));
    await noActiveEvent(app);
    const thief = await aKey(app, aName('Thief'));
    const other = aSpot();
    await submitted(
      app,
      thief,
      aClaim(thief, {
        respawn_id: spots.get(taken) ?? 0,
        date: '2026-11-28',
        hour_start: 12,
        hour_end: 15,
      }),
    );
    await submitted(
      app,
      busy,
      aClaim(busy, { respawn_id: other, date: '2026-11-28', hour_start: 1, hour_end: 2 }),
    );
    const holder = await aKey(app, aName('Holder'));
    const [stood] = await submitted(
      app,
      holder,
      aClaim(holder, { respawn_id: spots.get(held) ?? 0, date: '2026-11-28' }),
    );
    const waitingKey = await aKey(app, aName('Waiter'));
    await aWait(app, waitingKey, { respawn_id: spots.get(held) ?? 0, date: '2026-11-28' });
    await app.api.delete(`/admin/claims/${stood?.id}`).set(app.admin).expect(200);
    await disableRespawn(app, spots.get(spotless) ?? 0);
    await app.api
      .put(`/admin/member-types/${short}`)
      .set(app.admin)
      .send({ voucher_duration_hours: 3 })
      .expect(200);
    await app.api
      .put(`/admin/access-keys/${secondary.id}/member-type`)
      .set(app.admin)
      .send({ memberType: 'member' })
      .expect(200);
    const answer = await previewed(app, source.id, { end_time: '2026-12-03T10:00' });
    const codes = answer.claims.map(({ character_name, date, is_secondary_claim, refusal }) => [
      character_name,
      date,
      is_secondary_claim,
      refusal?.code ?? null,
    ]);
    expect(codes).toEqual([
      [free.character_name, '2026-11-28', 0, null],
      [taken.character_name, '2026-11-28', 0, 'claim.timeConflict'],
      [busy.character_name, '2026-11-28', 0, 'claim.characterHasClaim'],
      [held.character_name, '2026-11-28', 0, 'hold.taken'],
      [spotless.character_name, '2026-11-28', 0, 'respawn.disabled'],
      [cut.character_name, '2026-11-28', 0, 'claim.durationOutOfRange'],
      [frugalOne.character_name, '2026-11-28', 0, null],
      [secondary.character_name, '2026-11-28', 0, null],
      [late.character_name, '2026-11-28', 0, null],
      [secondary.character_name, '2026-12-01', 0, null],
      [secondary.character_name, '2026-12-01', 1, 'secondary.typeNotAllowed'],
      [late.character_name, '2026-12-04', 0, 'claim.dateOutsideEvent'],
    ]);
    const holders = Object.fromEntries(
      answer.claims.map((claim) => [claim.character_name, claim.holders]),
    );
    expect(holders[taken.character_name]).toEqual([
      {
        character_name: thief.character_name,
        respawn_name: expect.any(String),
        date: '2026-11-28',
        hour_start: 12,
        hour_end: 15,
        held_until: null,
      },
    ]);
    expect(holders[busy.character_name]).toMatchObject([
      { character_name: busy.character_name, hour_start: 1, hour_end: 2 },
    ]);
    expect(holders[held.character_name]).toMatchObject([
      { character_name: waitingKey.character_name, held_until: expect.any(String) },
    ]);
    // An expired hold blocks no claim.
    app.setNow('2026-11-21T18:30:00.000Z');
    expect(reasons(await previewed(app, source.id))[held.character_name]).toBe(null);
  });

  it('keeps to an event’s budget, in the order of the claims', async () => {
    const type = await aMemberType(app);
    const source = await anActiveEvent(app, WEEK);
    const key = await aKey(app, aName(), type);
    for (const date of [TODAY, '2026-11-22', '2026-11-23'])
      await submitted(app, key, aClaim(key, { respawn_id: aSpot(), date, hour_end: 13 }));
    await app.api
      .put(`/admin/member-types/${type}`)
      .set(app.admin)
      .send({ max_hours_per_event: 7 })
      .expect(200);
    const answer = await copied(app, source.id);
    expect(answer.copied).toBe(2);
    expect(answer.claims).toMatchObject([
      {
        date: '2026-11-30',
        refusal: { code: 'budget.event', params: { limit: 7, left: 1, asked: 3 } },
      },
    ]);
  });

  it('R3.11: skips past claims, and those of banned characters or of revoked or deleted keys', async () => {
    const source = await anActiveEvent(app, WEEK);
    const over = await aKey(app, aName('Over'));
    const runs = await aKey(app, aName('Runs'));
    const banned = await aKey(app);
    const revoked = await aKey(app);
    const deleted = await aKey(app);
    const back = await aKey(app);
    const traded = await aKey(app);
    const hours = {
      [over.character_name]: { hour_start: 5, hour_end: 9 },
      [runs.character_name]: { hour_start: 8, hour_end: 10 },
    };
    for (const key of [over, runs, banned, revoked, deleted, back, traded]) {
      const claim = aClaim(key, { respawn_id: aSpot(), ...hours[key.character_name] });
      await submitAsAdmin(app, 'member', claim).expect(201);
    }
    const keyless = aName('Keyless');
    await submitAsAdmin(
      app,
      'member',
      aClaim({ character_name: keyless }, { respawn_id: aSpot() }),
    ).expect(201);
    await noActiveEvent(app);
    await ban(app, banned);
    await app.api.put(`/admin/access-keys/${revoked.id}/revoke`).set(app.admin).expect(200);
    app.setNow('2026-11-21T18:10:00.000Z');
    for (const { id } of [deleted, back])
      await app.api.delete(`/admin/access-keys/${id}`).set(app.admin).expect(200);
    await aKey(app, back.character_name, 'elite');
    await change(app, (unit) => replaceKey(unit, traded));
    // A week later, at the same hour: SS+9.
    app.setNow('2026-11-28T18:00:00.000Z');
    const answer = await previewed(app, source.id);
    expect(reasons(answer)).toEqual({
      [over.character_name]: 'claim.hoursOver',
      [runs.character_name]: null,
      [banned.character_name]: 'copy.banned',
      [revoked.character_name]: 'copy.keyRevoked',
      [deleted.character_name]: 'copy.keyDeleted',
      [traded.character_name]: 'copy.keyDeleted',
      [back.character_name]: null,
      [keyless]: null,
    });
    expect(
      answer.claims.find(({ character_name }) => character_name === back.character_name)
        ?.member_type,
    ).toBe('elite');
    app.setNow('2026-11-29T18:00:00.000Z');
    expect(reasons(await previewed(app, source.id))[runs.character_name]).toBe('claim.dateOver');
  });

  it('stores what its preview showed; after a change in between, it reports the difference', async () => {
    const source = await anActiveEvent(app, WEEK);
    const one = await aKey(app);
    const two = await aKey(app);
    const spot = aSpot();
    for (const key of [one, two])
      await submitted(app, key, aClaim(key, { respawn_id: key === one ? spot : aSpot() }));
    await noActiveEvent(app);
    const before = await previewed(app, source.id);
    expect(before).toMatchObject({ event: null, copied: 2, left_out: 0 });
    const thief = await aKey(app, aName('Thief'));
    await submitted(
      app,
      thief,
      aClaim(thief, { respawn_id: spot, date: '2026-11-28', hour_start: 13, hour_end: 14 }),
    );
    const after = await copied(app, source.id);
    expect(after).toMatchObject({ copied: 1, left_out: 1 });
    expect(after.claims).toMatchObject([
      { character_name: one.character_name, refusal: { code: 'claim.timeConflict' } },
    ]);
    expect(after.claims[0]?.holders).toMatchObject([{ character_name: thief.character_name }]);
    expect((await claimsOf(app, after.event)).map(({ character_name }) => character_name)).toEqual([
      two.character_name,
    ]);
  });

  it('can be deleted and restored with its claims, and notifies channels', async () => {
    const { id: destination } = await aDestination(app, { events: ['claim.created'] });
    const source = await anActiveEvent(app, WEEK);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    const outbox = async (): Promise<number> =>
      Number(
        (
          await app.ctx.db
            .selectFrom('outbox')
            .select(({ fn }) => fn.countAll().as('n'))
            .executeTakeFirstOrThrow()
        ).n,
      );
    const before = await outbox();
    const { event } = await copied(app, source.id);
    expect(await outbox()).toBe(before + 1);
    const rows = await claimsOf(app, event);
    await app.api.delete(`/events/${event?.id}`).set(app.admin).expect(200);
    const entry = await latest(app, 'event_deleted');
    await undo(app, entry.id).expect(200);
    expect(await claimsOf(app, event)).toEqual(rows);
    await app.api.delete(`/admin/destinations/${destination}`).set(app.admin).expect(200);
  });

  it('is refused where its event, its name or its dates are wrong, and nothing is written', async () => {
    const source = await anEvent(app, WEEK);
    const other = await anEvent(app);
    await expectNoTick(app, async () => {
      expectRefusal(
        await ask(app, 999_999, {}),
        404,
        'event.notFound',
        'This event no longer exists.',
      );
      expectRefusal(
        await ask(app, 999_999, { preview: true }),
        404,
        'event.notFound',
        'This event no longer exists.',
      );
      const exists = `There is already an event named ${other.name}.`;
      expectRefusal(
        await ask(app, source.id, { name: other.name.toUpperCase() }),
        409,
        'event.nameExists',
        exists,
        {
          name: other.name,
        },
      );
      expectRefusal(
        await ask(app, source.id, { name: ' ' }),
        400,
        'event.nameRequired',
        'Event name is required',
      );
      expectRefusal(
        await ask(app, source.id, { start_time: '' }),
        400,
        'event.timesRequired',
        'Start and end times are required',
      );
      const ends = { end_time: '2026-11-28T09:00' };
      expectRefusal(
        await ask(app, source.id, ends),
        400,
        'event.endBeforeStart',
        'End time must be after start time',
      );
      expectRefusal(
        await ask(app, source.id, { ...ends, preview: true }),
        400,
        'event.endBeforeStart',
        'End time must be after start time',
      );
      expectRefusal(
        await ask(app, source.id, { end_time: '2027-11-29' }),
        400,
        'event.tooLong',
        'An event can last at most a year.',
      );
      const beyond = await ask(app, source.id, { start_time: '9998-12-30' });
      expectRefusal(beyond, 400, 'event.timesRequired', 'Start and end times are required');
      const many = await ask(app, source.id, {
        claims: Array.from({ length: MAX_CLAIMS_TO_COPY + 1 }, (_, n) => n + 1),
      });
      expect([many.status, many.body.code]).toEqual([400, 'request.invalid']);
      expect((await ask(app, source.id, { claims: [0] })).body.code).toBe('request.invalid');
    });
  });
});

describe.each(databases)('a copy of very many claims on %s', (dialect) => {
  it(
    'is one reset for those who watch, and others are answered meanwhile',
    async () => {
      const app = await createTestApp(dialect);
      const source = await anEvent(app, { start_time: TODAY, end_time: '2027-05-20' });
      // 24 of one hour a day on five spots: of each spot 876, as many hours as 4,380 claims have.
      await manyClaims(app, { count: 4_380, spots: 5, event_id: source.id });
      const { expectSynced } = await watching(app);
      let answered = 0;
      const copying = copied(app, source.id, { start_time: '2027-06-01' });
      const done = copying.then(() => true);
      while (!(await Promise.race([done, app.api.get('/events/active').then(() => false)])))
        answered += 1;
      const { event, ...rest } = await copying;
      expect(rest).toMatchObject({ copied: 4_380, left_out: 0 });
      expect(event?.claim_count).toBe(4_380);
      expect(answered).toBeGreaterThan(5);
      await expectSynced(1);
    },
    PATIENCE_MS,
  );

  it(
    'is refused beyond its limits, however many dates each claim covers',
    async () => {
      const app = await createTestApp(dialect);
      const year = { start_time: '2027-01-01', end_time: '2027-12-31' };
      const dated = await anEvent(app, year);
      const whole = await anEvent(app, { ...year, type: 'single_claim' });
      await manyClaims(app, { count: MAX_CLAIMS_TO_COPY + 56, spots: 10, event_id: dated.id });
      // On the same hours as the others: this many are refused before any of them is checked.
      await change(app, async ({ tx }) => {
        const those = tx.selectFrom('claims').select('id').orderBy('id').limit(55);
        await tx
          .updateTable('claims')
          .set({ event_id: whole.id, date: null })
          .where('id', 'in', those)
          .execute();
        await recountOwners(tx);
      });
      await expectNoTick(app, async () => {
        for (const preview of [true, false]) {
          const sentence = `You can copy at most ${MAX_CLAIMS_TO_COPY} claims at once, not ${MAX_CLAIMS_TO_COPY + 1}. Choose fewer.`;
          const params = { count: MAX_CLAIMS_TO_COPY + 1, max: MAX_CLAIMS_TO_COPY };
          expectRefusal(
            await ask(app, dated.id, { preview, start_time: '2028-01-01' }),
            409,
            'event.tooManyToCopy',
            sentence,
            params,
          );
          const days = await ask(app, whole.id, { preview, start_time: '2028-01-01' });
          expectRefusal(
            days,
            409,
            'event.tooManyToCopy',
            'You can copy at most 54 claims at once, not 55. Choose fewer.',
            {
              count: 55,
              max: 54,
            },
          );
        }
      });
    },
    PATIENCE_MS,
  );
});
