import { Fragment, type ReactNode, useLayoutEffect, useMemo, useState } from 'react';
import type { Sort } from '../../lib/use-query-state.ts';
import { sortRecords } from '../../lib/words/order.ts';
import { classes } from '../classes.ts';
import {
  SelectAllBox,
  SelectBox,
  type Selection,
  useSelectionKeys,
} from '../selection/selection.tsx';
import styles from './data-table.module.css';
import { HoldScroll, useHeldFocus } from './keep-place.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

export interface DataColumn<R> {
  id: string;
  heading: string;
  /** Without it the column is not drawn: the table can still be sorted by it. */
  cell?: ((record: R) => ReactNode) | undefined;
  /** The value that the column sorts by; without it, its heading does not sort. */
  sortBy?: ((record: R) => string | number) | undefined;
  /** Its role where rows are cards: the title, the actions, or a text without a heading. Each takes the card's full width. */
  part?: 'title' | 'actions' | 'text' | undefined;
}

/** Gives each row a checkbox before its title. */
interface RowSelection<R> {
  selection: Selection;
  nameOf: (record: R) => string;
}

export interface DataTableProps<R> {
  caption: string;
  columns: readonly DataColumn<R>[];
  /** Their order is kept if no column sorts, and among equal values of the column that does. */
  records: readonly R[];
  idOf: (record: R) => string;
  sort?: Sort | null | undefined;
  onSort?: ((sort: Sort) => void) | undefined;
  /** A row that stays rendered wherever the page scrolls: the one being edited. */
  keep?: string | null | undefined;
  below?: ((record: R) => ReactNode) | undefined;
  /** Shown before the headings where rows are cards. */
  sortLabel?: string | undefined;
  select?: RowSelection<R> | undefined;
}

/** Above this many rows, only those in view and around it are rendered. */
const MAX_PLAIN_ROWS = 100;

/** A dense table that sorts by its headings and scrolls with the page, also with ten thousand rows. Narrower than 920 px, rows are cards. */
export function DataTable<R>(props: DataTableProps<R>): ReactNode {
  const { caption, idOf, sort, onSort, keep, below, sortLabel, select } = props;
  const columns = useMemo(() => props.columns.filter(({ cell }) => cell), [props.columns]);
  // The rows measure its width and position.
  const [box, setBox] = useState<HTMLElement | null>(null);
  const rows = useSorted(props);
  const virtual = rows.length > MAX_PLAIN_ROWS;
  const order = useMemo(() => rows.map(idOf), [rows, idOf]);
  const { onTick, onKeyDown } = useSelectionKeys(order, select?.selection);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of its checkboxes
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
                before={
                  select && column.part === 'title' ? (
                    <SelectAllBox order={order} selection={select.selection} />
                  ) : null
                }
              />
            ))}
          </tr>
        </thead>
        {box ? (
          <Rows
            box={box}
            virtual={virtual}
            columns={columns}
            rows={rows}
            idOf={idOf}
            keep={keep ?? null}
            below={below}
            boxOf={
              select
                ? (record) => (
                    <SelectBox
                      id={idOf(record)}
                      name={select.nameOf(record)}
                      selection={select.selection}
                      onTick={onTick}
                    />
                  )
                : undefined
            }
          />
        ) : null}
      </table>
    </div>
  );
}

/** Sorts once for each change of records or sort, not while the page scrolls. */
function useSorted<R>({ columns, records, sort }: DataTableProps<R>): readonly R[] {
  const { id, desc = false } = sort ?? {};
  return useMemo(() => {
    const sortBy = columns.find((column) => column.id === id)?.sortBy;
    return sortBy ? sortRecords(records, sortBy, desc) : records;
  }, [columns, records, id, desc]);
}

interface HeadingProps<R> extends Pick<DataTableProps<R>, 'sort' | 'onSort'> {
  column: DataColumn<R>;
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
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort?.({ id, desc: sorted ? !sorted.desc : false })}
      >
        {heading}
        <span aria-hidden="true" className={styles.arrow}>
          {sorted?.desc ? '↓' : '↑'}
        </span>
      </button>
    </th>
  );
}

