import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ACTIVITY_ACTIONS,
  CLAIM_HISTORY,
  isActivityAction,
} from '../../../../shared/activity-actions.ts';
import { isCredential } from '../../../../shared/rules/access-keys.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { getAdmins } from '../../../api/admin-calls.ts';
import { type ServerPages, useServerQuery } from '../../../api/query.ts';
import { localStore } from '../../../lib/storage.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { useSession } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { DownloadButton, readAllPages } from '../pages/pages.tsx';
import tab from '../tab.module.css';
import { LabelledFilters } from '../table/table-filters.tsx';
import { type TableFilter, type TableSearch, useTableView } from '../table/table-view.ts';
import styles from './activity.module.css';
import { type ActivityFilter, filterOf, readLog, useActivityLog } from './activity-log.ts';
import { ActivityTable, RestoreDialog } from './activity-table.tsx';
import { useActionName, useActorName, useFacts } from './facts.ts';

/** Remembers in this browser that the log also lists members, visitors and the server. */
const STORED = 'activityLog';
const ALL = 'all';

/** Names of spots end in numbers like -1; longer words with digits may be a key, which stays out of the address. */
const MAX_NUMBER = 3;
const BY_NAME: TableSearch<ActivityEntry> = {
  matches: () => true,
  mayKeep: (text) =>
    !isCredential(text) &&
    text.split(' ').every((word) => word.length <= MAX_NUMBER || !/\d/.test(word)),
};

