import { type ReactNode, Suspense, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { useFollowLinks } from '../../../lib/use-follow-links.ts';
import { usePrinting } from '../../../lib/use-media-query.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import styles from '../board.module.css';
import type { BoardView, Section, Sort } from '../view/board-view.ts';
import { CategorySection, PhotoControls } from './category-section.tsx';
import { type DayShown, SpotCard } from './spot-card.tsx';
import { useBuilt } from './use-built.ts';

/** The board as cards: by category, or as one sorted list. */
export function Spots({ sort, ...latest }: { view: BoardView; sort: Sort; day: DayShown }): ReactNode {
  const { t } = useTranslation();
  // Typing, and choosing a day, never wait for the cards.
  const view = useDeferredValue(latest.view);
  const day = useDeferredValue(latest.day);
  const isPrinting = usePrinting();
  const built = useBuilt(view.ids.length, isPrinting || day.photo === true);
  const growing = built < view.ids.length && styles.growing;
  const links = useFollowLinks();
  if (!view.sections) {
    return (
      <section id={SORTED} className={classes(styles.section, growing)} {...links}>
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
          {view.ids.slice(0, built).map((id) => (
            <SpotCard key={id} id={id} withCategory {...day} />
          ))}
        </div>
      </section>
    );
  }
  // One that was asked for by name says that it has nothing.
  const isWorthAPicture = ({ claimed }: Section): boolean => !day.photo || claimed.length > 0 || view.sections?.length === 1;
  return (
    <div className={classes(growing)} {...links}>
      {view.any_claims ? null : (
        <Alert title={t('board.noClaims.title')} className={styles.notice}>
          {t('board.noClaims.text')}
        </Alert>
      )}
      {sharesOf(built, view.sections)
        .filter(({ section }) => isWorthAPicture(section))
        .map(({ section, share }) => (
          <CategorySection key={section.id} section={section} built={share} {...day} />
        ))}
    </div>
  );
}

interface Share {
  section: Section;
  /** How many of its spots stand. */
  share: number;
}

/** The spots that stand already, section by section; those that have none yet wait. */
function sharesOf(built: number, sections: readonly Section[]): Share[] {
  let left = built;
  return sections.flatMap((section) => {
    const share = Math.min(left, section.ids.length);
    left -= share;
    return share > 0 ? [{ section, share }] : [];
  });
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
