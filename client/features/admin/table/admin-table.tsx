import { type ReactNode, type RefObject, useDeferredValue, useRef } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { type CsvCell, toCsv } from '../../../../shared/csv.ts';
import { saveFile } from '../../../lib/save-file.ts';
import type { Sort } from '../../../lib/use-query-state.ts';
import { sortRecords } from '../../../lib/words/order.ts';
import { wordsOf } from '../../../lib/words/search.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { DownloadIcon } from '../../../ui/icons.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useSelection } from '../../../ui/selection/selection.tsx';
import { type DataColumn, DataTable } from '../../../ui/table/data-table.tsx';
import { type RowEdit, useEditFocus } from '../forms/row-edit.tsx';
import tab from '../tab.module.css';
import { type BulkAction, BulkBar } from './bulk-bar.tsx';
import { type TableFilter, type TableSearch, type TableView, useTableView } from './table-view.ts';

/** A column without a `cell` is not drawn: it sorts, or is in the file only. */
export interface Column<R> extends DataColumn<R> {
  /** Its value in a CSV file; a column without it is not in the file. */
  csv?: ((record: R) => CsvCell) | undefined;
}

/** The headings of a CSV file and a record's row, in the order of the columns. */
export function csvOf<R>(columns: readonly Column<R>[]): {
  headings: string[];
  rowOf: (record: R) => CsvCell[];
} {
  const inFile = columns.filter(({ csv }) => csv);
  return {
    headings: inFile.map(({ heading }) => heading),
    rowOf: (record) => inFile.map(({ csv }) => csv?.(record) ?? null),
  };
}

export interface TableOptions<R> {
  columns: readonly Column<R>[];
  records: readonly R[];
  filters?: readonly TableFilter<R>[];
  search?: TableSearch<R>;
  /** Without it no column sorts. */
  usualSort?: Sort;
  /** The order of records that the sorted column does not tell apart. */
  inOrder?: (records: R[]) => R[];
  /** The record being edited: it stays in the table if the filters exclude it, and even if it is deleted. */
  edited?: R | null;
}

/** A table's records and view, to draw with `TableFilters` and `AdminTable`. */
export interface TableState<R> {
  columns: readonly Column<R>[];
  filters: readonly TableFilter<R>[];
  view: TableView;
  records: readonly R[];
  /** The records that pass the search and the filters. */
  rows: readonly R[];
}

/** A table whose records are all on this page: it filters them here. */
export function useAdminTable<R extends { id: number }>(options: TableOptions<R>): TableState<R> {
  const { columns, records, filters = [], search, usualSort, inOrder, edited } = options;
  const sortable = usualSort ? columns.filter(({ sortBy }) => sortBy).map(({ id }) => id) : [];
  const view = useTableView({
    filters,
    search,
    records,
    sortable,
    ...(usualSort && { usualSort }),
  });
  const words = wordsOf(useDeferredValue(view.search));
  const active = filters
    .map(({ id, matches }) => ({ matches, value: view.valueOf(id) }))
    .filter(({ value }) => value !== '');
  const passes = (record: R): boolean =>
    record.id === edited?.id ||
    (active.every(({ matches, value }) => matches?.(record, value) ?? true) &&
      (search?.matches(record, words) ?? true));
  const known =
    edited && !records.some(({ id }) => id === edited.id) ? [...records, edited] : records;
  const passing = known.filter(passes);
  return { columns, filters, view, records, rows: inOrder ? inOrder(passing) : passing };
}

/** A table that the server filters and pages; `records` are the loaded ones. */
export const serverTable = <R,>(table: Omit<TableState<R>, 'rows'>): TableState<R> => ({
  ...table,
  rows: table.records,
});

export interface TableWords {
  /** The table's name for screen readers. */
  list: string;
  count: (count: number) => string;
  empty: { title: string; text?: string | null };
  /** The filters exclude every record; `action` is the button that clears them. */
  noMatch: { title: string; text?: string; action: string };
}

/** The words of a table whose sentences are at the usual keys. */
export function useTableWords(table: 'characters' | 'respawns'): TableWords {
  const { t } = useTranslation();
  return {
    list: t(`admin.${table}.list`),
    count: (count) => t(`admin.${table}.count`, { count }),
    empty: { title: t(`admin.${table}.empty.title`), text: t(`admin.${table}.empty.text`) },
    noMatch: {
      title: t(`admin.${table}.noMatch.title`),
      text: t(`admin.${table}.noMatch.text`),
      action: t(`admin.${table}.noMatch.action`),
    },
  };
}

