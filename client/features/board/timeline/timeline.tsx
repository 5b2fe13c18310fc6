import {
  type CSSProperties,
  memo,
  type ReactNode,
  type RefObject,
  type UIEvent,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useTranslation } from 'react-i18next';
import { useShallow } from 'zustand/react/shallow';
import { hoursOver } from '../../../../shared/rules/claim-time.ts';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY, isSkipped } from '../../../../shared/rules/server-save.ts';
import {
  formatLocale,
  type Midnight,
  midnightsIn,
  useDayText,
  useTimeZone,
} from '../../../lib/time-text.ts';
import { useFollowLinks } from '../../../lib/use-follow-links.ts';
import { usePrinting } from '../../../lib/use-media-query.ts';
import { useShownSpot } from '../../../state/board-place.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { useClaimsForOthers } from '../../../state/permissions.ts';
import { classes } from '../../../ui/classes.ts';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { claimsOn } from '../../claiming/day-claims.ts';
import type { WaitlistMode } from '../../claiming/waitlist/waitlist.ts';
import type { BoardView } from '../board-view.ts';
import { useCountText } from '../cards/spots.tsx';
import { useJumpTarget } from '../category-jump.ts';
import { dayCells, waitingLanes } from './day-cells.ts';
import { SpotRow } from './spot-row.tsx';
import styles from './timeline.module.css';
import { useGridKeys } from './timeline-keys.ts';
import {
  type RowPosition,
  rowProps,
  type TimelineRow,
  timelineRows,
  useShownRows,
} from './timeline-rows.ts';

interface TimelineProps extends Omit<TimelineGridProps, 'rows' | 'withCategory'> {
  view: BoardView;
}

/** The board as one day: spots down, hours across. */
export function Timeline({ view, ...day }: TimelineProps): ReactNode {
  const rows = useMemo(() => timelineRows(view), [view]);
  return <TimelineGrid {...day} rows={rows} withCategory={view.sections === null} />;
}

interface TimelineGridProps {
  rows: readonly TimelineRow[];
  date: string;
  today: string;
  now: number | null;
  viewer: string | null;
  withCategory: boolean;
  /** "Most claims" is the sort: each spot shows the number that it sorts by. */
  countsAll?: boolean;
  /** The searched hours, free on every spot shown. */
  wanted: HourRange | null;
  /** Omitted: no waitlist is shown. */
  waits?: WaitlistMode;
  /** Set when it was opened by keyboard: focuses the first cell, once. */
  toFocus?: RefObject<boolean> | undefined;
}

