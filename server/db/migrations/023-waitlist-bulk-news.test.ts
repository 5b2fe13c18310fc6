import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { aClaim, aDestination, aKey, aWait, changeUnheard, submitted } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import { createTestApp, NOW, TODAY } from '../../dev/test/test-app.ts';
import { up } from './023-waitlist-bulk-news.ts';

it.each(databases)(
  'of several entries of a character for a spot and date one stays: the offered, else the earliest, on %s',
  async (dialect) => {
    const app = await createTestApp(dialect);
    const [holder, next] = [await aKey(app), await aKey(app)];
    const [claim] = await submitted(app, holder, aClaim(holder));
    const behind = await aWait(app, next);
    const range = { respawn_id: 2, event_id: null, date: TODAY, hour_start: 10, hour_end: 12, min_hours: 1, member_type: 'member' };
    const row = (who: string, fields: object = {}) => ({
      ...{ ...range, character_name: who, character_key: who.toLowerCase(), status: 'waiting' as const, position: 0, created_at: NOW },
      ...fields,
    });
    const held = { status: 'offered' as const, held_claim_id: claim?.id ?? 0, held_until: NOW };
    const epoch = () => app.ctx.db.selectFrom('clock').select(['open_waits', 'epoch']).executeTakeFirstOrThrow();
    const before = await epoch();
    await changeUnheard(app, async (tx) => {
      await sql`drop index waits_one`.execute(tx);
      await sql`alter table waits drop column wanted_hours`.execute(tx);
      // Three of one, two of another with an offer for the later; and one date of its own.
      const rows = [row('Orm'), row('Orm', { hour_start: 11 }), row('Sif'), row('Sif', held), row('Orm', { hour_end: 11 })];
      await tx
        .insertInto('waits')
        .values([...rows, row('Orm', { date: '2026-11-22' })])
        .execute();
      await tx.updateTable('clock').set({ open_waits: 7 }).execute();
    });
    await changeUnheard(app, (tx) => up(tx));
    const waits = await app.ctx.db
      .selectFrom('waits')
      .select(['character_name', 'date', 'status', 'position', 'wanted_hours'])
      .where('ended_at', 'is', null)
      .orderBy('id')
      .execute();
    const every = { wanted_hours: 2 ** 24 - 1 };
    expect(waits).toEqual([
      { character_name: behind.character_name, date: TODAY, status: 'waiting', position: 1, ...every },
      { character_name: 'Orm', date: TODAY, status: 'waiting', position: 1, ...every },
      { character_name: 'Sif', date: TODAY, status: 'offered', position: 2, ...every },
      { character_name: 'Orm', date: '2026-11-22', status: 'waiting', position: 1, ...every },
    ]);
    const voided = app.ctx.db.selectFrom('waits').select(['character_name', 'status', 'position']).where('ended_at', 'is not', null);
    expect(await voided.orderBy('id').execute()).toEqual(
      ['Orm', 'Sif', 'Orm'].map((character_name) => ({ character_name, status: 'void', position: 0 })),
    );
    const after = await epoch();
    expect(after.open_waits).toBe(4);
    expect(after.epoch).not.toBe(before.epoch);
  },
);

it.each(databases)('channels that hear of claims hear of bulk work, and members whose claims are in it, on %s', async (dialect) => {
  const app = await createTestApp(dialect);
  await aDestination(app, { events: ['claim.deleted', 'submission.closed'] });
  await aDestination(app, { events: ['submission.closed'] });
  await changeUnheard(app, async (tx) => {
    await sql`drop index waits_one`.execute(tx);
    await sql`alter table waits drop column wanted_hours`.execute(tx);
    await tx.updateTable('clock').set({ heard: 'claim.deleted event.moved submission.closed' }).execute();
  });
  await changeUnheard(app, (tx) => up(tx));
  const rows = await app.ctx.db.selectFrom('destinations').select('events').orderBy('id').execute();
  expect(rows.map(({ events }) => JSON.parse(events))).toEqual([
    ['claim.deleted', 'submission.closed', 'claims.changed'],
    ['submission.closed'],
  ]);
  const { heard } = await app.ctx.db.selectFrom('clock').select('heard').executeTakeFirstOrThrow();
  expect(heard).toBe('claim.added claim.deleted claim.removed claims.changed event.moved submission.closed');
});
