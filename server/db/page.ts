import { MAX_ID, MAX_LIST, MAX_PAGE, type PageQuery } from '../../shared/schemas/fields.ts';
import type { Db, Tx } from './open.ts';

/** Records of a long list that are read and written at once; after them whatever else waits has its turn. */
export const PIECE = MAX_PAGE;

/** What a page asks of a table: at most so many of the rows with ids up to this one, the largest ids first. */
export const rowsOfPage = ({ limit = MAX_LIST, before }: PageQuery): { most: number; last_id: number } => ({
  most: limit,
  last_id: before === undefined ? MAX_ID : before - 1,
});

/** How many rows a table has. */
export async function countRows(db: Db | Tx, table: 'archived_events' | 'access_keys' | 'verifications'): Promise<number> {
  const { n } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}
