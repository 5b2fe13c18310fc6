import { type ReactNode, Suspense, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './board.module.css';
import type { BoardView, Section, Sort } from './board-view.ts';
import { CategorySection, PhotoControls } from './category-section.tsx';
import { type DayShown, SpotCard } from './spot-card.tsx';
import { useGrowing } from './use-growing.ts';

/** The board as cards: by category, or as one sorted list. */
export function Spots({ view: latest, sort, day }: { view: BoardView; sort: Sort; day: DayShown }): ReactNode {
  const { t } = useTranslation();
  // Typing never waits for the cards.
  const whole = useDeferredValue(latest);
  const shown = useGrowing(whole.ids.length);
  // A picture must not miss what is still to come.
  const view = day.photo ? whole : cut(whole, shown);
  if (!view.sections) {
    return (
      <section id={SORTED} className={styles.section}>
        <div className={styles.sectionHead}>
          <h2>{t(`board.sortOptions.${sort}`)}</h2>
          <p>{t('board.results', { count: view.ids.length })}</p>
          {day.photo ? (
            <Suspense>
              <PhotoControls sectionId={SORTED} title={t(`board.sortOptions.${sort}`)} date={day.date} event={day.event} />
            </Suspense>
          ) : null}
        </div>
        <div className={styles.cards}>
          {view.ids.map((id) => (
            <SpotCard key={id} id={id} withCategory {...day} />
          ))}
        </div>
      </section>
    );
  }
  // One that was asked for by name says that it has nothing.
  const isWorthAPicture = ({ claimed }: Section): boolean => !day.photo || claimed.length > 0 || view.sections?.length === 1;
  return (
    // What is below stays below while the rest is still to come.
    <div className={classes(view !== whole && styles.growing)}>
      {view.any_claims ? null : (
        <Alert title={t('board.noClaims.title')} className={styles.notice}>
          {t('board.noClaims.text')}
        </Alert>
      )}
      {view.sections.filter(isWorthAPicture).map((section) => (
        <CategorySection key={section.id} section={section} {...day} />
      ))}
    </div>
  );
}

/** Why there is no spot to show: none exists yet, or none matches. */
export function NoSpots({ view, onClear }: { view: BoardView; onClear: () => void }): ReactNode {
  const { t } = useTranslation();
  if (view.spot_count === 0) return <EmptyState title={t('board.noSpots.title')} text={t('board.noSpots.text')} />;
  return (
    <EmptyState
      title={t('board.noResults.title')}
      text={t('board.noResults.text')}
      action={<Button onClick={onClear}>{t('board.noResults.action')}</Button>}
    />
  );
}

const SORTED = 'sorted-spots';
/** The first `count` spots of a view; sections that are whole stay the same objects. */
function cut(view: BoardView, count: number): BoardView {
  if (view.ids.length <= count) return view;
  let room = count;
  const sections = view.sections?.flatMap((section) => {
    const before = room;
    room -= section.ids.length;
    if (room >= 0) return [section];
    if (before <= 0) return [];
    const claimed = section.claimed.slice(0, before);
    return [{ ...section, claimed, unclaimed: section.unclaimed.slice(0, before - claimed.length) }];
  });
  return { ...view, sections: sections ?? null, ids: view.ids.slice(0, count) };
}
