import { beforeEach, describe, expect, it } from 'vitest';
import type { Event } from '../../../shared/schemas/event.ts';
import {
  aClaim,
  aKey,
  aName,
  anActiveEvent,
  aSpot,
  noActiveEvent,
  submit,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';

const TOMORROW = '2026-11-22';

const move = (app: TestApp, event: Event, fields: Partial<Event>) =>
  app.api.put(`/events/${event.id}`).set(app.admin).send(fields);
/** A claim's occupancy: its character's dates, and hours as `spot date hour`. */
async function heldBy(
  { ctx: { db } }: TestApp,
  claim_id = 0,
): Promise<{ days: string[]; hours: string[] }> {
  const days = await db
    .selectFrom('occupied_days')
    .select('date')
    .where('claim_id', '=', claim_id)
    .orderBy('date')
    .execute();
  const hours = db
    .selectFrom('occupied_hours')
    .select(['respawn_id', 'date', 'hour'])
    .where('claim_id', '=', claim_id);
  return {
    days: days.map(({ date }) => date),
    hours: (await hours.orderBy('date').orderBy('hour').execute()).map(
      (row) => `${row.respawn_id} ${row.date} ${row.hour}`,
    ),
  };
}

describe.each(databases)('moving the dates of a multiple_claims event on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  beforeEach(() => noActiveEvent(app));

  it('R3.7: grows, and shrinks down to its claims', async () => {
    const respawn_id = aSpot();
    const event = await anActiveEvent(app);
    const key = await aKey(app);
    await submitted(
      app,
      key,
      aClaim(key, { respawn_id }),
      aClaim(key, { respawn_id, date: TOMORROW }),
    );
    await move(app, event, { start_time: '2026-11-01', end_time: '2026-12-24' }).expect(200);
    await move(app, event, { start_time: TODAY, end_time: TOMORROW }).expect(200);
  });

  it('R3.7: does not shrink below them, and names those outside', async () => {
    const respawn_id = aSpot();
    const event = await anActiveEvent(app);
    const key = await aKey(app);
    const [today] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id }),
      aClaim(key, { respawn_id, date: TOMORROW }),
    );
    const answer = await expectNoTick(app, () => move(app, event, { start_time: TOMORROW }));
    const { character_name, respawn_name } = today ?? { character_name: '', respawn_name: '' };
    const list = `${character_name}, ${respawn_name}, ${TODAY}, SS+10-14`;
    const claims = [
      {
        id: today?.id ?? 0,
        character_name,
        respawn_name,
        date: TODAY,
        hour_start: 10,
        hour_end: 14,
      },
    ];
    expectRefusal(answer, 409, 'event.claimsOutside', `1 claim is outside the new dates: ${list}`, {
      count: 1,
      list,
      claims,
    });
    expect((await app.api.get('/events/active')).body.data).toEqual({ ...event, claim_count: 2 });
  });

  it('R3.7: names three in its sentence and all in its parameters', async () => {
    const event = await anActiveEvent(app);
    const key = await aKey(app);
    const dates = [21, 22, 23, 24, 25].map((day) => `2026-11-${day}`);
    await submitted(app, key, ...dates.map((date) => aClaim(key, { respawn_id: aSpot(), date })));
    const { body } = await move(app, event, { end_time: '2026-11-21' }).expect(409);
    expect([body.params.count, body.params.claims.length]).toEqual([4, 4]);
    expect(body.params.list.split('; ')).toEqual([
      ...dates.slice(1, 4).map((date) => expect.stringContaining(date)),
      '…',
    ]);
  });

  it('changes times of day without looking at the claims', async () => {
    const respawn_id = aSpot();
    const event = await anActiveEvent(app);
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id }));
    await move(app, event, { start_time: '2026-11-15T23:00' }).expect(200);
  });
});

