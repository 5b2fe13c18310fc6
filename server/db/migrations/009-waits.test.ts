import { describe, expect, it } from 'vitest';
import { DEFAULT_WAIT_SETTINGS } from '../../../shared/schemas/config.ts';
import { databases } from '../../dev/test/databases.ts';
import { migrated } from './test/version-2.ts';

describe.each(databases)('what was written before one could wait in line, on %s', (dialect) => {
  it('is claimed and not held, nobody waits, and the settings are as they are by default', async () => {
    const { app } = await migrated(dialect, async (old) => {
      await old.respawn('Busy');
      await old.claim(1, 'ann', '2026-11-30', 0);
    });
    const { db } = app.ctx;
    expect((await app.api.get('/admin/claims').set(app.admin).expect(200)).body.data).toMatchObject([
      { id: 1, is_held: 0, held_until: null },
    ]);
    expect((await app.api.get('/config').expect(200)).body).toMatchObject(DEFAULT_WAIT_SETTINGS);
    expect((await app.api.get('/waits').set(app.admin).expect(200)).body.data).toEqual([]);
    expect(await db.selectFrom('clock').select(['open_waits', 'next_due']).execute()).toEqual([{ open_waits: 0, next_due: null }]);
  });
});
