import { describe, expect, it } from 'vitest';
import { admin } from '../../activity/test/write.ts';
import { aClaim, aKey, aRespawn, aWait, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp } from '../../dev/test/test-app.ts';

describe.each(databases)('R9.9: waitlist entries of a deleted spot, on %s', (dialect) => {
  it('waits no longer, held hours or not, and the log says for which spot it was', async () => {
    const app = await createTestApp(dialect);
    const { id, name } = await aRespawn(app);
    const holder = await aKey(app);
    const first = await aKey(app);
    const second = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder, { respawn_id: id }));
    for (const key of [first, second]) await aWait(app, key, { respawn_id: id });
    await admin(app, `delete /admin/claims/${claim?.id}`).expect(200);
    await admin(app, `delete /admin/respawns/${id}`).expect(200);
    const waits = app.ctx.db.selectFrom('waits').select(['status', 'held_until']).execute();
    expect(await waits).toEqual([first, second].map(() => ({ status: 'void', held_until: null })));
    const { logs } = (
      await app.api.get('/admin/activity-log?action=wait_voided').set(app.admin).expect(200)
    ).body.data;
    const places = [{ respawn_id: id, respawn_name: name, hour_start: 10, hour_end: 14 }];
    expect(logs.map(({ details }: { details: object }) => details)).toMatchObject([
      { places },
      { places },
    ]);
    const endings = await app.ctx.db
      .selectFrom('claim_endings')
      .select(['reason', 'respawn_name'])
      .orderBy('id')
      .execute();
    expect(endings).toEqual(['admin', 'respawn'].map((reason) => ({ reason, respawn_name: name })));
    expect(await app.ctx.db.selectFrom('clock').select('open_waits').execute()).toEqual([
      { open_waits: 0 },
    ]);
  });
});
