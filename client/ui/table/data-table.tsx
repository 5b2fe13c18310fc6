import { createSortedRowModel, type Row, type RowData, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import { type ReactNode, useMemo, useState } from 'react';
import { compareKeys, sortKey } from '../../lib/words/sort-records.ts';
import { classes } from '../classes.ts';
import { SelectAllBox, SelectBox } from '../selection/select-box.tsx';
import { useSelecting } from '../selection/use-selecting.ts';
import styles from './data-table.module.css';
import type { DataColumn, DataTableProps } from './data-table-props.ts';
import { DataTableRows } from './data-table-rows.tsx';

/** So many rows are simply there; of more, only those in view and around it. */
const MOST_PLAIN_ROWS = 100;

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
type Features = typeof features;

/**
 * A dense table that sorts by its headings; in a narrow place its rows become cards. It scrolls with the page, and
 * ten thousand rows as well as ten.
 */
export function DataTable<R extends RowData>(props: DataTableProps<R>): ReactNode {
  const { caption, columns, idOf, sort, onSort, keep, below, sortLabel, select } = props;
  // The rows ask it how wide it is, and where.
  const [box, setBox] = useState<HTMLElement | null>(null);
  const rows = useSorted(props);
  const virtual = rows.length > MOST_PLAIN_ROWS;
  const order = useMemo(() => rows.map(idOf), [rows, idOf]);
  const { onTick, onKeyDown } = useSelecting(order, select?.selection);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that are pressed at its boxes are heard here
    <div ref={setBox} className={styles.box} onKeyDown={select ? onKeyDown : undefined}>
      <table className={styles.table} aria-rowcount={virtual ? rows.length + 1 : undefined}>
        <caption className="visually-hidden">{caption}</caption>
        <colgroup>
          {columns.map(({ id }) => (
            <col key={id} />
          ))}
        </colgroup>
        <thead>
          <tr data-label={sortLabel} aria-rowindex={virtual ? 1 : undefined}>
            {columns.map((column) => (
              <Heading
                key={column.id}
                column={column}
                sort={sort}
                onSort={onSort}
                before={select && column.part === 'title' ? <SelectAllBox order={order} selection={select.selection} /> : null}
              />
            ))}
          </tr>
        </thead>
        {box ? (
          <DataTableRows
            box={box}
            virtual={virtual}
            columns={columns}
            rows={rows}
            idOf={idOf}
            keep={keep ?? null}
            below={below}
            boxOf={
              select
                ? (record) => <SelectBox id={idOf(record)} name={select.nameOf(record)} selection={select.selection} onTick={onTick} />
                : undefined
            }
          />
        ) : null}
      </table>
    </div>
  );
}

/** A scroll draws the rows alone, and a change of records or sort is sorted once. */
function useSorted<R extends RowData>({ columns, records, idOf, sort }: DataTableProps<R>): readonly R[] {
  const sortable = useMemo(
    () =>
      columns.map(({ id, sortBy }) => ({
        id,
        accessorFn: (record: R): string | number => sortKey(sortBy?.(record) ?? ''),
        enableSorting: sortBy !== undefined,
        // A row keeps what its columns were asked for.
        sortFn: (a: Row<Features, R>, b: Row<Features, R>, column: string) =>
          compareKeys(a.getValue<string | number>(column), b.getValue<string | number>(column)),
      })),
    [columns],
  );
  const { id, desc = false } = sort ?? {};
  const sorting = useMemo(() => (id === undefined ? [] : [{ id, desc }]), [id, desc]);
  const table = useTable<Features, R>({ features, columns: sortable, data: records, getRowId: idOf, state: { sorting } });
  const { rows } = table.getRowModel();
  return useMemo(() => rows.map((row) => row.original), [rows]);
}

interface HeadingProps<R> extends Pick<DataTableProps<R>, 'sort' | 'onSort'> {
  column: DataColumn<R>;
  /** The box of all rows. */
  before: ReactNode;
}

function Heading<R>({ column, sort, onSort, before }: HeadingProps<R>): ReactNode {
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
    <th
      scope="col"
      aria-label={before ? heading : undefined}
      aria-sort={sorted ? (sorted.desc ? 'descending' : 'ascending') : 'none'}
      className={classes(sorted && styles.sorted)}
    >
      {before}
      <button type="button" className={styles.sort} onClick={() => onSort({ id, desc: sorted ? !sorted.desc : false })}>
        {heading}
        <span aria-hidden="true" className={styles.arrow}>
          {sorted?.desc ? '↓' : '↑'}
        </span>
      </button>
    </th>
  );
}
