import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { eventDate } from '../../../shared/rules/event-period.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { useDayText } from '../../lib/time-text.ts';
import { useEscape } from '../../lib/use-escape.ts';
import { Button, ButtonLink, IconButton, IconLink } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { DateChips } from '../../ui/fields/date-chips.tsx';
import { SearchInput } from '../../ui/fields/inputs.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import {
  CameraIcon,
  CardsIcon,
  ChevronLeftIcon,
  ChevronRightIcon,
  CloseIcon,
  FilterIcon,
  IndexIcon,
  PrintIcon,
  TimelineIcon,
  WatchIcon,
} from '../../ui/icons.tsx';
import { Menu } from '../../ui/menu.tsx';
import styles from './board-bar.module.css';
import { type AddressQuery, filtersSet, VIEWS, type View } from './board-query.ts';
import type { BoardView, Now } from './board-view.ts';
import { Filters } from './filters.tsx';

interface BoardBarProps {
  query: AddressQuery;
  onChange: (change: Partial<AddressQuery>) => void;
  event: ActiveEvent | null;
  /** The server-save date in view. */
  date: string;
  now: Now;
  isPhone: boolean;
  isTimeline: boolean;
  /** null: the screen is too narrow for a picture. */
  photo: boolean | null;
  /** "Free at": in the head; among the filters on a phone once it is set, to change how long. */
  free: ReactNode;
  /** How many spots have the searched hours; null: no search. */
  count: number | null;
  /** How many spots the filters let through. */
  spotCount: number;
}

/** The bar above the board. On a phone it is one line, and the filters unfold below it. */
export function BoardBar({
  query,
  onChange,
  event,
  date,
  now,
  isPhone,
  isTimeline,
  photo,
  free,
  count,
  spotCount,
}: BoardBarProps): ReactNode {
  const { t } = useTranslation();
  const filters = useFilterPanel(query.view);
  const filtersId = useId();
  const set = filtersSet(query);
  const icons = { cards: <CardsIcon size={18} />, timeline: <TimelineIcon size={18} /> };
  const onPhoto = photo === null || isTimeline ? null : () => onChange({ photo: !photo });
  const views = photo ? null : (
    <Segmented
      label={t('board.view')}
      value={query.view}
      options={VIEWS.map((value) => ({
        value,
        label: t(`board.views.${value}`),
        icon: icons[value],
      }))}
      onChange={(view) => onChange({ view })}
    />
  );
  if (isPhone) {
    return (
      <>
        <div className={styles.bar}>
          <SearchInput
            label={t('board.search')}
            value={query.search}
            onChange={({ target }) => onChange({ search: target.value })}
          />
          <IconButton
            label={set > 0 ? t('board.filtersSet', { count: set }) : t('board.filters')}
            icon={
              <>
                <FilterIcon size={18} />
                {set > 0 ? <span className={styles.badge}>{set}</span> : null}
              </>
            }
            variant="plain"
            ref={filters.button}
            aria-expanded={filters.isOpen}
            aria-controls={filtersId}
            className={classes(styles.filterButton)}
            onClick={filters.toggle}
          />
          <IconLink
            label={t('board.watch.title')}
            icon={<WatchIcon size={18} />}
            variant="plain"
            className={styles.watch}
            to="/?view=watch"
          />
          {onPhoto ? (
            <IconButton
              label={t(photo ? 'board.photo.leave' : 'board.photo.mode')}
              icon={photo ? <CloseIcon size={18} /> : <CameraIcon size={18} />}
              variant="plain"
              onClick={onPhoto}
            />
          ) : null}
          {views}
        </div>
        <div id={filtersId} hidden={!filters.isOpen} className={styles.filters}>
          {filters.isOpen ? (
            <>
              {free}
              <Filters query={query} onChange={onChange} event={event} now={now} />
              <ButtonLink wide to="/?view=watch">
                <WatchIcon /> {t('board.watch.title')}
              </ButtonLink>
              <div className={styles.apply}>
                <Button variant="primary" wide onClick={filters.showSpots}>
                  {t('board.showSpots', { count: spotCount })}
                </Button>
              </div>
            </>
          ) : null}
        </div>
        <BoardTitle event={event} date={date} count={count} />
      </>
    );
  }
  return (
    <div className={classes(styles.head, query.free !== null && styles.asking)}>
      <BoardTitle event={event} date={date} count={count} />
      {photo ? null : free}
      <div className={styles.tools}>
        {isTimeline ? (
          <Button title={t('board.timeline.print')} onClick={() => window.print()}>
            <PrintIcon /> <span className={styles.word}>{t('board.timeline.print')}</span>
          </Button>
        ) : null}
        {photo ? null : (
          <ButtonLink variant="quiet" to="/?view=watch" title={t('board.watch.title')}>
            <WatchIcon /> <span className={styles.word}>{t('board.watch.title')}</span>
          </ButtonLink>
        )}
        {onPhoto ? (
          <Button
            variant={photo ? 'plain' : 'quiet'}
            title={t(photo ? 'board.photo.leave' : 'board.photo.mode')}
            onClick={onPhoto}
          >
            {photo ? <CloseIcon size={16} /> : <CameraIcon />}{' '}
            <span className={styles.word}>
              {t(photo ? 'board.photo.leave' : 'board.photo.mode')}
            </span>
          </Button>
        ) : null}
        {views}
      </div>
    </div>
  );
}

