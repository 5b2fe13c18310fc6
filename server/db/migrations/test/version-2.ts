import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../../dev/test/databases.ts';
import { createTestApp, TODAY } from '../../../dev/test/test-app.ts';
import type { Db, Dialect } from '../../open.ts';
import { openDatabase } from '../../open-database.ts';
import * as initial from '../001-initial.ts';
import * as guildUndoEpoch from '../002-guild-undo-epoch.ts';

export const AT = '2026-11-20T10:00:00.000Z';
/** How names were compared before. */
export const oldKey = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase();

/** A database as version 2 left it, with what `fill` puts into it. */
export async function ofVersion2(dialect: Dialect, fill: (old: Old) => Promise<void>): Promise<TestDatabase> {
  const on = await freshDatabase(dialect);
  onTestFinished(on.drop);
  const { writer: db, close } = await openDatabase(on.settings, pino({ level: 'silent' }));
  if (dialect === 'postgres') await sql`drop schema public cascade; create schema public`.execute(db);
  const migrations: Record<string, Migration> = {
    '001-initial': { up: (target) => initial.up(target, dialect) },
    '002-guild-undo-epoch': guildUndoEpoch,
  };
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) throw error;
  await sql`update clock set value = 41, board_date = ${TODAY}`.execute(db);
  await sql`insert into categories (name, name_key) values ('Caves', 'caves')`.execute(db);
  await sql`insert into member_types values ('member', 'member', 4, 1, '2026-01-01', 1, '#3182ce', 1, '[]')`.execute(db);
  await fill(rowsOf(db));
  await close();
  return on;
}

export type Old = ReturnType<typeof rowsOf>;

/** Rows as the program of that version wrote them. */
function rowsOf(db: Db) {
  return {
    db,
    key: (name: string, value: string, revoked = 0) =>
      sql`insert into access_keys (character_name, character_key, key_value, member_type, created_at, is_revoked)
        values (${name}, ${oldKey(name)}, ${value}, 'member', ${AT}, ${revoked})`.execute(db),
    ban: (name: string, at = AT) =>
      sql`insert into bans (character_name, character_key, created_at) values (${name}, ${oldKey(name)}, ${at})`.execute(db),
    code: (name: string) =>
      sql`insert into verifications (character_name, character_key, created_at) values (${name}, ${oldKey(name)}, ${AT})`.execute(db),
    respawn: (name: string) =>
      sql`insert into respawns (name, name_key, image, category_id, created_at) values (${name}, ${oldKey(name)}, 'a.gif', 1, ${AT})`.execute(
        db,
      ),
    category: (name: string) => sql`insert into categories (name, name_key) values (${name}, ${oldKey(name)})`.execute(db),
    event: (name: string) =>
      sql`insert into events (name, name_key, type, start_time, end_time, created_at)
        values (${name}, ${oldKey(name)}, 'multiple_claims', '2026-11-15T10:00', '2026-11-28T10:00', ${AT})`.execute(db),
    type: (name: string) =>
      sql`insert into member_types values (${name}, ${oldKey(name)}, 3, 1, '2026-01-01', 1, '#123456', 0, '[]')`.execute(db),
    admin: (name: string, password_hash = 'x:y') =>
      sql`insert into admins (username, username_key, password_hash, created_at) values (${name}, ${oldKey(name)}, ${password_hash}, ${AT})`.execute(
        db,
      ),
    entry: (admin: string, admin_id: number | null = null) =>
      sql`insert into activity (timestamp, action, admin_id, admin_username, admin_key, details)
        values (${AT}, 'admin_login', ${admin_id}, ${admin}, ${oldKey(admin)}, '{}')`.execute(db),
    claim: async (id: number, name: string, date: string, hour: number, type = 'member') => {
      await sql`insert into claims (id, character_name, character_key, member_type, date, voucher_duration, is_secondary_claim,
        secondary_priority, is_split_claim, created_at) values (${id}, ${name}, ${oldKey(name)}, ${type}, ${date}, 4, 0, 0, 0, ${AT})`.execute(
        db,
      );
      await sql`insert into claim_parts values (${id}, 1, 1, ${hour}, ${hour + 1})`.execute(db);
      await sql`insert into occupied_hours values (1, ${date}, ${hour}, ${id})`.execute(db);
      await sql`insert into occupied_days values (${oldKey(name)}, ${date}, ${id})`.execute(db);
    },
  };
}

/** The app that brings it up to date, and what it found, as its log tells it. */
export async function migrated(dialect: Dialect, fill: (old: Old) => Promise<void>) {
  const on = await ofVersion2(dialect, fill);
  // Its own admin: the first start makes one only where there is none.
  const app = await createTestApp(dialect, { on });
  const rows = await app.ctx.db.selectFrom('activity').select('details').where('action', '=', 'names_merged').orderBy('id').execute();
  return { app, found: rows.map(({ details }) => JSON.parse(details)) };
}

/** A name in two spellings. */
export const COMPOSED = 'Näurin';
export const IN_PARTS = 'Na\u0308urin';
