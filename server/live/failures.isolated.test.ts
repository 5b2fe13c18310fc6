import { expect, it, vi } from 'vitest';
import { connected } from '../dev/test/board-watcher.ts';
import { aClaim, aKey, submitted } from '../dev/test/builders.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import { connect, Watcher } from '../dev/test/watcher.ts';

const board = vi.hoisted(() => ({ isTooLong: false }));

vi.mock('./encoding.ts', async (original) => {
  const shared = await original<typeof import('./encoding.ts')>();
  return {
    ...shared,
    encodeSnapshotAnswer: (...all: Parameters<typeof shared.encodeSnapshotAnswer>) => {
      // As JSON.stringify says it of a board of 1,750,000 claims.
      if (board.isTooLong) throw new RangeError('Invalid string length');
      return shared.encodeSnapshotAnswer(...all);
    },
  };
});

it('an answer that cannot be written ends the one connection that asked, and is counted; the others go on', async () => {
  const app = await createTestApp('sqlite');
  const key = await aKey(app);
  const watcher = new Watcher(app.url, { access_key: key.key_value });
  await watcher.connect();
  board.isTooLong = true;
  const asking = connect(app.url, { access_key: key.key_value });
  await connected(asking);
  const gone = new Promise((resolve) => asking.once('disconnect', resolve));
  asking.emit('sync', null, () => {});
  expect(await gone).toBe('io server disconnect');
  expect((await app.ctx.metrics.failures.get()).values).toMatchObject([
    { labels: { where: 'live' }, value: 1 },
  ]);
  await submitted(app, key, aClaim(key));
  await watcher.reached(app.ctx.bus.clock());
  expect(watcher.records('claim').size).toBe(1);
});
