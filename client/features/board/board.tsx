import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { FreeAt } from '../../../shared/rules/free-at.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { boardDates, shownDate } from '../../lib/board-dates.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { showSpot } from '../../state/board-place.ts';
import { useActiveEvent } from '../../state/board-store.ts';
import { useClaimRefusal } from '../../state/claimable.ts';
import { useServerSaveQuarter } from '../../state/clock.ts';
import { openOverlay } from '../../state/overlays.ts';
import { useSession } from '../../state/session-store.ts';
import { followStars, useStars } from '../../state/stars.ts';
import { useLongestClaim, usePreset } from '../../state/usual-hours.ts';
import { Boundary } from '../../ui/boundary.tsx';
import { classes } from '../../ui/classes.ts';
import { MEDIA } from '../../ui/media.ts';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import {
  useClaimOnRequest,
  useOpenDraft,
  useShowLinkedSpot,
} from '../claiming/in-place/choose-hours.ts';
import { useClaimHandlers } from '../claiming/in-place/handlers.ts';
import type { PressedHour } from '../claiming/in-place/hours-box.ts';
import { joinAt, useWaitlistMode } from '../claiming/waitlist/waitlist.ts';
import styles from './board.module.css';
import bar from './board-bar.module.css';
import { BoardBar, CategoryIndex, DateRow, HelpButton } from './board-bar.tsx';
import { onSectionKeys, useBoardKeys } from './board-keys.ts';
import { showsAll, useBoardQuery, useFollowToday, useRestoreBoard } from './board-query.ts';
import { TimelineSkeleton } from './board-skeleton.tsx';
import { onlyFitting, SHOWS_IN_SINGLE_EVENT } from './board-view.ts';
import { NoSpots, Spots } from './cards/spots.tsx';
import { useClaimAgain } from './claim-again.tsx';
import { ClosedNotice } from './claim-links.tsx';
import { Sidebar } from './filters.tsx';
import {
  BusyDay,
  FreePicker,
  FreeRow,
  isSameHours,
  NothingFree,
  TonightButton,
  useClaimsAtOnce,
  useFreeSearch,
  useHoursOver,
} from './free-at.tsx';
import { ChangeAnnouncer } from './live-changes.tsx';
import { type Hunt, MyHunts } from './my-hunts.tsx';
import { NewcomerStrip, useNewcomer } from './newcomer-strip.tsx';
import { useBoardView } from './use-board-view.ts';

const Timeline = lazyPart(async () => (await import('./timeline/timeline.tsx')).Timeline);

const StripHint = lazyPart(async () => (await import('./cards/strip-hint.tsx')).StripHint);

/** Loads the hints of all strips when a spot is first pointed at or focused. */
function StripHints({ date }: { date: string }): ReactNode {
  const [isWanted, setIsWanted] = useState(false);
  useEffect(() => {
    const listeners = new AbortController();
    const look = ({ target }: Event): void => {
      if (!(target instanceof Element && target.closest('[data-spot]'))) return;
      listeners.abort();
      setIsWanted(true);
    };
    for (const event of ['pointerover', 'focusin'])
      document.addEventListener(event, look, listeners);
    return () => listeners.abort();
  }, []);
  return isWanted ? (
    <Boundary instead={() => null}>
      <Suspense>
        <StripHint date={date} />
      </Suspense>
    </Boundary>
  ) : null;
}

const openHelp = (): void => openOverlay('help', {});

