import type { KyselyPlugin } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../context.ts';
import { aClaim, aKey, submitted } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { manyClaims } from '../dev/test/many-claims.ts';
import { createSuiteApp } from '../dev/test/test-app.ts';
import { features } from '../features.ts';
import { createReadModel } from './read-model.ts';
import { recordSourcesOf } from './record-kinds.ts';

const recordSources = recordSourcesOf(features);

const MANY = 2_600;
/** Of a statement that reads whole claims. */
const MAX_ROWS = 250;

/** Reports the number of rows of each statement that returns claims. */
const hearing = (hear: (rows: number) => unknown): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    if (result.rows.some((row) => 'hour_start' in row)) await hear(result.rows.length);
    return result;
  },
});

/** The context, with a plugin on each connection that a board may be read over. */
const observe = (ctx: Context, plugin: KyselyPlugin): Context => ({
  ...ctx,
  db: ctx.db.withPlugin(plugin),
  longReads: ctx.longReads.withPlugin(plugin),
});

describe.each(databases)('a large board on %s', (dialect) => {
  const app = createSuiteApp(dialect);
  beforeAll(() => manyClaims(app, { count: MANY, spots: 3 }));

  it('is read in batches of claims, with other work in between', async () => {
    let turn = 0;
    let isRead = false;
    const next = (): void => {
      turn += 1;
      if (!isRead) setImmediate(next);
    };
    setImmediate(next);
    const reads: { rows: number; turn: number }[] = [];
    const observed = observe(
      app.ctx,
      hearing((rows) => reads.push({ rows, turn })),
    );
    const { records } = await createReadModel({ ...observed, sources: recordSources }).readFresh(
      'members',
    );
    isRead = true;
    expect(reads).not.toEqual([]);
    expect(records.claim.length).toBeGreaterThanOrEqual(MANY);
    expect(records.claim.map(({ id }) => id)).toEqual(
      records.claim.map(({ id }) => id).sort((a, b) => a - b),
    );
    expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThanOrEqual(MAX_ROWS);
    expect(new Set(reads.map(({ turn }) => turn)).size, 'turns in which claims were read').toBe(
      reads.length,
    );
  });

  it('is of one moment, and callers still read their own writes meanwhile', async () => {
    const { ctx } = app;
    const key = await aKey(app);
    const clock = ctx.bus.clock();
    let id: number | undefined;
    let seen: unknown;
    let isRead = false;
    let reads = 0;
    /** In the middle of the reading, whose next statement waits for it. */
    const meanwhile = async (): Promise<void> => {
      const [claim] = await submitted(app, key, aClaim(key, { respawn_id: 9 }));
      id = claim?.id;
      seen = await ctx.db
        .selectFrom('claims')
        .select('id')
        .where('character_key', '=', key.character_name.toLowerCase())
        .execute();
      expect(isRead).toBe(false);
    };
    const observed = observe(
      ctx,
      hearing(() => {
        reads += 1;
        return reads === 2 ? meanwhile() : null;
      }),
    );
    const read = await createReadModel({ ...observed, sources: recordSources }).readFresh(
      'members',
    );
    isRead = true;
    expect(seen).toEqual([{ id }]);
    expect(read.clock).toBe(clock);
    expect(read.records.claim.map((claim) => claim.id)).not.toContain(id);
    expect(read.records.respawn.find((spot) => spot.id === 9)?.total_claims).toBe(
      read.records.claim.filter((claim) => claim.respawn_id === 9).length,
    );
    const taken = await ctx.readModel.snapshot('members');
    expect(taken.clock).toBe(ctx.bus.clock());
    expect(taken.records.claim.map((claim) => claim.id)).toContain(id);
  });
});
