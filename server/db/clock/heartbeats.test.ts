import { describe, expect, it } from 'vitest';
import { aClaim, aKey, aSpot, aWait, changeUnheard, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createJumpingClock } from '../../dev/test/jumping-clock.ts';
import { isLong } from '../../dev/test/scope.ts';
import { NOW, type TestApp } from '../../dev/test/test-app.ts';
import { features } from '../../features.ts';
import type { Dialect } from '../database.ts';

const DAY_MS = 86_400_000;
const inMinutes = (minutes: number): string =>
  new Date(Date.parse(NOW) + minutes * 60_000).toISOString();

const spans = ({ ctx }: TestApp) =>
  ctx.db
    .selectFrom('heartbeats')
    .select(['began_at', 'beat_at', 'pause_reason'])
    .orderBy('began_at')
    .execute();
const left = async ({ ctx }: TestApp): Promise<number> =>
  (await ctx.db.selectFrom('claims').select('id').execute()).length;
const toConfirm = async ({ ctx }: TestApp): Promise<number> =>
  (await ctx.db.selectFrom('claim_parts').select('claim_id').where('to_confirm', '=', 1).execute())
    .length;
const statuses = async ({ ctx }: TestApp) =>
  (await ctx.db.selectFrom('waits').select('status').orderBy('id').execute()).map(
    ({ status }) => status,
  );

const heldUntil = async ({ ctx }: TestApp) =>
  (await ctx.db.selectFrom('waits').select('held_until').orderBy('id').executeTakeFirstOrThrow())
    .held_until;

/** Claims of today from SS+10 on, which begins an hour after the start and can be confirmed from 45 to 70 minutes after it. */
async function confirming(dialect: Dialect, claims = 1) {
  const clock = await createJumpingClock(dialect);
  const { app } = clock;
  await app.api
    .put('/admin/config')
    .set(app.admin)
    .send({ confirm_enabled: 1, grace_minutes: 10 })
    .expect(200);
  for (let nth = 0; nth < claims; nth += 1) {
    const key = await aKey(app);
    await submitted(app, key, aClaim(key, { respawn_id: aSpot() }));
  }
  expect(await toConfirm(app)).toBe(claims);
  return clock;
}

/** Hours of today that are held for ten minutes, and another member on their waitlist. */
async function holding(dialect: Dialect) {
  const clock = await createJumpingClock(dialect);
  const { app } = clock;
  const holder = await aKey(app);
  const first = await aKey(app);
  const second = await aKey(app);
  const [claim] = await submitted(app, holder, aClaim(holder));
  for (const key of [first, second]) await aWait(app, key);
  await clock.run(20);
  await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
  expect(await statuses(app)).toEqual(['offered', 'waiting']);
  return clock;
}

