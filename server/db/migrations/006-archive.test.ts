import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { wrongCounts } from '../../board/claims/consistency.ts';
import { databases } from '../../dev/test/databases.ts';
import { tidyUp } from '../../dev/test/jobs.ts';
import { AT, migrated } from './test/version-2.ts';

describe.each(databases)('what was written before there was an archive, on %s', (dialect) => {
  it('is as it was, and is archived and forgotten like anything else', async () => {
    const { app } = await migrated(dialect, async (old) => {
      await old.respawn('Busy');
      await old.event('Dated');
      await old.claim(1, 'ann', '2026-11-22', 4);
      await sql`update claims set event_id = 1 where id = 1`.execute(old.db);
      await old.claim(2, 'ben', '2026-11-20', 2);
      await sql`insert into activity (timestamp, action, details, undo) values (${AT}, 'claim_deleted', '{}', '{}')`.execute(old.db);
    });
    const { db, env } = app.ctx;
    expect(await db.selectFrom('events').select(['id', 'is_leaving', 'claim_count']).execute()).toEqual([
      { id: 1, is_leaving: 0, claim_count: 1 },
    ]);
    expect(await tidyUp(app)).toBe(false);
    Object.assign(env, { ARCHIVE_AFTER_DAYS: 30 });
    app.setNow('2027-03-01T18:00:00.000Z');
    while (await tidyUp(app));
    const claims = await db.selectFrom('archived_claims').select(['id', 'event_id', 'date', 'last_date']).orderBy('id').execute();
    expect(claims).toEqual([
      { id: 1, event_id: 1, date: '2026-11-22', last_date: '2026-11-22' },
      { id: 2, event_id: null, date: '2026-11-20', last_date: '2026-11-20' },
    ]);
    expect(await db.selectFrom('claims').select('id').execute()).toEqual([]);
    expect(await db.selectFrom('undos').select('id').execute()).toEqual([]);
    expect(await wrongCounts(db)).toEqual([]);
  });
});
