import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { wrongCounts } from '../../board/claims/consistency.ts';
import type { Database } from '../../db/schema.ts';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import { fillGuild, moreOnBoard } from './guild.ts';
import { ROOT } from './subject.ts';

test('the claims that a bench writes past the program are counted as the program counts', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'claimboard-bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const guild = await fillGuild(ROOT, folder, { history: 500, board: 40, cleared: [30] });
  await moreOnBoard(guild, { from: 40, until: 100 });
  const database = new BetterSqlite(path.join(folder, DATABASE_FILE), { readonly: true });
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database }) });
  onTestFinished(() => db.destroy());
  expect(await wrongCounts(db)).toEqual([]);
  expect(database.prepare('select count(*) from claims').pluck().get()).toBe(600);
  expect(database.prepare('select claim_count from events where is_active = 1').pluck().get()).toBe(
    100,
  );
  expect(
    database
      .prepare('select total_claims from respawns where id = ?')
      .pluck()
      .get(guild.cleared_spots[0]),
  ).toBe(30);
});