describe.each(databases)('on %s', (dialect) => {
  it('stores one span while the server runs, with restarts of up to three minutes, and a new one after a gap', async () => {
    const { app, run, away } = await createJumpingClock(dialect);
    await run(5);
    away(2);
    await run(1);
    expect(await spans(app)).toEqual([
      { began_at: NOW, beat_at: inMinutes(8), pause_reason: null },
    ]);
    away(3);
    await run(1);
    expect(await spans(app)).toEqual([
      { began_at: NOW, beat_at: inMinutes(8), pause_reason: null },
      { began_at: inMinutes(12), beat_at: inMinutes(12), pause_reason: null },
    ]);
    away(48 * 60 - 2);
    await run(1);
    expect((await spans(app)).map(({ began_at }) => began_at)).toEqual([
      inMinutes(12),
      inMinutes(48 * 60 + 11),
    ]);
    away(48 * 60);
    await run(1);
    // The older one shows that there was a gap.
    expect(await spans(app)).toHaveLength(2);
  });

  it('cuts off times in the future once a clock that was ahead is corrected', async () => {
    const { app, run, jump } = await createJumpingClock(dialect);
    await run(5);
    await jump(DAY_MS);
    await run(5);
    await jump(0);
    await run(1);
    expect(await spans(app)).toEqual([
      { began_at: NOW, beat_at: inMinutes(5), pause_reason: null },
      { began_at: inMinutes(11), beat_at: inMinutes(11), pause_reason: 'jumped' },
    ]);
  });

  it('a claim is a no-show if a server ran during its whole window', async () => {
    const { app, run } = await confirming(dialect);
    await run(69);
    await app.runDue();
    expect(await left(app)).toBe(1);
    await run(1);
    await app.runDue();
    expect(await left(app)).toBe(0);
    expect(await app.ctx.db.selectFrom('claim_endings').select('reason').execute()).toEqual([
      { reason: 'no_show' },
    ]);
  });

  it('and counts as confirmed if the server was away during it', async () => {
    const { app, run, away } = await confirming(dialect);
    await run(50);
    away(10);
    await run(10);
    await app.runDue();
    expect([await left(app), await toConfirm(app)]).toEqual([1, 0]);
  });

  it('a hold has all its time once more where the clock jumped, or the server was away', async () => {
    const { app, run, jump, away } = await holding(dialect);
    await jump(DAY_MS);
    await aKey(app);
    await app.runDue();
    expect(await statuses(app)).toEqual(['offered', 'waiting']);
    await run(5);
    await jump(0);
    await app.runDue();
    await run(5);
    expect(await statuses(app)).toEqual(['offered', 'waiting']);
    away(12);
    await aKey(app);
    expect(await statuses(app)).toEqual(['offered', 'waiting']);
    await run(9);
    await aKey(app);
    expect(await statuses(app)).toEqual(['offered', 'waiting']);
    await run(1);
    await aKey(app);
    expect(await statuses(app)).toEqual(['lapsed', 'offered']);
  });
});

