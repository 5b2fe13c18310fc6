import { beforeAll, describe, expect, it } from 'vitest';
import { type ActivityEntry, MAX_CLAIMS_TO_UNDO } from '../../../shared/schemas/activity.ts';
import { deleteEvent, latest, stored, undo } from '../../activity/test/undo.ts';
import { CLAIMS_A_PIECE } from '../../activity/undo-store.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { aClaim, aKey, anEvent, change, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { expectNoTick } from '../../dev/test/expect-refusal.ts';
import { expectSame } from '../../dev/test/expect-same.ts';
import { manyClaims } from '../../dev/test/many-claims.ts';
import { sized } from '../../dev/test/scope.ts';
import { createSuiteApp, createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { owedBy, watching } from '../../dev/test/watching.ts';

/**
 * More than SQLite takes ids in a statement, which are 32,766. PostgreSQL takes 65,535 values, which is fewer than what a third
 * of them are written as: there they are as many as are beyond an undo. All ways to delete claims split them alike: `npm test` tries
 * so many on SQLite for one of them.
 */
const MORE_THAN_IDS = { sqlite: 33_000, postgres: MAX_CLAIMS_TO_UNDO + 1 };
/** Beyond an undo. */
const MANY = {
  sqlite: sized(MAX_CLAIMS_TO_UNDO + 1, MORE_THAN_IDS.sqlite),
  postgres: MORE_THAN_IDS.postgres,
};
const PATIENCE_MS = 120_000;

const clear = (app: TestApp, respawn_id: number) =>
  app.api.delete(`/claims/admin/respawn/${respawn_id}`).set(app.admin);

/** The size of a write's stored change set, in characters. */
async function lastChangeSet({ ctx }: TestApp): Promise<number> {
  const { body } = await ctx.db
    .selectFrom('changes')
    .select('body')
    .orderBy('clock', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return body.length;
}
/** How many claims each piece of an entry's undo holds, and the length of the longest. */
async function undoPieces(
  { ctx }: TestApp,
  entry: ActivityEntry,
): Promise<{ claims: number[]; longest: number }> {
  const pieces = ctx.db
    .selectFrom('undo_pieces')
    .innerJoin('undos', 'undos.id', 'undo_id')
    .select('body')
    .where('entry_id', '=', entry.id);
  const bodies = (await pieces.orderBy('piece').execute()).map(({ body }) => body);
  return {
    claims: bodies.map((body) => JSON.parse(body).length),
    longest: Math.max(0, ...bodies.map((body) => body.length)),
  };
}
const rowsLeft = async ({ ctx: { db } }: TestApp): Promise<number[]> => {
  const counts = [];
  for (const table of ['claims', 'claim_parts', 'occupied_hours', 'occupied_days'] as const) {
    counts.push(
      (
        await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  }
  return counts;
};

describe.each(databases)('more claims than an undo puts back, on %s', (dialect) => {
  const many = MANY[dialect];
  it(
    'are cleared off a spot for good by one entry and one reset, and the others stay, also if a statement takes fewer ids',
    async () => {
      const many = MORE_THAN_IDS[dialect];
      const app = await createTestApp(dialect);
      const key = await aKey(app);
      await submitted(app, key, aClaim(key, { respawn_id: 2 }));
      // Before there are so many, or each is sent all of them, and has none of them after the reset.
      const { expectSynced } = await watching(app);
      await manyClaims(app, { count: many });
      const entries = await owedBy(app, async () => {
        expect((await clear(app, 1).expect(200)).body.data).toEqual({ deletedCount: many });
      });
      expect(entries).toMatchObject([
        {
          action: 'claims_cleared',
          undo: null,
          details: { deleted_count: many, beyond_undo: true },
        },
      ]);
      expect(await rowsLeft(app)).toEqual([1, 1, 4, 1]);
      expect(await lastChangeSet(app)).toBeLessThan(1_000);
      const entry = await latest(app, 'claims_cleared');
      expect((await undoPieces(app, entry)).claims).toEqual([]);
      expect((await undo(app, entry.id)).body.code).toBe('activity.nothingToUndo');
      await expectSynced(1);
    },
    PATIENCE_MS,
  );

  it(
    'go with their spot',
    async () => {
      const app = await createTestApp(dialect);
      const { expectSynced } = await watching(app);
      await manyClaims(app, { count: many });
      const entries = await owedBy(app, () =>
        app.api.delete('/admin/respawns/1').set(app.admin).expect(200),
      );
      expect(entries).toMatchObject([
        { action: 'respawn_deleted', undo: null, details: { claim_count: many } },
      ]);
      expect(await rowsLeft(app)).toEqual([0, 0, 0, 0]);
      await expectSynced(1);
    },
    PATIENCE_MS,
  );

  describe('all of one event', () => {
    // Filling it takes longer than each of the two: the refusal leaves it as it is.
    const app = createSuiteApp(dialect);
    let event_id = 0;
    beforeAll(async () => {
      event_id = (await anEvent(app, { start_time: '2026-11-21', end_time: '2027-11-20' })).id;
      await manyClaims(app, { count: many, spots: 5, event_id });
    }, PATIENCE_MS);

    it(
      'are refused new dates of their event with the first hundred of them, and nothing has changed',
      async () => {
        const before = await rowsLeft(app);
        const answer = await expectNoTick(app, () =>
          app.api.put(`/events/${event_id}`).set(app.admin).send({ start_time: '2027-11-20' }),
        );
        expect([answer.status, answer.body.code]).toEqual([409, 'event.claimsOutside']);
        expect(answer.body.params.count).toBe(many);
        expect(answer.body.params.claims).toHaveLength(100);
        expect(await rowsLeft(app)).toEqual(before);
      },
      PATIENCE_MS,
    );

    it(
      'go with their event, which then cannot be restored and says so',
      async () => {
        const { expectSynced } = await watching(app);
        const entries = await owedBy(app, () => deleteEvent(app, event_id));
        expect(entries).toMatchObject([
          {
            action: 'event_deleted',
            undo: null,
            details: { claim_count: many, beyond_undo: true },
          },
        ]);
        expect(await rowsLeft(app)).toEqual([0, 0, 0, 0]);
        await expectSynced(1);
      },
      PATIENCE_MS,
    );
  });
});

describe.each(databases)('as many claims as an undo puts back, on %s', (dialect) => {
  it(
    'are put back whole by one reset; before, a refusal names a hundred of those in the way and changes nothing',
    async () => {
      const app = await createTestApp(dialect);
      const { expectSynced } = await watching(app);
      await manyClaims(app, { count: MAX_CLAIMS_TO_UNDO });
      const before = await stored(app);
      await clear(app, 1).expect(200);
      await expectSynced(1);
      const entry = await latest(app, 'claims_cleared');
      expect([entry.undo, entry.details.beyond_undo]).toEqual(['possible', undefined]);
      const { claims, longest } = await undoPieces(app, entry);
      expect(claims).toEqual(
        Array.from({ length: MAX_CLAIMS_TO_UNDO / CLAIMS_A_PIECE }, () => CLAIMS_A_PIECE),
      );
      expect(longest).toBeLessThan(300_000);

      await manyClaims(app, { count: 150, first_id: 2_000_000, who: 'rival' });
      const refused = await expectNoTick(app, () => undo(app, entry.id));
      expect([refused.status, refused.body.code, refused.body.params.count]).toEqual([
        409,
        'activity.hoursTaken',
        150,
      ]);
      expect(refused.body.params.claims).toHaveLength(100);
      expect(await rowsLeft(app)).toEqual([150, 150, 150, 150]);

      await clear(app, 1).expect(200);
      await expectSynced(2);
      expect((await undo(app, entry.id).expect(200)).body.data).toEqual({
        restored_claims: MAX_CLAIMS_TO_UNDO,
        left_claims: 0,
      });
      expectSame(await stored(app), before);
      expect(await lastChangeSet(app)).toBeLessThan(2_000);
      await expectSynced(3);
    },
    PATIENCE_MS,
  );

  it(
    'of which a piece is missing are refused whole, and nothing has changed',
    async () => {
      const app = await createTestApp(dialect);
      await manyClaims(app, { count: 3 * CLAIMS_A_PIECE });
      await clear(app, 1).expect(200);
      const entry = await latest(app, 'claims_cleared');
      const kept = () =>
        app.ctx.db.selectFrom('undo_pieces').selectAll().orderBy('piece').execute();
      const [first, second, third] = await kept();
      if (!first || !second || !third) throw new Error('there are three pieces');
      const deletePiece =
        (piece: number) =>
        ({ tx }: Unit) =>
          tx.deleteFrom('undo_pieces').where('piece', '=', piece).execute();
      for (const [piece, row] of [first, second, third].entries()) {
        await change(app, deletePiece(piece));
        const refused = await expectNoTick(app, () => undo(app, entry.id));
        expect([refused.status, refused.body.code]).toEqual([409, 'activity.undoIncomplete']);
        await change(app, ({ tx }) => tx.insertInto('undo_pieces').values(row).execute());
      }
      // A claim of a piece is missing, too.
      const body = JSON.stringify(JSON.parse(third.body).slice(1));
      await change(app, ({ tx }) =>
        tx.updateTable('undo_pieces').set({ body }).where('piece', '=', 2).execute(),
      );
      expect((await expectNoTick(app, () => undo(app, entry.id))).body.code).toBe(
        'activity.undoIncomplete',
      );
      expect(await rowsLeft(app)).toEqual([0, 0, 0, 0]);
      expect((await latest(app, 'claims_cleared')).undo).toBe('possible');
      await change(app, ({ tx }) =>
        tx.updateTable('undo_pieces').set({ body: third.body }).where('piece', '=', 2).execute(),
      );
      expect((await undo(app, entry.id).expect(200)).body.data).toEqual({
        restored_claims: 3 * CLAIMS_A_PIECE,
        left_claims: 0,
      });
      expect([await kept(), await app.ctx.db.selectFrom('undos').select('id').execute()]).toEqual([
        [],
        [],
      ]);
    },
    PATIENCE_MS,
  );
});

describe.each(databases)('a clearing on %s', (dialect) => {
  it('names each of up to a hundred claims; above that only the action is reported', async () => {
    const app = await createTestApp(dialect);
    const { expectSynced } = await watching(app);
    await manyClaims(app, { count: 100 });
    const few = await owedBy(app, () => clear(app, 1).expect(200));
    expect(few.map(({ action }) => action)).toEqual([
      ...Array.from({ length: 100 }, () => 'claim_deleted'),
      'claims_cleared',
    ]);
    await manyClaims(app, { count: 101 });
    const many = await owedBy(app, () => clear(app, 1).expect(200));
    expect(many).toMatchObject([
      { action: 'claims_cleared', undo: 'possible', details: { deleted_count: 101 } },
    ]);
    await expectSynced(1);
  });

  it('of a spot that is none changes nothing', async () => {
    const app = await createTestApp(dialect);
    await manyClaims(app, { count: 101 });
    expect((await expectNoTick(app, () => clear(app, 9_999))).status).toBe(404);
    expect(await rowsLeft(app)).toEqual([101, 101, 101, 101]);
  });
});
