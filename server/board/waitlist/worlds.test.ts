import fc from 'fast-check';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { accessKey } from '../../../shared/schemas/access-key.ts';
import type { Dialect } from '../../db/database.ts';
import { filledDatabase } from '../../dev/test/databases.ts';
import { sized } from '../../dev/test/scope.ts';
import { startUsualServer, type UsualServer, usual } from '../../dev/test/usual-server.ts';
import { World } from './test/play.ts';
import { type Step, step } from './test/world.ts';

/** How many worlds; `WORLDS_SEED` plays others. */
const WORLDS = [
  ['on SQLite', 'sqlite', 1, sized(8, 20)],
  ['on PostgreSQL', 'postgres', 1, sized(3, 9)],
  ['on two servers and one PostgreSQL', 'postgres', 2, sized(4, 7)],
] as const;
const STEPS = 30;

async function aWorld(dialect: Dialect, servers: number): Promise<World> {
  const database = await filledDatabase(dialect);
  const running = new Set<UsualServer>();
  const begin = async (now?: string): Promise<UsualServer> => {
    const server = await startUsualServer(database.settings, now === undefined ? {} : { now });
    const { close } = server;
    running.add(server);
    return {
      ...server,
      close: async () => {
        running.delete(server);
        await close();
      },
    };
  };
  onTestFinished(async () => {
    for (const { close } of running) await close();
    await database.drop();
  });
  const all = [];
  for (let n = 0; n < servers; n += 1) all.push(await begin());
  const world = new World(all, inject('templates').token[dialect], usual.now, begin);
  for (let n = 0; n < 7; n += 1) {
    const { body } = await world.ask('post', '/admin/access-keys', {
      characterName: `Hunter ${n}`,
      memberType: 'member',
    });
    world.keys.push(accessKey.parse(body.data));
  }
  for (const [name, type] of [
    ['Many', 'multiple_claims'],
    ['Single', 'single_claim'],
  ] as const) {
    const { body } = await world.ask('post', '/events', {
      name,
      type,
      start_time: '2026-11-21T10:00',
      end_time: '2026-11-22T23:00',
    });
    world.events.push(body.data?.id ?? 0);
  }
  const { body } = await world.ask('post', '/admin/access-keys', {
    characterName: 'Onlooker',
    memberType: 'member',
  });
  world.onlooker = accessKey.parse(body.data).key_value;
  const claims = [1, 2, 3].flatMap((respawn_id) =>
    ['2026-11-21', '2026-11-22'].map((date) => ({
      respawn_id,
      character_name: `Holder ${respawn_id}`,
      date,
      hour_start: 12,
      hour_end: 16,
    })),
  );
  await world.ask('post', '/claims', { claims, admin_submission: true });
  await world.watch();
  return world;
}

// A failing run prints its seed; it is played again by putting it here.
const SEED = Number(process.env.WORLDS_SEED ?? 20261122);

describe('R9.5 to R9.10: any sequence of commands and time', () => {
  it.each(WORLDS)(
    '%s, the waitlists follow the rules, step by step, and all watchers see it',
    async (_, dialect, servers, worlds) => {
      let offers = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: STEPS, maxLength: STEPS }),
          async (steps: Step[]) => {
            const world = await aWorld(dialect, servers);
            for (const one of steps) await world.play(one);
            await world.see('all steps');
            offers += (
              await world.server.ctx.db
                .selectFrom('waits')
                .select('id')
                .where('held_claim_id', 'is not', null)
                .execute()
            ).length;
            for (const watcher of world.watchers) watcher.disconnect();
            for (const server of world.servers) await server.close();
          },
        ),
        { seed: SEED, numRuns: worlds, endOnFailure: true },
      );
      // The generated cases are not trivial.
      expect(offers).toBeGreaterThanOrEqual(worlds / 2);
    },
    600_000,
  );
});
