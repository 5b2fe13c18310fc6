import { describe, expect, it } from 'vitest';
import { aClaim, aKey, anActiveEvent, change, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp } from '../../dev/test/test-app.ts';
import { recount, wrongCounts } from './consistency.ts';

describe.each(databases)('counts that are kept on %s', (dialect) => {
  it('that disagree with the claims are found, and corrected', async () => {
    const app = await createTestApp(dialect);
    const event = await anActiveEvent(app);
    const key = await aKey(app);
    const [claim] = await submitted(app, key, aClaim(key, { respawn_id: 3, date: '2026-11-23' }));
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
    await change(app, async ({ tx }) => {
      await tx
        .updateTable('respawns')
        .set({ total_claims: 9, last_claim_date: '2026-11-22' })
        .where('id', '=', 3)
        .execute();
      await tx.updateTable('respawns').set({ total_claims: 1 }).where('id', '=', 4).execute();
      await tx.updateTable('events').set({ claim_count: 0 }).execute();
      await tx.updateTable('claim_parts').set({ last_date: '2026-11-30' }).execute();
    });
    expect(await wrongCounts(app.ctx.db)).toEqual([
      { type: 'part of claim', id: claim?.id, kept: ['2026-11-30'], counted: ['2026-11-23'] },
      { type: 'respawn', id: 3, kept: [9, '2026-11-22'], counted: [1, '2026-11-30'] },
      { type: 'respawn', id: 4, kept: [1, null], counted: [0, null] },
      { type: 'event', id: event.id, kept: [0], counted: [1] },
    ]);
    await change(app, ({ tx }) => recount(tx));
    expect(await wrongCounts(app.ctx.db)).toEqual([]);
  });
});
