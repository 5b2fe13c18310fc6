import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ENDING_REASONS } from '../../../../../shared/schemas/ending.ts';
import { getEndings } from '../../../../api/calls.ts';
import { useServerPages } from '../../../../api/query.ts';
import { Button } from '../../../../ui/button.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { DateInput } from '../../../../ui/fields/date-input.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Select } from '../../../../ui/fields/select.tsx';
import { Panel } from '../../../../ui/panel.tsx';
import { PageEnd } from '../../pages/pages.tsx';
import tab from '../../tab.module.css';
import { DownloadEndings } from './download-endings.tsx';
import styles from './endings.module.css';
import { EndingsTable } from './endings-table.tsx';
import { type EndingsChoice, queryOf, reasonIn, useEndingsChoice } from './use-endings-query.ts';

/** A select's empty value stands for nothing chosen yet; "all" is a choice. */
const ALL = '*';

/** Why claims ended, the latest first, as far as somebody wants to read. */
export function EndingsView(): ReactNode {
  const { t } = useTranslation();
  const choice = useEndingsChoice();
  const { filter } = choice;
  return (
    <>
      <Panel>
        <div className={styles.filters}>
          <Field label={t('admin.endings.reason')}>
            <Select
              value={filter.reason || ALL}
              options={[
                { value: ALL, label: t('admin.endings.allReasons') },
                ...ENDING_REASONS.map((value) => ({ value, label: t(`endings.reason.${value}`) })),
              ]}
              onChange={(value) => choice.change({ reason: reasonIn(value) })}
            />
          </Field>
          <Field label={t('admin.endings.from')}>
            <DateInput
              value={choice.typed.from}
              max={choice.typed.to || undefined}
              onChange={(event) => choice.change({ from: event.target.value })}
            />
          </Field>
          <Field label={t('admin.endings.to')}>
            <DateInput
              value={choice.typed.to}
              min={choice.typed.from || undefined}
              onChange={(event) => choice.change({ to: event.target.value })}
            />
          </Field>
          <Button disabled={!choice.isFiltered} onClick={choice.clear}>
            {t('admin.claims.clearFilters')}
          </Button>
          <span className={styles.filtersEnd}>
            <DownloadEndings filter={filter} />
          </span>
        </div>
      </Panel>
      {/* Another question is another list. */}
      <EndingsList key={JSON.stringify(filter)} choice={choice} />
    </>
  );
}

function EndingsList({ choice: { filter, isFiltered, clear } }: { choice: EndingsChoice }): ReactNode {
  const { t } = useTranslation();
  const pages = useServerPages({
    queryKey: ['claim history', filter],
    read: (page, signal) => getEndings({ ...queryOf(filter), ...page }, signal),
  });
  const isEmpty = pages.status === 'ready' && pages.count === 0;
  return (
    <section aria-label={t('admin.endings.list')} className={tab.list}>
      {isEmpty && isFiltered ? (
        <EmptyState title={t('admin.endings.noMatch')} action={<Button onClick={clear}>{t('admin.claims.clearFilters')}</Button>} />
      ) : null}
      {isEmpty && !isFiltered ? <EmptyState title={t('admin.endings.empty')} text={t('admin.endings.emptyText')} /> : null}
      {pages.count > 0 ? (
        <>
          <p role="status" className={tab.count}>
            {t('admin.endings.count', { count: Math.max(pages.total, pages.count) })}
          </p>
          <Panel flush>
            <EndingsTable endings={pages.records} />
          </Panel>
        </>
      ) : null}
      <PageEnd pages={pages} failed={t('admin.endings.failed')} />
    </section>
  );
}
