import { describe, expect, it } from 'vitest';
import { aClaim, aKey, aWait, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { Watcher } from '../../dev/test/watcher.ts';
import { jobKindsOf } from '../../feature.ts';
import { features } from '../../features.ts';
import { createJobs } from '../../jobs/runner.ts';

const minutes = (n: number): string => new Date(Date.parse(NOW) + n * 60_000).toISOString();

async function look(app: TestApp): Promise<void> {
  const jobs = createJobs(app.ctx, jobKindsOf(features));
  await jobs.runDue();
  await jobs.stop();
}

/** Held hours, offered so many minutes from now, and another member on their waitlist. */
async function aHold(app: TestApp, ahead: number) {
  const date = '2026-11-24';
  const holder = await aKey(app);
  const first = await aKey(app);
  const second = await aKey(app);
  const [claim] = await submitted(app, holder, aClaim(holder, { date }));
  for (const key of [first, second]) await aWait(app, key, { date });
  app.setNow(minutes(ahead));
  await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
  await look(app);
}
const stored = async (app: TestApp) => [
  (
    await app.ctx.db
      .selectFrom('waits')
      .select('held_until')
      .where('ended_at', 'is', null)
      .orderBy('id')
      .execute()
  )[0]?.held_until,
  (
    await app.ctx.db
      .selectFrom('claims')
      .select('held_until')
      .where('held_until', 'is not', null)
      .executeTakeFirst()
  )?.held_until,
  (await app.ctx.db.selectFrom('clock').select('next_due').executeTakeFirst())?.next_due,
];

describe.each(databases)(
  'R9.7: a hold that was made while the clock ran ahead, on %s',
  (dialect) => {
    it("lasts the guild's minutes once the clock is corrected, and all watchers see it", async () => {
      const app = await createTestApp(dialect);
      await aHold(app, 300);
      expect(await stored(app)).toEqual([minutes(310), minutes(310), minutes(310)]);
      const watcher = new Watcher(app.url, { admin_token: app.admin.Authorization.slice(7) });
      await watcher.connect();
      app.setNow(NOW);
      await look(app);
      expect(await stored(app)).toEqual([minutes(10), minutes(10), minutes(10)]);
      await watcher.reached(app.ctx.bus.clock());
      expect([...watcher.records('wait').values()].map(({ held_until }) => held_until)).toEqual([
        minutes(10),
        null,
      ]);
      expect([...watcher.records('claim').values()].map(({ held_until }) => held_until)).toEqual([
        minutes(10),
      ]);
      app.setNow(minutes(10));
      await aKey(app);
      expect(await app.ctx.db.selectFrom('waits').select('status').orderBy('id').execute()).toEqual(
        [{ status: 'lapsed' }, { status: 'offered' }],
      );
    });

    it('is left as it is where a guild may let it last that long, and nothing is written', async () => {
      const app = await createTestApp(dialect);
      await aHold(app, 40);
      const clock = app.ctx.bus.clock();
      app.setNow(NOW);
      await look(app);
      expect(await stored(app)).toEqual([minutes(50), minutes(50), minutes(50)]);
      expect(app.ctx.bus.clock()).toBe(clock);
    });
  },
);
