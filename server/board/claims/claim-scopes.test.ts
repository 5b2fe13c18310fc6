import { describe, expect, it } from 'vitest';
import { unseenUnit } from '../../db/unit-of-work.ts';
import { anEvent } from '../../dev/test/builders.ts';
import { countingStatements } from '../../dev/test/counting-statements.ts';
import { databases } from '../../dev/test/databases.ts';
import { manyClaims } from '../../dev/test/many-claims.ts';
import { createTestApp, TODAY } from '../../dev/test/test-app.ts';
import { type ClaimScope, idsInBatches } from './claim-scopes.ts';
import { beginClaimWrite } from './claims-changed.ts';
import { deleteClaims } from './end-claims.ts';

const FIRST = 1_000_000;
const COUNT = 4_001;

describe.each(databases)('many claims on %s', (dialect) => {
  it('are looked up two thousand at a time, each once, in every scope', async () => {
    const app = await createTestApp(dialect);
    const event = await anEvent(app, { start_time: TODAY, end_time: '2027-11-20' });
    await manyClaims(app, { count: COUNT, event_id: event.id });
    const ids = Array.from({ length: COUNT }, (_, nth) => FIRST + nth);
    const scopes: ClaimScope[] = [
      { type: 'all' },
      { type: 'ids', ids },
      { type: 'event', event_id: event.id },
      { type: 'respawn', respawn_id: 1 },
      { type: 'respawn', respawn_id: 1, event_id: event.id },
    ];
    for (const scope of scopes) {
      const turns: number[][] = [];
      await app.ctx.db.transaction().execute(async (tx) => {
        for await (const some of idsInBatches(tx, scope)) turns.push(some);
      });
      expect([scope.type, turns.map(({ length }) => length)]).toEqual([
        scope.type,
        [2_000, 2_000, 1],
      ]);
      expect(turns.flat().sort((a, b) => a - b)).toEqual(ids);
    }
  });

  it('are deleted two hundred and fifty with a statement', async () => {
    const app = await createTestApp(dialect);
    await manyClaims(app, { count: 501 });
    const { ctx, count } = countingStatements(app.ctx);
    const statementsFor = async (ids: readonly number[]): Promise<number> => {
      const before = count();
      const deleted = await ctx.writes.transaction(async (tx) =>
        deleteClaims(
          await beginClaimWrite(unseenUnit(ctx, tx), { role: 'server' }),
          { type: 'ids', ids },
          { cause: 'released' },
        ),
      );
      expect(deleted.count).toBe(ids.length);
      return count() - before;
    };
    const some = (from: number, length: number): number[] =>
      Array.from({ length }, (_, nth) => FIRST + from + nth);
    const few = await statementsFor(some(0, 250));
    // One more of each: to read the claims, to look for whole-event claims, to delete the claims, to store the end reasons, and to end transfers.
    expect(await statementsFor(some(250, 251))).toBe(few + 5);
  });
});
