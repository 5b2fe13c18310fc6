import { describe, expect, it } from 'vitest';
import { aClaim, aKey, aWait, submitted, waitFor } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp } from '../../dev/test/test-app.ts';

const LATE = '2026-11-22T08:59:30.000Z';
const TOMORROW = '2026-11-22T09:00:30.000Z';

describe.each(databases)('the first write of a new day on %s', (dialect) => {
  it('is not refused for waits of the day before', async () => {
    const app = await createTestApp(dialect);
    const holder = await aKey(app);
    const next = await aKey(app);
    await submitted(app, holder, aClaim(holder), aClaim(holder, { date: '2026-11-22' }));
    for (const respawn_id of [2, 3]) {
      const other = await aKey(app);
      await submitted(app, other, aClaim(other, { respawn_id }));
    }
    for (const respawn_id of [1, 2, 3]) await aWait(app, next, { respawn_id });
    app.setNow(TOMORROW);
    expect((await waitFor(app, next, { date: '2026-11-22' })).body).toMatchObject({
      data: { status: 'waiting', position: 1 },
    });
  });

  it('accepts no hours of the day before', async () => {
    const app = await createTestApp(dialect);
    const holder = await aKey(app);
    const next = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder, { hour_start: 22, hour_end: 24 }));
    const { id } = await aWait(app, next, { hour_start: 23, hour_end: 24 });
    app.setNow(LATE);
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    const { body } = await app.api.get('/waits').set(app.admin);
    expect(body.data).toMatchObject([
      { id, status: 'offered', held_until: '2026-11-22T09:01:30.000Z' },
    ]);
    app.setNow(TOMORROW);
    const accepted = await app.api.post(`/waits/${id}/accept`).send({ access_key: next.key_value });
    expect([accepted.status, accepted.body.code]).toEqual([409, 'wait.notOpen']);
  });
});
