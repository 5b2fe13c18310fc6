import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { isActivityAction } from '../../../shared/activity-actions.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { databases, freshDatabase } from '../../dev/test/databases.ts';
import { fill, loaded, orphans, schemaOfPostgres } from '../../dev/test/released-database.ts';
import { createTestApp, type TestApp } from '../../dev/test/test-app.ts';
import { archivedTables } from '../../ops/backup/archive-format.ts';
import { restored } from '../../ops/backup/test/records.ts';
import { doneMigrations, MIGRATION_NAMES, migrateTo } from '../migrate.ts';
import { LAST_STEP, MIGRATIONS, type Migrations } from '../migrations/list.ts';
import { openDatabase } from '../open-database.ts';
import type { Database } from '../schema.ts';
import { FileDialect } from '../sqlite.ts';
import { type Cell, type Released, readReleased, releasedNames, rowsOfTable } from './format.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Tables whose rows the server deletes as time goes by, or writes again. */
const PASSING = new Set([
  'changes',
  'jobs',
  'admin_sessions',
  'news',
  'outbox',
  'deliveries',
  'idempotent_answers',
  'push_reminders',
  'heartbeats',
  'servers',
  'discord_interactions',
  'discord_sign_in_tokens',
]);

/** Tables that are dropped since. */
const DROPPED = new Set(['event_templates']);

/** Tables that are renamed since. */
const RENAMED = new Map([
  ['news', 'outbox'],
  ['destinations', 'channels'],
]);

/** The rows of a table that had another name before. */
const rowsToday = (released: Released, name: string): Record<string, Cell>[] =>
  [name, ...[...RENAMED].flatMap(([before, now]) => (now === name ? before : []))].flatMap((each) =>
    rowsOfTable(released, each),
  );

