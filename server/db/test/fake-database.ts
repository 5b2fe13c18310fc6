import {
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Db } from '../database.ts';
import type { Database } from '../schema.ts';

interface FakeOptions {
  /** The rows to answer a statement with. */
  rowsOf?: (sql: string) => readonly unknown[];
  /** Fails if the commit is to fail. */
  commit?: () => Promise<void>;
}

interface FakeDatabase {
  db: Db;
  /** The statements that were sent, in order; `begin`, `commit` and `rollback` among them. */
  sent: string[];
}

/** A fake PostgreSQL that records queries and can fail commits. It stores nothing. */
export function fakeDatabase({
  rowsOf = () => [],
  commit = async () => {},
}: FakeOptions = {}): FakeDatabase {
  const sent: string[] = [];
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ sql }: { sql: string }) => {
      sent.push(sql);
      // The test says which rows a statement has.
      return { rows: rowsOf(sql) as R[] };
    },
    async *streamQuery() {},
  };
  class FakeDriver extends DummyDriver {
    override acquireConnection = async () => connection;
    override beginTransaction = async () => void sent.push('begin');
    override commitTransaction = async () => {
      sent.push('commit');
      await commit();
    };
    override rollbackTransaction = async () => void sent.push('rollback');
  }
  const db = new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new FakeDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return { db, sent };
}
