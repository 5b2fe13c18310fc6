import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ActivityAction } from '../../shared/activity-actions.ts';
import { wrongCounts } from '../board/claims/consistency.ts';
import { aClaim, aKey, aMemberType, aRespawn, submitted } from '../dev/test/builders.ts';
import { aGif } from '../dev/test/gifs.ts';
import { sized } from '../dev/test/scope.ts';
import { createTestApp, type TestApp } from '../dev/test/test-app.ts';
import { watching } from '../dev/test/watching.ts';
import { guild, latest, splitOn, undo } from './test/undo.ts';
import { admin } from './test/write.ts';

const WORLDS = [
  ['SQLite', 'sqlite', sized(3, 6)],
  ['PostgreSQL', 'postgres', sized(1, 2)],
] as const;
const SEED = Number(process.env.WORLDS_SEED ?? 20261122);

/** Deletions that admins can make: the path, and the log's action. */
const DELETED = {
  claim: ['/admin/claims', 'claim_deleted'],
  spot: ['/admin/respawns', 'respawn_deleted'],
  category: ['/categories', 'category_deleted'],
  type: ['/admin/member-types', 'member_type_deleted'],
  key: ['/admin/access-keys', 'access_key_deleted'],
} as const satisfies Record<string, readonly [string, ActivityAction]>;
const kinds = fc.constantFrom('claim', 'spot', 'category', 'type', 'key');
const deletions = fc.array(fc.record({ kind: kinds, nth: fc.nat(50) }), {
  minLength: 6,
  maxLength: 10,
});

/** Four spots with claims of four keys of two types, in two categories. */
async function aGuild(app: TestApp): Promise<void> {
  const gif = aGif();
  const types = [await aMemberType(app, { guild_ranks: ['Scout'] }), await aMemberType(app)];
  const spots = [];
  for (const picture of [gif, gif, aGif(), aGif()])
    spots.push((await aRespawn(app, undefined, picture)).id);
  for (const [nth, name] of ['North', 'South'].entries()) {
    const { body } = await admin(app, 'post /categories', { name }).expect(201);
    for (const id of spots.slice(2 * nth, 2 * nth + 2))
      await admin(app, `put /admin/respawns/${id}/category`, {
        category_id: body.data.id,
      }).expect(200);
  }
  for (let n = 0; n < 4; n += 1) {
    const key = await aKey(app, undefined, types[n % 2]);
    const here = spots[n] ?? 1;
    const there = spots[(n + 1) % 4] ?? 1;
    await submitted(
      app,
      key,
      aClaim(key, splitOn(here, there)),
      aClaim(key, { date: '2026-11-22', respawn_id: here }),
    );
  }
}

/** The nth of what there is, deleted. @returns its entry; null where there is none, or it may not be deleted */
async function deleteOne(
  app: TestApp,
  kind: keyof typeof DELETED,
  nth: number,
): Promise<number | null> {
  const { db } = app.ctx;
  const ids = {
    claim: () => db.selectFrom('claims').select('id').orderBy('id').execute(),
    spot: () => db.selectFrom('respawns').select('id').orderBy('id', 'desc').limit(4).execute(),
    category: () =>
      db.selectFrom('categories').select('id').orderBy('id', 'desc').limit(2).execute(),
    type: () =>
      db
        .selectFrom('member_types')
        .select('member_type as id')
        .where('is_system', '=', 0)
        .orderBy('name_key')
        .execute(),
    // All but the newest, which the watcher uses: deleting it would end the watcher's connection.
    key: async () =>
      (await db.selectFrom('access_keys').select('id').orderBy('id').execute()).slice(0, -1),
  };
  const all: { id: number | string }[] = await ids[kind]();
  const one = all[nth % Math.max(all.length, 1)];
  if (!one) return null;
  const [path, action] = DELETED[kind];
  const { status } = await admin(app, `delete ${path}/${one.id}`);
  return status === 200 ? (await latest(app, action)).id : null;
}

describe('any sequence of deletions by admins', () => {
  it.each(WORLDS)(
    'on %s, undone in reverse order, restores the guild step by step for all watchers',
    async (_, dialect, worlds) => {
      await fc.assert(
        fc.asyncProperty(deletions, async (deletionsInOrder) => {
          const app = await createTestApp(dialect);
          await aGuild(app);
          const { expectSynced } = await watching(app);
          const steps: { id: number; before: object }[] = [];
          for (const { kind, nth } of deletionsInOrder) {
            const before = await guild(app);
            const id = await deleteOne(app, kind, nth);
            if (id !== null) steps.push({ id, before });
          }
          await expectSynced();
          for (const { id, before } of steps.reverse()) {
            const { status, body } = await undo(app, id);
            expect([status, body.code, body.params]).toEqual([200, undefined, undefined]);
            expect(await guild(app)).toEqual(before);
          }
          await expectSynced();
          expect(await wrongCounts(app.ctx.db)).toEqual([]);
        }),
        { seed: SEED, numRuns: worlds, endOnFailure: true },
      );
    },
    300_000,
  );
});
