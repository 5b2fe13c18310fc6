import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { type CsvCell, toCsv } from '../../lib/csv.ts';
import { saveFile } from '../../lib/save-file.ts';
import { Boundary } from '../../ui/boundary.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './statistics.module.css';

export interface CountedColumn<R> {
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
  /** The one with most first. */
  rows: readonly R[];
  keyOf: (row: R) => string | number;
  /** The first names a row. */
  columns: readonly CountedColumn<R>[];
  /** What is said where there are no rows. */
  none: string;
  /** The plot; what it shows stands in the table, too. */
  children: ReactNode;
}

/** A plot with its numbers beside it, which can be saved. */
export function Counted<R>({ title, name, from, to, rows, keyOf, columns, none, children }: CountedProps<R>): ReactNode {
  const { t } = useTranslation();
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
                    {columns.map(({ heading, value }) => (
                      <th key={heading} scope="col" className={first && typeof value(first) === 'number' ? styles.number : undefined}>
                        {heading}
                      </th>
                    ))}
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
      {columns.map(({ heading, value, cell }, at) => {
        const shown = cell ? cell(row) : value(row);
        return at === 0 ? (
          <th key={heading} scope="row">
            {shown}
          </th>
        ) : (
          <td key={heading} className={typeof value(row) === 'number' ? styles.number : undefined}>
            {shown}
          </td>
        );
      })}
    </tr>
  );
}
