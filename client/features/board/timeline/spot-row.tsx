import { type MouseEvent, memo, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { claimSearch } from '../../../lib/claim-request.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { type Choosing, useChoosing } from '../../../state/presence-store.ts';
import { classes } from '../../../ui/classes.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { useLocalHours, useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { useTip } from '../../../ui/tooltip.tsx';
import { claimsOn } from '../../claiming/day-claims.ts';
import {
  hasWaitlist,
  useHoursElsewhere,
  useWaitlist,
  type WaitlistMode,
} from '../../claiming/waitlist/waitlist.ts';
import { useElsewhereText } from '../../claiming/waitlist/waitlist-parts.tsx';
import { currentClaims } from '../board-view.ts';
import { useRing } from '../cards/spot-day.tsx';
import { ClaimLink, useClosedText } from '../claim-links.tsx';
import { useJustChanged } from '../live-changes.tsx';
import { ClaimBar } from './claim-bar.tsx';
import { type DayCell, dayCells, FIRST_LANE, waitingLanes } from './day-cells.ts';
import styles from './spot-row.module.css';
import { cellAt } from './timeline-keys.ts';
import { cellProps, type RowPosition, rowProps } from './timeline-rows.ts';

interface SpotRowProps extends RowPosition {
  id: number;
  date: string;
  /** Hours of the day that are over; later free ones link to the claim form. */
  over: number;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  withCategory: boolean;
  /** Today's server-save date, to count the claims of all dates, as "Most claims" sorts; null: they are not counted. */
  countsAllOf?: string | null;
  /** The searched hours, which this spot has free. */
  wanted?: HourRange | null;
  waits?: WaitlistMode;
  /** This row's tab stop; null: it is in another row. */
  activeHour: number | null;
  activeLane: number | null;
}

/** A spot's day. Memoized: one claim's change renders one row. */
export const SpotRow = memo(function SpotRow(props: SpotRowProps): ReactNode {
  const {
    id,
    date,
    over,
    viewer,
    withCategory,
    countsAllOf = null,
    wanted = null,
    waits = 'off',
    activeHour,
    activeLane,
  } = props;
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  const claims = useBoard((board) => board.claimsByRespawn.get(id));
  const choosing = useChoosing(id, date);
  const line = useWaitlist(id, date, waits);
  const changed = useJustChanged((just) => just.spots.has(id));
  const closed = useClosedText(date);
  const elsewhere = useHoursElsewhere(id, date);
  const cells = useMemo(
    () => dayCells(claimsOn(date, claims ?? []), over, elsewhere),
    [date, claims, elsewhere, over],
  );
  const active =
    activeHour === null ? undefined : cellAt(cells, { hour: activeHour, lane: activeLane ?? 0 });
  const focus = useCellFocus();
  const event = useActiveEvent();
  const [name, ringed] = useRing<HTMLDivElement>(id, date);
  if (!spot) return null;
  const counts =
    countsAllOf === null
      ? []
      : [t('board.claimsInTotal', { count: currentClaims(claims, event, countsAllOf).length })];
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of the timeline are placed by hand
    // biome-ignore lint/a11y/useFocusableInteractive: the cells take the focus
    <div
      role="row"
      {...rowProps(props)}
      {...focus}
      className={classes(
        styles.row,
        waitingLanes(cells) > 0 && styles.withWaiting,
        ringed && styles.ringed,
      )}
      data-spot={id}
      data-hours-of={over < HOURS_IN_DAY ? id : undefined}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div
        ref={name}
        role="rowheader"
        aria-colindex={1}
        className={classes(styles.name, changed && styles.changed)}
        title={spot.name}
      >
        <Emblem src={spot.image_url} name={spot.name} size={24} />
        <span className={styles.words}>
          <span>{spot.name}</span>
          {withCategory ? (
            <span className={styles.sub}>
              {[spot.category_name ?? t('board.uncategorised'), ...counts].join(' · ')}
            </span>
          ) : null}
        </span>
      </div>
      {choosing.map((choice) => (
        <ChoosingHours key={`${choice.id} ${choice.hour_start}`} choice={choice} />
      ))}
      {cells.map((cell) => {
        const tabIndex = cell === active ? 0 : -1;
        if (cell.kind === 'past')
          return <PastHours key={cell.key} cell={cell} date={date} tabIndex={tabIndex} />;
        if (cell.kind === 'elsewhere') {
          const mine = nameKey(cell.of.character_name) === viewer;
          const isOffered = waits === 'open' && !mine && cell.hour_end > over;
          return (
            <ElsewhereBar
              key={cell.key}
              cell={cell}
              respawn_id={id}
              date={date}
              mine={mine}
              isOffered={isOffered}
              tabIndex={tabIndex}
            />
          );
        }
        if (cell.kind === 'free') {
          const chooser = choosing.find(
            (choice) => choice.hour_start <= cell.hour_start && cell.hour_start < choice.hour_end,
          );
          const begins = wanted?.hour_start === cell.hour_start ? wanted : null;
          return (
            <FreeHour
              key={cell.key}
              cell={cell}
              date={date}
              spot={spot}
              chooser={chooser}
              wanted={begins}
              closed={closed}
              tabIndex={tabIndex}
            />
          );
        }
        const mine = nameKey(cell.claim.character_name) === viewer;
        const isOffered = waits === 'open' && hasWaitlist(cell.claim, over, mine);
        return (
          <ClaimBar
            key={cell.key}
            cell={cell}
            date={date}
            mine={mine}
            line={line}
            isOffered={isOffered}
            viewer={viewer}
            tabIndex={tabIndex}
          />
        );
      })}
    </div>
  );
});

