import { expect, it, vi } from 'vitest';
import { aClaim, aKey, submitted } from '../dev/test/builders.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';

it('a claim committed while a watcher’s snapshot is being read reaches that watcher', async () => {
  const app = await createTestApp('sqlite');
  const key = await aKey(app);
  const { snapshot } = app.ctx.readModel;
  vi.spyOn(app.ctx.readModel, 'snapshot').mockImplementationOnce(async (room) => {
    const taken = await snapshot(room);
    await submitted(app, key, aClaim(key));
    return taken;
  });
  const watcher = new Watcher(app.url, { access_key: key.key_value });
  await watcher.connect();
  await watcher.reached(app.ctx.bus.clock());
  expect(watcher.records('claim').size).toBe(1);
});
