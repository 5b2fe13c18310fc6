import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { aClaim } from '../../dev/test/builders.ts';
import { databases } from '../../dev/test/databases.ts';
import type { TestApp } from '../../dev/test/test-app.ts';
import { AT, COMPOSED, IN_PARTS, migrated, type Old, oldKey } from './test/version-2.ts';

const [DAY, NEXT, LAST] = ['2026-11-22', '2026-11-23', '2026-11-24'];
const KEY = 'näurin';

/** One character with two claims on a date: the first holds the day, the second has its hours only. */
async function twoOnADate(old: Old): Promise<void> {
  for (const name of ['Lair', 'Other']) await old.respawn(name);
  await old.key(COMPOSED, 'AAAA-AAAA-AAAA');
  await old.claim(1, IN_PARTS, DAY, 10);
  await old.claim(2, COMPOSED, DAY, 12);
}

/** An event of three days, and a claim of hour 10 on all of them; of one day of them its character has another claim. */
async function inAnEvent(old: Old, whole: number, dated: number): Promise<void> {
  for (const name of ['Lair', 'Other']) await old.respawn(name);
  await sql`insert into events (id, name, name_key, type, start_time, end_time, created_at, is_active)
    values (1, 'E', 'e', 'single_claim', ${`${DAY}T00:00`}, ${`${LAST}T00:00`}, ${AT}, 0)`.execute(old.db);
  await sql`insert into claims (id, event_id, character_name, character_key, member_type, date, voucher_duration, is_secondary_claim,
    secondary_priority, is_split_claim, created_at) values (${whole}, 1, ${COMPOSED}, ${oldKey(COMPOSED)}, 'member', null, 4, 0, 0, 0, ${AT})`.execute(
    old.db,
  );
  await sql`insert into claim_parts values (${whole}, 1, 2, 10, 11)`.execute(old.db);
  for (const date of [DAY, NEXT, LAST]) {
    await sql`insert into occupied_hours values (2, ${date}, 10, ${whole})`.execute(old.db);
    await sql`insert into occupied_days values (${oldKey(COMPOSED)}, ${date}, ${whole})`.execute(old.db);
  }
  await old.claim(dated, IN_PARTS, NEXT, 3);
}

const days = async ({ ctx: { db } }: TestApp) =>
  (await db.selectFrom('occupied_days').selectAll().where('character_key', '=', KEY).orderBy('date').execute()).map(
    ({ date, claim_id }) => [date, claim_id],
  );
const hours = async ({ ctx: { db } }: TestApp, id: number) =>
  (await db.selectFrom('occupied_hours').selectAll().where('claim_id', '=', id).orderBy('date').orderBy('hour').execute()).map(
    ({ date, hour }) => [date, hour],
  );
const edit = (app: TestApp, id: number, hour_start: number) =>
  app.api
    .put(`/claims/admin/${id}`)
    .set(app.admin)
    .send({ hour_start, hour_end: hour_start + 1 });
const another = async (app: TestApp) => {
  const claim = aClaim({ character_name: COMPOSED }, { respawn_id: 2, date: DAY, hour_start: 20, hour_end: 21 });
  return (await app.api.post('/claims').send({ claims: [claim], access_key: 'AAAA-AAAA-AAAA' })).body.code;
};

describe.each(databases)('two claims of one character on a date, from before its spellings were one, on %s', (dialect) => {
  it('are moved to other hours, each with its own, and the day stays with the first', async () => {
    const { app } = await migrated(dialect, twoOnADate);
    await edit(app, 2, 15).expect(200);
    expect([await hours(app, 2), await days(app)]).toEqual([[[DAY, 15]], [[DAY, 1]]]);
    await edit(app, 1, 17).expect(200);
    expect([await hours(app, 1), await days(app)]).toEqual([[[DAY, 17]], [[DAY, 1]]]);
    expect((await edit(app, 2, 17)).body.code).toBe('claim.timeConflict');
  });

  it('keep the hours of every date of their event when they are moved', async () => {
    const { app } = await migrated(dialect, (old) => inAnEvent(old, 2, 1));
    expect(await days(app)).toEqual([
      [DAY, 2],
      [NEXT, 1],
      [LAST, 2],
    ]);
    await edit(app, 2, 15).expect(200);
    expect(await hours(app, 2)).toEqual([
      [DAY, 15],
      [NEXT, 15],
      [LAST, 15],
    ]);
  });

  it('leave the day to each other: whichever is deleted, the one that stands holds it', async () => {
    const { app } = await migrated(dialect, twoOnADate);
    expect(await another(app)).toBe('claim.characterHasClaim');
    await app.api.delete('/admin/claims/1').set(app.admin).expect(200);
    expect(await days(app)).toEqual([[DAY, 2]]);
    expect(await another(app)).toBe('claim.characterHasClaim');
    await app.api.delete('/admin/claims/2').set(app.admin).expect(200);
    expect(await days(app)).toEqual([]);
    expect(await another(app)).toBeUndefined();
  });

  it('are both gone when both are cleared off their spot', async () => {
    const { app } = await migrated(dialect, twoOnADate);
    await app.api.delete('/claims/admin/respawn/1').set(app.admin).expect(200);
    expect(await days(app)).toEqual([]);
  });

  it('leave it, too, where the first goes with its spot', async () => {
    const { app } = await migrated(dialect, (old) => inAnEvent(old, 2, 1));
    await app.api.delete('/admin/respawns/1').set(app.admin).expect(200);
    expect(await days(app)).toEqual([
      [DAY, 2],
      [NEXT, 2],
      [LAST, 2],
    ]);
  });

  it('leave it, too, where the first goes with its event', async () => {
    const { app } = await migrated(dialect, (old) => inAnEvent(old, 1, 2));
    expect(await days(app)).toEqual([
      [DAY, 1],
      [NEXT, 1],
      [LAST, 1],
    ]);
    await app.api.delete('/events/1').set(app.admin).expect(200);
    expect(await days(app)).toEqual([[NEXT, 2]]);
  });

  it('leave it, too, where the first moves away with its event', async () => {
    const { app } = await migrated(dialect, (old) => inAnEvent(old, 1, 2));
    await app.api
      .put('/events/1')
      .set(app.admin)
      .send({ start_time: `${LAST}T00:00`, end_time: `${LAST}T10:00` })
      .expect(200);
    expect(await days(app)).toEqual([
      [NEXT, 2],
      [LAST, 1],
    ]);
  });
});