describe.each(isLong ? databases : (['sqlite'] as const))('on %s', (dialect) => {
  it('a clock that jumps a day ahead, and back, makes no claim a no-show', async () => {
    const { app, run, jump } = await confirming(dialect, 15);
    await run(10);
    await jump(DAY_MS);
    await app.runDue();
    await aKey(app);
    await run(3);
    await app.runDue();
    expect([await left(app), await toConfirm(app)]).toEqual([15, 0]);
    await jump(0);
    await run(90);
    await app.runDue();
    expect(await left(app)).toBe(15);
  });

  it('the first write of a day voids no entry of the day before within an hour of a gap, even if no deadline is due', async () => {
    const { app, run, away } = await createJumpingClock(dialect);
    const holder = await aKey(app);
    const waits = await aKey(app);
    await submitted(app, holder, aClaim(holder));
    await aWait(app, waits);
    await run(5);
    away(24 * 60);
    // As if a deadline had failed and backed off.
    const next_due = inMinutes(24 * 60 + 10);
    await changeUnheard(app, (tx) => tx.updateTable('clock').set({ next_due }).execute());
    await aKey(app);
    expect(await statuses(app)).toEqual(['waiting']);
    await run(61);
    await app.runDue();
    expect(await statuses(app)).toEqual(['void']);
  });

  it('a short hold made soon after a downtime expires on time', async () => {
    const { app, run, away } = await createJumpingClock(dialect);
    const holder = await aKey(app);
    const first = await aKey(app);
    const second = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder));
    for (const key of [first, second]) await aWait(app, key);
    // The hours end five hours after the start. With 20 minutes left, hours are held for five, not for the guild's ten.
    away(4 * 60 + 38);
    await run(2);
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    expect([await statuses(app), await heldUntil(app)]).toEqual([
      ['offered', 'waiting'],
      inMinutes(4 * 60 + 45),
    ]);
    await run(5);
    await aKey(app);
    expect(await statuses(app)).toEqual(['lapsed', 'offered']);
  });

  it('a short hold during a downtime lasts a quarter of its remaining time, and then expires', async () => {
    const { app, run, away } = await createJumpingClock(dialect);
    const holder = await aKey(app);
    const first = await aKey(app);
    const second = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder));
    for (const key of [first, second]) await aWait(app, key);
    await run(4 * 60 + 28);
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    expect(await heldUntil(app)).toBe(inMinutes(4 * 60 + 36));
    away(16);
    await aKey(app);
    expect([await statuses(app), await heldUntil(app)]).toEqual([
      ['offered', 'waiting'],
      inMinutes(4 * 60 + 48),
    ]);
    await run(4);
    await aKey(app);
    expect(await statuses(app)).toEqual(['lapsed', 'offered']);
  });

  it('a hold that expires while a write stores the heartbeat ends with the next write', async () => {
    const { app, machine, run } = await createJumpingClock(dialect);
    const holder = await aKey(app);
    const first = await aKey(app);
    const second = await aKey(app);
    for (const [nth, key] of [first, second].entries()) {
      const hours = { respawn_id: 20 + nth };
      const [claim] = await submitted(app, holder, aClaim(holder, hours));
      await aWait(app, key, hours);
      await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
      machine.pass(1_000);
    }
    await run(9);
    machine.pass(58_000);
    const { beat } = app.ctx.heartbeats;
    app.ctx.heartbeats.beat = async (tx, now) => {
      await beat(tx, now);
      machine.pass(2_000);
    };
    await aKey(app);
    expect(await statuses(app)).toEqual(['lapsed', 'offered']);
    app.ctx.heartbeats.beat = beat;
    await aKey(app);
    expect(await statuses(app)).toEqual(['lapsed', 'lapsed']);
  });

  it('a hold made by the first write after a downtime expires on time, however long that write takes', async () => {
    let delay = (): void => {};
    const slow = { name: 'slow writes', hooks: [{ before: async () => delay() }] };
    const { app, machine, run, away } = await createJumpingClock(dialect, {
      context: { features: [slow, ...features] },
    });
    const holder = await aKey(app);
    const [claim] = await submitted(app, holder, aClaim(holder));
    for (let nth = 0; nth < 2; nth += 1) await aWait(app, await aKey(app));
    away(12);
    // A deadline is due, so this write stores the heartbeat.
    await changeUnheard(app, (tx) => tx.updateTable('clock').set({ next_due: NOW }).execute());
    delay = () => machine.pass(5);
    await app.api.delete(`/admin/claims/${claim?.id}`).set(app.admin).expect(200);
    delay = () => {};
    await run(10);
    await aKey(app);
    expect(await statuses(app)).toEqual(['lapsed', 'offered']);
  });

  it('a clock that jumps a day back cuts no hold that was just made, and the hold is whole when it is set right', async () => {
    const { app, run, jump } = await holding(dialect);
    await jump(-DAY_MS);
    await app.runDue();
    await run(2);
    await jump(0);
    await aKey(app);
    expect(await statuses(app)).toEqual(['offered', 'waiting']);
    expect(await heldUntil(app)).toBe(inMinutes(32));
  });

  it('waitlist entries of a day are not void because the clock jumped; an hour later they are', async () => {
    const { app, run, jump } = await createJumpingClock(dialect);
    const holder = await aKey(app);
    const waiting = await aKey(app);
    await submitted(app, holder, aClaim(holder));
    await aWait(app, waiting);
    await run(5);
    await jump(DAY_MS);
    await app.runDue();
    await aKey(app);
    expect(await statuses(app)).toEqual(['waiting']);
    await run(3);
    await jump(0);
    await run(30);
    await aKey(app);
    expect(await statuses(app)).toEqual(['waiting']);
    await jump(DAY_MS);
    await run(61);
    await aKey(app);
    expect(await statuses(app)).toEqual(['void']);
  });

  it('those whose hours are seen to end shortly after the server was away are void at once', async () => {
    const { app, run, away } = await createJumpingClock(dialect);
    const holder = await aKey(app);
    const waiting = await aKey(app);
    const another = await aKey(app);
    await submitted(app, holder, aClaim(holder));
    await aWait(app, waiting, { hour_end: 12 });
    await aWait(app, another);
    // SS+12 begins three hours after the start, SS+14 five.
    away(4 * 60 + 30);
    await run(29);
    await aKey(app);
    expect(await statuses(app)).toEqual(['waiting', 'waiting']);
    await run(1);
    await aKey(app);
    expect(await statuses(app)).toEqual(['waiting', 'void']);
    await run(31);
    await aKey(app);
    expect(await statuses(app)).toEqual(['void', 'void']);
  });
});
