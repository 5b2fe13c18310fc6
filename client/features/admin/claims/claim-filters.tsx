import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { CsvCell } from '../../../../shared/csv.ts';
import { useQueryState } from '../../../lib/use-query-state.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useClaimTime } from '../../../state/claim-time.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { useMay } from '../../../state/permissions.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { DateChips } from '../../../ui/fields/date-chips.tsx';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { datesOnOffer } from '../../claiming/draft/draft.ts';
import { DownloadButton, type OnProgress } from '../pages/pages.tsx';
import { PhoneFold } from '../table/phone-fold.tsx';
import {
  type ClaimFilter,
  type ClaimGroup,
  claimGroups,
  type DayFilter,
  eventsOn,
} from './claim-groups.ts';
import styles from './claims.module.css';
import type { ShownClaims } from './shown-claims.ts';

/** The value for any type: a select shows an empty value as nothing chosen. */
const ALL = '*';

interface ClaimFiltersProps {
  view: ClaimsView;
  /** The member types of the claims; some may be deleted by now. */
  used: readonly string[];
  children: ReactNode;
}

export function ClaimFilters({ view, used, children }: ClaimFiltersProps): ReactNode {
  const { t } = useTranslation();
  const types = useBoard((board) => board.byKind.member_type);
  const { search, memberType } = view;
  const mayClaims = useMay('claims');
  const known = [...types.values()].map((type) => type.member_type);
  const names = [...new Set([...known, ...used, ...(memberType ? [memberType] : [])])];
  return (
    <Panel>
      <div className={styles.filters}>
        <SearchInput
          label={t('admin.claims.search')}
          value={search}
          onChange={(event) => view.setSearch(event.target.value)}
        />
        <PhoneFold label={t('board.filters')}>
          <Select
            label={t('admin.claims.memberType')}
            value={memberType || ALL}
            options={[
              { value: ALL, label: t('admin.claims.allTypes') },
              ...names.map((name) => ({ value: name, label: name })),
            ]}
            onChange={(value) => view.setMemberType(value === ALL ? '' : value)}
            wide={false}
          />
          {search || memberType ? (
            <Button onClick={view.clear}>{t('admin.table.clearFilters')}</Button>
          ) : null}
          {children}
        </PhoneFold>
        <Cluster as="span" align="start" className={styles.filtersEnd}>
          {mayClaims ? (
            <ButtonLink variant="primary" to="/admin/input">
              <PlusIcon />
              {t('admin.claims.newClaim')}
            </ButtonLink>
          ) : null}
        </Cluster>
      </div>
    </Panel>
  );
}

const PARAMETERS = ['search', 'type', 'day', 'outside'];

export interface ClaimsView {
  search: string;
  /** Empty: any. */
  memberType: string;
  /** A server-save date, ALL_DAYS or NOW; empty: the default. */
  day: string;
  /** Also the claims outside the active event. */
  outside: boolean;
  setOutside: (on: boolean) => void;
  setSearch: (text: string) => void;
  setMemberType: (name: string) => void;
  setDay: (day: string) => void;
  clear: () => void;
}

/** The filters in the address: `?search=library&type=elite&day=2026-11-21`. */
export function useClaimsView(): ClaimsView {
  const [{ search = '', type = '', day = '', outside = '' }, change] = useQueryState(PARAMETERS);
  return {
    search,
    memberType: type,
    day,
    outside: outside === '1',
    setOutside: (on) => change({ outside: on ? '1' : '' }),
    setSearch: (text) => change({ search: text }),
    setMemberType: (name) => change({ type: name }),
    setDay: (next) => change({ day: next }),
    clear: () => change({ search: '', type: '' }),
  };
}

interface DayChipsProps {
  day: ShownDay;
  /** As in the address. */
  value: string;
  onChange: (day: string) => void;
}

/** Claims of the current hour, of all days, or of one. A second press on the chosen one returns to the default. */
export function DayChips({
  day: { dates, date, today, filter, isEveryDayUsual },
  value,
  onChange,
}: DayChipsProps): ReactNode {
  const { t } = useTranslation();
  const toggle = (day: string, isOn: boolean, label: string): ReactNode => (
    <Button aria-pressed={isOn} onClick={() => onChange(isOn ? '' : day)}>
      {label}
    </Button>
  );
  return (
    <Cluster rowGap={2} gap={3} align="stretch">
      <Cluster align="stretch" className={styles.toggles}>
        {toggle(NOW, value === NOW, t('admin.claims.day.now'))}
        {dates.length > 0 ? toggle(ALL_DAYS, filter === null, t('admin.claims.day.all')) : null}
      </Cluster>
      {dates.length > 0 ? (
        <div className={styles.dates}>
          <DateChips
            low
            label={t('admin.claims.day.label')}
            dates={dates}
            value={date}
            today={today}
            onChange={(next) => onChange(next === today && !isEveryDayUsual ? '' : next)}
          />
        </div>
      ) : null}
    </Cluster>
  );
}

