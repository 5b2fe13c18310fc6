import { MAX_ID, MAX_LIST, type PageQuery } from '../../shared/schemas/fields.ts';

/** What a page asks of a table: at most so many of the rows with ids up to this one, the largest ids first. */
export const rowsOfPage = ({ limit = MAX_LIST, before }: PageQuery): { most: number; last_id: number } => ({
  most: limit,
  last_id: before === undefined ? MAX_ID : before - 1,
});