export function Board(): ReactNode {
  const event = useActiveEvent();
  const singleEvent = event?.type === 'single_claim';
  useEffect(followStars, []);
  // Quarter hours: neither board nor cards render every minute.
  const { date: today, hour, time } = useServerSaveQuarter();
  const signedIn = useSession((session) =>
    session.current ? nameKey(session.current.characterName) : null,
  );
  const { query: requested, change, changeQuietly } = useBoardQuery();
  const query =
    singleEvent && !SHOWS_IN_SINGLE_EVENT.includes(requested.show)
      ? { ...requested, show: 'all' as const }
      : requested;
  const date = shownDate(requested.date, event, today);
  const isClosed = useClaimRefusal(date) !== null;
  const isWide = useMediaQuery(MEDIA.photo);
  const photo = query.photo && isWide;
  // A picture is for the whole guild, so it highlights no viewer.
  const viewer = photo ? null : signedIn;
  const longest = useLongestClaim();
  const over = useHoursOver(date, event, { date: today, hour });
  const free = useFreeSearch(
    requested.free && { ...requested.free, duration: Math.min(requested.free.duration, longest) },
    {
      date: singleEvent ? null : date,
      over,
      viewer,
    },
  );
  const stars = useStars();
  const tonightIn = usePreset(today, { viewer, over: hour, longest });
  const dates = boardDates(event, today);
  // Also while a day that is closed to claims is in view.
  const isTodayClosed = useClaimRefusal(today) !== null;
  const isTonightHere = !isTodayClosed && !singleEvent && dates.includes(today);
  const tonight = isTonightHere ? tonightIn : null;
  const evening = usePreset(date, { viewer: null, over, longest });
  const preset = date === today ? tonight : evening;
  const again = useClaimAgain(date, { date: today, hour }, event);
  const matching = useBoardView({
    ...query,
    event,
    date,
    now: { date: today, hour },
    viewer,
    stars,
    again: again?.respawn_id ?? null,
  });
  const view = useMemo(
    () => (free ? onlyFitting(matching, free.inView) : matching),
    [matching, free],
  );
  const wanted = isClosed ? null : (free?.wanted ?? null);
  const isClaimedAtOnce = useClaimsAtOnce(wanted, {
    date: singleEvent ? null : date,
    today,
    now: time,
  });
  const fitCount = free ? view.ids.filter((id) => free.fitting.has(id)).length : null;
  useFollowToday(requested.date, today, () => changeQuietly({ date: null }));
  const onDate = (next: string): void => change({ date: next === today ? null : next });
  const now = date === today ? time : null;
  const isTimeline = query.view === 'timeline' && !photo;
  const isPhone = useMediaQuery(MEDIA.folded);
  const toFocus = useRef(false);
  useBoardKeys({
    onStep: (days) => {
      const to = dates[dates.indexOf(date) + days];
      if (to !== undefined) onDate(to);
    },
    onTimeline: () => {
      toFocus.current = !isTimeline;
      change({ view: isTimeline ? 'cards' : 'timeline', photo: false });
    },
    onHelp: openHelp,
  });
  const isEmpty = view.ids.length === 0;
  // Where there is no sidebar.
  const hasIndex = isPhone && view.sections !== null && view.sections.length > 1;
  const onFree = (next: FreeAt | null): void => change({ free: next });
  const noSpots =
    free && isEmpty && matching.ids.length > 0 ? (
      <NothingFree free={free} ids={matching.ids} onChange={onFree} />
    ) : isEmpty ? (
      <NoSpots
        view={view}
        onClear={() => change({ search: '', show: 'all', category: null, free: null })}
      />
    ) : null;
  const freeRow = (
    <FreeRow
      search={free}
      onChange={onFree}
      date={date}
      over={over}
      longest={longest}
      preset={preset}
      count={isPhone ? fitCount : null}
    />
  );
  const showHunt = ({ respawn_id, date }: Hunt): void => {
    const letsThrough =
      query.search === '' &&
      query.category === null &&
      (query.show === 'all' || query.show === 'claimed');
    change({
      date: date === today ? null : date,
      view: 'cards',
      photo: false,
      free: null,
      ...(letsThrough ? {} : { search: '', show: 'all', category: null }),
    });
    showSpot({ respawn_id, date: dates.length > 0 ? date : shownDate(null, event, today) });
  };
  const newcomer = useNewcomer();
  const isGuided = newcomer.isNew && !photo;
  const ask = useOpenDraft();
  const isOff = isClosed || photo;
  const waits = useWaitlistMode(date, today, event);
  const takeOccupied =
    waits === 'open' ? (pressed: PressedHour): boolean => joinAt(pressed, date) : undefined;
  const place = useClaimHandlers({ date, isOff, take: ask, takeOccupied });
  useClaimOnRequest({ date, wanted: shownDate(null, event, today), isOff, ask });
  useRestoreBoard(requested);
  useShowLinkedSpot(dates.length > 0 ? date : shownDate(null, event, today), view.ids, () =>
    changeQuietly({ search: '', show: 'all', category: null, free: null }),
  );
  return (
    <>
      <MyHunts event={event} onShow={showHunt} />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only hears where the keyboard goes */}
      <div className={styles.layout} onKeyDown={onSectionKeys}>
        {isPhone ? null : (
          <Sidebar query={query} onChange={change} event={event} now={{ date: today, hour }} />
        )}
        <div
          className={classes(styles.content, photo && styles.photo, isTimeline && styles.wide)}
          {...place}
        >
          <BoardBar
            query={query}
            onChange={change}
            event={event}
            date={date}
            now={{ date: today, hour }}
            isPhone={isPhone}
            isTimeline={isTimeline}
            photo={isWide ? photo : null}
            free={isPhone && !free ? null : freeRow}
            count={fitCount}
            spotCount={view.ids.length}
          />
          {dates.length > 0 || isPhone ? (
            <div className={bar.dates}>
              {isPhone && !photo ? (
                <FreePicker
                  search={free}
                  onChange={onFree}
                  date={date}
                  over={over}
                  longest={longest}
                  preset={preset}
                />
              ) : null}
              <DateRow dates={dates} date={date} today={today} onDate={onDate} />
              {tonight && !isPhone && !photo ? (
                <TonightButton
                  tonight={tonight}
                  isOn={date === today && isSameHours(requested.free, tonight)}
                  onChange={(free) => change(free ? { date: null, free } : { free })}
                />
              ) : null}
              {hasIndex ? <CategoryIndex view={view} /> : null}
              {isPhone ? null : <HelpButton onPress={openHelp} />}
            </div>
          ) : null}
          {photo ? null : <ClosedNotice date={date} today={today} event={event} />}
          {isGuided ? <NewcomerStrip onDismiss={newcomer.dismiss} /> : null}
          {free?.busy && !isEmpty ? <BusyDay claim={free.busy} /> : null}
          {noSpots ? (
            <div className={bar.nothing}>{noSpots}</div>
          ) : isTimeline ? (
            <PartBoundary fallback={<TimelineSkeleton />}>
              <Timeline
                view={view}
                date={date}
                today={today}
                now={now}
                viewer={viewer}
                countsAll={query.sort === 'most_claims'}
                wanted={wanted}
                waits={waits}
                toFocus={toFocus}
              />
            </PartBoundary>
          ) : (
            <Spots
              view={view}
              sort={query.sort}
              again={photo ? null : again}
              mayFold={!free && showsAll(query)}
              day={{
                date,
                today,
                now,
                event,
                viewer,
                search: query.search,
                photo,
                wanted: photo ? null : wanted,
                isClaimedAtOnce,
                waits,
              }}
            />
          )}
          <ChangeAnnouncer />
          {isTimeline || photo ? null : <StripHints date={date} />}
        </div>
      </div>
    </>
  );
}
