import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { nameKey } from '../../../shared/rules/names.ts';
import { lengthOf } from '../../../shared/rules/stretch.ts';
import { boardDates, shownDate } from '../../lib/board-dates.ts';
import { claimSearch, requestedHoursIn } from '../../lib/claim-request.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { useDayText } from '../../lib/time-text.ts';
import { lastBoard, showSpot } from '../../state/board-place.ts';
import { useActiveEvent } from '../../state/board-store.ts';
import { useClaimRefusal } from '../../state/claimable.ts';
import { useServerSaveQuarter } from '../../state/clock.ts';
import { useClaimPage } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import { followStars, useStars } from '../../state/stars.ts';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { CardsIcon, TimelineIcon } from '../../ui/icons.tsx';
import { PartBoundary } from '../../ui/part-boundary.tsx';
import { discardDraft, type TakeHours } from '../claiming/in-place/choose-hours.ts';
import { useClaimHandlers } from '../claiming/in-place/handlers.ts';
import type { PressedHour } from '../claiming/in-place/hours-box.ts';
import { joinAt, useWaitlistMode } from '../claiming/waitlist/waitlist.ts';
import bar from './board-bar.module.css';
import { DateRow } from './board-bar.tsx';
import { onSectionKeys } from './board-keys.ts';
import { readQuery, showsAll, VIEWS } from './board-query.ts';
import { TimelineSkeleton } from './board-skeleton.tsx';
import { NoSpots, Spots } from './cards/spots.tsx';
import { useBoardView } from './use-board-view.ts';
import styles from './with-side-board.module.css';

const Timeline = lazyPart(async () => (await import('./timeline/timeline.tsx')).Timeline);

/**
 * The board beside the claim form. The address belongs to the form, so filters and date live in state here. Hours chosen on this board
 * fill the form.
 */
export function SideBoard(): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const event = useActiveEvent();
  const { date: today, hour, time } = useServerSaveQuarter();
  const viewer = useSession((session) =>
    session.current ? nameKey(session.current.characterName) : null,
  );
  const stars = useStars();
  useEffect(followStars, []);
  const requested = requestedHoursIn(new URLSearchParams(useLocation().search));
  const [query, setQuery] = useState(() => {
    const left = readQuery(Object.fromEntries(new URLSearchParams(lastBoard().search)));
    return { ...left, date: requested.date ?? left.date };
  });
  const date = shownDate(query.date, event, today);
  const dates = boardDates(event, today);
  const now = date === today ? time : null;
  const view = useBoardView({
    ...query,
    event,
    date,
    now: { date: today, hour },
    viewer,
    stars,
    again: null,
  });
  const waits = useWaitlistMode(date, today, event);
  const takeOccupied =
    waits === 'open' ? (pressed: PressedHour): boolean => joinAt(pressed, date) : undefined;
  const place = useClaimHandlers({
    date,
    isOff: useClaimRefusal(date) !== null,
    take: useFillForm(),
    takeOccupied,
  });
  const icons = { cards: <CardsIcon size={18} />, timeline: <TimelineIcon size={18} /> };
  useShowFirst(requested.respawn_id, date);
  return (
    <aside aria-label={t('board.sidePanel.label')} className={styles.board}>
      <div className={bar.head}>
        <div>
          <p className={styles.date}>{dayText(date)}</p>
          <p className="muted fine">{t('board.sidePanel.hint')}</p>
        </div>
        <Segmented
          label={t('board.view')}
          value={query.view}
          options={VIEWS.map((value) => ({
            value,
            label: t(`board.views.${value}`),
            icon: icons[value],
          }))}
          onChange={(next) => setQuery({ ...query, view: next })}
        />
      </div>
      {dates.length > 0 ? (
        <div className={bar.dates}>
          <DateRow
            dates={dates}
            date={date}
            today={today}
            onDate={(next) => setQuery({ ...query, date: next })}
          />
        </div>
      ) : null}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the handlers only observe focus and key presses */}
      <div onKeyDown={onSectionKeys} {...place}>
        {view.ids.length === 0 ? (
          <NoSpots
            view={view}
            onClear={() => setQuery({ ...query, search: '', show: 'all', category: null })}
          />
        ) : query.view === 'timeline' ? (
          <PartBoundary fallback={<TimelineSkeleton />}>
            <Timeline
              view={view}
              date={date}
              today={today}
              now={now}
              viewer={viewer}
              countsAll={query.sort === 'most_claims'}
              wanted={null}
              waits={waits}
            />
          </PartBoundary>
        ) : (
          <Spots
            view={view}
            sort={query.sort}
            again={null}
            mayFold={showsAll(query)}
            day={{ date, today, now, event, viewer, search: query.search, waits }}
          />
        )}
      </div>
    </aside>
  );
}

/** Chosen hours go to the form. The address is replaced, so that going back leaves the page. */
function useFillForm(): TakeHours {
  const navigate = useNavigate();
  const page = useClaimPage();
  return (spot, { range }) => {
    if (!range) return false;
    discardDraft();
    void navigate(page + claimSearch({ ...spot, hour: range.hour_start, hours: lengthOf(range) }), {
      replace: true,
    });
    return true;
  };
}

function useShowFirst(respawn_id: number | null, date: string): void {
  const [first] = useState({ respawn_id, date });
  useEffect(() => {
    if (first.respawn_id !== null) showSpot({ respawn_id: first.respawn_id, date: first.date });
  }, [first]);
}
