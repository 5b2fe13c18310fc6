import type { ActivityAction } from '../../../shared/activity-actions.ts';
import type { ActivityEntry } from '../../../shared/schemas/activity.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import type { TestApp } from '../../dev/test/test-app.ts';

export async function latest(app: TestApp, action: ActivityAction): Promise<ActivityEntry> {
  const { body } = await app.api
    .get('/admin/activity-log')
    .set(app.admin)
    .query({ action, limit: 1 })
    .expect(200);
  return body.data.logs[0];
}
export const undo = (app: TestApp, id: number) =>
  app.api.post(`/admin/activity-log/${id}/undo`).set(app.admin);
export async function undoLatest(app: TestApp, action: ActivityAction) {
  return undo(app, (await latest(app, action)).id);
}
export const deleteClaim = (app: TestApp, claim: Pick<ClaimRow, 'id'> | undefined) =>
  app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
export const deleteEvent = (app: TestApp, id: number) =>
  app.api.delete(`/events/${id}`).set(app.admin).expect(200);

/** Every row that a deletion takes. */
export async function stored({ ctx: { db } }: TestApp): Promise<Record<string, object[]>> {
  return {
    claims: await db.selectFrom('claims').selectAll().orderBy('id').execute(),
    parts: await db
      .selectFrom('claim_parts')
      .selectAll()
      .orderBy('claim_id')
      .orderBy('part_number')
      .execute(),
    hours: await db
      .selectFrom('occupied_hours')
      .selectAll()
      .orderBy('respawn_id')
      .orderBy('date')
      .orderBy('hour')
      .execute(),
    days: await db
      .selectFrom('occupied_days')
      .selectAll()
      .orderBy('character_key')
      .orderBy('date')
      .execute(),
    events: await db.selectFrom('events').selectAll().orderBy('id').execute(),
  };
}
/** A split claim of two hours on each spot, from SS+10 and SS+14. */
export const splitOn = (...spots: number[]) => ({
  respawn_id: spots[0] ?? 1,
  is_split_claim: 1 as const,
  split_parts: spots.map((respawn_id, at) => ({
    part_number: at + 1,
    respawn_id,
    hour_start: 10 + 4 * at,
    duration: 2,
  })),
});

/** Every row that admins make, change and delete: what an undo makes equal again. */
export async function guild(app: TestApp): Promise<Record<string, object[]>> {
  const { db } = app.ctx;
  return {
    ...(await stored(app)),
    categories: await db.selectFrom('categories').selectAll().orderBy('id').execute(),
    respawns: await db.selectFrom('respawns').selectAll().orderBy('id').execute(),
    images: await db.selectFrom('images').selectAll().orderBy('hash').execute(),
    member_types: await db.selectFrom('member_types').selectAll().orderBy('name_key').execute(),
    keys: await db.selectFrom('access_keys').selectAll().orderBy('id').execute(),
    codes: await db.selectFrom('verifications').selectAll().orderBy('id').execute(),
    bans: await db.selectFrom('bans').selectAll().orderBy('character_key').execute(),
    endings: await db.selectFrom('claim_endings').selectAll().orderBy('id').execute(),
  };
}
