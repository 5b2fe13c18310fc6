import { type CSSProperties, memo, type ReactNode, Suspense, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { classes } from '../../ui/classes.ts';
import styles from './board.module.css';
import { type DayShown, SpotCard } from './spot-card.tsx';
import { SpotTile } from './spot-tile.tsx';
import type { Section } from './view/board-view.ts';

export const PhotoControls = lazyPart(async () => (await import('./photo/photo-controls.tsx')).PhotoControls);

interface CategorySectionProps extends DayShown {
  section: Section;
  /** How many of its cards are in view as the board opens. */
  cardsInView: number;
}

/** A category: its claimed spots as cards, the others as a grid of emblems; in photo mode only what is claimed. */
export const CategorySection = memo(function CategorySection({ section, cardsInView, ...day }: CategorySectionProps): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const sectionId = `category-${section.id}`;
  const name = section.name ?? t('board.uncategorised');
  return (
    <section
      id={sectionId}
      aria-labelledby={titleId}
      className={classes(styles.section, styles.inParts)}
      style={sizeOf(section, day.photo)}
    >
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
          {section.claimed.map((id, i) => (
            <SpotCard key={id} id={id} first={i < cardsInView} {...day} />
          ))}
        </div>
      ) : null}
      {day.photo && section.claimed.length === 0 ? <p className={styles.none}>{t('board.photo.nothing')}</p> : null}
      {section.unclaimed.length > 0 && !day.photo ? (
        <ul className={styles.tiles} aria-label={t('board.unclaimedIn', { category: name })}>
          {section.unclaimed.map((id) => (
            <SpotTile key={id} id={id} date={day.date} claimable={day.date >= day.today} whole={day.whole} drawn={day.drawn} />
          ))}
        </ul>
      ) : null}
    </section>
  );
});

/** From these the style sheet guesses the height of a section that it has not laid out yet. */
const sizeOf = ({ claimed, unclaimed }: Section, photo = false): CSSProperties =>
  ({ '--cards': claimed.length, '--tiles': photo ? 0 : unclaimed.length }) as CSSProperties;
