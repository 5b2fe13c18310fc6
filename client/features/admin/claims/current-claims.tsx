import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { changeInBulk } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { FailedLoad } from '../../../ui/alert.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Switch } from '../../../ui/fields/switch.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { useSelection } from '../../../ui/selection/selection.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { usePeriodText } from '../events/event-values.ts';
import tab from '../tab.module.css';
import { type BulkAction, BulkBar } from '../table/bulk-bar.tsx';
import { ClaimConfirmation, type ClaimRemoval } from './claim-confirmations.tsx';
import {
  ALL_DAYS,
  ClaimFilters,
  type ClaimsView,
  DayChips,
  DownloadClaims,
  NOW,
  useClaimsView,
  useShownDay,
} from './claim-filters.tsx';
import {
  type ClaimFilter,
  claimGroups,
  claimsById,
  countClaims,
  countToClear,
  idsInOrder,
  listRows,
  memberTypesOf,
} from './claim-groups.ts';
import styles from './claims.module.css';
import { ClaimsList } from './claims-list.tsx';
import { EditClaimDialog } from './edit-claim-dialog.tsx';
import { type ShownClaims, useOutsideClaims, useShownClaims } from './shown-claims.ts';

const NO_FILTER: ClaimFilter = { search: '', memberType: '', day: null };

/** The claims of the active event, or all claims, live: search, edit, delete. */
export function CurrentClaims(): ReactNode {
  const { t } = useTranslation();
  const view = useClaimsView();
  const search = useDeferredValue(view.search);
  const respawns = useBoard((board) => board.byKind.respawn);
  const event = useActiveEvent();
  const day = useShownDay(view);
  const { today, filter: onDay } = day;
  const pages = useShownClaims();
  const { sources: ofEvent, status } = pages;
  // A search that finds nothing in the event looks outside of it, too.
  const isFound = useMemo(
    () =>
      search === '' || claimGroups(ofEvent, respawns, { ...NO_FILTER, search }, today).length > 0,
    [ofEvent, respawns, search, today],
  );
  const isAll = event === null || pages.others !== null;
  const showsOutside = !isAll && (view.outside || !isFound);
  const outside = useOutsideClaims(showsOutside);
  const outsideClaims = pages.others ?? outside.claims;
  const sources = useMemo(
    () => (outsideClaims ? [...ofEvent, outsideClaims] : ofEvent),
    [ofEvent, outsideClaims],
  );
  const [edited, setEdited] = useState<ClaimOnRespawn | null>(null);
  const [removal, setRemoval] = useState<ClaimRemoval | null>(null);
  const list = useRef<HTMLElement>(null);
  const mayChange = useMay('claims');
  const bulkActions = useBulkActions();
  const { memberType } = view;
  const filter = useMemo(() => ({ search, memberType, day: onDay }), [search, memberType, onDay]);
  const all = useMemo(
    () => claimGroups(sources, respawns, NO_FILTER, today),
    [sources, respawns, today],
  );
  const groups = useMemo(
    () => (isAny(filter) ? all : claimGroups(sources, respawns, filter, today)),
    [all, sources, respawns, filter, today],
  );
  const used = useMemo(() => memberTypesOf(all), [all]);
  const total = useMemo(() => countClaims(all), [all]);
  const count = useMemo(() => (groups === all ? total : countClaims(groups)), [groups, all, total]);
  const known = useMemo(() => claimsById(all), [all]);
  const order = useMemo(() => idsInOrder(listRows(groups)), [groups]);
  const selection = useSelection((id) => known.has(id));
  const isLoading = status === 'loading';
  // From today on the board has every claim.
  const isWaiting = isLoading && !(onDay && onDay.date >= today);
  const isEmpty = total === 0 && !isLoading;
  return (
    <div className={tab.tab}>
      <EventBanner />
      <ClaimFilters view={view} used={used}>
        <DownloadClaims pages={pages} filter={filter} groups={groups} />
      </ClaimFilters>
      <DayChips day={day} value={view.day} onChange={view.setDay} />
      {isAll ? null : (
        <Switch
          label={t('admin.claims.outside.count', { count: outside.upcoming ?? 0 })}
          state={showsOutside ? t('admin.settings.on') : t('admin.settings.off')}
          on={showsOutside}
          onChange={view.setOutside}
        />
      )}
      {outside.error ? (
        <ClaimsFailed
          failures={[{ sentence: 'loadFailed', error: outside.error }]}
          retry={outside.retry}
        />
      ) : null}
      <ClaimsFailed failures={pages.failures} retry={pages.retry} />
      <section ref={list} tabIndex={-1} aria-label={t('admin.tabs.claims')} className={tab.list}>
        {isEmpty && status === 'ready' ? (
          <EmptyState title={t('admin.claims.empty.title')} text={t('admin.claims.empty.text')} />
        ) : null}
        {!isWaiting && !isEmpty && count === 0 ? (
          <NoMatch view={view} isNow={view.day === NOW} isDay={onDay !== null} />
        ) : null}
        {count > 0 ? (
          <>
            {isWaiting ? null : (
              <p role="status" className="muted small tabular">
                {count === total || (search === '' && memberType === '')
                  ? t('admin.claims.count', { count })
                  : t('admin.claims.shown', {
                      shown: count,
                      claims: t('admin.claims.count', { count: total }),
                    })}
              </p>
            )}
            <ClaimsList
              groups={groups}
              order={order}
              selection={mayChange ? selection : null}
              today={today}
              complete={status === 'ready'}
              clearCountOf={(id) =>
                countToClear(ofEvent, id, event ? null : (respawns.get(id)?.total_claims ?? 0))
              }
              onEdit={setEdited}
              onDelete={(claim) => setRemoval({ what: 'delete', claim })}
              onClear={({ respawn_id, name }) => setRemoval({ what: 'clear', respawn_id, name })}
            />
          </>
        ) : null}
        {isWaiting ? (
          <ClaimsSkeleton />
        ) : onDay && onDay.date >= today ? null : (
          <EarlierPages pages={pages} />
        )}
        {mayChange ? (
          <BulkBar
            selection={selection}
            order={order}
            records={[...selection.ids].flatMap((id) => known.get(id) ?? [])}
            nameOf={({ character_name }) => character_name}
            actions={bulkActions}
            list={list}
          />
        ) : null}
      </section>
      {edited ? (
        <EditClaimDialog
          claim={edited}
          sources={sources}
          complete={status === 'ready'}
          onClose={() => setEdited(null)}
        />
      ) : null}
      {removal ? (
        <ClaimConfirmation
          removal={removal}
          sources={removal.what === 'clear' ? ofEvent : sources}
          onClose={() => setRemoval(null)}
          focusAfter={list}
        />
      ) : null}
    </div>
  );
}

