import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Db, Dialect } from '../../db/database.ts';
import { doneMigrations, MIGRATION_NAMES, migrateTo } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open-database.ts';
import { databases, freshDatabase, type TestDatabase } from '../../dev/test/databases.ts';
import { createTestApp, TODAY } from '../../dev/test/test-app.ts';
import { header, lying } from './test/damages.ts';
import { backedUp, restored } from './test/records.ts';

vi.setConfig({ testTimeout: 180_000 });

// A program with one migration more than the databases here.
vi.mock('../../db/migrations/list.ts', async (original) => {
  const list = await original<typeof import('../../db/migrations/list.ts')>();
  const up = (db: Parameters<typeof migrateTo>[0]) =>
    sql`alter table respawns add column note text not null default 'none'`.execute(db);
  return { ...list, MIGRATIONS: { ...list.MIGRATIONS, '999-notes': { up } } };
});

const BEFORE = MIGRATION_NAMES.slice(0, -1);
const [NEXT = ''] = MIGRATION_NAMES.slice(-1);
const AT = '2026-11-20T10:00:00.000Z';

/** A database of the version before, with a spot and what `fill` adds. */
async function ofVersionBefore(
  dialect: Dialect,
  fill: (db: Db) => Promise<unknown> = async () => {},
): Promise<TestDatabase> {
  const on = await freshDatabase(dialect);
  onTestFinished(on.drop);
  const { writer: db, close } = await openDatabase(on.settings, pino({ level: 'silent' }));
  await migrateTo(db, dialect, { name: BEFORE.at(-1) });
  await sql`update clock set value = 41, board_date = ${TODAY}`.execute(db);
  await sql`insert into categories (name, name_key) values ('Caves', 'caves')`.execute(db);
  await sql`insert into respawns (name, name_key, image, category_id, created_at) values ('Old spot', 'old spot', 'a.gif', 1, ${AT})`.execute(
    db,
  );
  await fill(db);
  await close();
  return on;
}

async function aClaim(
  db: Db,
  id: number,
  { name, hour }: { name: string; hour: number },
): Promise<void> {
  const key = nameKey(name);
  await sql`insert into claims (id, character_name, character_key, member_type, date, voucher_duration, is_secondary_claim,
    secondary_priority, is_split_claim, created_at) values (${id}, ${name}, ${key}, 'member', ${TODAY}, 4, 0, 0, 0, ${AT})`.execute(
    db,
  );
  await sql`insert into claim_parts (claim_id, part_number, respawn_id, hour_start, hour_end, last_date)
    values (${id}, 1, 1, ${hour}, ${hour + 1}, ${TODAY})`.execute(db);
  await sql`insert into occupied_hours values (1, ${TODAY}, ${hour}, ${id})`.execute(db);
  await sql`insert into occupied_days values (${key}, ${TODAY}, ${id})`.execute(db);
}

const backups = ({ DATA_DIR }: TestDatabase['settings']): string => path.join(DATA_DIR, 'backups');
const linesOf = async (file: string): Promise<string[]> =>
  gunzipSync(await readFile(file))
    .toString()
    .split('\n');

describe.each(databases)('a database of the version before on %s', (dialect) => {
  it('is backed up before the schema changes', async () => {
    const on = await ofVersionBefore(dialect);
    await createTestApp(dialect, { on });
    const names = await readdir(backups(on.settings));
    expect(names).toEqual([`claimboard-2026-11-21-180000-before-${NEXT}.jsonl.gz`]);
    const file = path.join(backups(on.settings), names[0] ?? '');
    const [first = ''] = await linesOf(file);
    expect(JSON.parse(first)).toMatchObject({ schema: BEFORE, tables: { respawns: 1 } });
    // A database that is up to date is not backed up.
    const again = await restored(dialect, file);
    await createTestApp(dialect, { on: again });
    expect(await readdir(backups(again.settings)).catch(() => [])).toEqual([]);
  });

  it('is not changed if its backup fails, unless no backups are wanted', async () => {
    const on = await ofVersionBefore(dialect);
    await writeFile(backups(on.settings), 'not a folder');
    const refused = createTestApp(dialect, { on });
    await expect(refused).rejects.toThrow(
      /^this version changes the database, and the backup before it failed: .* BACKUPS_KEPT to 0/,
    );
    await expect(refused).rejects.toMatchObject({ name: 'StartError' });
    const app = await createTestApp(dialect, { on, env: { BACKUPS_KEPT: '0' } });
    expect(await doneMigrations(app.ctx.db, dialect)).toEqual(MIGRATION_NAMES);
    expect(await readFile(backups(on.settings), 'utf8')).toBe('not a folder');
  });

  it.each(databases)(
    'has archives that are restored and brought up to date on %s',
    async (other) => {
      const old = await ofVersionBefore(dialect, async (db) => {
        await sql`insert into access_keys (character_name, character_key, key_value, member_type, created_at)
        values ('Ann', 'ann', 'KEY-1', 'member', ${AT})`.execute(db);
        await sql`insert into member_types (member_type, name_key, voucher_duration_hours, can_submit, earliest_submission_date,
        allow_secondary_claims, background_color, is_system, guild_ranks)
        values ('member', 'member', 4, 1, '2026-01-01', 1, '#3182ce', 1, '[]')`.execute(db);
        await aClaim(db, 7, { name: 'Ann', hour: 4 });
        // Its id was given out, too, and must not be again.
        await aClaim(db, 9, { name: 'Ben', hour: 6 });
        for (const table of ['occupied_hours', 'occupied_days', 'claim_parts'])
          await sql`delete from ${sql.table(table)} where claim_id = 9`.execute(db);
        await sql`delete from claims where id = 9`.execute(db);
        if (dialect === 'postgres') await sql`select setval('claims_id_seq', 9)`.execute(db);
      });
      const file = await backedUp(old.settings);
      const [first = ''] = await linesOf(file);
      expect(JSON.parse(first).schema).toEqual(BEFORE);
      const app = await createTestApp(other, { on: await restored(other, file) });
      const { db } = app.ctx;
      expect((await sql`select name, note from respawns`.execute(db)).rows).toEqual([
        { name: 'Old spot', note: 'none' },
      ]);
      expect(
        (await db.selectFrom('clock').select('value').executeTakeFirstOrThrow()).value,
      ).toBeGreaterThanOrEqual(41);
      const claims = [
        { respawn_id: 1, character_name: 'Ann', date: '2026-11-22', hour_start: 1, hour_end: 2 },
      ];
      const { body } = await app.api
        .post('/claims')
        .set('X-Access-Key', 'KEY-1')
        .send({ claims, member_type: 'member', access_key: 'KEY-1' })
        .expect(201);
      expect(body.data).toMatchObject([{ id: 10 }]);
    },
  );

  it('has no archive with columns of a later one', async () => {
    const on = await ofVersionBefore(dialect);
    await createTestApp(dialect, { on, env: { BACKUPS_KEPT: '0' } });
    const file = await backedUp(on.settings);
    await writeFile(
      file,
      lying(
        await readFile(file),
        header((of) => void Object.assign(of, { schema: BEFORE })),
      ),
    );
    await expect(restored(dialect, file)).rejects.toThrow(
      /of the columns of respawns, note should not be there/,
    );
  });
});
