import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { BUILD_META } from '../../shared/build.ts';
import { aKey } from '../dev/test/builders.ts';
import { createTestApp } from '../dev/test/test-app.ts';
import { connect } from '../dev/test/watcher.ts';
import { createBuildName } from './static-files.ts';

it('names the build that a browser would be given now, also when another takes its place', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'claimboard-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const page = path.join(folder, 'index.html');
  let now = 0;
  const build = createBuildName(page, () => now);
  expect(build()).toBeNull();
  writeFileSync(page, `<head><meta name="${BUILD_META}" content="abc123"></head>`);
  // Cached between requests.
  expect(build()).toBeNull();
  now += 5_000;
  expect(build()).toBe('abc123');
  writeFileSync(page, `<head><meta name="${BUILD_META}" content="def456"></head>`);
  now += 5_000;
  expect(build()).toBe('def456');
});

it('every answer of the API and every sync names it, refusals and a whole board included', async () => {
  let name: string | null = 'abc123';
  const app = await createTestApp('sqlite', { context: { build: () => name } });
  const headerOf = async (at: string): Promise<string | undefined> =>
    (await app.api.get(at)).headers['x-build'];
  expect([
    await headerOf('/config'),
    await headerOf('/nowhere'),
    await headerOf('/respawns'),
  ]).toEqual(['abc123', 'abc123', 'abc123']);

  const key = await aKey(app);
  const socket = connect(app.url, { access_key: key.key_value });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const buildOfSync = async (clock: number | null): Promise<string | undefined> =>
    (await socket.emitWithAck('sync', clock)).build;
  const clock = app.ctx.bus.clock();
  expect([await buildOfSync(null), await buildOfSync(clock), await buildOfSync(clock - 1)]).toEqual(
    ['abc123', 'abc123', 'abc123'],
  );
  // At the same clock the cached board is encoded again.
  name = 'def456';
  expect([await buildOfSync(null), await buildOfSync(clock)]).toEqual(['def456', 'def456']);
  name = null;
  expect([await headerOf('/config'), await buildOfSync(null), await buildOfSync(clock)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
