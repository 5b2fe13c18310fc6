import { type ColumnSort, createSortedRowModel, type RowData, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { Fragment, type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import styles from './data-table.module.css';

export interface DataColumn<R> {
  id: string;
  heading: string;
  cell: (record: R) => ReactNode;
  /** What the column is sorted by; without it, it is not. */
  sortBy?: ((record: R) => string | number) | undefined;
  /** As wide as a stacked card: its title, or its actions. */
  part?: 'title' | 'actions' | undefined;
}

export interface DataTableProps<R> {
  caption: string;
  columns: readonly DataColumn<R>[];
  /** In their own order, which stands where no column sorts and where a column's values are the same. */
  records: readonly R[];
  idOf: (record: R) => string;
  sort: ColumnSort | null;
  onSort: (sort: ColumnSort) => void;
  /** A row that stays in view however far down it is sorted: one being edited. */
  keep?: string | null | undefined;
  /** Something to say about a row, below it. */
  below?: ((record: R) => ReactNode) | undefined;
  showMoreLabel: (count: number) => string;
  /** Before the headings where the rows are cards. */
  sortLabel: string;
}

const SHOWN_AT_ONCE = 100;

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
type Features = typeof features;

/** Letters without case or accents, numbers by size, dates as they are written. */
const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });
const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));

/** A dense table that sorts by its headings; in a narrow place its rows become cards. */
export function DataTable<R extends RowData>(props: DataTableProps<R>): ReactNode {
  const { caption, columns, idOf, sort, onSort, keep, below, showMoreLabel, sortLabel } = props;
  const [limit, setLimit] = useState(SHOWN_AT_ONCE);
  const rows = useSorted(props);
  const kept = keep ? rows.findIndex((record) => idOf(record) === keep) : -1;
  const shown = rows.slice(0, Math.max(limit, kept + 1));
  const more = Math.min(SHOWN_AT_ONCE, rows.length - shown.length);
  return (
    <div className={styles.box}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr data-label={sortLabel}>
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((record) => {
            const id = idOf(record);
            const note = below?.(record);
            return (
              <Fragment key={id}>
                <tr className={classes(note ? styles.noted : null)}>
                  {columns.map(({ id: column, heading, cell, part }) => (
                    <td key={column} data-heading={part ? undefined : heading} className={classes(part && styles[part])}>
                      {cell(record)}
                    </td>
                  ))}
                </tr>
                {note ? (
                  <tr className={styles.note}>
                    <td colSpan={columns.length}>{note}</td>
                  </tr>
                ) : null}
              </Fragment>
            );
          })}
        </tbody>
      </table>
      {more > 0 ? (
        <div className={styles.more}>
          <Button onClick={() => setLimit(shown.length + SHOWN_AT_ONCE)}>{showMoreLabel(more)}</Button>
        </div>
      ) : null}
    </div>
  );
}

function useSorted<R extends RowData>({ columns, records, idOf, sort }: DataTableProps<R>): R[] {
  const table = useTable<Features, R>({
    features,
    columns: columns.map(({ id, sortBy }) => ({
      id,
      accessorFn: (record): unknown => sortBy?.(record),
      enableSorting: sortBy !== undefined,
      sortFn: (a, b) => (sortBy ? compare(sortBy(a.original), sortBy(b.original)) : 0),
    })),
    data: records,
    getRowId: idOf,
    state: { sorting: sort ? [sort] : [] },
  });
  return table.getRowModel().rows.map((row) => row.original);
}

function Heading<R>({ column, sort, onSort }: Pick<DataTableProps<R>, 'sort' | 'onSort'> & { column: DataColumn<R> }): ReactNode {
  const { id, heading, sortBy, part } = column;
  if (!sortBy) {
    return (
      <th scope="col" className={classes(styles.unsorted, part && styles[part])}>
        {part === 'actions' ? <span className="visually-hidden">{heading}</span> : heading}
      </th>
    );
  }
  const sorted = sort?.id === id ? sort : null;
  return (
    <th scope="col" aria-sort={sorted ? (sorted.desc ? 'descending' : 'ascending') : 'none'} className={classes(sorted && styles.sorted)}>
      <button type="button" className={styles.sort} onClick={() => onSort({ id, desc: sorted ? !sorted.desc : false })}>
        {heading}
        <span aria-hidden="true" className={styles.arrow}>
          {sorted?.desc ? '↓' : '↑'}
        </span>
      </button>
    </th>
  );
}
