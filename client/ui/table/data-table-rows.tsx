import { Fragment, type ReactNode, useLayoutEffect, useMemo } from 'react';
import { classes } from '../classes.ts';
import styles from './data-table.module.css';
import type { DataColumn, DataTableProps } from './data-table-props.ts';
import { HoldScroll } from './hold-scroll.ts';
import { useHeldFocus } from './use-held-focus.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

interface RowsProps<R> extends Pick<DataTableProps<R>, 'columns' | 'idOf' | 'below'> {
  box: HTMLElement;
  /** Only the rows in view and around it are there, and gaps stand for the others. */
  virtual: boolean;
  /** Sorted. */
  rows: readonly R[];
  keep: string | null;
  /** By which a row is selected. */
  boxOf: ((record: R) => ReactNode) | undefined;
}

/** The rows of a table. Each is a row group of its own, so that it is measured together with what is said below it. */
export function DataTableRows<R>({ box, virtual, columns, rows, idOf, below, keep, boxOf }: RowsProps<R>): ReactNode {
  const focus = useHeldFocus(box, rows, idOf);
  const { places, gapAfter, cards, measure, topOf } = useVirtualRows({ box, virtual, rows, idOf, keep, focused: focus.row });
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
  /** In the whole table, the headings' row being the first. */
  position: number | undefined;
  note: ReactNode;
  box: ReactNode;
}

function Row<R>({ columns, record, position, note, box }: RowProps<R>): ReactNode {
  // A row that is there already costs nothing while the page scrolls.
  const cells = useMemo(() => columns.map(({ cell }) => cell(record)), [columns, record]);
  return (
    <>
      <tr aria-rowindex={position} className={classes(note ? styles.noted : null)}>
        {columns.map(({ id, heading, part }, at) => (
          <td key={id} data-heading={part ? undefined : heading} className={classes(part && styles[part])}>
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

/** As high as the rows that are not there. */
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
 * Keeps the columns of a table as wide as they are now. A browser fits them to the rows that are there: where these
 * come and go, with the scroll, a search or a live change, the columns would dance.
 * @param columns which these are; null: they may be as wide as they like
 */
function useSteadyColumns(box: HTMLElement, columns: string | null): void {
  useLayoutEffect(() => {
    if (columns === null) return;
    const headings = [...box.querySelectorAll('th')];
    const cols = [...box.querySelectorAll('col')];
    const widths = headings.map((heading) => heading.getBoundingClientRect().width);
    const all = widths.reduce((sum, width) => sum + width, 0);
    if (all === 0) return;
    // Shares, so that they still fit when the window is made wider.
    for (const [at, col] of cols.entries()) col.style.width = `${(100 * (widths[at] ?? 0)) / all}%`;
    return () => {
      for (const col of cols) col.style.width = '';
    };
  }, [box, columns]);
}
