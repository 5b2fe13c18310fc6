import { beforeEach, describe, expect, it } from 'vitest';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import {
  aClaim,
  aKey,
  aName,
  anActiveEvent,
  anEvent,
  aSpot,
  noActiveEvent,
  submit,
  submitAsAdmin,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';

const FIRST = '2026-11-15';
const LAST = '2026-11-28';
const outside = (date: string): string =>
  `Date ${date} is outside the event period (${FIRST} to ${LAST})`;

async function claimsOf(app: TestApp, event_id: number) {
  return (await app.api.get(`/events/${event_id}/claims`).set(app.admin).expect(200)).body.data;
}

describe.each(databases)('claims without an event on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('R3.4: are for any date up to the horizon and belong to none', async () => {
    const key = await aKey(app);
    const rows = await submitted(
      app,
      key,
      ...[TODAY, '2027-01-20'].map((date) => aClaim(key, { respawn_id: aSpot(), date })),
    );
    expect(rows.map(({ date, event_id }) => [date, event_id])).toEqual([
      [TODAY, null],
      ['2027-01-20', null],
    ]);
  });

  it('R3.4: that name an event which is not active are refused', async () => {
    const key = await aKey(app);
    const event = await anEvent(app);
    const answer = await expectNoTick(app, () =>
      submit(app, key, aClaim(key, { respawn_id: aSpot(), event_id: event.id })),
    );
    expectRefusal(answer, 409, 'event.notActive', 'This event is no longer active.', {});
  });
});

describe.each(databases)('claims in a multiple_claims event on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  beforeEach(() => noActiveEvent(app));

  it('R3.4: are on its first date, its last, or between', async () => {
    const event = await anActiveEvent(app);
    const key = await aKey(app);
    // Its first date is over: an admin's.
    const claims = [FIRST, TODAY, LAST].map((date) => aClaim(key, { respawn_id: aSpot(), date }));
    const rows: ClaimRow[] = (await submitAsAdmin(app, 'member', ...claims).expect(201)).body.data;
    expect(rows.map((row) => [row.date, row.event_id])).toEqual(
      [FIRST, TODAY, LAST].map((date) => [date, event.id]),
    );
    expect(await claimsOf(app, event.id)).toEqual(rows);
  });

  it('R3.4: outside of it are refused, to admins too, and the whole submission with them', async () => {
    await anActiveEvent(app);
    const key = await aKey(app);
    await expectNoTick(app, async () => {
      for (const date of ['2026-11-14', '2026-11-29']) {
        const params = { date, start: FIRST, end: LAST };
        const claims = [
          aClaim(key, { respawn_id: aSpot() }),
          aClaim(key, { respawn_id: aSpot(), date }),
        ];
        expectRefusal(
          await submit(app, key, ...claims),
          400,
          'claim.dateOutsideEvent',
          outside(date),
          params,
        );
        expectRefusal(
          await submitAsAdmin(app, 'member', ...claims),
          400,
          'claim.dateOutsideEvent',
          outside(date),
          params,
        );
      }
      const noDate = await submit(app, key, aClaim(key, { date: null }));
      expectRefusal(noDate, 400, 'claim.datesRequired', 'Please ensure all dates are filled', {});
    });
  });

  it('R4.7: take no hour that a claim of another event, or of none, holds', async () => {
    const before = await aKey(app);
    const key = await aKey(app);
    const respawn_id = aSpot();
    await submitted(app, before, aClaim(before, { respawn_id }));
    await anActiveEvent(app);
    expect((await submit(app, key, aClaim(key, { respawn_id }))).body.code).toBe(
      'claim.timeConflict',
    );
    expect((await submit(app, before, aClaim(before, { respawn_id: aSpot() }))).body.code).toBe(
      'claim.characterHasClaim',
    );
  });
});

