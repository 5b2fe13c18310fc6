import { describe, expect, it } from 'vitest';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import {
  aClaim,
  aKey,
  aName,
  anActiveEvent,
  aSpot,
  asMember,
  disableRespawn,
  submitted,
} from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';

const dayOf = async (app: TestApp, respawn_id: number, date = TODAY): Promise<ClaimRow[]> =>
  (await app.api.get(`/respawns/${respawn_id}/claims/${date}`).set(app.admin).expect(200)).body
    .data;

describe.each(databases)('the claims of a respawn on a date on %s', (dialect) => {
  const app = createSuiteApp(dialect);

  it('are the rows that the submission answered, of that respawn and date only', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const respawn_id = aSpot();
    const [row] = await submitted(
      app,
      key,
      aClaim(key, { respawn_id }),
      aClaim(key, { respawn_id, date: '2026-11-22' }),
    );
    await submitted(app, other, aClaim(other, { respawn_id: aSpot() }));
    expect(await expectNoTick(app, () => dayOf(app, respawn_id))).toEqual([row]);
    const asKey = await app.api
      .get(`/respawns/${respawn_id}/claims/${TODAY}`)
      .set(asMember(key))
      .expect(200);
    expect(asKey.body).toEqual({ success: true, data: [row] });
  });

  it('are none on a free day, also of a disabled respawn', async () => {
    await disableRespawn(app, 70);
    expect(await dayOf(app, 70)).toEqual([]);
    expect(await dayOf(app, aSpot(), '2028-02-29')).toEqual([]);
  });

  it('R5.1: of a split claim lists only the part on this spot, with its hours', async () => {
    const key = await aKey(app);
    const here = aSpot();
    const there = aSpot();
    const split_parts = [here, there].map((respawn_id, i) => ({
      part_number: i + 1,
      respawn_id,
      hour_start: 10 + 4 * i,
      duration: 2,
    }));
    await submitted(app, key, aClaim(key, { respawn_id: here, is_split_claim: 1, split_parts }));
    const parts = [...(await dayOf(app, here)), ...(await dayOf(app, there))];
    expect(
      parts.map((row) => [row.respawn_id, row.hour_start, row.hour_end, row.split_part_number]),
    ).toEqual([
      [here, 10, 12, 1],
      [there, 14, 16, 2],
    ]);
  });

  it('R5.6: include secondary claims, marked', async () => {
    const key = await aKey(app, aName(), 'vice');
    const respawn_id = aSpot();
    await submitted(
      app,
      key,
      aClaim(key, { respawn_id: aSpot() }),
      aClaim(key, { respawn_id, is_secondary_claim: 1 }),
    );
    expect(await dayOf(app, respawn_id)).toMatchObject([
      { is_secondary_claim: 1, secondary_priority: 5 },
    ]);
  });

  it.each(['2026-02-30', 'today', '2026-11-2', '0000-01-01', '9999-12-31'])(
    'refuse %s as a date',
    async (date) => {
      const answer = await app.api.get(`/respawns/1/claims/${date}`).set(app.admin);
      expectRefusal(answer, 400, 'request.invalid', 'The field “date” is not valid.', {
        field: 'date',
      });
    },
  );

  it('of a respawn that is none are 404', async () => {
    const answer = await app.api.get(`/respawns/99999/claims/${TODAY}`).set(app.admin);
    expectRefusal(answer, 404, 'respawn.notFound', 'This spot no longer exists.', {});
  });
});

describe.each(databases)('across events, on %s', (dialect) => {
  it('R4.7: includes claims of another event and of none, since they hold the hours', async () => {
    const app = await createTestApp(dialect);
    const first = await aKey(app);
    const second = await aKey(app);
    const third = await aKey(app);
    await submitted(app, first, aClaim(first, { hour_start: 10, hour_end: 14 }));
    await anActiveEvent(app);
    await submitted(app, second, aClaim(second, { hour_start: 14, hour_end: 18 }));
    await anActiveEvent(app);
    await submitted(app, third, aClaim(third, { hour_start: 18, hour_end: 22 }));
    expect((await dayOf(app, 1)).map((row) => row.hour_start)).toEqual([10, 14, 18]);
  });

  it('R3.1, R3.4: includes a single_claim event’s claim on its first date, its last, and between', async () => {
    const app = await createTestApp(dialect);
    const event = await anActiveEvent(app, {
      type: 'single_claim',
      start_time: '2026-11-15T18:00',
      end_time: '2026-11-28T03:00',
    });
    const key = await aKey(app);
    await submitted(app, key, aClaim(key));
    await app.api.post(`/events/${event.id}/deactivate`).set(app.admin).expect(200);
    const counts = await Promise.all(
      ['2026-11-14', '2026-11-15', TODAY, '2026-11-28', '2026-11-29'].map((date) =>
        dayOf(app, 1, date),
      ),
    );
    expect(counts.map((rows) => rows.length)).toEqual([0, 1, 1, 1, 0]);
  });
});
