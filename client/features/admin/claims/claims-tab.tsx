import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { useBoard } from '../../../store/board-store.ts';
import { useServerSaveTime } from '../../../store/clock.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import tab from '../tab.module.css';
import { ClaimConfirmation, type ClaimDeed } from './claim-confirmation.tsx';
import { ClaimFilters } from './claim-filters.tsx';
import { ClaimsFailed } from './claims-failed.tsx';
import { ClaimsSkeleton } from './claims-skeleton.tsx';
import { DownloadClaims } from './download-claims.tsx';
import { EarlierPages } from './earlier-pages.tsx';
import { EventBanner } from './event-banner.tsx';
import { ClaimsList } from './list/claims-list.tsx';
import { claimGroups, countClaims, memberTypesOf } from './shown/claim-groups.ts';
import { useShownClaims } from './shown/use-shown-claims.ts';
import { TimesDialog } from './times/times-dialog.tsx';
import { useClaimsView } from './use-claims-view.ts';

const NO_FILTER = { search: '', memberType: '' };

/** The claims of the active event, or all, live: find them, move them, delete them. */
export function ClaimsTab(): ReactNode {
  const { t } = useTranslation();
  const view = useClaimsView();
  const search = useDeferredValue(view.search);
  const respawns = useBoard((board) => board.byKind.respawn);
  const { date: today } = useServerSaveTime();
  const shown = useShownClaims();
  const { sources, status } = shown;
  const [edited, setEdited] = useState<ClaimOnRespawn | null>(null);
  const [deed, setDeed] = useState<ClaimDeed | null>(null);
  const list = useRef<HTMLElement>(null);
  const { memberType } = view;
  const all = useMemo(() => claimGroups(sources, respawns, NO_FILTER, today), [sources, respawns, today]);
  const groups = useMemo(
    () => (search === '' && memberType === '' ? all : claimGroups(sources, respawns, { search, memberType }, today)),
    [all, sources, respawns, search, memberType, today],
  );
  const used = useMemo(() => memberTypesOf(all), [all]);
  const total = useMemo(() => countClaims(all), [all]);
  const count = useMemo(() => (groups === all ? total : countClaims(groups)), [groups, all, total]);
  return (
    <div className={tab.tab}>
      <EventBanner />
      <ClaimFilters view={view} used={used}>
        <DownloadClaims shown={shown} filter={{ search, memberType }} groups={groups} />
      </ClaimFilters>
      <ClaimsFailed shown={shown} />
      <section ref={list} tabIndex={-1} aria-label={t('admin.claims.list')} className={tab.list}>
        {status !== 'loading' && total === 0 ? (
          <EmptyState title={t('admin.claims.empty.title')} text={t('admin.claims.empty.text')} />
        ) : null}
        {status !== 'loading' && total > 0 && count === 0 ? (
          <EmptyState
            title={t('admin.claims.noMatch.title')}
            text={t('admin.claims.noMatch.text')}
            action={<Button onClick={view.clear}>{t('admin.claims.clearFilters')}</Button>}
          />
        ) : null}
        {count > 0 ? (
          <>
            {status === 'loading' ? null : (
              <p role="status" className={tab.count}>
                {count === total
                  ? t('admin.claims.count', { count: total })
                  : t('admin.claims.shown', { shown: count, claims: t('admin.claims.count', { count: total }) })}
              </p>
            )}
            <ClaimsList
              groups={groups}
              today={today}
              complete={status === 'ready'}
              onEdit={setEdited}
              onDelete={(claim) => setDeed({ what: 'delete', claim })}
              onClear={({ respawn_id, name }) => setDeed({ what: 'clear', respawn_id, name })}
            />
          </>
        ) : null}
        {status === 'loading' ? <ClaimsSkeleton /> : <EarlierPages shown={shown} />}
      </section>
      <TimesDialog claim={edited} sources={sources} complete={status === 'ready'} onClose={() => setEdited(null)} />
      {deed ? <ClaimConfirmation deed={deed} sources={sources} onClose={() => setDeed(null)} focusAfter={list} /> : null}
    </div>
  );
}
