import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Db, Dialect } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { aClaim } from '../../dev/test/builders.ts';
import { databases, filledDatabase } from '../../dev/test/databases.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';

const [DAY, NEXT, LAST] = ['2026-11-22', '2026-11-23', '2026-11-24'];
const AT = '2026-11-20T10:00:00.000Z';
const NAME = 'Näurin';
const KEY = nameKey(NAME);

type Fill = (db: Db) => Promise<void>;

/** A database as one from before 1.0.0 may be, where two spellings of a name were two characters; its log says so. */
async function started(dialect: Dialect, fill: Fill): Promise<TestApp> {
  const on = await filledDatabase(dialect);
  onTestFinished(on.drop);
  const { writer: db, close } = await openDatabase(on.settings, pino({ level: 'silent' }));
  await fill(db);
  await sql`insert into activity (timestamp, action, details) values (${AT}, 'names_merged', '{"held_by_claim":1}')`.execute(
    db,
  );
  await close();
  return createTestApp(dialect, { on });
}

async function aRow(
  db: Db,
  id: number,
  date: string | null,
  respawn: number,
  hour: number,
  event: number | null = null,
): Promise<void> {
  await sql`insert into claims (id, event_id, character_name, character_key, member_type, date, voucher_duration, is_secondary_claim,
    secondary_priority, is_split_claim, created_at) values (${id}, ${event}, ${NAME}, ${KEY}, 'member', ${date}, 4, 0, 0, 0, ${AT})`.execute(
    db,
  );
  await sql`insert into claim_parts (claim_id, part_number, respawn_id, hour_start, hour_end, last_date)
    values (${id}, 1, ${respawn}, ${hour}, ${hour + 1}, ${date ?? LAST})`.execute(db);
  const dates = date === null ? [DAY, NEXT, LAST] : [date];
  for (const each of dates) {
    await sql`insert into occupied_hours values (${respawn}, ${each}, ${hour}, ${id})`.execute(db);
    await sql`insert into occupied_days values (${KEY}, ${each}, ${id}) on conflict do nothing`.execute(
      db,
    );
  }
  await sql`update respawns set total_claims = total_claims + 1, last_claim_date = ${date ?? LAST} where id = ${respawn}`.execute(
    db,
  );
  if (event !== null)
    await sql`update events set claim_count = claim_count + 1 where id = ${event}`.execute(db);
}

/** One character with two claims on a date: the first holds the day, the second has its hours only. */
const twoOnADate: Fill = async (db) => {
  await sql`insert into access_keys (character_name, character_key, key_value, member_type, created_at)
    values (${NAME}, ${KEY}, 'AAAA-AAAA-AAAA', 'member', ${AT})`.execute(db);
  await aRow(db, 1, DAY, 1, 10);
  await aRow(db, 2, DAY, 1, 12);
};

/** An event of three days, and a claim of hour 10 on all of them; on one of them its character has another claim. */
const inAnEvent =
  (whole: number, dated: number): Fill =>
  async (db) => {
    await sql`insert into events (id, name, name_key, type, start_time, end_time, created_at, is_active)
      values (1, 'E', 'e', 'single_claim', ${`${DAY}T00:00`}, ${`${LAST}T00:00`}, ${AT}, 0)`.execute(
      db,
    );
    for (const id of [whole, dated].sort()) {
      if (id === whole) await aRow(db, id, null, 2, 10, 1);
      else await aRow(db, id, NEXT, 1, 3);
    }
  };

const days = async ({ ctx: { db } }: TestApp) =>
  (
    await db
      .selectFrom('occupied_days')
      .selectAll()
      .where('character_key', '=', KEY)
      .orderBy('date')
      .execute()
  ).map(({ date, claim_id }) => [date, claim_id]);
const hours = async ({ ctx: { db } }: TestApp, id: number) =>
  (
    await db
      .selectFrom('occupied_hours')
      .selectAll()
      .where('claim_id', '=', id)
      .orderBy('date')
      .orderBy('hour')
      .execute()
  ).map(({ date, hour }) => [date, hour]);
const edit = (app: TestApp, id: number, hour_start: number) =>
  app.api
    .put(`/claims/admin/${id}`)
    .set(app.admin)
    .send({ hour_start, hour_end: hour_start + 1 });
const another = async (app: TestApp) => {
  const claim = aClaim(
    { character_name: NAME },
    { respawn_id: 2, date: DAY, hour_start: 20, hour_end: 21 },
  );
  return (await app.api.post('/claims').send({ claims: [claim], access_key: 'AAAA-AAAA-AAAA' }))
    .body.code;
};

describe.each(databases)(
  'two claims of one character on a date, from before 1.0.0, on %s',
  (dialect) => {
    it('are moved to other hours, each with its own, and the day stays with the first', async () => {
      const app = await started(dialect, twoOnADate);
      await edit(app, 2, 15).expect(200);
      expect([await hours(app, 2), await days(app)]).toEqual([[[DAY, 15]], [[DAY, 1]]]);
      await edit(app, 1, 17).expect(200);
      expect([await hours(app, 1), await days(app)]).toEqual([[[DAY, 17]], [[DAY, 1]]]);
      expect((await edit(app, 2, 17)).body.code).toBe('claim.timeConflict');
    });

    it('keep the hours of every date of their event when they are moved', async () => {
      const app = await started(dialect, inAnEvent(2, 1));
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

    it('hand the day to each other: after deleting either, the remaining one holds it', async () => {
      const app = await started(dialect, twoOnADate);
      expect(await another(app)).toBe('claim.characterHasClaim');
      await app.api.delete('/admin/claims/1').set(app.admin).expect(200);
      expect(await days(app)).toEqual([[DAY, 2]]);
      expect(await another(app)).toBe('claim.characterHasClaim');
      await app.api.delete('/admin/claims/2').set(app.admin).expect(200);
      expect(await days(app)).toEqual([]);
      expect(await another(app)).toBeUndefined();
    });

    it('are both deleted when both are cleared off their spot', async () => {
      const app = await started(dialect, twoOnADate);
      await app.api.delete('/claims/admin/respawn/1').set(app.admin).expect(200);
      expect(await days(app)).toEqual([]);
    });

    it('stay alone if the first is deleted with its spot', async () => {
      const app = await started(dialect, inAnEvent(2, 1));
      await app.api.delete('/admin/respawns/1').set(app.admin).expect(200);
      expect(await days(app)).toEqual([
        [DAY, 2],
        [NEXT, 2],
        [LAST, 2],
      ]);
    });

    it('stay alone if the first is deleted with its event', async () => {
      const app = await started(dialect, inAnEvent(1, 2));
      expect(await days(app)).toEqual([
        [DAY, 1],
        [NEXT, 1],
        [LAST, 1],
      ]);
      await app.api.delete('/events/1').set(app.admin).expect(200);
      expect(await days(app)).toEqual([[NEXT, 2]]);
    });

    it('stay alone if the first moves with its event', async () => {
      const app = await started(dialect, inAnEvent(1, 2));
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
  },
);
