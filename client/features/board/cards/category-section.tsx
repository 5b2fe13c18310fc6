import { memo, type ReactNode, Suspense, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import styles from '../board.module.css';
import type { Section } from '../view/board-view.ts';
import { type DayShown, SpotCard } from './spot-card.tsx';
import { SpotTile } from './spot-tile.tsx';

export const PhotoControls = lazyPart(async () => (await import('../photo/photo-controls.tsx')).PhotoControls);

interface CategorySectionProps extends DayShown {
  section: Section;
  /** How many of its spots stand already: first those with claims. */
  built: number;
}

/** A category: its claimed spots as cards, the others as a grid of emblems; in photo mode only what is claimed. */
export const CategorySection = memo(function CategorySection({ section, built, ...day }: CategorySectionProps): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const sectionId = `category-${section.id}`;
  const unclaimed = section.unclaimed.slice(0, Math.max(0, built - section.claimed.length));
  const name = section.name ?? t('board.uncategorised');
  return (
    <section id={sectionId} aria-labelledby={titleId} className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 id={titleId}>{name}</h2>
        <p>{t('board.claimedOf', { claimed: section.claimed_count, count: section.count })}</p>
        {day.photo ? (
          <Suspense>
            <PhotoControls sectionId={sectionId} title={name} date={day.date} event={day.event} />
          </Suspense>
        ) : null}
      </div>
      {section.claimed.length > 0 ? (
        <div className={styles.cards}>
          {section.claimed.slice(0, built).map((id) => (
            <SpotCard key={id} id={id} {...day} />
          ))}
        </div>
      ) : null}
      {day.photo && section.claimed.length === 0 ? <p className={styles.none}>{t('board.photo.nothing')}</p> : null}
      {unclaimed.length > 0 && !day.photo ? (
        <ul className={styles.tiles} aria-label={t('board.unclaimedIn', { category: name })}>
          {unclaimed.map((id) => (
            <SpotTile key={id} id={id} date={day.date} claimable={day.date >= day.today} wanted={day.wanted} />
          ))}
        </ul>
      ) : null}
    </section>
  );
});
