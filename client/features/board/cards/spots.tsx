import { type ReactNode, useDeferredValue } from 'react';
import { useTranslation } from 'react-i18next';
import { useFollowLinks } from '../../../lib/use-follow-links.ts';
import { usePrinting } from '../../../lib/use-media-query.ts';
import type { LastClaim } from '../../../state/last-claim.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PartBoundary } from '../../../ui/part-boundary.tsx';
import styles from '../board.module.css';
import type { BoardView, Group, Section, Sort } from '../view/board-view.ts';
import { CategoryPicture, CategorySection, PhotoControls } from './category-section.tsx';
import { GroupSection } from './group-section.tsx';
import { type DayShown, SpotCard } from './spot-card.tsx';
import { useBuilt } from './use-built.ts';
import { useKeptFocus } from './use-kept-focus.ts';

interface SpotsProps {
  view: BoardView;
  sort: Sort;
  day: DayShown;
  /** The viewer's last claim, where it can be made again. */
  again: LastClaim | null;
}

/** The board as cards: what is claimed, one's own first, then the rest by category; or one sorted list. */
export function Spots({ sort, again, ...latest }: SpotsProps): ReactNode {
  const { t } = useTranslation();
  // Typing, and choosing a day, never wait for the cards.
  const view = useDeferredValue(latest.view);
  const day = useDeferredValue(latest.day);
  const isPrinting = usePrinting();
  const cards = view.sections ? view.groups.reduce((sum, group) => sum + spotsIn(group), 0) : view.ids.length;
  const built = useBuilt(view.ids.length, cards, isPrinting || day.photo === true);
  const growing = built < view.ids.length && styles.growing;
  const links = useFollowLinks();
  const focus = useKeptFocus<HTMLDivElement>();
  if (!view.sections) {
    return (
      <section id={SORTED} className={classes(styles.section, growing)} {...links}>
        <div className={styles.sectionHead}>
          <h2>{t(`board.sortOptions.${sort}`)}</h2>
          <p>{t('board.results', { count: view.ids.length })}</p>
          {day.photo ? (
            <PartBoundary>
              <PhotoControls sectionId={SORTED} title={t(`board.sortOptions.${sort}`)} date={day.date} event={day.event} />
            </PartBoundary>
          ) : null}
        </div>
        <div className={styles.cards}>
          {view.ids.slice(0, built).map((id) => (
            <SpotCard key={id} id={id} withCategory again={again?.respawn_id === id ? again : null} {...day} />
          ))}
        </div>
      </section>
    );
  }
  if (day.photo) {
    // One that was asked for by name says that it has nothing.
    const isWorthAPicture = ({ claimed }: Section): boolean => claimed.length > 0 || view.sections?.length === 1;
    return (
      <div>
        {view.sections.filter(isWorthAPicture).map((section) => (
          <CategoryPicture key={section.id} section={section} {...day} />
        ))}
      </div>
    );
  }
  const { groups, sections } = sharesOf(built, view.groups, view.sections);
  return (
    <div className={classes(growing)} {...links} {...focus}>
      {view.any_claims ? null : (
        <Alert title={t('board.noClaims.title')} className={styles.notice}>
          {t('board.noClaims.text')}
        </Alert>
      )}
      {groups.map(({ of, share }) => (
        <GroupSection key={of.id} group={of} built={share} again={again} {...day} />
      ))}
      {sections.map(({ of, share }) => (
        <CategorySection key={of.id} section={of} built={share} again={again} {...day} />
      ))}
    </div>
  );
}

interface Share<T> {
  of: T;
  /** How many of its spots stand. */
  share: number;
}

const spotsIn = ({ claimed, unclaimed }: Group): number => claimed.length + unclaimed.length;

/** The spots that stand already, part by part; those that have none yet wait. */
function sharesOf(
  built: number,
  groups: readonly Group[],
  sections: readonly Section[],
): { groups: Share<Group>[]; sections: Share<Section>[] } {
  let left = built;
  function take<T>(parts: readonly T[], lengthOf: (part: T) => number): Share<T>[] {
    return parts.flatMap((of) => {
      const share = Math.min(left, lengthOf(of));
      left -= share;
      return share > 0 ? [{ of, share }] : [];
    });
  }
  return {
    groups: take(groups, spotsIn),
    sections: take(sections, ({ rest }) => rest.length),
  };
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
