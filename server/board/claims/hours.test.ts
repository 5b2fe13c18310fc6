import { describe, expect, it } from 'vitest';
import {
  aClaim,
  aKey,
  aMemberType,
  aName,
  aSpot,
  submit,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, TODAY } from '../../dev/test/test-app.ts';

const TOMORROW = '2026-11-22';
const conflictAt = (hour: number, date = TODAY): string =>
  `Time conflict detected for ${date} at SS+${hour}. There is already a claim that overlaps this time.`;

describe.each(databases)('the hours of claims on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  /** A spot with a claim for SS+10 to SS+14 today. */
  async function takenSpot(): Promise<number> {
    const key = await aKey(app);
    const respawn_id = aSpot();
    await submitted(app, key, aClaim(key, { respawn_id }));
    return respawn_id;
  }

  it.each([
    { hour_start: 6, hour_end: 10 },
    { hour_start: 14, hour_end: 18 },
  ])(
    'R2.3: touching ends do not conflict: $hour_start to $hour_end beside 10 to 14',
    async (hours) => {
      const key = await aKey(app);
      const respawn_id = await takenSpot();
      const [row] = await submitted(app, key, aClaim(key, { respawn_id, ...hours }));
      expect(row).toMatchObject(hours);
    },
  );

  it.each([
    { hour_start: 7, hour_end: 11 },
    { hour_start: 13, hour_end: 17 },
    { hour_start: 11, hour_end: 12 },
    { hour_start: 10, hour_end: 14 },
    { hour_start: 8, hour_end: null },
  ])('R4.7: $hour_start to $hour_end conflicts with 10 to 14', async (hours) => {
    const key = await aKey(app);
    const respawn_id = await takenSpot();
    const answer = await expectNoTick(app, () =>
      submit(app, key, aClaim(key, { respawn_id, ...hours })),
    );
    const { hour_start } = hours;
    expectRefusal(answer, 409, 'claim.timeConflict', conflictAt(hour_start), {
      date: TODAY,
      hour: hour_start,
    });
  });

  it('R4.7: the same hours of another spot, and of another date, are free', async () => {
    const respawn_id = await takenSpot();
    const one = await aKey(app);
    const other = await aKey(app);
    await submitted(app, one, aClaim(one, { respawn_id: aSpot() }));
    await submitted(app, other, aClaim(other, { respawn_id, date: TOMORROW }));
  });

  it.each([-1, 24, 1.5, '10', null])('R2.1: a start of %j is refused', async (hour_start) => {
    const key = await aKey(app);
    const claims = [{ ...aClaim(key, { respawn_id: aSpot() }), hour_start }];
    const answer = await app.api.post('/claims').send({ claims, access_key: key.key_value });
    expectRefusal(answer, 400, 'claim.hourOutOfRange', 'Start time must be between SS+0 and SS+23');
  });

  it('R2.1: SS+0 and SS+23 are starts', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const rows = await submitted(
      app,
      key,
      aClaim(key, { respawn_id, hour_start: 0, hour_end: 4, date: '2026-11-23' }),
      aClaim(key, { respawn_id, hour_start: 23, hour_end: 24, date: TOMORROW }),
    );
    expect(rows.map(({ hour_start, hour_end }) => [hour_start, hour_end])).toEqual([
      [0, 4],
      [23, 24],
    ]);
  });

  it.each([
    { hour_start: 21, hour_end: 25, duration: 4 },
    { hour_start: 21, hour_end: null, duration: 4 },
    { hour_start: 23, hour_end: 25, duration: 2 },
  ])(
    'R2.2: $hour_start to $hour_end would pass SS+24 and is refused, not cut',
    async ({ hour_start, hour_end, duration }) => {
      const key = await aKey(app);
      const answer = await expectNoTick(app, () =>
        submit(app, key, aClaim(key, { respawn_id: aSpot(), hour_start, hour_end })),
      );
      const sentence = `Start time SS+${hour_start} with ${duration}-hour duration would exceed SS+24. Please choose an earlier start time.`;
      expectRefusal(answer, 400, 'claim.exceedsDay', sentence, { hour: hour_start, duration });
    },
  );

  it('R4.5: a claim lasts from one hour up to the voucher', async () => {
    const key = await aKey(app, aName(), await aMemberType(app, { voucher_duration_hours: 6 }));
    for (const hour_end of [17, 10, 9]) {
      const answer = await submit(app, key, aClaim(key, { respawn_id: aSpot(), hour_end }));
      expectRefusal(answer, 400, 'claim.durationOutOfRange', 'A claim can last 1 to 6 h.', {
        max: 6,
      });
    }
    const ends = [16, 11, null];
    const rows = await submitted(
      app,
      key,
      ...ends.map((hour_end, i) =>
        aClaim(key, { respawn_id: aSpot(), hour_end, date: `2026-12-0${i + 1}` }),
      ),
    );
    expect(rows.map(({ hour_end, custom_duration }) => [hour_end, custom_duration])).toEqual([
      [16, null],
      [11, 1],
      [16, null],
    ]);
  });

  it('R4.6: a character has one claim a date, across respawns and hours', async () => {
    const key = await aKey(app);
    const [row] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot(), hour_start: 20, hour_end: 22 }),
    );
    const answer = await expectNoTick(app, () =>
      submit(app, key, aClaim(key, { respawn_id: aSpot() })),
    );
    const held = {
      date: TODAY,
      respawn_name: row?.respawn_name ?? '',
      hour_start: 20,
      hour_end: 22,
    };
    expectRefusal(
      answer,
      409,
      'claim.characterHasClaim',
      'CHARACTER ALREADY HAS A CLAIM FOR THIS DATE',
      {
        date: TODAY,
        character_name: key.character_name,
        claims: [held],
      },
    );
    await submitted(app, key, aClaim(key, { respawn_id: aSpot(), date: TOMORROW }));
  });

  it('R4.6: the same character on the same spot again is the character’s conflict, not the hours’', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    await submitted(app, key, aClaim(key, { respawn_id }));
    expect((await submit(app, key, aClaim(key, { respawn_id }))).body.code).toBe(
      'claim.characterHasClaim',
    );
  });

  it('R3.5: one submission has a date once', async () => {
    const key = await aKey(app);
    const answer = await expectNoTick(app, () =>
      submit(
        app,
        key,
        aClaim(key, { respawn_id: aSpot() }),
        aClaim(key, { respawn_id: aSpot(), hour_start: 20, hour_end: 21 }),
      ),
    );
    expectRefusal(
      answer,
      400,
      'claim.sameDateTwice',
      'Cannot select the same date multiple times',
      { date: TODAY },
    );
  });

  describe('R4.8: a submission with several dates', () => {
    const storedOf = (name: string) =>
      app.ctx.db.selectFrom('claims').select('id').where('character_name', '=', name).execute();

    it('is stored whole', async () => {
      const key = await aKey(app);
      const respawn_id = aSpot();
      const dates = [TODAY, TOMORROW, '2026-11-23'];
      const rows = await submitted(
        app,
        key,
        ...dates.map((date) => aClaim(key, { respawn_id, date })),
      );
      expect(rows.map((row) => row.date)).toEqual(dates);
      expect(await storedOf(key.character_name)).toHaveLength(3);
    });

    it('is stored not at all when one fails, and names the date and hour that did', async () => {
      const key = await aKey(app);
      const other = await aKey(app);
      const respawn_id = aSpot();
      await submitted(
        app,
        other,
        aClaim(other, { respawn_id, date: TOMORROW, hour_start: 12, hour_end: 13 }),
      );
      const claims = [TODAY, TOMORROW].map((date) => aClaim(key, { respawn_id, date }));
      const answer = await expectNoTick(app, () => submit(app, key, ...claims));
      expectRefusal(answer, 409, 'claim.timeConflict', conflictAt(10, TOMORROW), {
        date: TOMORROW,
        hour: 10,
      });
      expect(await storedOf(key.character_name)).toEqual([]);
      // No row is left that would block another claim.
      const third = await aKey(app);
      await submitted(app, third, aClaim(third, { respawn_id }));
      await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    });
  });
});