export function ActivityTab(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const filtersFor = useFilters();
  const view = useTableView({ filters: filtersFor([]), search: BY_NAME });
  const [showsAll, setShowsAll] = useState(() => localStore.getItem(STORED) === ALL);
  const filter = filterOf(view, !showsAll);
  const showAll = (all: boolean): void => {
    setShowsAll(all);
    if (all) localStore.setItem(STORED, ALL);
    else localStore.removeItem(STORED);
  };
  const { entries, causedBy, total, filtered, fresh, newest, takeFresh, pages } =
    useActivityLog(filter);
  const failure = pages.status === 'failed' && !pages.hasNextFailed ? pages.error : null;
  const [restored, setRestored] = useState<ActivityEntry | null>(null);
  const list = useRef<HTMLElement>(null);
  const clear = <Button onClick={view.clear}>{t('admin.table.clearFilters')}</Button>;
  return (
    <div className={tab.tab}>
      <LabelledFilters
        view={view}
        filters={filtersFor(entries ?? [])}
        searchLabel={t('admin.claims.search')}
      >
        {filter.action || filter.name ? null : (
          <Checkbox
            label={t('admin.activity.showAll')}
            checked={showsAll}
            onChange={(event) => showAll(event.target.checked)}
          />
        )}
        <DownloadLog filter={filter} filtered={entries ? filtered : 0} />
      </LabelledFilters>
      {failure ? (
        <Alert
          tone="bad"
          title={t('admin.activity.loadFailed')}
          action={
            <Button small onClick={() => void pages.load()}>
              {t('common.tryAgain')}
            </Button>
          }
        >
          {errorText(failure)}
        </Alert>
      ) : null}
      <section ref={list} tabIndex={-1} aria-label={t('admin.activity.list')} className={tab.list}>
        {entries ? (
          <p role="status" className="muted small tabular">
            {t('admin.activity.shown', {
              filtered,
              entries: t('admin.activity.count', { count: total }),
            })}
          </p>
        ) : null}
        <NewEntries fresh={fresh} newest={newest} take={takeFresh} />
        {entries === null && !failure ? <LogSkeleton /> : null}
        {entries?.length === 0 && fresh.length === 0 ? (
          view.isFiltered ? (
            <EmptyState
              title={t('admin.activity.noMatch.title')}
              text={t('admin.activity.noMatch.text')}
              action={clear}
            />
          ) : filter.adminsOnly && total > 0 ? (
            <EmptyState
              title={t('admin.activity.noneByAdmins.title')}
              text={t('admin.activity.noneByAdmins.text')}
              action={
                <Button onClick={() => showAll(true)}>
                  {t('admin.activity.noneByAdmins.show')}
                </Button>
              }
            />
          ) : (
            <EmptyState
              title={t('admin.activity.empty.title')}
              text={t('admin.activity.empty.text')}
            />
          )
        ) : null}
        {entries && entries.length > 0 ? (
          <>
            <Panel flush>
              <ActivityTable entries={entries} causedBy={causedBy} onRestore={setRestored} />
            </Panel>
            <OlderPages pages={pages} isFiltered={view.isFiltered} />
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

/** The subjects of actions; each action belongs to the first that matches. */
const SUBJECTS = [
  { name: 'admin.tabs.claims', actions: /^(claim|no_show|standing|transfer)/ },
  { name: 'admin.activity.subjects.waitlist', actions: /^(waits?|hold)_/ },
  { name: 'admin.tabs.events', actions: /^event/ },
  { name: 'admin.tabs.keys', actions: /^(access_|members_imported)/ },
  {
    name: 'admin.tabs.verified',
    actions: /^(verification|user_|characters_|names_|facts_|character_renamed)/,
  },
  { name: 'admin.members.list', actions: /^member_type/ },
  { name: 'admin.tabs.respawns', actions: /^respawn/ },
  { name: 'admin.tabs.categories', actions: /^category/ },
  {
    name: 'admin.tabs.settings/notifications',
    actions: /^(destination|board_message|notifications|discord)/,
  },
  { name: 'admin.tabs.settings/admins', actions: /^admin_/ },
  { name: 'admin.activity.subjects.other', actions: /^(config|change_undone)/ },
] as const;

/** Only owners may read the list of admins: others choose among those with entries. */
const ADMINS_FRESH_MS = 5 * 60_000;

/** @param entries whose admins can be chosen */
function useFilters(): (entries: readonly ActivityEntry[]) => TableFilter<ActivityEntry>[] {
  const { t } = useTranslation();
  // From the newest entries, regardless of the filter, so that another admin can be chosen.
  const newest = useBoard((board) => board.byKind.activity);
  const self = useSession(({ admin }) => admin?.username);
  const isOwner = useMay('admins');
  const { data } = useServerQuery({
    queryKey: ['admins'],
    queryFn: ({ signal }) => getAdmins(signal),
    enabled: isOwner,
    staleTime: ADMINS_FRESH_MS,
  });
  const current = data?.admins.map(({ username }) => username) ?? [];
  const actions = SUBJECTS.flatMap(({ name, actions: ofSubject }) =>
    inNameOrder(
      ACTIVITY_ACTIONS.filter((action) => ofSubject.test(action)).map((value) => ({
        value,
        label: t(`admin.activity.actions.${value}`),
        group: t(name),
      })),
      ({ label }) => label,
    ),
  );
  return (entries) => [
    {
      id: 'action',
      kind: 'select',
      label: t('admin.activity.columns.action'),
      all: t('admin.activity.allActions'),
      options: [{ value: CLAIM_HISTORY, label: t('admin.activity.claimHistory') }, ...actions],
    },
    {
      id: 'admin',
      kind: 'select',
      label: t('admin.activity.admin'),
      all: t('admin.activity.allAdmins'),
      // Former admins, too, whose entries are further down.
      isOpen: true,
      options: inNameOrder(
        new Set(
          [...entries, ...newest.values()]
            .flatMap(({ admin_username }) => admin_username ?? [])
            .concat(self ?? [], current),
        ),
        (name) => name,
      ).map((name) => ({ value: name, label: name })),
    },
    { id: 'from', kind: 'date', label: t('admin.activity.from'), to: 'to' },
    { id: 'to', kind: 'date', label: t('admin.activity.to'), from: 'from' },
  ];
}

/** Further down than this, in pixels, new rows on top would push away the row being read. */
const AT_TOP_PX = 160;

const isAtTop = (): boolean => window.scrollY <= AT_TOP_PX;

interface NewEntriesProps {
  fresh: readonly ActivityEntry[];
  /** The id of the newest arrived entry, whether it matches the filter or not. */
  newest: number;
  take: () => void;
}

/** At the top of the log new entries are added as they arrive; further down a button adds them. */
function NewEntries({ fresh, newest, take }: NewEntriesProps): ReactNode {
  const { t } = useTranslation();
  const [atTop, setAtTop] = useState(isAtTop);
  useEffect(() => {
    const look = (): void => setAtTop(isAtTop());
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  const takeNow = useEffectEvent(take);
  useEffect(() => {
    if (atTop && newest > 0) takeNow();
  }, [atTop, newest]);
  if (atTop || fresh.length === 0) return null;
  return (
    <div className={styles.newEntries} role="status">
      <Button
        variant="primary"
        onClick={() => {
          take();
          window.scrollTo(0, 0);
        }}
      >
        {t('admin.activity.newEntries', { count: fresh.length })}
      </Button>
    </div>
  );
}

/** Load the next page when the end of the list is this close to the screen. */
const LOAD_AHEAD = '600px';

interface OlderPagesProps {
  pages: ServerPages<ActivityEntry>;
  isFiltered: boolean;
}

/** The end of the list: it loads the next page when it scrolls near, or at a press. */
function OlderPages({
  pages: { status, hasMore, hasNextFailed, load },
  isFiltered,
}: OlderPagesProps): ReactNode {
  const { t } = useTranslation();
  const end = useRef<HTMLDivElement>(null);
  const loadNext = useEffectEvent(() => void load());
  const isIdle = hasMore && status === 'ready';
  useEffect(() => {
    if (!isIdle || !end.current) return;
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && loadNext(), {
      rootMargin: LOAD_AHEAD,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isIdle]);
  if (hasNextFailed && status === 'failed') {
    return (
      <Alert
        tone="bad"
        title={t('admin.activity.loadFailed')}
        action={
          <Button small onClick={() => void load()}>
            {t('common.tryAgain')}
          </Button>
        }
      />
    );
  }
  if (!hasMore) {
    return (
      <p className={styles.end}>
        {t(isFiltered ? 'admin.activity.endFiltered' : 'admin.activity.end')}
      </p>
    );
  }
  const isLoading = status === 'loading';
  return (
    <div ref={end} className={styles.end}>
      <Button busy={isLoading} onClick={() => void load()}>
        {t(isLoading ? 'admin.activity.loadingMore' : 'admin.pages.more')}
      </Button>
    </div>
  );
}

/** Saves every matching entry, loaded or not. */
function DownloadLog({
  filter,
  filtered,
}: {
  filter: ActivityFilter;
  filtered: number;
}): ReactNode {
  const { t } = useTranslation();
  const rowOf = useRow();
  return (
    <DownloadButton
      name="activity"
      headings={(['timestamp', 'action', 'admin', 'details'] as const).map((column) =>
        t(`admin.activity.columns.${column}`),
      )}
      rows={async (signal, onProgress) => {
        const entries = await readAllPages(
          (page) => readLog(filter, page, signal),
          signal,
          onProgress,
        );
        return entries.filter(({ action }) => isActivityAction(action)).map(rowOf);
      }}
      start={{ done: 0, all: filtered }}
      progressText={(progress) => t('admin.activity.downloading', { ...progress })}
      failed={(reason) => t('admin.activity.downloadFailed', { reason })}
      disabled={filtered === 0}
    />
  );
}

function useRow(): (entry: ActivityEntry) => string[] {
  const actionName = useActionName();
  const { factsOf, textOf } = useFacts();
  const actorName = useActorName();
  return (entry) => [
    entry.timestamp,
    actionName(entry.action),
    actorName(entry),
    factsOf(entry)
      .map((fact) => textOf(fact))
      .join('; '),
  ];
}
