import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { databases } from '../../dev/test/databases.ts';
import { migrated } from './test/version-2.ts';

describe.each(databases)('a guild that told nobody of its news, on %s', (dialect) => {
  it('is as it was: nobody hears anything, and nothing waits to be sent', async () => {
    const { app } = await migrated(dialect, async (old) => {
      await old.respawn('Busy');
      await old.claim(1, 'ann', '2026-11-22', 4);
    });
    const { rows } = await sql<{ heard: string | null }>`select heard from clock`.execute(app.ctx.db);
    expect(rows).toEqual([{ heard: null }]);
    const { body } = await app.api.get('/admin/destinations').set(app.admin).expect(200);
    expect(body.data).toEqual([]);
    expect(await app.ctx.db.selectFrom('news').selectAll().execute()).toEqual([]);
  });
});