const all = releasedNames().map(readReleased);
const sorted = <T>(list: readonly T[]): T[] =>
  [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
const pick = (row: Record<string, Cell>, columns: readonly string[]): Cell[] =>
  columns.map((column) => row[column] ?? null);

/** Claims with their hours, as stored. */
function claimsIn(released: Released) {
  const parts = rowsOfTable(released, 'claim_parts');
  return rowsOfTable(released, 'claims').map(
    ({ id, character_name, member_type, date, is_secondary_claim }) => ({
      claim: [id, character_name, member_type, date, is_secondary_claim],
      parts: sorted(
        parts
          .filter(({ claim_id }) => claim_id === id)
          .map((part) => pick(part, ['respawn_id', 'hour_start', 'hour_end'])),
      ),
    }),
  );
}

/** The same of what a call answers: a line for each spot of a split claim. */
function claimsOf(lines: readonly ClaimRow[]) {
  return [...Map.groupBy(lines, ({ id }) => id).values()].map((rows) => {
    const claim = rows
      .slice(0, 1)
      .flatMap((row) => [
        row.id,
        row.character_name,
        row.member_type,
        row.date,
        row.is_secondary_claim,
      ]);
    const parts = rows.flatMap((row) =>
      row.is_split_claim
        ? row.split_parts
            .filter(({ part_number }) => part_number === row.split_part_number)
            .map((part) => [part.respawn_id, part.hour_start, part.hour_start + part.duration])
        : [[row.respawn_id, row.hour_start, row.hour_end]],
    );
    return { claim, parts: sorted(parts) };
  });
}

const counts = (released: Released, spot: Cell | undefined): number =>
  new Set(
    rowsOfTable(released, 'claim_parts').flatMap((part) =>
      part.respawn_id === spot ? [part.claim_id] : [],
    ),
  ).size;

/** The log's entries that can be undone. */
const undosIn = (released: Released): Cell[] =>
  rowsOfTable(released, 'undos').map(({ entry_id }) => entry_id ?? null);

const read = async (app: TestApp, call: string, query: object = {}) =>
  (await app.api.get(call).set(app.admin).query(query).expect(200)).body.data;

/** The board, the keys, the events and the log show the recorded data, with its ids. */
async function expectAllOf(released: Released, app: TestApp): Promise<void> {
  const { db } = app.ctx;
  expect(sorted(claimsOf(await read(app, '/admin/claims')))).toEqual(sorted(claimsIn(released)));
  for (const [table, columns] of [
    ['occupied_hours', ['respawn_id', 'date', 'hour', 'claim_id']],
    ['occupied_days', ['character_key', 'date', 'claim_id']],
  ] as const) {
    const { rows } = await sql<Record<string, Cell>>`select * from ${sql.table(table)}`.execute(db);
    expect(sorted(rows.map((row) => pick(row, columns)))).toEqual(
      sorted(rowsOfTable(released, table).map((row) => pick(row, columns))),
    );
  }
  for (const [call, table, columns] of [
    [
      '/admin/access-keys',
      'access_keys',
      ['id', 'character_name', 'key_value', 'member_type', 'is_revoked'],
    ],
    [
      '/events',
      'events',
      ['id', 'name', 'type', 'start_time', 'end_time', 'is_active', 'created_at'],
    ],
    [
      '/admin/member-types',
      'member_types',
      ['member_type', 'voucher_duration_hours', 'can_submit', 'background_color'],
    ],
    ['/admin/respawns', 'respawns', ['id', 'name', 'category_id', 'is_enabled']],
    ['/categories', 'categories', ['id', 'name']],
    ['/admin/waits', 'waits', ['id', 'respawn_id', 'date', 'character_name', 'status', 'position']],
    [
      '/admin/endings',
      'claim_endings',
      ['id', 'claim_id', 'character_name', 'hour_start', 'reason'],
    ],
    ['/admin/destinations', 'channels', ['id', 'name', 'kind', 'is_enabled']],
    ['/admin/archive/events', 'archived_events', ['id', 'name', 'claim_count']],
  ] as const) {
    const answered: Record<string, Cell>[] = await read(app, call);
    expect(sorted(answered.map((row) => pick(row, columns))), call).toEqual(
      sorted(rowsToday(released, table).map((row) => pick(row, columns))),
    );
  }
  const spots: { id: number; total_claims: number }[] = await read(app, '/admin/respawns');
  const archived = rowsOfTable(released, 'archived_claim_parts').length > 0;
  if (!archived)
    for (const { id, total_claims } of spots)
      expect([id, total_claims]).toEqual([id, counts(released, id)]);

  const log: { id: number; action: string; undo: string | null }[] = (
    await read(app, '/admin/activity-log', { limit: 500 })
  ).logs;
  const entries = rowsOfTable(released, 'activity');
  const old = log.filter(({ id }) => entries.some((entry) => entry.id === id));
  expect(sorted(old.map(({ id, action }) => [id, action]))).toEqual(
    sorted(
      entries
        .filter(({ action }) => isActivityAction(String(action)))
        .map((entry) => pick(entry, ['id', 'action'])),
    ),
  );
  expect(sorted(log.filter(({ undo }) => undo === 'possible').map(({ id }) => id))).toEqual(
    sorted(undosIn(released)),
  );

  for (const { name, rows } of released.tables.filter(
    (table) => !PASSING.has(table.name) && !DROPPED.has(table.name),
  )) {
    const { rows: now } = await sql<{
      n: number;
    }>`select count(*) as n from ${sql.table(RENAMED.get(name) ?? name)}`.execute(db);
    expect([name, Number(now[0]?.n) >= rows.length]).toEqual([name, true]);
  }
}

/** A working board: deleted records can be restored, and members claim with their old keys. */
async function expectToGoOn(released: Released, app: TestApp): Promise<void> {
  let restored = 0;
  for (const id of undosIn(released).reverse()) {
    const { body } = await app.api
      .post(`/admin/activity-log/${id}/undo`)
      .set(app.admin)
      .expect(200);
    restored += body.data.restored_claims;
  }
  const gone =
    (released.given_out.claims ?? 0) -
    claimsIn(released).length -
    rowsOfTable(released, 'archived_claims').length;
  if (undosIn(released).length > 0) expect(restored).toBeGreaterThanOrEqual(Math.min(3, gone));
  const date = addDays(released.until.slice(0, 10), 4);
  const busy = rowsOfTable(released, 'occupied_days').filter((day) => day.date === date);
  const key = rowsOfTable(released, 'access_keys').find(
    ({ member_type, is_revoked, character_key }) =>
      member_type === 'member' &&
      is_revoked === 0 &&
      !busy.some((day) => day.character_key === character_key),
  );
  const taken = rowsOfTable(released, 'occupied_hours').filter((hour) => hour.date === date);
  const spot = rowsOfTable(released, 'respawns').find(
    ({ id }) => !taken.some(({ respawn_id }) => respawn_id === id),
  );
  const own = { character_name: key?.character_name, respawn_id: spot?.id, date };
  const { body } = await app.api
    .post('/claims')
    .send({
      claims: [{ ...own, hour_start: 12, hour_end: 13 }],
      member_type: key?.member_type,
      access_key: key?.key_value,
    })
    .expect(201);
  expect(body.data[0].id).toBeGreaterThan(released.given_out.claims ?? 0);
}

describe('each released schema', () => {
  it('has a fixture: run server/db/released/record.ts before the next migration, and commit its file', () => {
    for (const { name, migrations } of all)
      expect([name, migrations]).toEqual([name, MIGRATION_NAMES.slice(0, migrations.length)]);
    const recorded = new Set(all.map(({ migrations }) => migrations.at(-1)));
    const earlier = MIGRATION_NAMES.slice(MIGRATION_NAMES.indexOf(LAST_STEP), -1);
    expect(earlier.filter((name) => !recorded.has(name))).toEqual([]);
  });

  it('has rows in every table, in one of the recordings', () => {
    const tables = all.flatMap((released) => released.tables);
    const filled = new Set(tables.flatMap(({ name, rows }) => (rows.length > 0 ? [name] : [])));
    expect(tables.map(({ name }) => name).filter((name) => !filled.has(name))).toEqual([]);
  });

  it.each(all)('$name migrates in SQLite to the schema of a new database', async (released) => {
    const old = inMemory();
    const fresh = inMemory();
    const { migrations, schema } = released;
    await migrateTo(fresh.db, 'sqlite', { name: migrations.at(-1) });
    // A released migration never changes.
    expect(fresh.schema()).toEqual(sorted(schema.map(plain)));
    fill(old.memory, released);
    await migrateTo(old.db, 'sqlite');
    await migrateTo(fresh.db, 'sqlite');
    expect(old.schema()).toEqual(fresh.schema());
  });

  it('is the same in PostgreSQL', async () => {
    const on = await freshDatabase('postgres');
    onTestFinished(on.drop);
    const { writer, close } = await openDatabase(on.settings, pino({ level: 'silent' }));
    onTestFinished(close);
    await sql`drop schema public cascade; create schema public`.execute(writer);
    await migrateTo(writer, 'postgres', { name: LAST_STEP });
    expect(`${(await schemaOfPostgres(writer)).join('\n')}\n`).toBe(
      await readFile(path.join(import.meta.dirname, '004.postgres.txt'), 'utf8'),
    );
  });
});

/** A statement of SQLite with as little white space as possible. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').replace(/ ?([(),]) ?/g, '$1');

function inMemory() {
  const memory = new BetterSqlite(':memory:');
  onTestFinished(() => void memory.close());
  const made =
    "select sql from sqlite_master where sql is not null and name not like 'sqlite_%' and name not like 'kysely_%'";
  return {
    memory,
    db: new Kysely<Database>({ dialect: new FileDialect(memory) }),
    schema: () => sorted(z.array(z.string()).parse(memory.prepare(made).pluck().all()).map(plain)),
  };
}

describe.each(databases)('on %s', (dialect) => {
  it.each(all)(
    'a guild of $name is complete in today’s program, and can be changed',
    async (released) => {
      const on = await loaded(dialect, released);
      const env = { BACKUPS_KEPT: '0', CHARACTER_CHECK: 'manual' };
      // Its admin signs in with the password of that day.
      const app = await createTestApp(dialect, { on, env, now: released.until });
      expect(await doneMigrations(app.ctx.db, dialect)).toEqual(MIGRATION_NAMES);
      expect(await orphans(app.ctx.db, dialect)).toEqual([]);
      await expectAllOf(released, app);
      await expectToGoOn(released, app);
      expect(await orphans(app.ctx.db, dialect)).toEqual([]);
    },
  );

  it.each(databases)(
    'the backup before the migration of 004 restores on %s, with all that can be undone',
    async (other) => {
      const released = readReleased('004');
      const on = await loaded(dialect, released);
      await createTestApp(dialect, { on, now: released.until });
      const folder = path.join(on.settings.DATA_DIR, 'backups');
      const [file = ''] = await readdir(folder);
      expect(file).toContain('-before-005-plain-names.');
      const app = await createTestApp(other, {
        on: await restored(other, path.join(folder, file)),
        env: { CHARACTER_CHECK: 'manual' },
        now: released.until,
      });
      const tables = released.tables.filter(({ name }) => archivedTables([name]).length > 0);
      await expectAllOf({ ...released, tables }, app);
      await expectToGoOn(released, app);
      expect(await orphans(app.ctx.db, other)).toEqual([]);
    },
  );

  it('a database whose next migration fails is unchanged', async () => {
    const released = readReleased('004');
    const on = await loaded(dialect, released);
    const open = await openDatabase(on.settings, pino({ level: 'silent' }));
    onTestFinished(open.close);
    const { writer: db } = open;
    const tables = async () =>
      (await db.introspection.getTables()).map(({ name, columns }) => [
        name,
        columns.map((column) => column.name),
      ]);
    const rows = async () => (await sql`select * from claims order by id`.execute(db)).rows;
    const before = [await tables(), await rows(), await doneMigrations(db, dialect)];
    const failing: Migrations = {
      ...MIGRATIONS,
      '998-half': {
        up: async (tx) => void (await sql`create table half_of_it (id integer)`.execute(tx)),
      },
      '999-fails': {
        up: async (tx) => {
          await sql`delete from claims`.execute(tx);
          throw new Error('no more');
        },
      },
    };
    await expect(
      migrateTo(db, dialect, { name: '999-fails', migrations: failing }),
    ).rejects.toThrow('no more');
    expect([await tables(), await rows(), await doneMigrations(db, dialect)]).toEqual(before);
  });
});
