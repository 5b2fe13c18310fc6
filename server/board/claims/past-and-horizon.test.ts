import { describe, expect, it } from 'vitest';
import { addDays, datesBetween } from '../../../shared/rules/server-save.ts';
import {
  aClaim,
  aKey,
  aName,
  anActiveEvent,
  aSpot,
  submit,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, TODAY } from '../../dev/test/test-app.ts';

const YESTERDAY = '2026-11-20';
/** SS+9 runs; the horizon is 60 days. */
const LAST = '2027-01-20';
const isOver = (what: string): string => `${what} is over. Please choose a later date.`;
const hoursOver = (what: string): string => `${what} is over. Please choose later hours.`;

describe.each(databases)('the past and the horizon on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('R3.9: a member’s submission with a past date is refused as a whole', async () => {
    const key = await aKey(app);
    const claims = [TODAY, YESTERDAY].map((date) => aClaim(key, { respawn_id: aSpot(), date }));
    const answer = await expectNoTick(app, () => submit(app, key, ...claims));
    expectRefusal(answer, 400, 'claim.dateOver', isOver(YESTERDAY), { date: YESTERDAY });
  });

  it('R4.14: past hours are refused; the running hour can be claimed until the next one starts', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const respawn_id = aSpot();
    const over = await expectNoTick(app, () =>
      submit(app, key, aClaim(key, { respawn_id, hour_start: 5, hour_end: 9 })),
    );
    expectRefusal(over, 400, 'claim.hoursOver', hoursOver(`SS+5 to SS+9 on ${TODAY}`), {
      date: TODAY,
      hour: 5,
      end: 9,
    });
    const running = aClaim(key, { respawn_id, hour_start: 9, hour_end: 10 });
    app.setNow('2026-11-21T19:00:00.000Z');
    expectRefusal(
      await submit(app, key, running),
      400,
      'claim.hoursOver',
      hoursOver(`SS+9 to SS+10 on ${TODAY}`),
    );
    app.setNow('2026-11-21T18:59:59.999Z');
    await submitted(app, key, running);
    await submitted(
      app,
      other,
      aClaim(other, { respawn_id, hour_start: 5, hour_end: 9, date: '2026-11-22' }),
    );
  });

  it('R8.3: no claim can be submitted for, or moved to, only the hour that the clocks skip', async () => {
    const character_name = aName();
    const respawn_id = aSpot();
    const claim = { character_name, respawn_id, date: '2026-03-08', hour_start: 1, hour_end: 2 };
    const refused = await expectNoTick(app, () => submitAsAdmin(app, 'member', claim));
    const sentence =
      "SS+1 on 2026-03-08 doesn't exist: the clocks go forward. Please choose another hour.";
    expectRefusal(refused, 400, 'claim.hourSkipped', sentence, { date: '2026-03-08', hour: 1 });
    const { body } = await submitAsAdmin(app, 'member', { ...claim, hour_end: 3 }).expect(201);
    const times = { hour_start: 1, hour_end: 2 };
    const edit = await app.api.put(`/claims/admin/${body.data[0].id}`).set(app.admin).send(times);
    expectRefusal(edit, 400, 'claim.hourSkipped', sentence);
  });

  it('R4.14: a past part of a split claim and a past secondary claim are refused', async () => {
    const key = await aKey(app, aName(), 'elite');
    const split_parts = [10, 7].map((hour_start, i) => ({
      part_number: i + 1,
      respawn_id: aSpot(),
      hour_start,
      duration: 2,
    }));
    const split = await submit(app, key, aClaim(key, { is_split_claim: 1, split_parts }));
    const sentence = hoursOver(`Split part 2: SS+7 to SS+9 on ${TODAY}`);
    expectRefusal(split, 400, 'split.hoursOver', sentence, { part: 2, hour: 7, end: 9 });
    const secondary = aClaim(key, { respawn_id: aSpot(), hour_start: 5, is_secondary_claim: 1 });
    const waiting = await submit(app, key, aClaim(key, { respawn_id: aSpot() }), secondary);
    expectRefusal(waiting, 400, 'claim.hoursOver', hoursOver(`SS+5 to SS+9 on ${TODAY}`), {
      hour: 5,
      end: 9,
    });
  });

  it('R8.2: SS+23 is of the date before, as long as it runs', async () => {
    const key = await aKey(app);
    const late = await aKey(app);
    const last = aClaim(key, { respawn_id: aSpot(), hour_start: 20, hour_end: 24 });
    app.setNow('2026-11-22T08:59:59.999Z');
    await submitted(app, key, last);
    app.setNow('2026-11-22T09:00:00.000Z');
    const answer = await submit(app, late, {
      ...last,
      character_name: late.character_name,
      respawn_id: aSpot(),
    });
    expectRefusal(answer, 400, 'claim.dateOver', isOver(TODAY));
  });

  it('R4.11: a retry after the hours have passed gets the answer of the first attempt', async () => {
    const key = await aKey(app);
    const send = () =>
      submit(app, key, aClaim(key, { respawn_id: 50, hour_start: 9, hour_end: 10 })).set(
        'Idempotency-Key',
        'in time',
      );
    const first = await send().expect(201);
    app.setNow('2026-11-21T19:00:00.000Z');
    expect((await send().expect(201)).body).toEqual(first.body);
  });

  it('R3.9, R4.14: an admin can enter past claims', async () => {
    const character = { character_name: aName() };
    const dates = ['2025-03-01', YESTERDAY, TODAY];
    const claims = dates.map((date) =>
      aClaim(character, { respawn_id: aSpot(), hour_start: 1, hour_end: 3, date }),
    );
    const answer = await submitAsAdmin(app, 'member', ...claims).expect(201);
    expect(answer.body.data.map((row: { date: string }) => row.date)).toEqual(dates);
  });

  it('R3.10: without an event, neither members nor admins can claim beyond the horizon', async () => {
    const key = await aKey(app);
    const beyond = ['2027-01-21', '2028-01-01', '9998-12-31'];
    await expectNoTick(app, async () => {
      for (const date of beyond) {
        const sentence = `${date} is too far ahead. You can claim up to ${LAST}.`;
        const claim = aClaim(key, { respawn_id: aSpot(), date });
        for (const answer of [
          await submit(app, key, claim),
          await submitAsAdmin(app, 'member', claim),
        ]) {
          expectRefusal(answer, 400, 'claim.beyondHorizon', sentence, { date, last: LAST });
        }
      }
    });
    await submitted(app, key, aClaim(key, { respawn_id: aSpot(), date: LAST }));
  });

  it('R3.10: a member has at most one claim on each of 61 dates', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const on = (first: string, last: string) =>
      datesBetween(first, last).map((date) => aClaim(key, { respawn_id, date }));
    await expectNoTick(app, async () => {
      expect((await submit(app, key, ...on(TODAY, addDays(LAST, 1)))).body.code).toBe(
        'claim.beyondHorizon',
      );
      expect((await submit(app, key, ...on(YESTERDAY, LAST))).body.code).toBe('claim.dateOver');
    });
    expect(await submitted(app, key, ...on(TODAY, LAST))).toHaveLength(61);
  });

  it('R3.10: the setting sets the horizon, and /config returns it', async () => {
    const near = await createTestApp(dialect, { env: { HORIZON_DAYS: '2' } });
    expect((await near.api.get('/config').expect(200)).body.horizon_days).toBe(2);
    const key = await aKey(near);
    const answer = await submit(near, key, aClaim(key, { date: '2026-11-24' }));
    expectRefusal(
      answer,
      400,
      'claim.beyondHorizon',
      '2026-11-24 is too far ahead. You can claim up to 2026-11-23.',
    );
    await submitted(near, key, aClaim(key, { date: '2026-11-23' }));
  });
});

