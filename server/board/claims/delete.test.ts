import { describe, expect, it } from 'vitest';
import { aClaim, aKey, aSpot, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick, expectRefusal } from '../../dev/test/expect-refusal.ts';
import { createSuiteApp, TODAY } from '../../dev/test/test-app.ts';

describe.each(databases)('deleting a claim on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  const remove = (id: number | undefined) => app.api.delete(`/admin/claims/${id}`).set(app.admin);

  it('R4.12: frees its hours and its character’s date at once', async () => {
    const key = await aKey(app);
    const other = await aKey(app);
    const respawn_id = aSpot();
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id }));
    expect((await remove(claim?.id).expect(200)).body).toEqual({ success: true });
    await submitted(app, other, aClaim(other, { respawn_id }));
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
  });

  it('a second time is 404', async () => {
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
    await remove(claim?.id).expect(200);
    const answer = await expectNoTick(app, () => remove(claim?.id));
    expectRefusal(answer, 404, 'claim.notFound', 'This claim no longer exists.', {});
  });

  it('takes it off the board and off its spot’s counts, and leaves the others', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const rows = await submitted(
      app,
      key,
      ...[TODAY, '2026-11-22'].map((date) => aClaim(key, { respawn_id, date })),
    );
    await remove(rows[1]?.id).expect(200);
    const board = await app.api.get('/respawns').set(app.admin).expect(200);
    const spot = board.body.find((each: { id: number }) => each.id === respawn_id);
    expect(spot).toMatchObject({
      total_claims: 1,
      last_claim_date: TODAY,
      claims: [{ id: rows[0]?.id }],
    });
  });

  it('is logged once, with its data and actor', async () => {
    const key = await aKey(app);
    const respawn_id = aSpot();
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id }));
    await remove(claim?.id).expect(200);
    const log = await app.api
      .get('/admin/activity-log?action=claim_deleted&limit=1')
      .set(app.admin);
    expect(log.body.data.logs[0]).toMatchObject({
      admin_username: 'admin',
      details: {
        claim_id: claim?.id,
        character_name: key.character_name,
        date: TODAY,
        places: [{ respawn_id, respawn_name: claim?.respawn_name, hour_start: 10, hour_end: 14 }],
      },
    });
  });
});
