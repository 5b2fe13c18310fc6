import { describe, expect, it } from 'vitest';
import { aKey, asMember } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { migrated } from './test/version-2.ts';

describe.each(databases)('what was written before there were notices, on %s', (dialect) => {
  it('is as it was: nobody is sent any, and whoever asks is told of everything', async () => {
    const { app } = await migrated(dialect, async (old) => {
      await old.respawn('Busy');
      await old.key('ann', 'OLD-KEY');
    });
    const { db } = app.ctx;
    expect(await db.selectFrom('push_subscriptions').selectAll().execute()).toEqual([]);
    expect(await db.selectFrom('clock').select('heard').executeTakeFirst()).toEqual({ heard: null });
    for (const key of [{ key_value: 'OLD-KEY' }, await aKey(app)]) {
      const { body } = await app.api.get('/push/preferences').set(asMember(key)).expect(200);
      expect(body.data).toMatchObject({ hold_offered: 1, quiet_from: null, time_zone: 'America/Los_Angeles' });
    }
  });
});