interface AdminTableProps<R> {
  table: TableState<R>;
  /** The section around the table, which takes the focus after a row is deleted. */
  list?: RefObject<HTMLElement | null>;
  words: TableWords;
  /** Replaces the usual count: "3 keys", or "1 of 3 keys" if filtered. */
  countText?: string;
  /** Before the count, such as the filters. Also shown if the filters exclude every record. */
  tools?: ReactNode;
  /** The name of the CSV file with the rows as they are filtered and sorted. Without it there is no download. */
  fileName?: (date: string) => string;
  /** The name of a row for its checkbox and in a bulk action's question. */
  nameOf?: (record: R) => string;
  /** Actions for selected rows. null: this admin may not change them, and no row can be selected. */
  bulkActions?: readonly BulkAction<R>[] | null;
  /** The row being edited in place, and the notes below it. */
  edit?: Pick<RowEdit<R, FieldValues>, 'opened' | 'busy' | 'problem' | 'onKeyDown'>;
  editNotes?: ReactNode;
  /** The records are not loaded yet: says neither that there are none nor that none matches. */
  loading?: boolean;
  /** After the table, such as the way to further pages. */
  children?: ReactNode;
}

/** Draws a table with its count, its empty states, the selection with its actions, and the CSV download. */
export function AdminTable<R extends { id: number }>(props: AdminTableProps<R>): ReactNode {
  const {
    table,
    words,
    tools,
    edit,
    nameOf = () => '',
    bulkActions = null,
    loading = false,
    children,
  } = props;
  const { columns, filters, view, records, rows } = table;
  const { t } = useTranslation();
  const ownList = useRef<HTMLElement>(null);
  const list = props.list ?? ownList;
  const byId = new Map(records.map((record) => [String(record.id), record]));
  const selection = useSelection((id) => byId.has(id));
  const isFilteredByServer = view.isFiltered && filters.some(({ matches }) => !matches);
  const hasRecords = records.length > 0 || rows.length > 0;
  const isEmpty = !loading && rows.length === 0;
  const box = useRef<HTMLDivElement>(null);
  const editing = edit?.opened ? idOf(edit.opened) : null;
  useEditFocus(box, editing, edit);
  const sorts = columns.some(({ sortBy }) => sortBy);
  return (
    <section ref={list} tabIndex={-1} aria-label={words.list} className={tab.list}>
      {rows.length > 0 || (tools && hasRecords) ? (
        <Cluster rowGap={2} gap={3} justify="space-between">
          {tools}
          <p role="status" className="muted small tabular">
            {props.countText ?? countText()}
          </p>
          {props.fileName ? <SaveTableButton table={table} fileName={props.fileName} /> : null}
        </Cluster>
      ) : null}
      {isEmpty && (hasRecords || isFilteredByServer) ? (
        <EmptyState
          title={words.noMatch.title}
          text={words.noMatch.text}
          action={<Button onClick={view.clear}>{words.noMatch.action}</Button>}
        />
      ) : null}
      {isEmpty && !hasRecords && !isFilteredByServer ? (
        <EmptyState title={words.empty.title} text={words.empty.text} />
      ) : null}
      {rows.length > 0 ? (
        <Panel flush>
          <div
            ref={box}
            onKeyDownCapture={(event) =>
              isInRow(event.target, editing) ? edit?.onKeyDown(event) : undefined
            }
          >
            <DataTable
              caption={words.list}
              columns={columns}
              records={rows}
              idOf={idOf}
              sort={sorts ? view.sort : null}
              onSort={view.setSort}
              keep={editing}
              below={(record) => (idOf(record) === editing ? props.editNotes : null)}
              sortLabel={sorts ? t('admin.table.sort') : undefined}
              select={bulkActions ? { selection, nameOf } : undefined}
            />
          </div>
        </Panel>
      ) : null}
      {children}
      {bulkActions ? (
        <BulkBar
          selection={selection}
          order={rows.map(idOf)}
          records={records.filter((record) => selection.ids.has(idOf(record)))}
          nameOf={nameOf}
          actions={bulkActions}
          list={list}
        />
      ) : null}
    </section>
  );

  function countText(): string {
    const all = words.count(records.length);
    // A deleted row that is being edited is listed, too.
    return rows.length >= records.length
      ? all
      : t('admin.table.shown', { shown: rows.length, all });
  }
}

const idOf = ({ id }: { id: number }): string => String(id);

const isInRow = (target: EventTarget, id: string | null): boolean =>
  id !== null &&
  target instanceof Element &&
  target.closest<HTMLElement>('[data-row]')?.dataset.row === id;

/** Saves the rows as they are filtered and sorted. */
function SaveTableButton<R>({
  table,
  fileName,
}: {
  table: TableState<R>;
  fileName: (date: string) => string;
}): ReactNode {
  const { t } = useTranslation();
  const { columns, rows, view } = table;
  const { date: today } = useServerSaveTime();
  const save = (): void => {
    const { headings, rowOf } = csvOf(columns);
    const sortBy = columns.find(({ id }) => id === view.sort.id)?.sortBy;
    const sorted = sortBy ? sortRecords(rows, sortBy, view.sort.desc) : rows;
    saveFile(fileName(today), toCsv(headings, sorted.map(rowOf)), 'text/csv');
  };
  return (
    <Button small variant="quiet" onClick={save}>
      <DownloadIcon />
      {t('admin.table.export')}
    </Button>
  );
}
