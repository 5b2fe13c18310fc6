import { CompiledQuery, createQueryId, type KyselyPlugin, type RootOperationNode } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { inBatches, type Tx } from '../../db/database.ts';
import { change } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { manyClaims } from '../../dev/test/many-claims.ts';
import { createSuiteApp, type TestApp } from '../../dev/test/test-app.ts';
import { readMissed } from '../missed/records.ts';
import { loadClaims, loadDatedClaims } from './claim-records.ts';
import { beginClaimWrite, forgetEnds, recordEnds } from './claims-changed.ts';

const COUNT = 5_000;
const FIRST = 1_000_000;
/** As many as an undo or a reading of the board names in one statement. */
const named = Array.from({ length: 250 }, (_, n) => FIRST + 1_000 + n);

const works: Record<string, (tx: Tx) => Promise<unknown>> = {
  'reading them': (tx) => loadClaims(tx, { type: 'ids', ids: named }),
  'forgetting why they ended': (tx) => forgetEnds(tx, named),
  ...Object.fromEntries(
    [1, 2, 250].map((count) => [
      `reading what ${count} characters missed`,
      (tx: Tx) =>
        readMissed(tx, {
          character_keys: named.slice(0, count).map((id) => `hunter ${id}`),
          since: new Date('2026-11-01T00:00:00.000Z'),
        }),
    ]),
  ),
};

/** How the database means to go about the statements of some work, one line a step. */
async function planOf(app: TestApp, work: (tx: Tx) => Promise<unknown>): Promise<string> {
  const nodes: RootOperationNode[] = [];
  const hearing: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await change(app, ({ tx }) => work(tx.withPlugin(hearing)));
  const { ctx } = app;
  const explain = ctx.dialect === 'postgres' ? 'explain' : 'explain query plan';
  const steps = [];
  for (const node of nodes) {
    const { sql, parameters } = ctx.db.getExecutor().compileQuery(node, createQueryId());
    const { rows } = await ctx.db.executeQuery<object>(
      CompiledQuery.raw(`${explain} ${sql}`, [...parameters]),
    );
    steps.push(...rows.map((row) => Object.values(row).at(-1)));
  }
  return steps.join('\n');
}

describe.each(databases)(
  'of some thousand claims, right after they were written, on %s',
  (dialect) => {
    const app = createSuiteApp(dialect);
    beforeAll(async () => {
      await manyClaims(app, { count: COUNT });
      const ids = Array.from({ length: COUNT }, (_, n) => FIRST + n);
      for (const some of inBatches(ids))
        await change(app, async (unit) => {
          const claims = (await loadDatedClaims(unit.tx, { type: 'ids', ids: some })).map(
            (before) => ({
              before,
              after: null,
            }),
          );
          await recordEnds(await beginClaimWrite(unit, { role: 'server' }), claims, {
            reason: 'cleared',
            labels: new Map(),
          });
        });
    });

    it.each(Object.entries(works))(
      '%s finds those that are named, and reads no others',
      async (_, work) => {
        const plan = await planOf(app, work);
        expect(plan).toMatch(/claim_parts|claim_endings_claim|claim_endings_character/);
        expect(plan).not.toMatch(/Seq Scan on claim|SCAN claim|claim_endings_reason/);
      },
    );
  },
);
