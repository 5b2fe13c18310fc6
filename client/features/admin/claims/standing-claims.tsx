import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { dayText, formatLocale } from '../../../lib/time-text.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useSelection } from '../../../ui/selection/selection.tsx';
import tab from '../tab.module.css';
import { BulkBar } from '../table/bulk-bar.tsx';
import { ClaimConfirmation, type ClaimRemoval } from './claim-confirmations.tsx';
import { ClaimFilters, type ClaimsView, useClaimsView } from './claim-filters.tsx';
import styles from './claims.module.css';
import { ClaimsFailed, ClaimsSkeleton } from './claims-states.tsx';
import { DayChips } from './day-chips.tsx';
import { DownloadClaims } from './download-claims.tsx';
import { EarlierPages } from './earlier-pages.tsx';
import { ClaimsList } from './list/claims-list.tsx';
import { type ClaimFilter, claimGroups, claimsById, countClaims, memberTypesOf } from './shown/claim-groups.ts';
import { useShownClaims } from './shown/use-shown-claims.ts';
import { TimesDialog } from './times/times-dialog.tsx';
import { useClaimDeeds } from './use-claim-deeds.tsx';
import { ALL_DAYS, NOW, useShownDay } from './use-shown-day.ts';

const NO_FILTER: ClaimFilter = { search: '', memberType: '', day: null };

/** The claims of the active event, or all, live: find them, move them, delete them. */
export function StandingClaims(): ReactNode {
  const { t } = useTranslation();
  const view = useClaimsView();
  const search = useDeferredValue(view.search);
  const respawns = useBoard((board) => board.byKind.respawn);
  const day = useShownDay(view.day);
  const { today, filter: onDay } = day;
  const shown = useShownClaims();
  const { sources, status } = shown;
  const [edited, setEdited] = useState<ClaimOnRespawn | null>(null);
  const [removal, setRemoval] = useState<ClaimRemoval | null>(null);
  const list = useRef<HTMLElement>(null);
  const mayChange = useMay('claims');
  const deeds = useClaimDeeds();
  const { memberType } = view;
  const filter = useMemo(() => ({ search, memberType, day: onDay }), [search, memberType, onDay]);
  const all = useMemo(() => claimGroups(sources, respawns, NO_FILTER, today), [sources, respawns, today]);
  const groups = useMemo(
    () => (isAny(filter) ? all : claimGroups(sources, respawns, filter, today)),
    [all, sources, respawns, filter, today],
  );
  const used = useMemo(() => memberTypesOf(all), [all]);
  const total = useMemo(() => countClaims(all), [all]);
  const count = useMemo(() => (groups === all ? total : countClaims(groups)), [groups, all, total]);
  const known = useMemo(() => claimsById(all), [all]);
  const order = useMemo(() => [...claimsById(groups).keys()], [groups]);
  const selection = useSelection((id) => known.has(id));
  const isLoading = status === 'loading';
  // Of a day from today on the board knows every claim.
  const isWaiting = isLoading && !(onDay && onDay.date >= today);
  const isEmpty = total === 0 && !isLoading;
  return (
    <div className={tab.tab}>
      <EventBanner />
      <ClaimFilters view={view} used={used}>
        <DownloadClaims shown={shown} filter={filter} groups={groups} />
      </ClaimFilters>
      <DayChips shown={day} asked={view.day} onChange={view.setDay} />
      <ClaimsFailed shown={shown} />
      <section ref={list} tabIndex={-1} aria-label={t('admin.claims.list')} className={tab.list}>
        {isEmpty ? <EmptyState title={t('admin.claims.empty.title')} text={t('admin.claims.empty.text')} /> : null}
        {!isWaiting && !isEmpty && count === 0 ? <NothingFits view={view} isNow={view.day === NOW} isDay={onDay !== null} /> : null}
        {count > 0 ? (
          <>
            {isWaiting ? null : (
              <p role="status" className={tab.count}>
                {count === total || (search === '' && memberType === '')
                  ? t('admin.claims.count', { count })
                  : t('admin.claims.shown', { shown: count, claims: t('admin.claims.count', { count: total }) })}
              </p>
            )}
            <ClaimsList
              groups={groups}
              order={order}
              selection={mayChange ? selection : null}
              today={today}
              complete={status === 'ready'}
              onEdit={setEdited}
              onDelete={(claim) => setRemoval({ what: 'delete', claim })}
              onClear={({ respawn_id, name }) => setRemoval({ what: 'clear', respawn_id, name })}
            />
          </>
        ) : null}
        {isWaiting ? <ClaimsSkeleton /> : onDay && onDay.date >= today ? null : <EarlierPages shown={shown} />}
        {mayChange ? (
          <BulkBar
            selection={selection}
            order={order}
            records={[...selection.ids].flatMap((id) => known.get(id) ?? [])}
            nameOf={({ character_name }) => character_name}
            actions={deeds}
            list={list}
          />
        ) : null}
      </section>
      <TimesDialog claim={edited} sources={sources} complete={status === 'ready'} onClose={() => setEdited(null)} />
      {removal ? <ClaimConfirmation removal={removal} sources={sources} onClose={() => setRemoval(null)} focusAfter={list} /> : null}
    </div>
  );
}

const isAny = ({ search, memberType, day }: ClaimFilter): boolean => search === '' && memberType === '' && day === null;

interface NothingFitsProps {
  view: ClaimsView;
  isNow: boolean;
  isDay: boolean;
}

/** There are claims, and none of them here: what to press to see some. */
function NothingFits({ view, isNow, isDay }: NothingFitsProps): ReactNode {
  const { t } = useTranslation();
  const everyDay = isDay ? <Button onClick={() => view.setDay(ALL_DAYS)}>{t('admin.claims.day.all')}</Button> : null;
  if (view.search === '' && view.memberType === '') {
    return <EmptyState title={t(isNow ? 'admin.claims.day.noneNow' : 'admin.claims.day.none')} action={everyDay} />;
  }
  return (
    <EmptyState
      title={t('admin.claims.noMatch.title')}
      text={t('admin.claims.noMatch.text')}
      action={
        <>
          <Button onClick={view.clear}>{t('admin.claims.clearFilters')}</Button>
          {everyDay}
        </>
      }
    />
  );
}

/** Which claims these are: the active event's, or all. */
function EventBanner(): ReactNode {
  const { t, i18n } = useTranslation();
  const event = useActiveEvent();
  const count = useBoard((board) => (event ? (board.byKind.event.get(event.id)?.claim_count ?? 0) : 0));
  if (!event) return <p className={styles.banner}>{t('admin.claims.noEvent')}</p>;
  const inWords = (time: string): string => dayText(eventDate(time), formatLocale(i18n.language), 'dayAndYear');
  return (
    <div className={styles.banner}>
      <h2 className={styles.bannerName}>{event.name}</h2>
      <Badge tone="solid">{t('admin.events.active')}</Badge>
      <span>{t('admin.events.period', { start: inWords(event.start_time), end: inWords(event.end_time) })}</span>
      <span>{t('admin.events.claims', { count })}</span>
    </div>
  );
}
