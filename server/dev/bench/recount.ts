import type BetterSqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { recount } from '../../board/claims/consistency.ts';
import type { Database } from '../../db/schema.ts';

/** Corrects the stored counts after claims were inserted by plain SQL. Does nothing for versions without stored counts. */
export async function recountIn(database: BetterSqlite.Database): Promise<void> {
  const kept = database
    .prepare("select count(*) from pragma_table_info('respawns') where name = 'total_claims'")
    .pluck()
    .get();
  if (kept === 0) return;
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database }) });
  await db.transaction().execute(recount);
}