function ChoosingHours({ choice }: { choice: Choosing }): ReactNode {
  const { t } = useTranslation();
  return (
    <div
      className={styles.choosing}
      style={{ gridColumn: `${choice.hour_start + 2} / ${choice.hour_end + 2}` }}
      aria-hidden="true"
    >
      <span>
        {t('board.presence.choosing', { name: choice.name ?? t('board.presence.anAdmin') })}
      </span>
    </div>
  );
}

/**
 * When the focused hour is claimed, moves the focus to the cell that replaces it. React fires no blur when it removes a focused element.
 */
function useCellFocus(): {
  ref: React.RefObject<HTMLDivElement | null>;
  onFocus: () => void;
  onBlur: () => void;
} {
  const ref = useRef<HTMLDivElement>(null);
  const has = useRef(false);
  useLayoutEffect(() => {
    if (has.current && document.activeElement === document.body)
      ref.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  return {
    ref,
    onFocus: () => {
      has.current = true;
    },
    onBlur: () => {
      has.current = false;
    },
  };
}

interface FreeHourProps {
  cell: Extract<DayCell, { kind: 'free' }>;
  date: string;
  spot: Respawn;
  /** Who is choosing this hour; advisory only. */
  chooser: Choosing | undefined;
  /** The searched hours if they begin here: one press claims them all. */
  wanted: HourRange | null;
  /** `useClosedText` for the date. */
  closed: string | null;
  tabIndex: 0 | -1;
}

/** A free hour: links to the form with spot, date and hour. */
function FreeHour({
  cell,
  date,
  spot,
  chooser,
  wanted,
  closed,
  tabIndex,
}: FreeHourProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const { hour_start: hour, free_until } = cell;
  const length = wanted && wanted.hour_end - wanted.hour_start;
  const claim = length && t('board.freeAt.claimHours', { count: length });
  const name = wanted
    ? `${spot.name}: ${claim}, ${t('time.range', { start: wanted.hour_start, end: wanted.hour_end })}`
    : t('board.timeline.claimFrom', { name: spot.name, hour });
  const choosing = chooser
    ? [t('board.presence.choosing', { name: chooser.name ?? t('board.presence.anAdmin') })]
    : [];
  const until = t('board.timeline.freeUntil', { hour: free_until });
  const tip = useTip(() =>
    [
      t('time.hour', { hour }),
      t('time.localTime', { time: localTime(date, hour) }),
      until,
      ...choosing,
      ...(closed ? [closed] : []),
    ].join(' · '),
  );
  return (
    <div {...cellProps(cell)} className={styles.cell}>
      <ClaimLink
        {...tip}
        closed={closed}
        search={claimSearch({ respawn_id: spot.id, date, hour, hours: length })}
        tabIndex={tabIndex}
        data-hour={hour}
        data-lane={0}
        aria-label={[name, until, ...choosing].join(', ')}
        className={classes(styles.free, wanted && styles.wanted)}
        {...(length === null ? {} : { style: { '--hours': length } })}
      >
        {claim}
      </ClaimLink>
    </div>
  );
}

function PastHours({
  cell,
  date,
  tabIndex,
}: {
  cell: DayCell;
  date: string;
  tabIndex: 0 | -1;
}): ReactNode {
  const { t } = useTranslation();
  const localHours = useLocalHours();
  const { hour_start: start, hour_end: end } = cell;
  const tip = useTip(() => localHours(date, start, end));
  return (
    <div {...cellProps(cell)} className={styles.cell}>
      <button
        {...tip}
        type="button"
        tabIndex={tabIndex}
        data-hour={start}
        data-lane={0}
        aria-label={t('board.timeline.wasFree', { start, end })}
        className={styles.past}
      />
    </div>
  );
}

interface ElsewhereBarProps {
  cell: Extract<DayCell, { kind: 'elsewhere' }>;
  respawn_id: number;
  date: string;
  mine: boolean;
  /** The viewer may join the waitlist for these hours. */
  isOffered: boolean;
  tabIndex: 0 | -1;
}

/** Hours that a claim of another event occupies. */
function ElsewhereBar({
  cell,
  respawn_id,
  date,
  mine,
  isOffered,
  tabIndex,
}: ElsewhereBarProps): ReactNode {
  const { t } = useTranslation();
  const localHours = useLocalHours();
  const taken = useElsewhereText()(cell.of);
  const { hour_start: start, hour_end: end } = cell;
  const hours = t('time.range', { start, end });
  const name = mine ? `${cell.of.character_name} (${t('board.you')})` : cell.of.character_name;
  const toDo = isOffered ? [t('board.waitlist.joinTheseHours')] : [];
  const tip = useTip(() =>
    [`${name}, ${taken}`, hours, localHours(date, start, end), ...toDo].join(' · '),
  );
  const wait = {
    'aria-haspopup': 'dialog',
    onClick: ({ currentTarget: anchor }: MouseEvent<HTMLElement>): void =>
      openOverlay('joinWaitlist', {
        request: { respawn_id, date, hour_start: start, hour_end: end, anchor },
      }),
  } as const;
  return (
    <div {...cellProps(cell)} className={styles.cell}>
      <button
        {...tip}
        {...(isOffered ? wait : {})}
        type="button"
        tabIndex={tabIndex}
        data-hour={start}
        data-lane={FIRST_LANE}
        aria-label={[name, taken, hours, ...toDo].join(', ')}
        className={styles.elsewhere}
      >
        <span>{`${cell.of.character_name}, ${taken}`}</span>
      </button>
    </div>
  );
}
