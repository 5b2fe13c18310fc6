import { sql } from 'kysely';
import { pino } from 'pino';
import type { OpenDatabase, Tx } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { atEndOfFile, filledDatabase, ownFolder, removeFolder, type TestDatabase } from './databases.ts';

/**
 * A PostgreSQL database that tests of one file use one after another, with its open connections: making one and connecting to it takes
 * three times as much CPU as the rest of a server's start.
 */
interface Kept extends TestDatabase {
  opened: OpenDatabase;
  tables: readonly string[];
  /** The rows of the tables that were filled: as JSON, and how many. */
  filled: ReadonlyMap<string, { rows: string; count: number }>;
  /** PL/pgSQL that sets all sequences to where they were. */
  setSequences: string;
  /** Rows with a newer `xmin` were changed by the current test. */
  last_reset: string;
}

export interface LentDatabase extends TestDatabase {
  opened: OpenDatabase;
}

/** Of a table. Rows that were deleted keep their space: the next tests read past it. */
const MAX_BYTES = 64 * 8_192;

const free: Kept[] = [];

/** @returns a filled database that is open; `drop` resets it for the next test */
export async function lendPostgres(): Promise<LentDatabase> {
  const kept = free.pop() ?? (await makeKept());
  const folder = await ownFolder();
  return {
    settings: { ...kept.settings, DATA_DIR: folder },
    opened: { ...kept.opened, close: async () => {} },
    drop: async () => {
      await removeFolder(folder);
      if (await isReset(kept)) free.push(kept);
      else await kept.drop();
    },
  };
}

async function makeKept(): Promise<Kept> {
  const { settings, drop } = await filledDatabase('postgres');
  const opened = await openDatabase(settings, pino({ level: 'silent' }));
  const dropOpened = async (): Promise<void> => {
    atEndOfFile.delete(dropAtEnd);
    await opened.close();
    await drop();
  };
  const state = await opened.writer.transaction().execute(readState);
  const kept = { settings, opened, drop: dropOpened, ...state };
  const dropAtEnd = async (): Promise<void> => {
    free.splice(0, free.length, ...free.filter((each) => each !== kept));
    await dropOpened();
  };
  atEndOfFile.add(dropAtEnd);
  return kept;
}

async function readState(tx: Tx): Promise<Pick<Kept, 'tables' | 'filled' | 'setSequences' | 'last_reset'>> {
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`.execute(tx);
  const filled = new Map<string, { rows: string; count: number }>();
  for (const { name } of tables) {
    const { rows } = await sql<{ rows: string; count: number }>`
      select json_agg(t)::text as rows, count(*) as count from ${sql.table(name)} t`.execute(tx);
    if (rows[0]?.count) filled.set(name, rows[0]);
  }
  const { rows: sequences } = await sql<{ text: string; id: string }>`
    select pg_current_xact_id()::xid::text as id, string_agg(
      format('perform setval(%L, %s, %L);', sequencename, coalesce(last_value, start_value), last_value is not null), ' ') as text
    from pg_sequences where schemaname = 'public'`.execute(tx);
  const { text = '', id = '' } = sequences[0] ?? {};
  return { tables: tables.map(({ name }) => name), filled, setSequences: text, last_reset: id };
}

/** Makes the rows of all tables and the sequences what they were. @returns whether it could */
async function isReset(kept: Kept): Promise<boolean> {
  try {
    return await kept.opened.writer.transaction().execute((tx) => reset(tx, kept));
  } catch {
    return false;
  }
}

async function reset(tx: Tx, kept: Kept): Promise<boolean> {
  const { filled, setSequences, last_reset } = kept;
  const isNewer = sql`age(xmin) < age(${sql.lit(last_reset)}::xid)`;
  // A test may have changed the schema, analyzed a table, or left a connection at work.
  const { rows: states } = await sql<{ id: string; is_other: boolean; used: string[]; most: number }>`
    select pg_current_xact_id()::xid::text as id,
      exists (select from pg_class where ${isNewer}) or exists (select from pg_attribute where ${isNewer})
      or exists (select from pg_constraint where ${isNewer}) or exists (select from pg_trigger where ${isNewer})
      or exists (select from pg_proc where ${isNewer}) or exists (select from pg_statistic where ${isNewer})
      or exists (select from pg_index where ${isNewer}) or exists (select from pg_locks
        where database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()) as is_other,
      array(select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0) as used,
      (select max(pg_relation_size(oid)) from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 't', 'i')) as most`.execute(
    tx,
  );
  const [state] = states;
  if (!state || state.is_other || state.most > MAX_BYTES) return false;
  const looks = state.used.map((name) => {
    const count = filled.get(name)?.count ?? 0;
    return `select '${name}' as name from ${name} having count(*) <> ${count} or count(*) filter (where age(xmin) < age('${last_reset}'::xid)) > 0`;
  });
  const { rows: changed } = await sql.raw<{ name: string }>(looks.join(' union all ')).execute(tx);
  const writes = changed.map(({ name }) => {
    const rows = filled.get(name)?.rows;
    const insert = rows
      ? `insert into ${name} overriding system value select * from json_populate_recordset(null::${name}, ${quoted(rows)});`
      : '';
    return `delete from ${name}; ${insert}`;
  });
  const block = `begin set local session_replication_role = replica; ${writes.join(' ')} ${setSequences} end`;
  await sql.raw(`do ${quoted(block)}`).execute(tx);
  kept.last_reset = state.id;
  return true;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
