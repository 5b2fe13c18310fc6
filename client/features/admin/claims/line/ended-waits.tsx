import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getAdminWaits } from '../../../../api/calls.ts';
import { useServerPages } from '../../../../api/query.ts';
import { Button } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { DateInput } from '../../../../ui/fields/date-input.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Panel } from '../../../../ui/panel.tsx';
import { PageEnd } from '../../pages/pages.tsx';
import tab from '../../tab.module.css';
import styles from '../endings/endings.module.css';
import { queryOf, useEndingsChoice } from '../endings/use-endings-query.ts';
import { DownloadWaits } from './download-waits.tsx';
import { EndedTable } from './ended-table.tsx';

/** What became of waits, the one that was made last first, as far as somebody wants to read. */
export function EndedWaits(): ReactNode {
  const { t } = useTranslation();
  const { filter, typed, change } = useEndingsChoice();
  const { from, to } = filter;
  return (
    <>
      <Panel>
        <div className={styles.filters}>
          <Field label={t('admin.endings.from')}>
            <DateInput value={typed.from} max={typed.to || undefined} onChange={(event) => change({ from: event.target.value })} />
          </Field>
          <Field label={t('admin.endings.to')}>
            <DateInput value={typed.to} min={typed.from || undefined} onChange={(event) => change({ to: event.target.value })} />
          </Field>
          <Button disabled={typed.from === '' && typed.to === ''} onClick={() => change({ from: '', to: '' })}>
            {t('admin.claims.clearFilters')}
          </Button>
          <span className={styles.filtersEnd}>
            <DownloadWaits from={from} to={to} />
          </span>
        </div>
      </Panel>
      {/* Another question is another list. */}
      <EndedList key={`${from} ${to}`} from={from} to={to} onClear={() => change({ from: '', to: '' })} />
    </>
  );
}

function EndedList({ from, to, onClear }: { from: string; to: string; onClear: () => void }): ReactNode {
  const { t } = useTranslation();
  const pages = useServerPages({
    queryKey: ['ended waits', from, to],
    read: (page, signal) => getAdminWaits({ state: 'ended', ...queryOf({ reason: '', from, to }), ...page }, signal),
  });
  const isEmpty = pages.status === 'ready' && pages.count === 0;
  const isFiltered = from !== '' || to !== '';
  return (
    <section aria-label={t('admin.line.past.list')} className={tab.list}>
      {isEmpty && isFiltered ? (
        <EmptyState title={t('admin.line.past.noMatch')} action={<Button onClick={onClear}>{t('admin.claims.clearFilters')}</Button>} />
      ) : null}
      {isEmpty && !isFiltered ? <EmptyState title={t('admin.line.past.empty')} text={t('admin.line.past.emptyText')} /> : null}
      {pages.count > 0 ? (
        <>
          <p role="status" className={tab.count}>
            {t('admin.line.past.count', { count: Math.max(pages.total, pages.count) })}
          </p>
          <Panel flush>
            <EndedTable waits={pages.records} />
          </Panel>
        </>
      ) : null}
      <PageEnd pages={pages} failed={t('admin.line.past.failed')} />
    </section>
  );
}
