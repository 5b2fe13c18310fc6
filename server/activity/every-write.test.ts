import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityAction } from '../../shared/activity-actions.ts';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import { activityDetails } from '../../shared/schemas/activity-details.ts';
import { PUBLIC_EVENT_TYPES } from '../../shared/schemas/domain-events.ts';
import { routes } from '../app.ts';
import type { StoredChange } from '../db/unit-of-work.ts';
import { aDestination } from '../dev/test/builders.ts';
import { databases } from '../dev/test/databases.ts';
import { createSuiteApp, type TestApp } from '../dev/test/test-app.ts';
import { serveGameData } from '../members/verification/test/game-data.ts';
import type { Write } from './test/write.ts';
import { writesOfBoard } from './test/writes-of-board.ts';
import { writesOfPeople } from './test/writes-of-people.ts';

/** Every call that is no GET. A new one is added to one of these with a successful example of it. */
const writes: Record<string, Write> = { ...writesOfPeople, ...writesOfBoard };

const data = await serveGameData();
afterAll(data.close);

/** The change sets after a clock, without `own` and without empty ones. */
async function writtenSince({ ctx }: TestApp, clock: number): Promise<StoredChange[][]> {
  const rows = await ctx.db
    .selectFrom('changes')
    .select('body')
    .where('clock', '>', clock)
    .orderBy('clock')
    .execute();
  const sets: StoredChange[][] = rows.map((row) => JSON.parse(row.body));
  return sets
    .map((changes) => changes.filter(({ change }) => change.op !== 'own'))
    .filter((changes) => changes.length > 0);
}

async function storedDetails({ ctx }: TestApp, id = 0): Promise<string> {
  return (
    await ctx.db
      .selectFrom('activity')
      .select('details')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).details;
}

const entryIn = (
  changes: readonly StoredChange[],
  action: ActivityAction,
): ActivityEntry | undefined =>
  changes
    .map(({ change }) => (change.op === 'put' && change.kind === 'activity' ? change.record : null))
    .find((record) => record?.action === action) ?? undefined;

it('every call that may write is in the table of this test', () => {
  const calls = routes
    .filter((route) => route.method !== 'get')
    .map((route) => `${route.method} ${route.path}`);
  expect(Object.keys(writes).sort()).toEqual(calls.sort());
});

describe.each(databases)('a successful write on %s', (dialect) => {
  const app = createSuiteApp(dialect, { env: { CHARACTER_API_URL: data.url } });
  beforeAll(async () => void (await aDestination(app, { events: [...PUBLIC_EVENT_TYPES] })));

  it.each(Object.entries(writes))(
    '%s: leaves its entry in the same transaction',
    async (_call, { owes, changed = [], make }) => {
      const call = await make(app, data);
      const clock = app.ctx.bus.clock();
      const answer = await call();
      expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
      const sets = await writtenSince(app, clock);
      if (owes === null) return expect(sets).toEqual([]);
      expect(sets).toHaveLength(1);
      const entry = entryIn(sets[0] ?? [], owes);
      expect(entry, `an entry ${owes}`).toBeDefined();
      // All that is written is in the table by which it is read.
      const details = JSON.parse(await storedDetails(app, entry?.id));
      expect(activityDetails[owes].strict().parse(details)).toEqual(details);
      const changed_fields: unknown = entry?.details.changed ?? {};
      for (const path of changed.flatMap((field) => [`${field}.from`, `${field}.to`]))
        expect(changed_fields).toHaveProperty(path);
    },
  );

  it('sends no key, code or token to a channel', async () => {
    const { db } = app.ctx;
    await app.api.put('/admin/config').set(app.admin).send({ submission_enabled: 1 }).expect(200);
    const news = await db.selectFrom('outbox').select(['type', 'body']).execute();
    // Only time reports a no-show.
    expect([...new Set(news.map(({ type }) => type)), 'claim.no_show'].sort()).toEqual(
      [...PUBLIC_EVENT_TYPES].sort(),
    );
    const changed_fields = news.map(({ body }) => body).join('\n');
    const keys = await db.selectFrom('access_keys').select('key_value as secret').execute();
    const codes = await db
      .selectFrom('verifications')
      .select('code as secret')
      .where('code', 'is not', null)
      .execute();
    expect(Math.min(keys.length, codes.length)).toBeGreaterThan(1);
    const secrets = [...keys, ...codes].map(({ secret }) => String(secret));
    expect(
      [...secrets, app.admin.Authorization.replace('Bearer ', '')].filter((secret) =>
        changed_fields.includes(secret),
      ),
    ).toEqual([]);
    expect(changed_fields).not.toMatch(/"\w*(key|token|secret|password|code|hash|address)\w*":/i);
  });
});
