import { expect, it, vi } from 'vitest';
import { aClaim, aKey, anEvent, submitted } from './test/builders.ts';
import { createTestApp } from './test/test-app.ts';

it('a server archives what is old piece by piece by itself, also after a time at which it could not', async () => {
  const app = await createTestApp('sqlite', { env: { ARCHIVE_AFTER_DAYS: '10' }, serve: { upkeep: { pause_ms: 1, look_every_ms: 1 } } });
  const key = await aKey(app);
  await submitted(app, key, aClaim(key));
  await anEvent(app);
  const failed = vi.spyOn(app.ctx.log, 'error');
  const failing = vi.spyOn(app.ctx.writes, 'transaction').mockRejectedValueOnce(new Error('not now'));
  app.setNow('2026-12-09T18:00:00.000Z');
  await vi.waitFor(async () => {
    for (const table of ['events', 'claims'] as const) expect(await app.ctx.db.selectFrom(table).select('id').execute()).toEqual([]);
  });
  expect(failed).toHaveBeenCalledTimes(1);
  // What failed, the event's two steps, and the claim.
  expect(failing.mock.calls.length).toBeGreaterThanOrEqual(4);
});