const isAny = ({ search, memberType, day }: ClaimFilter): boolean =>
  search === '' && memberType === '' && day === null;

interface NoMatchProps {
  view: ClaimsView;
  isNow: boolean;
  isDay: boolean;
}

/** The filters exclude every claim: offers to clear them. */
function NoMatch({ view, isNow, isDay }: NoMatchProps): ReactNode {
  const { t } = useTranslation();
  const everyDay = isDay ? (
    <Button onClick={() => view.setDay(ALL_DAYS)}>{t('admin.claims.day.all')}</Button>
  ) : null;
  if (view.search === '' && view.memberType === '') {
    return (
      <EmptyState
        title={t(isNow ? 'admin.claims.day.noneNow' : 'admin.claims.day.none')}
        action={everyDay}
      />
    );
  }
  return (
    <EmptyState
      title={t('admin.claims.noMatch.title')}
      text={t('admin.claims.noMatch.text')}
      action={
        <>
          <Button onClick={view.clear}>{t('admin.table.clearFilters')}</Button>
          {everyDay}
        </>
      }
    />
  );
}

/** Whether these are the active event's claims or all. */
function EventBanner(): ReactNode {
  const { t } = useTranslation();
  const periodText = usePeriodText();
  const event = useActiveEvent();
  const count = useBoard((board) =>
    event ? (board.byKind.event.get(event.id)?.claim_count ?? 0) : 0,
  );
  if (!event)
    return (
      <Cluster as="p" rowGap={1} gap={3} className={styles.banner}>
        {t('admin.claims.noEvent')}
      </Cluster>
    );
  return (
    <Cluster rowGap={1} gap={3} className={styles.banner}>
      <h2 className={styles.bannerName}>{event.name}</h2>
      <Badge tone="solid">{t('admin.events.active')}</Badge>
      <span>{periodText(event)}</span>
      <span>{t('admin.events.claims', { count })}</span>
    </Cluster>
  );
}

function ClaimsFailed({ failures, retry }: Pick<ShownClaims, 'failures' | 'retry'>): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  if (failures.length === 0) return null;
  const sentences = new Set(failures.map(({ sentence }) => sentence));
  const reasons = new Set(failures.map(({ error }) => errorText(error)));
  const consequence = sentences.has('loadFailed')
    ? t('admin.claims.incomplete')
    : t('admin.claims.allInstead');
  return (
    <FailedLoad
      sentence={[...sentences].map((sentence) => (
        <span key={sentence} className="block">
          {t(`admin.claims.${sentence}`)}
        </span>
      ))}
      reason={[...reasons, consequence].join(' ')}
      onTryAgain={retry}
    />
  );
}

function ClaimsSkeleton(): ReactNode {
  return (
    <Loading>
      <div className={tab.placeholders}>
        {[52, 44, 44, 52, 44, 44].map((height, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed row of placeholders
          <Skeleton key={at} height={height} />
        ))}
      </div>
    </Loading>
  );
}

function EarlierPages({ pages: { earlier, readMore } }: { pages: ShownClaims }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const load = useAction({
    work: async () => {
      const abort = new AbortController();
      running.current = abort;
      try {
        await readMore(abort.signal);
      } catch (error) {
        if (!abort.signal.aborted)
          showToast({ tone: 'bad', text: t('admin.claims.loadFailed'), detail: errorText(error) });
      }
    },
  });
  if (earlier.isAll) return null;
  return (
    <Cluster gap={3} className={styles.earlier}>
      <p>{t('admin.claims.earlier', { loaded: earlier.count, total: earlier.total })}</p>
      <Button busy={load.isBusy} onClick={() => load.run()}>
        {t('admin.claims.loadEarlier')}
      </Button>
    </Cluster>
  );
}

function useBulkActions(): BulkAction<ClaimOnRespawn>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'delete',
      label: t('common.delete'),
      appliesTo: () => true,
      question: (count) => t('admin.bulk.claims.delete.question', { count }),
      text: () => <p>{t('admin.bulk.claims.delete.text')}</p>,
      deletesClaims: (claims) => claims.length,
      run: (ids) => changeInBulk('claims', ids, { do: 'delete' }),
      done: (count) => t('admin.bulk.claims.delete.done', { count }),
    },
  ];
}
