import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { databases } from '../../dev/test/databases.ts';
import { migrated } from './test/version-2.ts';

describe.each(databases)('what was written before endings were kept, on %s', (dialect) => {
  it('is as it was: no claim is to be confirmed, none has ended, and no type has a budget', async () => {
    const { app } = await migrated(dialect, async (old) => {
      await old.respawn('Busy');
      await old.claim(1, 'ann', '2026-11-22', 4);
      await old.type('Captain');
      // A deletion of then, whose undo finds no endings to take back.
      await sql`insert into activity (timestamp, action, details) values ('2026-11-20T10:00:00.000Z', 'claim_deleted', '{}')`.execute(
        old.db,
      );
    });
    const { db } = app.ctx;
    expect(await db.selectFrom('claim_endings').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('claim_parts').select(['claim_id', 'hour_start', 'to_confirm']).execute()).toEqual([
      { claim_id: 1, hour_start: 4, to_confirm: 0 },
    ]);
    const { body } = await app.api.get('/member-types').expect(200);
    expect(body.data.at(-1)).toMatchObject({ member_type: 'Captain', max_hours_per_day: null, max_hours_per_event: null });
    const claims = (await app.api.get('/admin/claims').set(app.admin).expect(200)).body.data;
    expect(claims).toMatchObject([{ id: 1, to_confirm: [] }]);
  });
});