interface FilterPanel {
  isOpen: boolean;
  /** The focus returns to it. */
  button: RefObject<HTMLButtonElement | null>;
  toggle: () => void;
  /** Closes the panel and goes to the first spots. */
  showSpots: () => void;
}

/** The filters of a phone. They close on Escape and with a change of the view, too. */
function useFilterPanel(view: View): FilterPanel {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [last, setLast] = useState(view);
  if (last !== view) {
    setLast(view);
    setOpen(false);
  }
  const close = (): void => {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  };
  useEscape(isOpen, close);
  const showSpots = (): void => {
    close();
    window.scrollTo(0, 0);
  };
  return { isOpen, button, toggle: () => setOpen(!isOpen), showSpots };
}

interface BoardTitleProps {
  event: ActiveEvent | null;
  /** The server-save date in view. */
  date: string;
  /** How many spots have the searched hours; null: no search. */
  count: number | null;
}

/** "Vouchers from 15 Nov - 28 Nov", the event, the date in view and the number of matching spots. */
function BoardTitle({ event, date, count }: BoardTitleProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const dayAndMonth = (time: string): string => dayText(eventDate(time), 'date');
  return (
    <div className={styles.title}>
      <h1>
        {event
          ? t('board.title', {
              start: dayAndMonth(event.start_time),
              end: dayAndMonth(event.end_time),
            })
          : t('board.titleNoEvent')}
      </h1>
      <p>
        <span className={classes(event && styles.event)}>{event?.name ?? t('board.noEvent')}</span>
        <span> · {dayText(date)}</span>
        <span role="status">
          {count === null ? '' : ` · ${t('board.freeAt.matches', { count })}`}
        </span>
      </p>
    </div>
  );
}

interface DateRowProps {
  /** The dates to choose from. Empty in a single_claim event, where all days are alike. */
  dates: readonly string[];
  date: string;
  today: string;
  onDate: (date: string) => void;
}

/** Chooses the day of cards and timeline: previous, next, any date, or back to today. */
export function DateRow({ dates, date, today, onDate }: DateRowProps): ReactNode {
  const { t } = useTranslation();
  const chips = useRef<HTMLDivElement>(null);
  const goToToday = (): void => {
    onDate(today);
    // The pressed button disappears.
    chips.current?.querySelectorAll('input')[dates.indexOf(today)]?.focus({ preventScroll: true });
  };
  const step = (days: -1 | 1, label: string, icon: ReactNode): ReactNode => {
    const to = dates[dates.indexOf(date) + days];
    // `aria-disabled`, not `disabled`: stepping to the last day by keyboard would lose the focus.
    return (
      <IconButton
        label={label}
        icon={icon}
        variant="plain"
        className={styles.step}
        aria-disabled={to === undefined || undefined}
        onClick={() => to !== undefined && onDate(to)}
      />
    );
  };
  return (
    <>
      {step(-1, t('board.timeline.previousDay'), <ChevronLeftIcon />)}
      <div ref={chips} className={styles.chips}>
        <DateChips
          low
          label={t('board.dates')}
          dates={dates}
          value={date}
          today={today}
          onChange={onDate}
        />
      </div>
      {step(1, t('board.timeline.nextDay'), <ChevronRightIcon />)}
      {date !== today && dates.includes(today) ? (
        <Button className={styles.today} onClick={goToToday}>
          {t('board.backToToday')}
        </Button>
      ) : null}
    </>
  );
}

const CategoryList = lazyPart(async () => (await import('./category-list.tsx')).CategoryList);

/** The index of a long board, beside the dates, which stay in view: it jumps to a category. */
export function CategoryIndex({ view }: { view: BoardView }): ReactNode {
  const { t } = useTranslation();
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          label={t('board.jump')}
          icon={<IndexIcon size={18} />}
          variant="plain"
          className={styles.index}
        />
      }
    >
      <CategoryList view={view} />
    </Menu>
  );
}

export function HelpButton({ onPress }: { onPress: () => void }): ReactNode {
  const { t } = useTranslation();
  return (
    <IconButton
      label={t('board.help.title')}
      icon={<kbd>?</kbd>}
      className={styles.keys}
      onClick={onPress}
    />
  );
}
