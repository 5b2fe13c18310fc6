import { describe, expect, it } from 'vitest';
import { databases } from '../../dev/test/databases.ts';
import { aCalendar, heard, standing } from '../../notifications/calendar/test/calendar.ts';
import { migrated } from './test/version-2.ts';

describe.each(databases)('what was written before there were calendars, on %s', (dialect) => {
  it('is in the calendar that its member makes', async () => {
    const { app } = await migrated(dialect, async (old) => {
      await old.respawn('Busy');
      await old.key('Ann', 'KEY-1');
      await old.claim(1, 'Ann', '2026-11-20', 4);
    });
    expect(await app.ctx.db.selectFrom('calendars').selectAll().execute()).toEqual([]);
    const key = (await app.api.get('/admin/access-keys').set(app.admin).expect(200)).body.data[0];
    expect(standing(await heard(app, await aCalendar(app, key)))).toEqual(['2026-11-20T13:00:00.000Z 2026-11-20T14:00:00.000Z Busy']);
  });
});
