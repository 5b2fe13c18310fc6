import { describe, expect, it } from 'vitest';
import { aClaim, aKey, anActiveEvent, noActiveEvent, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { wrongCounts } from '../claims/consistency.ts';
import { findEvent } from '../records/guild.ts';
import { findRespawns } from '../records/respawns.ts';

/** A spot with a claim of today, and one of the whole event. */
const SPOT = 3;
const WHOLE = {
  type: 'single_claim',
  start_time: '2026-11-25T10:00',
  end_time: '2026-11-28T10:00',
} as const;

async function withClaims(app: TestApp): Promise<number> {
  const own = await aKey(app);
  const others = await aKey(app);
  await submitted(app, own, aClaim(own, { respawn_id: SPOT }));
  const { id } = await anActiveEvent(app, WHOLE);
  await submitted(app, others, aClaim(others, { respawn_id: SPOT, date: null }));
  await noActiveEvent(app);
  return id;
}

/** How many claims the spot and the event have, and the last date of the spot's; none of them kept wrong. */
async function countsOf({ ctx: { db } }: TestApp, event_id: number): Promise<unknown> {
  expect(await wrongCounts(db)).toEqual([]);
  const [spot] = await findRespawns(db, { ids: [SPOT] });
  return [spot?.total_claims, spot?.last_claim_date, (await findEvent(db, event_id))?.claim_count];
}

describe.each(databases)('stored claim counts of an event on %s', (dialect) => {
  it('ends when the event does, also after its end is moved', async () => {
    const app = await createTestApp(dialect);
    const id = await withClaims(app);
    expect(await countsOf(app, id)).toEqual([2, '2026-11-28', 1]);
    for (const end of ['2026-12-03', '2026-11-26']) {
      const times = { end_time: `${end}T10:00` };
      await app.api.put(`/events/${id}`).set(app.admin).send(times).expect(200);
      expect(await countsOf(app, id)).toEqual([2, end, 1]);
    }
  });

  it('is deleted with the event, and restored with it', async () => {
    const app = await createTestApp(dialect);
    const id = await withClaims(app);
    await app.api.delete(`/events/${id}`).set(app.admin).expect(200);
    expect(await countsOf(app, id)).toEqual([1, TODAY, undefined]);
    const { body } = await app.api
      .get('/admin/activity-log?action=event_deleted')
      .set(app.admin)
      .expect(200);
    await app.api
      .post(`/admin/activity-log/${body.data.logs[0].id}/undo`)
      .set(app.admin)
      .expect(200);
    expect(await countsOf(app, id)).toEqual([2, '2026-11-28', 1]);
  });
});
