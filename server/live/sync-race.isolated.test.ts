import { expect, it, vi } from 'vitest';
import { aClaim, aKey, submitted } from '../dev/test/builders.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';

const reading = vi.hoisted(() => ({ done: async () => {} }));

vi.mock('./snapshot.ts', async (original) => {
  const snapshot = await original<typeof import('./snapshot.ts')>();
  return {
    ...snapshot,
    takeSnapshot: async (...all: Parameters<typeof snapshot.takeSnapshot>) => {
      const taken = await snapshot.takeSnapshot(...all);
      await reading.done();
      return taken;
    },
  };
});

it('a claim committed while a watcher’s snapshot is being read reaches that watcher', async () => {
  const app = await createTestApp('sqlite');
  const key = await aKey(app);
  reading.done = async () => {
    reading.done = async () => {};
    await submitted(app, key, aClaim(key));
  };
  const watcher = new Watcher(app.url, { access_key: key.key_value });
  await watcher.connect();
  await watcher.reached(app.ctx.bus.clock());
  expect(watcher.records('claim').size).toBe(1);
});
