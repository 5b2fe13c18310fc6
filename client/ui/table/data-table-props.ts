import type { ColumnSort } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { Selection } from '../selection/use-selection.ts';

export interface DataColumn<R> {
  id: string;
  heading: string;
  cell: (record: R) => ReactNode;
  /** What the column is sorted by; without it, it is not. */
  sortBy?: ((record: R) => string | number) | undefined;
  /** As wide as a stacked card: its title, its actions, or a text that needs no heading there. */
  part?: 'title' | 'actions' | 'text' | undefined;
}

/** Rows that can be selected: each has a box before its title. */
interface RowSelection<R> {
  selection: Selection;
  nameOf: (record: R) => string;
}

export interface DataTableProps<R> {
  caption: string;
  columns: readonly DataColumn<R>[];
  /** In their own order, which stands where no column sorts and where a column's values are the same. */
  records: readonly R[];
  idOf: (record: R) => string;
  sort: ColumnSort | null;
  onSort: (sort: ColumnSort) => void;
  /** A row that is there however far away one scrolls: one being edited. */
  keep?: string | null | undefined;
  /** Something to say about a row, below it. */
  below?: ((record: R) => ReactNode) | undefined;
  /** Before the headings where the rows are cards. */
  sortLabel: string;
  select?: RowSelection<R> | undefined;
}