describe.each(databases)('claims in a single_claim event on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const days = async (claim_id: number) =>
    (
      await app.ctx.db
        .selectFrom('occupied_days')
        .select('date')
        .where('claim_id', '=', claim_id)
        .orderBy('date')
        .execute()
    ).map(({ date }) => date);

  it('R3.4, R7.1, R7.2: cover every date of it, with or without a date in the request', async () => {
    const event = await anActiveEvent(app, { type: 'single_claim' });
    const one = await aKey(app);
    const other = await aKey(app);
    const [row] = await submitted(
      app,
      one,
      aClaim(one, { respawn_id: aSpot(), date: null, event_id: event.id }),
    );
    const [dated] = await submitted(app, other, aClaim(other, { respawn_id: aSpot() }));
    expect([row?.date, dated?.date, row?.event_id]).toEqual([null, null, event.id]);
    const covered = await days(row?.id ?? 0);
    expect([covered.length, covered[0], covered.at(-1)]).toEqual([14, FIRST, LAST]);
    const hours = await app.ctx.db
      .selectFrom('occupied_hours')
      .select('hour')
      .where('claim_id', '=', row?.id ?? 0)
      .execute();
    expect(hours).toHaveLength(14 * 4);
  });

  it('R4.7: keep their hours on every date, and say so', async () => {
    await anActiveEvent(app, { type: 'single_claim' });
    const key = await aKey(app);
    const other = await aKey(app);
    const respawn_id = aSpot();
    await submitted(app, key, aClaim(key, { respawn_id, date: null }));
    const answer = await expectNoTick(app, () =>
      submit(app, other, aClaim(other, { respawn_id, date: null, hour_start: 12, hour_end: 16 })),
    );
    const sentence = `Time conflict detected for ${FIRST} at SS+12. There is already a claim that overlaps this time for this respawn.`;
    expectRefusal(answer, 409, 'claim.timeConflictInEvent', sentence, { date: FIRST, hour: 12 });
    await submitted(
      app,
      other,
      aClaim(other, { respawn_id, date: null, hour_start: 14, hour_end: 18 }),
    );
  });

  it('R4.7: split claims with one taken part are refused', async () => {
    await anActiveEvent(app, { type: 'single_claim' });
    const key = await aKey(app);
    const other = await aKey(app);
    const respawn_id = aSpot();
    await submitted(app, key, aClaim(key, { respawn_id, date: null }));
    const split_parts = [respawn_id, aSpot()].map((id, i) => ({
      part_number: i + 1,
      respawn_id: id,
      hour_start: 12 + 4 * i,
      duration: 2,
    }));
    const answer = await submit(
      app,
      other,
      aClaim(other, { respawn_id, date: null, is_split_claim: 1, split_parts }),
    );
    const conflict = `Time conflict detected for ${FIRST} at SS+12. There is already a claim that overlaps this time for this respawn.`;
    expectRefusal(answer, 409, 'split.timeConflictInEvent', `Split part 1: ${conflict}`, {
      date: FIRST,
      hour: 12,
      part: 1,
    });
  });

  it('R4.6: are refused to a character with a claim on any of its dates', async () => {
    await anActiveEvent(app, { type: 'single_claim' });
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot(), date: null }));
    const answer = await submit(app, key, aClaim(key, { respawn_id: aSpot(), date: null }));
    expect([answer.status, answer.body.code, answer.body.params.date]).toEqual([
      409,
      'claim.characterHasClaim',
      FIRST,
    ]);
  });

  it('R3.5: are one a submission, and on a date of the event', async () => {
    await anActiveEvent(app, { type: 'single_claim' });
    const key = await aKey(app);
    const two = [
      aClaim(key, { respawn_id: aSpot() }),
      aClaim(key, { respawn_id: aSpot(), date: '2026-11-22' }),
    ];
    expectRefusal(
      await submit(app, key, ...two),
      400,
      'claim.sameDateTwice',
      'Cannot select the same date multiple times',
      {},
    );
    const late = await submit(app, key, aClaim(key, { date: '2026-11-29' }));
    expectRefusal(late, 400, 'claim.dateOutsideEvent', outside('2026-11-29'));
  });

  it('R5.6: have secondary claims that cover the event', async () => {
    await anActiveEvent(app, { type: 'single_claim' });
    const key = await aKey(app, aName(), 'elite');
    const secondary = aClaim(key, { respawn_id: aSpot(), date: null, is_secondary_claim: 1 });
    const rows = await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot(), date: null }),
      secondary,
    );
    expect(rows.map((row) => [row.date, row.is_secondary_claim])).toEqual([
      [null, 0],
      [null, 1],
    ]);
    expect(await days(rows[1]?.id ?? 0)).toEqual([]);
  });
});
