import { describe, expect, it } from 'vitest';
import { KINDS_SEEN } from '../shared/kinds.ts';
import { aClaim, aKey, submitted } from './dev/test/builders.ts';
import { createTestApp } from './dev/test/test-app.ts';
import { Watcher } from './dev/test/watcher.ts';
import type { Feature } from './feature.ts';
import { features } from './features.ts';

/** Features that a server can do without. */
const OPTIONAL = [
  'waitlist',
  'missed claims',
  'online in the game',
  'facts',
  'standing claims',
  'transfers',
  'stars',
  'statistics',
  'calendar',
  'notices',
  'push',
  'channels',
  'board in a channel',
  'Discord app',
  'Discord sign-in',
  'archive',
  'import',
  'doctor',
];

const named: readonly Pick<Feature<never>, 'name' | 'routes'>[] = features;

/** The paths of a feature's calls, about something that does not exist. */
const pathsOf = (name: string): string[] =>
  (named.find((feature) => feature.name === name)?.routes ?? []).map(({ path }) =>
    path.replace(/:\w+/g, '987654'),
  );

describe.each(OPTIONAL)('without the feature %s, the server', (name) => {
  it('starts, serves the board, pushes a claim to all, and knows nothing of its calls', async () => {
    const paths = pathsOf(name);
    expect(paths.length).toBeGreaterThan(0);
    const app = await createTestApp('sqlite', {
      context: { features: features.filter((feature) => feature.name !== name) },
    });
    const key = await aKey(app);
    const member = new Watcher(app.url, { access_key: key.key_value });
    const admin = new Watcher(app.url, { admin_token: app.admin.Authorization.slice(7) });
    await Promise.all([member.connect(), admin.connect()]);
    const [claim] = await submitted(app, key, aClaim(key));
    for (const watcher of [member, admin]) {
      await watcher.reached(app.ctx.bus.clock());
      expect(watcher.records('claim').get(String(claim?.id))).toMatchObject({ respawn_id: 1 });
      expect(watcher.snapshots).toBe(1);
    }
    // One who was away catches up.
    member.disconnect();
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    await app.api.post('/categories').set(app.admin).send({ name: 'North' }).expect(201);
    await member.connect();
    expect([...member.records('claim').keys()]).toEqual([]);
    expect([...member.records('category').values()].map((each) => each.name)).toContain('North');
    expect(member.snapshots).toBe(1);
    const { body } = await app.api.get('/snapshot').set(app.admin).expect(200);
    expect(Object.keys(body.data.snapshot).sort()).toEqual([...KINDS_SEEN.admins].sort());
    await app.runDue();
    await app.beat();
    for (const path of paths) {
      const answer = await app.api.get(path).set(app.admin);
      expect([path, answer.status, answer.body.code]).toEqual([path, 404, 'request.notFound']);
    }
  });
});

it('every feature is tried without, or the server needs it', () => {
  const needed = [
    'activity',
    'configuration',
    'jobs',
    'categories',
    'member types',
    'respawns',
    'admins',
    'members',
    'claims',
    'events',
    'event copies',
    'claim history',
    'operation',
  ];
  expect(features.map(({ name }) => name).sort()).toEqual([...needed, ...OPTIONAL].sort());
});
