import { type ReactNode, Suspense, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { useFollowLinks } from '../../lib/use-follow-links.ts';
import { usePrinting } from '../../lib/use-media-query.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './board.module.css';
import { CategorySection, PhotoControls } from './category-section.tsx';
import { type DayShown, SpotCard } from './spot-card.tsx';
import type { BoardView, Section, Sort } from './view/board-view.ts';

/** Of a list these are in view as it opens: a telephone's, or a wide screen's first row. */
const IN_VIEW = 3;

/** The board as cards: by category, or as one sorted list. */
export function Spots({ view: latest, sort, day }: { view: BoardView; sort: Sort; day: DayShown }): ReactNode {
  const { t } = useTranslation();
  // Typing never waits for the cards.
  const view = useDeferredValue(latest);
  const whole = usePrinting() || day.photo === true;
  const links = useFollowLinks();
  if (!view.sections) {
    return (
      <section id={SORTED} className={styles.section} {...links}>
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
          {view.ids.map((id, i) => (
            <SpotCard key={id} id={id} withCategory first={i < IN_VIEW} {...day} whole={whole} />
          ))}
        </div>
      </section>
    );
  }
  // One that was asked for by name says that it has nothing.
  const isWorthAPicture = ({ claimed }: Section): boolean => !day.photo || claimed.length > 0 || view.sections?.length === 1;
  return (
    <div {...links}>
      {view.any_claims ? null : (
        <Alert title={t('board.noClaims.title')} className={styles.notice}>
          {t('board.noClaims.text')}
        </Alert>
      )}
      {view.sections.filter(isWorthAPicture).map((section, i) => (
        <CategorySection key={section.id} section={section} cardsInView={i === 0 ? IN_VIEW : 0} {...day} whole={whole} />
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
