import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { aClaim, aKey, aWait, changeUnheard, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp } from '../../dev/test/test-app.ts';
import { up } from './014-wait-ends.ts';

describe.each(databases)('who waited before waits ended with their hours, on %s', (dialect) => {
  it('is out of the line at the first look, where those are over; the others when theirs are', async () => {
    const app = await createTestApp(dialect, { serve: { jobs: { everyMs: 20 } } });
    const [holder, early, late] = [await aKey(app), await aKey(app), await aKey(app)];
    await submitted(app, holder, aClaim(holder));
    await aWait(app, early, { hour_start: 10, hour_end: 11 });
    await aWait(app, late);
    const lasts = () => app.ctx.db.selectFrom('waits').select('character_name').where('ended_at', 'is', null).execute();
    await changeUnheard(app, async (tx) => {
      await sql`drop index waits_over`.execute(tx);
      await tx.deleteFrom('jobs').where('kind', '=', 'due.ends').execute();
      await tx.updateTable('clock').set({ next_due: null }).execute();
    });
    // SS+11 has begun.
    app.setNow('2026-11-21T20:00:00.000Z');
    expect(await lasts()).toHaveLength(2);
    await changeUnheard(app, up);
    await expect.poll(lasts).toEqual([{ character_name: late.character_name }]);
    expect(await app.ctx.db.selectFrom('clock').select('next_due').execute()).toEqual([{ next_due: '2026-11-21T23:00:00.000Z' }]);
  });
});
