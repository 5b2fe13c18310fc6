import BetterSqlite from 'better-sqlite3';
import pg from 'pg';
import { GROWING } from './grown.ts';
import type { Ran } from './statements.ts';

/** A statement and how the database means to go about it. */
export interface Plan {
  sql: string;
  /** Steps that read more than they have to; empty for a good plan. */
  faults: string[];
}

const isGrowing = (table: string): boolean => GROWING.some((each) => each === table);
/** Statements that can be explained: not those of transactions and of the schema. */
const EXPLAINABLE = /^\s*(with|select|insert|update|delete)\b/i;
const ofOurTables = ({ sql }: Ran): boolean =>
  EXPLAINABLE.test(sql) && GROWING.some((table) => sql.includes(table));

/** The table that an alias in a plan refers to. */
function tableOf(sql: string, name: string): string {
  const [, aliased] = new RegExp(`"(\\w+)" as "${name}"`).exec(sql) ?? [];
  return aliased ?? name;
}

/** Faults in SQLite's plan: it reads all of a growing table, or sorts before a limit. */
export function sqlitePlans(file: string, ran: readonly Ran[]): Plan[] {
  const sqlite = new BetterSqlite(file, { readonly: true });
  try {
    return ran.filter(ofOurTables).map(({ sql }) => {
      const steps = explained(sqlite, sql).map(({ parent, detail }) => ({
        isInner: parent !== 0,
        what: String(detail),
      }));
      return { sql, faults: steps.filter((step) => isFault(sql, step)).map(({ what }) => what) };
    });
  } finally {
    sqlite.close();
  }
}

/** The statement is not run, so it is nothing's business what it would be given. */
function explained(
  sqlite: BetterSqlite.Database,
  sql: string,
): { parent: number; detail: string }[] {
  const nothing = Array.from({ length: sql.split('?').length - 1 }, () => null);
  return sqlite
    .prepare<null[], { parent: number; detail: string }>(`explain query plan ${sql}`)
    .all(...nothing);
}

interface Step {
  /** Of a query within the query. */
  isInner: boolean;
  what: string;
}
const CUT_AT_ITS_END = /limit \?( offset \?)?$/;
const CUT_WITHIN = /limit \?( offset \?)?\)/;

function isFault(sql: string, { isInner, what }: Step): boolean {
  const [, scanned] = /^SCAN (\w+)/.exec(what) ?? [];
  if (scanned !== undefined) return isGrowing(tableOf(sql, scanned));
  if (what.includes('AUTOMATIC')) return true;
  return (
    what === 'USE TEMP B-TREE FOR ORDER BY' && (isInner ? CUT_WITHIN : CUT_AT_ITS_END).test(sql)
  );
}

/**
 * Among some thousand rows a sequential scan is quicker than index lookups; among a million it is not. With these settings the planner
 * takes indexes if there are any, and remaining scans show missing ones.
 */
const BY_INDEX = [
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'random_page_cost = 1',
];
const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';
const FOLLOWS_KEYS: readonly (string | undefined)[] = [UNIQUE_VIOLATION, FOREIGN_KEY_VIOLATION];
const followsKeys = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && FOLLOWS_KEYS.includes(error.code);

/** Over a connection of its own, without the server's statement timeout. */
export async function analyze(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

/** Counts the rows of growing tables that PostgreSQL reads. Everything is rolled back. */
export async function postgresPlans(
  url: string,
  ran: readonly Ran[],
  most: number,
): Promise<Plan[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const plans: Plan[] = [];
  try {
    for (const way of BY_INDEX) await client.query(`set ${way}`);
    for (const each of ran.filter(ofOurTables)) {
      await client.query('begin');
      try {
        const { rows } = await client.query(
          `explain (analyze, timing off, format json) ${each.sql}`,
          each.values,
        );
        const [{ Plan: root }] = rows[0]['QUERY PLAN'];
        const faults = readsOf(root)
          .filter(({ read }) => read > most)
          .map(({ how, read }) => `${how}: ${read} rows`);
        plans.push({ sql: each.sql, faults });
      } catch (error) {
        // The row is there already, or what it belongs to no longer: what follows primary keys reads no more than that.
        if (!followsKeys(error)) throw error;
        plans.push({ sql: each.sql, faults: [] });
      } finally {
        await client.query('rollback');
      }
    }
  } finally {
    await client.end();
  }
  return plans;
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

function readsOf(node: Node): { how: string; read: number }[] {
  const below = (node.Plans ?? []).flatMap(readsOf);
  const table = node['Relation Name'];
  if (table === undefined || node['Node Type'] === 'ModifyTable' || !isGrowing(table)) return below;
  const each =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return [
    {
      how: [node['Node Type'], table, node['Index Name']].filter(Boolean).join(' '),
      read: each * node['Actual Loops'],
    },
    ...below,
  ];
}
