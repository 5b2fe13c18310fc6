import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { omit } from '../../../../shared/omit.ts';
import type { PageQuery } from '../../../../shared/schemas/fields.ts';
import { type ServerPage, useServerPages } from '../../../api/query.ts';
import { DownloadButton, PageEnd, readAllPages } from '../pages/pages.tsx';
import { AdminTable, type Column, csvOf, serverTable } from './admin-table.tsx';
import { LabelledFilters } from './table-filters.tsx';
import type { TableFilter, TableView } from './table-view.ts';

interface PagedAdminTableProps<R extends { id: number }, Q extends object> {
  /** Its sentences are at these keys of the namespace `admin`. */
  sentences: 'waitlist.past';
  view: TableView;
  filters: readonly TableFilter<R>[];
  query: Q;
  read: (query: Q & PageQuery, signal: AbortSignal) => Promise<ServerPage<R>>;
  columns: readonly Column<R>[];
  /** The CSV file has every matching record, loaded or not. */
  file: { name: string; columns: readonly Column<R>[] };
}

/** A list that the server filters and pages, newest first, as a table with its filters and its CSV download. */
export function PagedAdminTable<R extends { id: number }, Q extends object>(
  props: PagedAdminTableProps<R, Q>,
): ReactNode {
  const { sentences, view, filters, query, read, columns, file } = props;
  const { t } = useTranslation();
  const pages = useServerPages({
    queryKey: ['admin', sentences, query],
    read: (page, signal) => read({ ...query, ...page }, signal),
  });
  const { headings, rowOf } = csvOf(file.columns);
  return (
    <>
      <LabelledFilters view={view} filters={filters}>
        <DownloadButton
          name={file.name}
          headings={headings}
          rows={async (signal, onProgress) =>
            (
              await readAllPages((page) => read({ ...query, ...page }, signal), signal, onProgress)
            ).map(rowOf)
          }
          failed={(reason) => t(`admin.${sentences}.downloadFailed`, { reason })}
        />
      </LabelledFilters>
      <AdminTable
        table={serverTable({
          columns: columns.map((column) => omit(column, 'sortBy')),
          filters,
          view,
          records: pages.records,
        })}
        words={{
          list: t(`admin.${sentences}.list`),
          count: (count) => t(`admin.${sentences}.count`, { count }),
          empty: { title: t(`admin.${sentences}.empty`), text: t(`admin.${sentences}.emptyText`) },
          noMatch: {
            title: t(`admin.${sentences}.noMatch`),
            action: t('admin.table.clearFilters'),
          },
        }}
        countText={t(`admin.${sentences}.count`, { count: Math.max(pages.total, pages.count) })}
        loading={pages.status !== 'ready'}
      >
        <PageEnd pages={pages} failed={t(`admin.${sentences}.failed`)} />
      </AdminTable>
    </>
  );
}
