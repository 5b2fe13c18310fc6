import { type ReactNode, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { formatLocale } from '../../lib/format-locale.ts';
import { dateInWords } from '../../lib/local-time.ts';
import { useServerSaveTime } from '../../store/clock.ts';
import { useSession } from '../../store/session-store.ts';
import { useActiveEvent } from '../../store/use-active-event.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { DateChips } from '../../ui/date-chips.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './board.module.css';
import { boardDates, shownDate } from './board-dates.ts';
import { type BoardView, SHOWS_IN_SINGLE_EVENT, type Sort } from './board-view.ts';
import { CategorySection } from './category-section.tsx';
import { ChangeAnnouncer } from './change-announcer.tsx';
import { Sidebar } from './sidebar.tsx';
import { type DayShown, SpotCard } from './spot-card.tsx';
import { useBoardQuery } from './use-board-query.ts';
import { useBoardView } from './use-board-view.ts';

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
  // In quarters of an hour: the line moves on, and the cards do not render each minute.
  const now = date === today ? hour + Math.floor((60 - minutes_left) / 15) / 4 : null;
  return (
    <div className={styles.layout}>
      <Sidebar query={query} onChange={change} singleEvent={singleEvent} today={today} />
      <div className={styles.content}>
        <BoardTitle event={event} date={date} />
        {dates.length > 0 ? (
          <div className={styles.dates}>
            <DateChips
              label={t('board.dates')}
              dates={dates}
              value={date}
              today={today}
              onChange={(next) => change({ date: next === today ? null : next })}
            />
          </div>
        ) : null}
        <Spots
          view={view}
          sort={query.sort}
          day={{ date, today, now, event, viewer }}
          onClear={() => change({ search: '', show: 'all', category: null })}
        />
        <ChangeAnnouncer />
      </div>
    </div>
  );
}

function BoardTitle({ event, date }: { event: ActiveEvent | null; date: string }): ReactNode {
  const { t, i18n } = useTranslation();
  const locale = formatLocale(i18n.language);
  const dayAndMonth = (time: string): string => dateInWords(eventDate(time), locale, { day: 'numeric', month: 'short' });
  return (
    <div className={styles.head}>
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

function Spots({ view: latest, sort, day, onClear }: { view: BoardView; sort: Sort; day: DayShown; onClear: () => void }): ReactNode {
  const { t } = useTranslation();
  // A huge board shows its first screen at once and the rest as soon as there is time; typing never waits for it.
  const view = useDeferredValue(latest, firstScreen(latest));
  if (view.spot_count === 0) return <EmptyState title={t('board.noSpots.title')} text={t('board.noSpots.text')} />;
  if (view.ids.length === 0) {
    return (
      <EmptyState
        title={t('board.noResults.title')}
        text={t('board.noResults.text')}
        action={<Button onClick={onClear}>{t('board.noResults.action')}</Button>}
      />
    );
  }
  if (!view.sections) {
    return (
      <section className={styles.section}>
        <div className={styles.sectionHead}>
          <h2>{t(`board.sortOptions.${sort}`)}</h2>
          <p>{t('board.results', { count: view.ids.length })}</p>
        </div>
        <div className={styles.cards}>
          {view.ids.map((id) => (
            <SpotCard key={id} id={id} withCategory {...day} />
          ))}
        </div>
      </section>
    );
  }
  return (
    <>
      {view.any_claims ? null : (
        <Alert title={t('board.noClaims.title')} className={styles.notice}>
          {t('board.noClaims.text')}
        </Alert>
      )}
      {view.sections.map((section) => (
        <CategorySection key={section.id} section={section} {...day} />
      ))}
    </>
  );
}

const FIRST_SECTIONS = 3;
const FIRST_SPOTS = 24;

function firstScreen(view: BoardView): BoardView {
  return { ...view, sections: view.sections?.slice(0, FIRST_SECTIONS) ?? null, ids: view.ids.slice(0, FIRST_SPOTS) };
}
