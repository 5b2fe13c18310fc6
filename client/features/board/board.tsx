import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { dateInWords, formatLocale } from '../../lib/words/local-time.ts';
import { useActiveEvent } from '../../store/board-store.ts';
import { useServerSaveTime } from '../../store/clock.ts';
import { useSession } from '../../store/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { DateChips } from '../../ui/fields/date-chips.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { CameraIcon } from '../../ui/icons.tsx';
import styles from './board.module.css';
import { TimelineSkeleton } from './board-skeleton.tsx';
import { NoSpots, Spots } from './cards/spots.tsx';
import { ChangeAnnouncer } from './change-announcer.tsx';
import { Sidebar } from './sidebar/sidebar.tsx';
import { boardDates, shownDate, useFollowToday } from './view/board-dates.ts';
import { SHOWS_IN_SINGLE_EVENT, useBoardView } from './view/board-view.ts';
import { useBoardQuery, VIEWS } from './view/use-board-query.ts';

const Timeline = lazyPart(async () => (await import('./timeline/timeline.tsx')).Timeline);

/** Section 9 of the specification: a picture of a narrower screen would be of no use. */
const WIDE_ENOUGH_FOR_PHOTOS = '(min-width: 768.02px)';

export function Board(): ReactNode {
  const { t } = useTranslation();
  const event = useActiveEvent();
  const singleEvent = event?.type === 'single_claim';
  const { date: today, hour, minutes_left } = useServerSaveTime();
  const viewer = useSession((session) => (session.current ? nameKey(session.current.characterName) : null));
  const [asked, change] = useBoardQuery();
  const query = singleEvent && !SHOWS_IN_SINGLE_EVENT.includes(asked.show) ? { ...asked, show: 'all' as const } : asked;
  const view = useBoardView(query, event, { date: today, hour });
  const date = shownDate(asked.date, event, today);
  const dates = boardDates(event, today);
  useFollowToday(asked.date, today, () => change({ date: null }));
  const onDate = (next: string): void => change({ date: next === today ? null : next });
  // In quarters of an hour: the line moves on, and the cards do not render each minute.
  const now = date === today ? hour + Math.floor((60 - minutes_left) / 15) / 4 : null;
  const isWide = useMediaQuery(WIDE_ENOUGH_FOR_PHOTOS);
  const photo = query.photo && isWide;
  const isTimeline = query.view === 'timeline' && !photo;
  const noSpots =
    view.ids.length === 0 ? <NoSpots view={view} onClear={() => change({ search: '', show: 'all', category: null })} /> : null;
  return (
    <div className={styles.layout}>
      <Sidebar query={query} onChange={change} event={event} now={{ date: today, hour }} />
      <div className={classes(styles.content, isTimeline && styles.filled, photo && styles.photo)}>
        <div className={styles.head}>
          <BoardTitle event={event} date={date} />
          <div className={styles.views}>
            {isWide && !isTimeline ? (
              <Button variant={photo ? 'primary' : 'quiet'} aria-pressed={photo} onClick={() => change({ photo: !photo })}>
                <CameraIcon /> {t('board.photo.mode')}
              </Button>
            ) : null}
            {photo ? null : (
              <Segmented
                label={t('board.view')}
                value={query.view}
                options={VIEWS.map((value) => ({ value, label: t(`board.views.${value}`) }))}
                onChange={(next) => change({ view: next })}
              />
            )}
          </div>
        </div>
        {isTimeline ? (
          <Suspense fallback={<TimelineSkeleton />}>
            <Timeline view={view} dates={dates} date={date} today={today} now={now} viewer={viewer} onDate={onDate} noSpots={noSpots} />
          </Suspense>
        ) : (
          <>
            {dates.length > 0 ? (
              <div className={styles.dates}>
                <DateChips label={t('board.dates')} dates={dates} value={date} today={today} onChange={onDate} />
              </div>
            ) : null}
            {noSpots ?? <Spots view={view} sort={query.sort} day={{ date, today, now, event, viewer, photo }} />}
          </>
        )}
        <ChangeAnnouncer />
      </div>
    </div>
  );
}

/** "Vouchers from 15 Nov - 28 Nov", and the event and date in view. */
function BoardTitle({ event, date }: { event: ActiveEvent | null; date: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const locale = formatLocale(i18n.language);
  const dayAndMonth = (time: string): string => dateInWords(eventDate(time), locale, { day: 'numeric', month: 'short' });
  return (
    <div className={styles.title}>
      <h1>
        {event
          ? t('board.title', { start: dayAndMonth(event.start_time), end: dayAndMonth(event.end_time) })
          : t('board.titleWithoutEvent')}
      </h1>
      <p>
        {event?.name ?? t('board.noEvent')} · {dateInWords(date, locale)}
      </p>
    </div>
  );
}