interface RowsProps<R> extends Pick<DataTableProps<R>, 'columns' | 'idOf' | 'below'> {
  box: HTMLElement;
  /** Renders only the rows in view and around it, with gaps for the others. */
  virtual: boolean;
  /** Sorted. */
  rows: readonly R[];
  keep: string | null;
  boxOf: ((record: R) => ReactNode) | undefined;
}

/** Each row is a row group of its own, so that it is measured together with its note. */
function Rows<R>({
  box,
  virtual,
  columns,
  rows,
  idOf,
  below,
  keep,
  boxOf,
}: RowsProps<R>): ReactNode {
  const focus = useHeldFocus(box, rows, idOf);
  const { places, gapAfter, cards, measure, topOf } = useVirtualRows({
    box,
    virtual,
    rows,
    idOf,
    keep,
    focused: focus.row,
  });
  const steady = !cards && places.length > 0;
  useSteadyColumns(box, steady ? columns.map(({ id, heading }) => id + heading).join() : null);
  return (
    <>
      {places.map(({ index, gap }) => {
        const record = rows[index];
        if (record === undefined) return null;
        const id = idOf(record);
        return (
          <Fragment key={id}>
            <Gap columns={columns.length} height={gap} />
            <tbody
              ref={virtual ? measure : undefined}
              data-index={index}
              data-row={id}
              onFocus={() => focus.hold(id, index)}
              onBlur={focus.release}
            >
              <Row
                columns={columns}
                record={record}
                position={virtual ? index + 2 : undefined}
                note={below?.(record)}
                box={boxOf?.(record)}
              />
            </tbody>
          </Fragment>
        );
      })}
      <Gap columns={columns.length} height={gapAfter} />
      <HoldScroll box={box} rows={rows} keep={keep} topOf={topOf} />
    </>
  );
}

interface RowProps<R> {
  columns: readonly DataColumn<R>[];
  record: R;
  /** In the whole table; the headings are row 1. */
  position: number | undefined;
  note: ReactNode;
  box: ReactNode;
}

function Row<R>({ columns, record, position, note, box }: RowProps<R>): ReactNode {
  // Rows that are rendered already cost nothing while the page scrolls.
  const cells = useMemo(() => columns.map(({ cell }) => cell?.(record)), [columns, record]);
  return (
    <>
      <tr aria-rowindex={position}>
        {columns.map(({ id, heading, part }, at) => (
          <td
            key={id}
            data-heading={part ? undefined : heading}
            className={classes(part && styles[part])}
          >
            {box && part === 'title' ? (
              <span className={styles.selectable}>
                {box}
                <span>{cells[at]}</span>
              </span>
            ) : (
              cells[at]
            )}
          </td>
        ))}
      </tr>
      {note ? (
        <tr className={styles.note}>
          <td colSpan={columns.length}>{note}</td>
        </tr>
      ) : null}
    </>
  );
}

/** As high as the rows that are not rendered. */
function Gap({ columns, height }: { columns: number; height: number }): ReactNode {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr className={styles.gap}>
        <td colSpan={columns} style={{ height }} />
      </tr>
    </tbody>
  );
}

/**
 * Fixes the widths that the browser chose first. It fits columns to the rendered rows, so they would jump with every scroll, search
 * or live change.
 * @param columns identifies the columns; null: the browser chooses
 */
function useSteadyColumns(box: HTMLElement, columns: string | null): void {
  useLayoutEffect(() => {
    if (columns === null) return;
    const headings = [...box.querySelectorAll('th')];
    const cols = [...box.querySelectorAll('col')];
    const widths = headings.map((heading) => heading.getBoundingClientRect().width);
    const all = widths.reduce((sum, width) => sum + width, 0);
    if (all === 0) return;
    // In percent, so that they still fit if the window is resized.
    for (const [at, col] of cols.entries()) col.style.width = `${(100 * (widths[at] ?? 0)) / all}%`;
    return () => {
      for (const col of cols) col.style.width = '';
    };
  }, [box, columns]);
}
