import { describe, expect, it } from 'vitest';
import type { ClaimOnDates } from '../../../shared/schemas/claim.ts';
import {
  aClaim,
  aKey,
  aName,
  anActiveEvent,
  aSpot,
  asMember,
  noActiveEvent,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, TODAY } from '../../dev/test/test-app.ts';

const YEAR = { start_time: '2026-11-20T10:00', end_time: '2027-11-20T10:00' };
const IN_YEAR = { from: '2026-11-20', to: '2027-11-20' };

describe.each(databases)('the claims of many dates on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const onSpot = (id: number, query: object = {}) =>
    app.api.get(`/respawns/${id}/claims`).set(app.admin).query(query);
  const ofCharacter = (name: string, query: object = IN_YEAR) =>
    app.api
      .get(`/claims/character-claims/${encodeURIComponent(name)}`)
      .set(app.admin)
      .query(query);

  it('are one answer: a claim of a whole event once, with the dates that it covers', async () => {
    const member = await aKey(app);
    const other = await aKey(app);
    const respawn_id = aSpot();
    await submitted(
      app,
      other,
      aClaim(other, { respawn_id, hour_start: 0, hour_end: 4, date: '2026-12-01' }),
    );
    const event = await anActiveEvent(app, { type: 'single_claim', ...YEAR });
    await submitted(app, member, aClaim(member, { respawn_id, date: null, event_id: event.id }));
    const { body } = await expectNoTick(app, () =>
      onSpot(respawn_id, IN_YEAR).set(asMember(member)).expect(200),
    );
    expect(
      body.data.map(({ date, first_date, last_date, hour_start }: ClaimOnDates) => [
        date,
        first_date,
        last_date,
        hour_start,
      ]),
    ).toEqual([
      ['2026-12-01', '2026-12-01', '2026-12-01', 0],
      [null, '2026-11-20', '2027-11-20', 10],
    ]);
    const others = await onSpot(respawn_id, { ...IN_YEAR, except_event: event.id }).expect(200);
    expect(others.body.data.map(({ character_name }: ClaimOnDates) => character_name)).toEqual([
      other.character_name,
    ]);
    expect((await onSpot(respawn_id, { from: '2027-11-21' }).expect(200)).body.data).toEqual([]);
    await noActiveEvent(app);
  });

  it('of one date hold that of the longest event from its first date to its last', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const event = await anActiveEvent(app, { type: 'single_claim', ...YEAR });
    const [claim] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id, date: null, event_id: event.id }),
    );
    const onDate = async (date: string): Promise<number[]> => {
      const { body } = await app.api
        .get(`/respawns/${respawn_id}/claims/${date}`)
        .set(app.admin)
        .expect(200);
      return body.data.map(({ id }: ClaimOnDates) => id);
    };
    const found = [];
    for (const date of ['2026-11-19', '2026-11-20', '2027-11-20', '2027-11-21'])
      found.push(await onDate(date));
    expect(found).toEqual([[], [claim?.id], [claim?.id], []]);
    await noActiveEvent(app);
  });

  it('of a split claim hold only the part on the spot', async () => {
    const key = await aKey(app);
    const here = aSpot();
    const there = aSpot();
    const split_parts = [here, there].map((respawn_id, i) => ({
      part_number: i + 1,
      respawn_id,
      hour_start: 14 - 4 * i,
      duration: 2,
    }));
    await submitted(app, key, aClaim(key, { respawn_id: here, is_split_claim: 1, split_parts }));
    const { body } = await onSpot(there, { from: TODAY, to: TODAY }).expect(200);
    expect(body.data).toMatchObject([
      { respawn_id: there, hour_start: 10, split_part_number: 2, first_date: TODAY },
    ]);
  });

  it('are read page by page like every list', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    for (const date of ['2026-11-22', '2026-11-23', '2026-11-24'])
      await submitted(app, key, aClaim(key, { respawn_id, date }));
    const page = await onSpot(respawn_id, { limit: 2 }).expect(200);
    expect(page.headers['x-total-count']).toBe('3');
    expect(page.body.data.map(({ date }: ClaimOnDates) => date)).toEqual([
      '2026-11-23',
      '2026-11-24',
    ]);
  });

  it('of a character are one answer: a claim of a whole event once, a split one with both parts, no secondary one', async () => {
    const key = await aKey(app, aName('Lady'), 'elite');
    const here = aSpot();
    const there = aSpot();
    const split_parts = [here, there].map((respawn_id, i) => ({
      part_number: i + 1,
      respawn_id,
      hour_start: 14 - 4 * i,
      duration: 2,
    }));
    const secondary = aClaim(key, { respawn_id: aSpot(), is_secondary_claim: 1 });
    await anActiveEvent(app, { type: 'single_claim', ...YEAR });
    await submitted(
      app,
      key,
      aClaim(key, { respawn_id: here, is_split_claim: 1, split_parts }),
      secondary,
    );
    await noActiveEvent(app);
    const { body } = await ofCharacter(` ${key.character_name.toUpperCase()}`).expect(200);
    expect(
      body.data.map((held: ClaimOnDates) => [
        held.hour_start,
        held.hour_end,
        held.first_date,
        held.last_date,
      ]),
    ).toEqual([
      [10, 12, '2026-11-20', '2027-11-20'],
      [14, 16, '2026-11-20', '2027-11-20'],
    ]);
    const within = await ofCharacter(key.character_name, {
      from: '2027-01-01',
      to: '2027-01-02',
    }).expect(200);
    expect(within.body.data[0]).toMatchObject({
      first_date: '2027-01-01',
      last_date: '2027-01-02',
    });
    expect((await ofCharacter('Nobody').expect(200)).body.data).toEqual([]);
  });

  it('of a character can be requested for at most as many dates as the longest event has', async () => {
    await ofCharacter('Nobody', { from: '2026-11-20', to: '2027-11-20' }).expect(200);
    for (const query of [
      { from: '2026-11-20', to: '2027-11-21' },
      { from: '2026-11-20', to: '2026-11-19' },
      { from: '2026-11-20' },
      { from: 'today', to: '2026-11-20' },
    ]) {
      expect((await ofCharacter('Nobody', query).expect(400)).body).toMatchObject({
        code: 'request.invalid',
      });
    }
  });

  it('require a caller who may see the board', async () => {
    const strangers = [
      `/respawns/${aSpot()}/claims`,
      '/claims/character-claims/Nobody?from=2026-11-20&to=2026-11-21',
    ];
    for (const path of strangers)
      expect((await app.api.get(path).expect(401)).body).toMatchObject({
        code: 'session.required',
      });
    expect((await onSpot(999_999).expect(404)).body).toMatchObject({ code: 'respawn.notFound' });
    const member = await aKey(app);
    for (const path of strangers) await app.api.get(path).set(asMember(member)).expect(200);
  });
});
