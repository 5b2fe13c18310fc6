import { expect, it, onTestFinished, vi } from 'vitest';
import { aClaim, aKey, anEvent, submitted } from './test/builders.ts';
import { createTestApp } from './test/test-app.ts';
import { watchUpkeep } from './upkeep.ts';

it('a server archives what is old piece by piece by itself, also after a time at which it could not', async () => {
  const app = await createTestApp('sqlite', { env: { ARCHIVE_AFTER_DAYS: '10' } });
  const key = await aKey(app);
  await submitted(app, key, aClaim(key));
  await anEvent(app);
  app.setNow('2026-12-09T18:00:00.000Z');
  const failed = vi.spyOn(app.ctx.log, 'error');
  const failing = vi.spyOn(app.ctx.writes, 'transaction').mockRejectedValueOnce(new Error('not now'));
  onTestFinished(watchUpkeep(app.ctx, { pause_ms: 1, look_every_ms: 1 }));
  await vi.waitFor(async () => {
    for (const table of ['events', 'claims'] as const) expect(await app.ctx.db.selectFrom(table).select('id').execute()).toEqual([]);
  });
  expect(failed).toHaveBeenCalledTimes(1);
  expect(failing.mock.calls.length).toBe(4);
  // Nothing more to do, nothing more is written.
  const clock = app.ctx.bus.clock();
  await vi.waitFor(() => expect(app.ctx.bus.clock()).toBe(clock));
});