describe.each(databases)('the past and the horizon of an event on %s', (dialect) => {
  it('R3.9, R3.10: its dates are the limits, and past ones are refused to members', async () => {
    const app = await createTestApp(dialect, { env: { HORIZON_DAYS: '1' } });
    await anActiveEvent(app);
    const key = await aKey(app);
    expectRefusal(
      await submit(app, key, aClaim(key, { date: YESTERDAY })),
      400,
      'claim.dateOver',
      isOver(YESTERDAY),
    );
    await submitAsAdmin(app, 'member', aClaim(key, { date: YESTERDAY })).expect(201);
    await submitted(app, key, aClaim(key, { date: '2026-11-28' }));
  });

  it('R3.9, R4.14: of type single_claim can be claimed until the hours on its last date have passed', async () => {
    const app = await createTestApp(dialect);
    await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-11-15T10:00',
      end_time: '2026-11-21T10:00',
    });
    const key = await aKey(app);
    const late = await aKey(app);
    const whole = { date: null, hour_start: 5, hour_end: 9 };
    const answer = await expectNoTick(app, () => submit(app, key, aClaim(key, whole)));
    expectRefusal(answer, 400, 'claim.hoursOver', hoursOver(`SS+5 to SS+9 on ${TODAY}`));
    await submitted(app, key, aClaim(key, { ...whole, hour_end: null, hour_start: 6 }));
    app.setNow('2026-11-22T18:00:00.000Z');
    expectRefusal(
      await submit(app, late, aClaim(late, { ...whole, respawn_id: 2 })),
      400,
      'claim.eventOver',
      `The event ended on ${TODAY}. No dates are left to claim.`,
    );
    await submitAsAdmin(app, 'member', aClaim(late, { ...whole, respawn_id: 2 })).expect(201);
  });
});
