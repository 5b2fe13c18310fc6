import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { type CsvCell, toCsv } from '../../../shared/csv.ts';
import { saveFile } from '../../lib/save-file.ts';
import { Boundary } from '../../ui/boundary.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Sorting, sorted } from './sorting.ts';
import styles from './statistics.module.css';

interface CountedColumn<R> {
  /** As the address names it. */
  id: string;
  heading: string;
  /** As the CSV has it. */
  value: (row: R) => CsvCell;
  /** As it is shown, where that is more than the value. */
  cell?: (row: R) => ReactNode;
}

export interface CountedProps<R> {
  title: string;
  /** Of the file, before its dates: "hours-by-member-2026-11-01-2026-11-21.csv". */
  name: string;
  from: string;
  to: string;
  /** The one with most first, unless a column is chosen to sort by. */
  rows: readonly R[];
  keyOf: (row: R) => string | number;
  /** The first names a row. */
  columns: readonly CountedColumn<R>[];
  /** What is said where there are no rows. */
  none: string;
  sorting: Sorting;
  /** The plot; what it shows stands in the table, too. */
  children: ReactNode;
}

/** A plot with its numbers beside it, which can be saved. */
export function Counted<R>({
  title,
  name,
  from,
  to,
  rows: asCounted,
  keyOf,
  columns,
  none,
  sorting,
  children,
}: CountedProps<R>): ReactNode {
  const { t } = useTranslation();
  const sort = sorting.of(name);
  const rows = sorted(asCounted, columns, sort);
  const [first] = rows;
  const save = (): void => {
    const cells = rows.map((row) => columns.map(({ value }) => value(row)));
    saveFile(
      `${name}-${from}-${to}.csv`,
      toCsv(
        columns.map(({ heading }) => heading),
        cells,
      ),
      'text/csv',
    );
  };
  return (
    <Panel title={title} className={styles.counted}>
      {rows.length === 0 ? (
        <EmptyState title={none} />
      ) : (
        <>
          <div className={styles.plot}>
            {/* Without its plot the table says it all. */}
            <Boundary instead={() => null}>
              <Suspense fallback={<Skeleton height={240} />}>{children}</Suspense>
            </Boundary>
          </div>
          <div className={styles.numbers}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys, too */}
            <section className={styles.scroll} tabIndex={0} aria-label={t('statistics.table', { title })}>
              <table className={styles.table}>
                <caption className="visually-hidden">{title}</caption>
                <thead>
                  <tr>
                    {columns.map(({ id, heading, value }) => {
                      const isNumber = first !== undefined && typeof value(first) === 'number';
                      const isSorted = sort?.id === id;
                      const desc = isSorted ? !sort.desc : isNumber;
                      return (
                        <th
                          key={id}
                          scope="col"
                          aria-sort={isSorted ? (sort.desc ? 'descending' : 'ascending') : 'none'}
                          className={isNumber ? styles.number : undefined}
                        >
                          <button
                            type="button"
                            className={classes(styles.sort, isSorted && styles.sorted)}
                            onClick={() => sorting.choose(name, { id, desc })}
                          >
                            {heading}
                            {/* Drawn, not written: aria-sort says it. Of any other column what a press would do. */}
                            <span className={styles.arrow} data-arrow={(isSorted ? sort.desc : desc) ? '↓' : '↑'} />
                          </button>
                        </th>
                      );
                    })}
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <Row key={keyOf(row)} row={row} columns={columns} />
                  ))}
                </tbody>
              </table>
            </section>
            <Button small onClick={save} aria-label={t('statistics.downloadName', { title })}>
              {t('statistics.download')}
            </Button>
          </div>
        </>
      )}
    </Panel>
  );
}

function Row<R>({ row, columns }: { row: R; columns: readonly CountedColumn<R>[] }): ReactNode {
  return (
    <tr>
      {columns.map(({ id, value, cell }, at) => {
        const shown = cell ? cell(row) : value(row);
        return at === 0 ? (
          <th key={id} scope="row">
            {shown}
          </th>
        ) : (
          <td key={id} className={typeof value(row) === 'number' ? styles.number : undefined}>
            {shown}
          </td>
        );
      })}
    </tr>
  );
}
