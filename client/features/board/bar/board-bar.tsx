import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { Button, ButtonLink, IconButton, IconLink } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import { CameraIcon, CardsIcon, FilterIcon, PrintIcon, TimelineIcon, WatchIcon } from '../../../ui/icons.tsx';
import { Filters } from '../sidebar/filters.tsx';
import type { Now } from '../view/board-view.ts';
import { type AskedQuery, filtersSet, VIEWS } from '../view/use-board-query.ts';
import styles from './bar.module.css';
import { BoardTitle } from './board-title.tsx';

export interface BoardBarProps {
  query: AskedQuery;
  onChange: (change: Partial<AskedQuery>) => void;
  event: ActiveEvent | null;
  /** The server-save date in view. */
  date: string;
  now: Now;
  isPhone: boolean;
  isTimeline: boolean;
  /** null: the screen is too narrow for a picture. */
  photo: boolean | null;
  /** "Free at": in the head, or among a phone's filters. */
  free: ReactNode;
  /** How many spots have the hours that are looked for; null: none are. */
  count: number | null;
}

/** What stands above the board: on a phone one line, whose filters unfold below it; beside the sidebar what that has not. */
export function BoardBar({ query, onChange, event, date, now, isPhone, isTimeline, photo, free, count }: BoardBarProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const filtersId = useId();
  const set = filtersSet(query);
  const icons = { cards: <CardsIcon size={18} />, timeline: <TimelineIcon size={18} /> };
  const onPhoto = photo === null || isTimeline ? null : () => onChange({ photo: !photo });
  const views = photo ? null : (
    <Segmented
      label={t('board.view')}
      value={query.view}
      options={VIEWS.map((value) => ({ value, label: t(`board.views.${value}`), icon: icons[value] }))}
      onChange={(view) => onChange({ view })}
    />
  );
  if (isPhone) {
    return (
      <>
        <div className={styles.bar}>
          <SearchInput label={t('board.search')} value={query.search} onChange={({ target }) => onChange({ search: target.value })} />
          <IconButton
            label={set > 0 ? t('board.filtersSet', { count: set }) : t('board.filters')}
            icon={
              <>
                <FilterIcon size={18} />
                {set > 0 ? <span className={styles.badge}>{set}</span> : null}
              </>
            }
            variant="plain"
            aria-expanded={open}
            aria-controls={filtersId}
            className={classes(styles.filterButton)}
            onClick={() => setOpen(!open)}
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
              label={t('board.photo.mode')}
              icon={<CameraIcon size={18} />}
              variant={photo ? 'primary' : 'plain'}
              aria-pressed={photo === true}
              onClick={onPhoto}
            />
          ) : null}
          {views}
        </div>
        <div id={filtersId} hidden={!open} className={styles.filters}>
          {open ? free : null}
          {open ? <Filters query={query} onChange={onChange} event={event} now={now} /> : null}
          {open ? (
            <ButtonLink wide to="/?view=watch">
              <WatchIcon /> {t('board.watch.title')}
            </ButtonLink>
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
          <Button variant={photo ? 'primary' : 'quiet'} aria-pressed={photo === true} title={t('board.photo.mode')} onClick={onPhoto}>
            <CameraIcon /> <span className={styles.word}>{t('board.photo.mode')}</span>
          </Button>
        ) : null}
        {views}
      </div>
    </div>
  );
}
