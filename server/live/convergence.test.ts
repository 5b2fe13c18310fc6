import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ALL_KINDS, KINDS_SEEN, recordId } from '../../shared/kinds.ts';
import { freshDatabase, usualDatabases } from '../dev/test/databases.ts';
import { sized } from '../dev/test/scope.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { Watcher } from '../dev/test/watcher.ts';
import { aCast, play, type Step, step } from './test/random-world.ts';

const STEPS = 60;
async function converge(apps: TestApp[], steps: readonly Step[]): Promise<void> {
  const [app] = apps;
  if (!app) throw new Error('a server');
  const cast = await aCast(app);
  const admin_token = app.admin.Authorization.replace('Bearer ', '');
  const url = (at: number): string => (apps[at % apps.length] ?? app).url;
  const auths = [
    { admin_token },
    ...cast.keys.slice(0, 3).map((key) => ({ access_key: key.key_value })),
  ];
  const watchers = auths.map((auth, at) => new Watcher(url(at), auth));
  await Promise.all(watchers.map((watcher) => watcher.connect()));

  const running: Promise<unknown>[] = [];
  for (const [at, one] of steps.entries()) {
    // Writes go to the servers in turn, as behind a balancer.
    const done = play(apps[at % apps.length] ?? app, { ...cast, watchers }, one);
    running.push(done);
    // Some writes overlap and some wait, so that commits, pushes and reconnections interleave differently each time.
    if (at % 3 === 0 || one.do === 'drop' || one.do === 'return') await done;
  }
  await Promise.all(running);
  await Promise.all(
    watchers.filter((watcher) => !watcher.isConnected).map((watcher) => watcher.connect()),
  );

  const { value: clock } = await app.ctx.db
    .selectFrom('clock')
    .select('value')
    .executeTakeFirstOrThrow();
  await Promise.all(watchers.map((watcher) => watcher.reached(clock)));
  for (const [at, watcher] of watchers.entries()) {
    // As the database has it: what a server keeps follows the same change sets as the watchers do.
    const { records: snapshot } = await (apps[at % apps.length] ?? app).ctx.readModel.readFresh(
      at === 0 ? 'admins' : 'members',
    );
    for (const kind of at === 0 ? ALL_KINDS : KINDS_SEEN.members) {
      const held = watcher.records(kind);
      const wanted = new Map(
        (snapshot[kind] ?? []).map((record) => [String(recordId(kind, record)), record]),
      );
      // The log keeps growing on a screen; a snapshot starts with the latest hundred.
      if (kind === 'activity') for (const id of held.keys()) if (!wanted.has(id)) held.delete(id);
      expect(held, `${kind} of watcher ${at}`).toEqual(wanted);
    }
  }
}

// A failing run prints its seed; it is played again by putting it here.
const SEED = Number(process.env.CONVERGENCE_SEED ?? 20261121);

describe.each(usualDatabases)('every watcher’s board on %s', (dialect) => {
  it('equals a fresh snapshot after random writes and random disconnections', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
        await converge([await createTestApp(dialect)], steps);
      }),
      { seed: SEED, numRuns: sized(2, 4), endOnFailure: true },
    );
  }, 120_000);
});

describe('two servers on one PostgreSQL database', () => {
  it('show all their watchers the same board', async () => {
    const on = await freshDatabase('postgres');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: STEPS, maxLength: STEPS }), async (steps) => {
        const apps = [
          await createTestApp('postgres', { on }),
          await createTestApp('postgres', { on }),
        ];
        await converge(apps, steps);
      }),
      { seed: SEED, numRuns: 1, endOnFailure: true },
    );
  }, 120_000);
});