/** Instead of a date: all days, and the current hour. */
export const ALL_DAYS = 'all';
export const NOW = 'now';

interface ShownDay {
  filter: DayFilter | null;
  /** The dates to choose from; none in a single_claim event, whose days are all alike. */
  dates: readonly string[];
  /** The chosen date; empty: not a single date. */
  date: string;
  today: string;
  isEveryDayUsual: boolean;
}

/**
 * The day whose claims are shown. By default today, before or after an event the event's nearest day; for a search and without an event,
 * all days.
 * @param view as in the address
 */
export function useShownDay({ day, search }: Pick<ClaimsView, 'day' | 'search'>): ShownDay {
  const event = useActiveEvent();
  const isEveryDayUsual = search !== '' || event === null;
  const chosen = day === '' && isEveryDayUsual ? ALL_DAYS : day;
  const time = useClaimTime(true);
  const { today, hour } = time;
  const isSingle = event?.type === 'single_claim';
  const offered = isSingle ? [] : datesOnOffer(event, time);
  const first = offered[0] ?? today;
  const last = offered.at(-1) ?? today;
  const nearest = today < first ? first : today > last ? last : today;
  const isEvery = chosen === ALL_DAYS || (isSingle && chosen !== NOW);
  const date = isEvery || chosen === NOW ? '' : chosen || nearest;
  const wanted = isEvery ? null : date || today;
  const events = useBoard((board) =>
    wanted === null ? '' : eventsOn(board.byKind.event.values(), wanted),
  );
  const wantedHour = chosen === NOW ? hour : null;
  const filter = useMemo(
    () => (wanted === null ? null : { date: wanted, hour: wantedHour, events }),
    [wanted, wantedHour, events],
  );
  const dates = date === '' || offered.includes(date) ? offered : [...offered, date].sort();
  return { filter, dates, date, today, isEveryDayUsual };
}

const COLUMNS = [
  'spot',
  'date',
  'start',
  'end',
  'character',
  'type',
  'part',
  'priority',
  'event',
  'created',
  'weekly',
] as const;

interface DownloadClaimsProps {
  pages: ShownClaims;
  filter: ClaimFilter;
  /** The loaded claims that match. */
  groups: readonly ClaimGroup[];
}

/** Saves the matching claims, loaded or not; a split claim has a row for each part. */
export function DownloadClaims({ pages, filter, groups }: DownloadClaimsProps): ReactNode {
  const { t } = useTranslation();
  const { date: today } = useServerSaveTime();
  const { status, earlier, readAll } = pages;
  const isComplete = status === 'ready' && earlier.isAll;
  const readRows = async (signal: AbortSignal, onProgress: OnProgress): Promise<CsvCell[][]> => {
    const sources = await readAll(signal, onProgress);
    return rowsOf(claimGroups(sources, useBoard.getState().byKind.respawn, filter, today));
  };
  return (
    <DownloadButton
      name="claims"
      headings={COLUMNS.map((column) => t(`admin.claims.columns.${column}`))}
      rows={(signal, onProgress) => (isComplete ? rowsOf(groups) : readRows(signal, onProgress))}
      start={{ done: earlier.count, all: earlier.total }}
      progressText={(progress) => t('admin.claims.downloading', { ...progress })}
      failed={(reason) => t('admin.claims.downloadFailed', { reason })}
      disabled={isComplete && groups.length === 0}
      blockedBecause={status === 'loading' ? t('admin.claims.stillLoading') : null}
    />
  );
}

function rowsOf(groups: readonly ClaimGroup[]): CsvCell[][] {
  const events = useBoard.getState().byKind.event;
  return groups.flatMap(({ name, days }) =>
    days.flatMap(({ claims }) =>
      claims.map((claim) => [
        name,
        claim.date,
        claim.hour_start,
        claim.hour_end,
        claim.character_name,
        claim.member_type,
        claim.split_part_number,
        claim.is_secondary_claim ? claim.secondary_priority : null,
        claim.event_id === null ? null : (events.get(claim.event_id)?.name ?? null),
        claim.created_at,
        claim.standing_id,
      ]),
    ),
  );
}