describe.each(databases)('moving the dates of a single_claim event on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  beforeEach(() => noActiveEvent(app));

  it('R3.8: moves the hours of its claims', async () => {
    const respawn_id = aSpot();
    const event = await anActiveEvent(app, { type: 'single_claim' });
    const key = await aKey(app);
    const other = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id }));
    await move(app, event, { start_time: '2026-11-27', end_time: '2026-11-30' }).expect(200);
    expect((await heldBy(app, claim?.id)).days).toEqual([
      '2026-11-27',
      '2026-11-28',
      '2026-11-29',
      '2026-11-30',
    ]);
    // Its former hours are free, its new ones taken.
    await noActiveEvent(app);
    await submitted(app, other, aClaim(other, { respawn_id, date: '2026-11-26' }));
    expect(
      (await submit(app, other, aClaim(other, { respawn_id, date: '2026-11-30' }))).body.code,
    ).toBe('claim.timeConflict');
    expect(
      (await submit(app, key, aClaim(key, { respawn_id: aSpot(), date: '2026-11-30' }))).body.code,
    ).toBe('claim.characterHasClaim');
  });

  it('R3.8: moves nothing if an hour there is taken, and names the claim', async () => {
    const respawn_id = aSpot();
    const key = await aKey(app);
    const other = await aKey(app);
    const [inTheWay] = await submitted(
      app,
      other,
      aClaim(other, { respawn_id, date: '2026-12-01', hour_start: 13, hour_end: 15 }),
    );
    const event = await anActiveEvent(app, { type: 'single_claim' });
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id }));
    const before = await heldBy(app, claim?.id);
    expect([before.days.length, before.hours.length]).toEqual([14, 14 * 4]);
    const answer = await expectNoTick(app, () => move(app, event, { end_time: '2026-12-02' }));
    const { id = 0, respawn_name = '' } = inTheWay ?? {};
    const list = `${other.character_name}, ${respawn_name}, 2026-12-01, SS+13-15`;
    expectRefusal(
      answer,
      409,
      'event.hoursTaken',
      `1 claim conflicts with the new dates: ${list}`,
      {
        count: 1,
        list,
        claims: [
          {
            id,
            character_name: other.character_name,
            respawn_name,
            date: '2026-12-01',
            hour_start: 13,
            hour_end: 15,
          },
        ],
      },
    );
    expect(await heldBy(app, claim?.id)).toEqual(before);
    expect((await app.api.get('/events/active')).body.data.end_time).toBe(event.end_time);
  });

  it('R3.8: moves nothing when its character has another claim there', async () => {
    const respawn_id = aSpot();
    const key = await aKey(app);
    const [own] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot(), date: '2026-12-01' }),
    );
    const event = await anActiveEvent(app, { type: 'single_claim' });
    await submitted(app, key, aClaim(key, { respawn_id }));
    const { body } = await expectNoTick(app, () =>
      move(app, event, { end_time: '2026-12-02' }).expect(409),
    );
    expect([body.code, body.params.claims.map((each: { id: number }) => each.id)]).toEqual([
      'event.hoursTaken',
      [own?.id],
    ]);
  });

  it('R3.8: moves several claims by a day, onto dates that they held before', async () => {
    const respawn_id = aSpot();
    const event = await anActiveEvent(app, { type: 'single_claim' });
    const key = await aKey(app);
    const other = await aKey(app);
    const [one] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id, hour_start: 10, hour_end: 12 }),
    );
    const [two] = await submitted(
      app,
      other,
      aClaim(other, { respawn_id, hour_start: 12, hour_end: 14 }),
    );
    await move(app, event, { start_time: '2026-11-16', end_time: '2026-11-29' }).expect(200);
    for (const claim of [one, two]) {
      const { days, hours } = await heldBy(app, claim?.id);
      expect([days[0], days.at(-1), days.length, hours.length]).toEqual([
        '2026-11-16',
        '2026-11-29',
        14,
        14 * 2,
      ]);
    }
  });

  it('R3.8, R5.1, R5.6: moves both parts of a split claim, and leaves secondary ones without hours', async () => {
    const event = await anActiveEvent(app, { type: 'single_claim' });
    const key = await aKey(app, aName(), 'elite');
    const here = aSpot();
    const there = aSpot();
    const split_parts = [here, there].map((respawn_id, i) => ({
      part_number: i + 1,
      respawn_id,
      hour_start: 10 + 4 * i,
      duration: 2,
    }));
    const secondary = aClaim(key, { respawn_id: aSpot(), is_secondary_claim: 1 });
    const rows = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: here, is_split_claim: 1, split_parts }),
      secondary,
    );
    await move(app, event, { start_time: '2026-12-01', end_time: '2026-12-01' }).expect(200);
    const hours = [
      `${here} 2026-12-01 10`,
      `${here} 2026-12-01 11`,
      `${there} 2026-12-01 14`,
      `${there} 2026-12-01 15`,
    ];
    expect(await heldBy(app, rows[0]?.id)).toEqual({ days: ['2026-12-01'], hours });
    expect(await heldBy(app, rows[2]?.id)).toEqual({ days: [], hours: [] });
  });
});
