import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { StandingClaim } from '../../../../shared/schemas/standing-claim.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { useWeekdaysText } from '../../../lib/words/weekly-claims.ts';
import { useBoard } from '../../../state/board-store.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { useMay } from '../../../state/permissions.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { SkippedDates, usePauseWeeklyClaim } from '../../claiming/weekly-claim-parts.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import tab from '../tab.module.css';
import { AdminTable, type Column } from '../table/admin-table.tsx';
import { useClaimColumns } from './claim-columns.tsx';
import { EndedWeeklyClaims } from './ended-weekly-claims.tsx';
import { ListSearch, useListedTable } from './listed-table.tsx';

const BY_CHARACTER = { id: 'character', desc: false };

interface WeeklyClaimsViewProps {
  /** Only of this character, without a search; by default of all. */
  character?: string;
}

/** All weekly claims, live. Admins pause and end them; members make and edit their own. */
export function WeeklyClaimsView({ character }: WeeklyClaimsViewProps): ReactNode {
  const { t } = useTranslation();
  const weeklyClaims = useBoard((board) => board.byKind.standing_claim);
  const isOn = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.standing_enabled === 1);
  const list = useRef<HTMLElement>(null);
  const table = useListedTable({
    columns: useWeeklyClaimColumns(isOn),
    records: [...weeklyClaims.values()],
    character,
    usualSort: BY_CHARACTER,
  });
  const { view, rows } = table;
  return (
    <>
      {character === undefined ? <ListSearch view={view} /> : null}
      <AdminTable
        table={table}
        list={list}
        fileName={(today) => `weekly-claims-${today}.csv`}
        words={{
          list: t('admin.weeklyClaims.list'),
          count: (count) => t('admin.weeklyClaims.count', { count }),
          empty: {
            title: t('admin.weeklyClaims.empty'),
            text: t(isOn ? 'admin.weeklyClaims.emptyText' : 'admin.weeklyClaims.disabled'),
          },
          noMatch: {
            title: t('admin.weeklyClaims.noMatch'),
            action: t('admin.table.clearFilters'),
          },
        }}
        countText={`${t('admin.weeklyClaims.count', { count: rows.length })}${isOn ? '' : ` · ${t('admin.weeklyClaims.disabled')}`}`}
      />
      <EndedWeeklyClaims character={character} />
    </>
  );
}

function useWeeklyClaimColumns(isOn: boolean): Column<StandingClaim>[] {
  const { t } = useTranslation();
  const mayClaims = useMay('claims');
  const dayText = useDayText();
  const weekdaysText = useWeekdaysText();
  const { heading, spotOf, ...shared } = useClaimColumns();
  const nextOf = ({ is_paused, stopped, next_date }: StandingClaim): string =>
    stopped !== null
      ? t(`admin.weeklyClaims.stopped.${stopped}`)
      : is_paused
        ? t('weeklyClaim.paused')
        : next_date === null
          ? t('weeklyClaim.over')
          : dayText(next_date, 'dayAndYear');
  const columns: Column<StandingClaim>[] = [
    shared.character,
    shared.spot,
    {
      ...heading('weekdays'),
      sortBy: ({ weekdays }) => weekdays.join(''),
      cell: ({ weekdays }) => weekdaysText(weekdays),
      csv: ({ weekdays }) => weekdaysText(weekdays),
    },
    shared.hours(({ from, next_date }) => next_date ?? from),
    {
      ...heading('next'),
      sortBy: ({ next_date }) => next_date ?? '',
      cell: (weeklyClaim) =>
        weeklyClaim.is_paused || weeklyClaim.stopped !== null ? (
          <Badge>{nextOf(weeklyClaim)}</Badge>
        ) : (
          nextOf(weeklyClaim)
        ),
      csv: nextOf,
    },
    {
      ...heading('skipped'),
      sortBy: ({ skipped }) => skipped.length,
      cell: (weeklyClaim) =>
        weeklyClaim.skipped.length === 0 ? (
          t('admin.weeklyClaims.none')
        ) : (
          <SkippedDates weeklyClaim={weeklyClaim} />
        ),
      csv: ({ skipped }) => skipped.length,
    },
    {
      ...heading('actions'),
      part: 'actions',
      cell: (weeklyClaim) => (
        <WeeklyClaimActions weeklyClaim={weeklyClaim} spot={spotOf(weeklyClaim)} isOn={isOn} />
      ),
    },
  ];
  return mayClaims ? columns : columns.filter(({ part }) => part !== 'actions');
}

interface WeeklyClaimActionsProps {
  weeklyClaim: StandingClaim;
  spot: string;
  /** A weekly claim can't be changed while weekly claims are off. */
  isOn: boolean;
}

function WeeklyClaimActions({ weeklyClaim, spot, isOn }: WeeklyClaimActionsProps): ReactNode {
  const { t } = useTranslation();
  const offerUndo = useOfferUndo();
  const { is_paused, character_name: name } = weeklyClaim;
  const pause = usePauseWeeklyClaim(weeklyClaim, spot, null);
  return (
    <Cluster>
      {isOn ? (
        <Button
          small
          variant="quiet"
          onClick={pause}
          aria-label={t(
            is_paused ? 'admin.weeklyClaims.resumeName' : 'admin.weeklyClaims.pauseName',
            {
              name,
              spot,
            },
          )}
        >
          {t(is_paused ? 'weeklyClaim.resume' : 'weeklyClaim.pause')}
        </Button>
      ) : null}
      <Button
        small
        variant="quiet"
        className={tab.destructive}
        onClick={() =>
          openOverlay('endWeeklyClaim', {
            weeklyClaim,
            access_key: null,
            showEnded: (text) =>
              offerUndo(text, {
                action: 'standing_ended',
                matches: ({ standing_id }) => standing_id === weeklyClaim.id,
              }),
          })
        }
        aria-label={t('admin.weeklyClaims.endName', { name, spot })}
      >
        {t('weeklyClaim.end')}
      </Button>
    </Cluster>
  );
}
