import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import tab from '../tab.module.css';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityTable } from './activity-table.tsx';
import { DownloadLog } from './download-log.tsx';
import { NewEntries } from './new-entries.tsx';
import { OlderPages } from './older-pages.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { useActivityLog } from './use-activity-log.ts';
import { useActivityView } from './use-activity-view.ts';

/** Who did what, live; and what was deleted can be put back from here. */
export function ActivityTab(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const view = useActivityView();
  const { entries, total, filtered, failure, askAgain, fresh, newest, takeFresh, older } = useActivityLog(view.filter);
  const [restored, setRestored] = useState<ActivityEntry | null>(null);
  const list = useRef<HTMLElement>(null);
  const clear = <Button onClick={view.clear}>{t('admin.activity.clearFilters')}</Button>;
  return (
    <div className={tab.tab}>
      <ActivityFilters view={view} entries={entries ?? []}>
        <DownloadLog filter={view.filter} filtered={entries ? filtered : 0} />
      </ActivityFilters>
      {failure ? (
        <Alert
          tone="bad"
          title={t('admin.activity.loadFailed')}
          action={
            <Button small onClick={askAgain}>
              {t('common.tryAgain')}
            </Button>
          }
        >
          {errorText(failure)}
        </Alert>
      ) : null}
      <section ref={list} tabIndex={-1} aria-label={t('admin.activity.list')} className={tab.list}>
        {entries ? (
          <p role="status" className={tab.count}>
            {t('admin.activity.shown', { filtered, entries: t('admin.activity.count', { count: total }) })}
          </p>
        ) : null}
        <NewEntries fresh={fresh} newest={newest} take={takeFresh} />
        {entries === null && !failure ? <LogSkeleton /> : null}
        {entries?.length === 0 && fresh.length === 0 ? (
          view.isFiltered ? (
            <EmptyState title={t('admin.activity.noMatch.title')} text={t('admin.activity.noMatch.text')} action={clear} />
          ) : (
            <EmptyState title={t('admin.activity.empty.title')} text={t('admin.activity.empty.text')} />
          )
        ) : null}
        {entries && entries.length > 0 ? (
          <>
            <Panel flush>
              <ActivityTable entries={entries} onRestore={setRestored} />
            </Panel>
            <OlderPages older={older} isFiltered={view.isFiltered} />
          </>
        ) : null}
      </section>
      <RestoreDialog entry={restored} onClose={() => setRestored(null)} />
    </div>
  );
}

function LogSkeleton(): ReactNode {
  return (
    <Loading>
      <div className={tab.placeholders}>
        {[40, 44, 44, 44, 44, 44].map((height, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
          <Skeleton key={at} height={height} />
        ))}
      </div>
    </Loading>
  );
}
