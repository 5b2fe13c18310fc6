import type { CsvCell } from '../../../shared/csv.ts';
import { useQueryState } from '../../lib/use-query-state.ts';
import { sortRecords } from '../../lib/words/order.ts';

/** By which column a table is in order. */
export interface Sort {
  id: string;
  desc: boolean;
}

export interface Sorting {
  /** null: as it was counted, the one with most first. */
  of: (table: string) => Sort | null;
  choose: (table: string, sort: Sort) => void;
}

const PARAMETERS = ['sort'];

/** By what each table is sorted, as the address keeps it: `?sort=no-shows.character.asc,wanted-spots.lost.desc`. */
export function useSorting(): Sorting {
  const [{ sort = '' }, change] = useQueryState(PARAMETERS);
  const chosen = new Map(sort.split(',').map((one) => [one.split('.')[0] ?? '', one]));
  return {
    of: (table) => {
      const [, id, order] = chosen.get(table)?.split('.') ?? [];
      return id ? { id, desc: order === 'desc' } : null;
    },
    choose: (table, { id, desc }) => {
      const next = new Map(chosen).set(table, `${table}.${id}.${desc ? 'desc' : 'asc'}`);
      next.delete('');
      change({ sort: [...next.values()].join(',') });
    },
  };
}

interface Column<R> {
  id: string;
  value: (row: R) => CsvCell;
}

/** Rows by a column, those that are equal as they were; a column that is not there changes nothing. */
export function sorted<R>(rows: readonly R[], columns: readonly Column<R>[], sort: Sort | null): readonly R[] {
  const value = columns.find(({ id }) => id === sort?.id)?.value;
  if (!value || !sort) return rows;
  return sortRecords(rows, (row) => value(row) ?? '', sort.desc);
}