/** All spots of a day, virtualized. */
function TimelineGrid(props: TimelineGridProps): ReactNode {
  const {
    rows,
    date,
    today,
    now,
    viewer,
    withCategory,
    countsAll = false,
    wanted,
    waits = 'off',
    toFocus,
  } = props;
  const { t } = useTranslation();
  const dayText = useDayText();
  const grid = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const may_enter_past = useClaimsForOthers();
  const event = useActiveEvent();
  const { hour } = useServerSaveTime();
  const printing = usePrinting();
  // A whole-event claim ends with the event's last date, not with the day in view.
  const lastDay = event?.type === 'single_claim' ? eventDate(event.end_time) : date;
  // Print without links: thousands of them stall a printer for minutes.
  const over = printing ? HOURS_IN_DAY : hoursOver(lastDay, { today, hour, may_enter_past });
  const { active, ...keys } = useGridKeys({
    frame,
    rows,
    date,
    over,
    firstHour: Math.floor(now ?? 0),
  });
  // Always rendered, or it couldn't be scrolled to.
  const shownSpotId = useShownSpot((state) => state.spot?.respawn_id);
  const jumpTarget = useJumpTarget((target) => target.id);
  const { visibleRows, height } = useShownRows({
    frame,
    rows,
    printing,
    lanes: useExtraLanes(date),
    keep: [active?.id, shownSpotId, jumpTarget],
  });
  const links = useFollowLinks();
  const midnights = useMidnights(date);
  useShowNow({ grid, frame }, now);
  const beside = useScrollTogether(grid);
  useLayoutEffect(() => {
    if (!toFocus?.current) return;
    toFocus.current = false;
    grid.current
      ?.querySelector<HTMLElement>('[role="gridcell"] [tabindex="0"]')
      ?.focus({ preventScroll: true });
  }, [toFocus]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot place bars by the hour
    <div
      ref={grid}
      role="grid"
      aria-label={t('board.timeline.label', { date: dayText(date) })}
      aria-rowcount={rows.length + 1}
      aria-colcount={HOURS_IN_DAY + 1}
      className={styles.sheet}
      style={passedOf(now, date < today || printing)}
      {...keys}
      {...links}
    >
      <div className={styles.headFrame} onScroll={beside}>
        <HoursHead date={date} now={now} midnights={midnights} />
      </div>
      <div ref={frame} className={styles.frame} onScroll={beside}>
        {/* biome-ignore lint/a11y/useSemanticElements: as above */}
        <div role="rowgroup" className={styles.body} style={{ height }}>
          {midnights.map(({ hour }) =>
            hour > 0 ? (
              <div
                key={hour}
                className={styles.turn}
                style={{ '--turn': hour / HOURS_IN_DAY }}
                aria-hidden="true"
              />
            ) : null,
          )}
          {now === null ? null : <div className={styles.nowLine} aria-hidden="true" />}
          {visibleRows.map(({ row, index, top, height: rowHeight }) => {
            const place = { index, top, height: rowHeight };
            if (row.kind === 'heading') {
              return (
                <HeadingRow
                  key={row.key}
                  {...place}
                  id={row.id}
                  name={row.name}
                  claimed={row.claimed}
                  count={row.count}
                />
              );
            }
            const isActive = active?.id === row.id;
            return (
              <SpotRow
                key={row.key}
                id={row.id}
                {...place}
                date={date}
                over={over}
                viewer={viewer}
                withCategory={withCategory}
                countsAllOf={countsAll ? today : null}
                wanted={wanted}
                waits={waits}
                activeHour={isActive ? active.hour : null}
                activeLane={isActive ? active.lane : null}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** How much of the day has passed; the style sheets draw the current-time line by it. */
function passedOf(now: number | null, isOver: boolean): CSSProperties {
  const passed = now === null ? Number(isOver) : now / HOURS_IN_DAY;
  return { '--passed': passed, '--now-width': now === null ? '0px' : '4px' };
}

interface Parts {
  grid: RefObject<HTMLDivElement | null>;
  frame: RefObject<HTMLDivElement | null>;
}

/** The page scrolls vertically under sticky hours, so hours and rows scroll sideways separately: keep them in step. */
function useScrollTogether(grid: Parts['grid']): (event: UIEvent<HTMLElement>) => void {
  return ({ currentTarget }) => {
    for (const other of grid.current?.children ?? []) other.scrollLeft = currentTarget.scrollLeft;
  };
}

/** Where the hours don't fit, as on a phone, start at the hour before now. */
function useShowNow({ grid, frame }: Parts, now: number | null): void {
  const first = useRef(now);
  useLayoutEffect(() => {
    const hours = grid.current?.querySelector('[data-hours]');
    if (!frame.current || first.current === null) return;
    if (hours)
      frame.current.scrollLeft =
        (hours.getBoundingClientRect().width * Math.max(0, first.current - 1)) / HOURS_IN_DAY;
  }, [grid, frame]);
}

/** Extra lanes by spot, where more secondary claims overlap than a row has room for. The same map until that changes. */
function useExtraLanes(date: string): ReadonlyMap<number, number> {
  return useBoard(
    useShallow(({ claimsByRespawn }) => {
      const extra = new Map<number, number>();
      for (const [id, claims] of claimsByRespawn) {
        const waiting = claims.filter((claim) => claim.is_secondary_claim);
        if (waiting.length < 2) continue;
        const lanes = waitingLanes(dayCells(claimsOn(date, waiting), HOURS_IN_DAY));
        if (lanes > 1) extra.set(id, lanes - 1);
      }
      return extra;
    }),
  );
}

interface HeadingRowProps extends RowPosition {
  id: string;
  name: string | null;
  /** null: the filters leave out some of its spots. */
  claimed: number | null;
  count: number;
}

const HeadingRow = memo(function HeadingRow({
  id,
  name,
  claimed,
  count,
  ...place
}: HeadingRowProps): ReactNode {
  const { t } = useTranslation();
  const countText = useCountText();
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of the timeline are placed by hand
    // biome-ignore lint/a11y/useFocusableInteractive: the cells take the focus
    <div role="row" data-category={id} className={styles.heading} {...rowProps(place)}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div
        role="rowheader"
        aria-colindex={1}
        aria-colspan={HOURS_IN_DAY + 1}
        className={styles.category}
      >
        {name ?? t('board.uncategorised')} <span>{countText(claimed, count)}</span>
      </div>
    </div>
  );
});

const HOURS = Array.from({ length: HOURS_IN_DAY }, (_, hour) => hour);
/** Label every second hour. */
const WRITTEN = 2;
/** Distance from midnight within which the word "now" would cover the day's name, in hours. */
const NOW_BEFORE = 1;
const NOW_AFTER = 2.5;
/** Closer to the end than this, no name fits after the word "now", in hours. */
const LAST = 2;

interface HoursHeadProps {
  date: string;
  now: number | null;
  midnights: readonly Midnight[];
}

/** The header: SS hours with the viewer's own time below, and above them a lane with "now" and the viewer's days. */
export function HoursHead({ date, now, midnights }: HoursHeadProps): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const clock = useServerSaveClock();
  return (
    // biome-ignore-start lint/a11y/useSemanticElements: rows of the timeline are placed by hand
    // biome-ignore-start lint/a11y/useFocusableInteractive: nothing in the heading can be chosen
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.hours}>
        <div role="columnheader" aria-colindex={1} className={styles.corner}>
          <span>{t('board.timeline.spot')}</span>
          <span aria-hidden="true">{t('board.timeline.yourTime')}</span>
        </div>
        {HOURS.map((hour) => (
          <div
            key={hour}
            role="columnheader"
            aria-colindex={hour + 2}
            className={classes(styles.hour, isSkipped(date, hour, clock) && styles.skipped)}
            style={{ gridColumn: hour + 2 }}
          >
            <span className="visually-hidden">
              {t('time.hour', { hour })},{' '}
              {isSkipped(date, hour, clock)
                ? t('time.skipped')
                : t('time.localTime', { time: localTime(date, hour) })}
            </span>
            {hour % WRITTEN === 0 ? (
              <span aria-hidden="true">
                <span className={styles.number}>
                  {hour === 0 ? t('time.hour', { hour }) : `+${hour}`}
                </span>
                <span className={styles.local}>{localTime(date, hour, hour)}</span>
              </span>
            ) : null}
          </div>
        ))}
        <div className={styles.lane} data-hours aria-hidden="true">
          {midnights.map(({ hour, name }) => (
            <DayName key={hour} hour={hour} name={name} now={now} />
          ))}
          {now === null ? null : <span className={styles.nowWord}>{t('time.now')}</span>}
        </div>
      </div>
    </div>
    // biome-ignore-end lint/a11y/useFocusableInteractive: nothing in the heading can be chosen
    // biome-ignore-end lint/a11y/useSemanticElements: rows of the timeline are placed by hand
  );
}

/** The name of a day where it begins. It gives way to the word "now". */
function DayName({ hour, name, now }: Midnight & { now: number | null }): ReactNode {
  const gives = now !== null && now > hour - NOW_BEFORE && now < hour + NOW_AFTER;
  const besideNow =
    now !== null && now > HOURS_IN_DAY - LAST ? styles.dayBeforeNow : styles.dayAfterNow;
  return (
    <span className={gives ? besideNow : styles.day} style={{ '--turn': hour / HOURS_IN_DAY }}>
      {name}
    </span>
  );
}

function useMidnights(date: string): Midnight[] {
  const { i18n } = useTranslation();
  const clock = useServerSaveClock();
  const here = useTimeZone();
  return useMemo(
    () => midnightsIn(date, { clock, here, locale: formatLocale(i18n.language) }),
    [date, clock, here, i18n.language],
  );
}
