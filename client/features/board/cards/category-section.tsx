import { memo, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import type { LastClaim } from '../../../state/last-claim.ts';
import { PartBoundary } from '../../../ui/part-boundary.tsx';
import styles from '../board.module.css';
import type { Section } from '../view/board-view.ts';
import { type DayShown, SpotCard } from './spot-card.tsx';
import { SpotTile } from './spot-tile.tsx';

export const PhotoControls = lazyPart(async () => (await import('../photo/photo-controls.tsx')).PhotoControls);

interface CategorySectionProps extends DayShown {
  section: Section;
}

/** A category's spots that stand in no group before it, so many of them as are built. */
export const CategorySection = memo(function CategorySection({
  section,
  built,
  again,
  ...day
}: CategorySectionProps & { built: number; again: LastClaim | null }): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const name = section.name ?? t('board.uncategorised');
  return (
    <section id={`category-${section.id}`} aria-labelledby={titleId} className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 id={titleId}>{name}</h2>
        <p>{t('board.claimedOf', { claimed: section.claimed_count, count: section.count })}</p>
      </div>
      <ul className={styles.tiles} aria-label={t('board.unclaimedIn', { category: name })}>
        {section.rest.slice(0, built).map((id) => (
          <SpotTile key={id} id={id} again={again?.respawn_id === id ? again : null} {...day} />
        ))}
      </ul>
    </section>
  );
});

/** A category in photo mode: all that is claimed in it, as a picture takes it. */
export const CategoryPicture = memo(function CategoryPicture({ section, ...day }: CategorySectionProps): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const sectionId = `category-${section.id}`;
  const name = section.name ?? t('board.uncategorised');
  return (
    <section id={sectionId} aria-labelledby={titleId} className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 id={titleId}>{name}</h2>
        <p>{t('board.claimedOf', { claimed: section.claimed_count, count: section.count })}</p>
        <PartBoundary>
          <PhotoControls sectionId={sectionId} title={name} date={day.date} event={day.event} />
        </PartBoundary>
      </div>
      {section.claimed.length > 0 ? (
        <div className={styles.cards}>
          {section.claimed.map((id) => (
            <SpotCard key={id} id={id} {...day} />
          ))}
        </div>
      ) : (
        <p className={styles.none}>{t('board.photo.nothing')}</p>
      )}
    </section>
  );
});
