import { describe, expect, it } from 'vitest';
import {
  aClaim,
  aKey,
  aName,
  anActiveEvent,
  aSpot,
  asMember,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';

const check = (app: TestApp, name: string, query: object = { date: TODAY }) =>
  app.api
    .get(`/claims/check-character-claims/${encodeURIComponent(name)}`)
    .set(app.admin)
    .query(query);

describe.each(databases)('the check of a character’s claims on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('R1.1, R4.6: returns the conflicting claim, ignoring case in the name', async () => {
    const key = await aKey(app, aName('Lady'));
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    const { body } = await expectNoTick(app, () =>
      check(app, `  ${key.character_name.toUpperCase()} `).expect(200),
    );
    expect(body).toEqual({
      success: true,
      data: {
        hasClaimsForDate: true,
        claimsForDate: [{ respawn_name: claim?.respawn_name, hour_start: 10, hour_end: 14 }],
      },
    });
  });

  it('answers none for another date or character', async () => {
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    const none = { hasClaimsForDate: false, claimsForDate: [] };
    expect((await check(app, key.character_name, { date: '2026-11-22' })).body.data).toEqual(none);
    expect((await check(app, 'Nobody')).body.data).toEqual(none);
  });

  it('R5.6: answers both parts of a split claim, and no secondary claim', async () => {
    const key = await aKey(app, aName(), 'elite');
    const here = aSpot();
    const there = aSpot();
    const split_parts = [here, there].map((respawn_id, i) => ({
      part_number: i + 1,
      respawn_id,
      hour_start: 14 - 4 * i,
      duration: 2,
    }));
    const secondary = aClaim(key, { respawn_id: aSpot(), is_secondary_claim: 1 });
    await submitted(
      app,
      key,
      aClaim(key, { respawn_id: here, is_split_claim: 1, split_parts }),
      secondary,
    );
    const { claimsForDate } = (await check(app, key.character_name)).body.data;
    expect(
      claimsForDate.map((each: { hour_start: number; hour_end: number }) => [
        each.hour_start,
        each.hour_end,
      ]),
    ).toEqual([
      [10, 12],
      [14, 16],
    ]);
  });

  it('is for members too, with or without the respawn', async () => {
    const key = await aKey(app);
    const path = `/claims/check-character-claims/${encodeURIComponent(key.character_name)}?date=${TODAY}`;
    await app.api.get(path).set(asMember(key)).expect(200);
    await app.api.get(`${path}&respawnId=3`).set(asMember(key)).expect(200);
  });

  it.each([
    [{}, 'date'],
    [{ date: 'today' }, 'date'],
    [{ date: '2026-02-30' }, 'date'],
    [{ date: '0000-01-01' }, 'date'],
    [{ date: TODAY, respawnId: 'abc' }, 'respawnId'],
    [{ date: TODAY, respawnId: '0' }, 'respawnId'],
  ])('refuses the query %j', async (query, field) => {
    expectRefusal(
      await check(app, 'Bubble', query),
      400,
      'request.invalid',
      `The field “${field}” is not valid.`,
      { field },
    );
  });

  it('needs a name, and not an endless one', async () => {
    expectRefusal(
      await check(app, '  '),
      400,
      'character.nameRequired',
      'Character name is required',
      { field: 'characterName' },
    );
    const tooLong = await check(app, 'a'.repeat(61));
    expectRefusal(tooLong, 400, 'request.invalid', 'The field “characterName” is not valid.', {
      field: 'characterName',
    });
  });

  it('R3.4: finds a single_claim event’s claim on each of its dates', async () => {
    const other = await createTestApp(dialect);
    await anActiveEvent(other, { type: 'single_claim' });
    const key = await aKey(other);
    await submitted(other, key, aClaim(key, { date: null }));
    const has = async (date: string) =>
      (await check(other, key.character_name, { date })).body.data.hasClaimsForDate;
    expect(
      await Promise.all(['2026-11-14', '2026-11-15', '2026-11-28', '2026-11-29'].map(has)),
    ).toEqual([false, true, true, false]);
  });
});
