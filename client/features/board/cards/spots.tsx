import {
  type FocusEvent,
  memo,
  type ReactNode,
  type RefObject,
  startTransition,
  useDeferredValue,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import { useFollowLinks } from '../../../lib/use-follow-links.ts';
import { usePrinting } from '../../../lib/use-media-query.ts';
import { useClaimRefusal } from '../../../state/claimable.ts';
import type { LastClaim } from '../../../state/last-claim.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { PartBoundary } from '../../../ui/part-boundary.tsx';
import styles from '../board.module.css';
import type { BoardView, Section, Sort } from '../board-view.ts';
import { type Fold, FreeLine, useFolds } from './free-tiles.tsx';
import { type DayShown, SpotCard } from './spot-card.tsx';
import { SpotTile } from './spot-tile.tsx';
import { Yours } from './yours.tsx';

interface SpotsProps {
  view: BoardView;
  sort: Sort;
  day: DayShown;
  again: LastClaim | null;
  /** A category's many free spots are one line: the reader asked for none of them. */
  mayFold: boolean;
}

/** The board as cards: the viewer's shelf, then each category's claimed and unclaimed spots; or one sorted list. */
export function Spots({ sort, again, mayFold, ...latest }: SpotsProps): ReactNode {
  const { t } = useTranslation();
  // Deferred: typing and choosing a day never wait for the cards.
  const view = useDeferredValue(latest.view);
  const day = useDeferredValue(latest.day);
  const isClosed = useClaimRefusal(day.date) !== null;
  const isPrinting = usePrinting();
  const foldOf = useFolds(view, { date: day.date, mayFold: mayFold && !isPrinting });
  const built = useRenderedCount(costsOf(view, foldOf), isPrinting || day.photo === true);
  const growing = built < view.ids.length && styles.growing;
  const links = useFollowLinks();
  const focus = useFocusFollowsSpot<HTMLDivElement>();
  if (!view.sections) {
    return (
      <section id={SORTED} className={classes(styles.section, growing)} {...links}>
        <div className={styles.sectionHead}>
          <h2>{t(`board.sortOptions.${sort}`)}</h2>
          <p>{t('board.results', { count: view.ids.length })}</p>
          {day.photo ? (
            <PartBoundary>
              <PhotoControls
                sectionId={SORTED}
                title={t(`board.sortOptions.${sort}`)}
                date={day.date}
                event={day.event}
              />
            </PartBoundary>
          ) : null}
        </div>
        <div className={styles.cards}>
          {view.ids.slice(0, built).map((id) => (
            <SpotCard
              key={id}
              id={id}
              withCategory
              countsAll={sort === 'most_claims'}
              again={again?.respawn_id === id ? again : null}
              {...day}
            />
          ))}
        </div>
      </section>
    );
  }
  if (day.photo) {
    // A category that the filter names is shown even when empty.
    const isWorthAPicture = ({ claimed }: Section): boolean =>
      claimed.length > 0 || view.sections?.length === 1;
    return (
      <div>
        {view.sections.filter(isWorthAPicture).map((section) => (
          <CategoryPicture key={section.id} section={section} {...day} />
        ))}
      </div>
    );
  }
  return (
    <div className={classes(growing)} {...links} {...focus}>
      {view.any_claims || isClosed ? null : (
        <Alert title={t('board.noClaims.title')} className={styles.notice}>
          {t('board.noClaims.text')}
        </Alert>
      )}
      {view.yours ? <Yours ids={view.yours} {...day} /> : null}
      {sharesOf(built, view.sections).map(({ section, share }) => (
        <CategorySection
          key={section.id}
          section={section}
          fold={foldOf(section)}
          built={share}
          again={again}
          {...day}
        />
      ))}
    </div>
  );
}

/** The cost of rendering each spot, in display order. */
function costsOf({ sections, ids }: BoardView, foldOf: (section: Section) => Fold): number[] {
  if (!sections) return ids.map(() => CARD_COST);
  return sections.flatMap((section) => {
    const tileCost = foldOf(section) === 'folded' ? 0 : TILE_COST;
    return [...section.cards.map(() => CARD_COST), ...section.tiles.map(() => tileCost)];
  });
}

interface Share {
  section: Section;
  /** How many of its spots are rendered. */
  share: number;
}

/** Splits the rendered count among the sections, in display order. */
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
  if (view.spot_count === 0)
    return <EmptyState title={t('board.noSpots.title')} text={t('board.noSpots.text')} />;
  return (
    <EmptyState
      title={t('board.noResults.title')}
      text={t('board.noResults.text')}
      action={<Button onClick={onClear}>{t('board.noResults.action')}</Button>}
    />
  );
}

const SORTED = 'sorted-spots';

/** "2 of 5 claimed"; "2 spots" if the filters leave out some of the category (`claimed` is null). */
export function useCountText(): (claimed: number | null, count: number) => string {
  const { t } = useTranslation();
  return (claimed, count) =>
    claimed === null ? t('board.results', { count }) : t('board.claimedOf', { claimed, count });
}

const PhotoControls = lazyPart(
  async () => (await import('../photo/photo-controls.tsx')).PhotoControls,
);

interface CategorySectionProps extends DayShown {
  section: Section;
}

/** The category's spots, as many as are rendered: cards of the claimed ones, then tiles, or the line in place of many. */
const CategorySection = memo(function CategorySection({
  section,
  fold,
  built,
  again,
  ...day
}: CategorySectionProps & { fold: Fold; built: number; again: LastClaim | null }): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const countText = useCountText();
  const name = section.name ?? t('board.uncategorised');
  const isClaimed = (id: number): boolean => section.claimed.includes(id);
  const tiles = section.tiles
    .slice(0, Math.max(0, built - section.cards.length))
    // A spot that is claimed meanwhile is seen at once.
    .filter((id) => fold !== 'folded' || isClaimed(id));
  const againOn = (id: number): LastClaim | null => (again?.respawn_id === id ? again : null);
  return (
    <section
      id={`category-${section.id}`}
      data-category={section.id}
      aria-labelledby={titleId}
      className={styles.section}
    >
      <div className={styles.sectionHead}>
        <h2 id={titleId}>{name}</h2>
        {/* A tile that is claimed meanwhile stays a tile, but it is counted. */}
        <p>{countText(section.isFiltered ? null : section.claimed.length, section.ids.length)}</p>
      </div>
      {section.cards.length > 0 ? (
        <div className={styles.cards}>
          {section.cards.slice(0, built).map((id) => (
            <SpotCard key={id} id={id} again={againOn(id)} {...day} />
          ))}
        </div>
      ) : null}
      {fold !== null && built > section.cards.length ? (
        <FreeLine
          category={section.id}
          free={section.tiles.filter((id) => !isClaimed(id))}
          fold={fold}
          titleId={titleId}
        />
      ) : null}
      {tiles.length > 0 ? (
        <ul className={styles.tiles} aria-label={t('board.unclaimedIn', { category: name })}>
          {tiles.map((id) => (
            <SpotTile key={id} id={id} again={againOn(id)} {...day} />
          ))}
        </ul>
      ) : null}
    </section>
  );
});

const CategoryPicture = memo(function CategoryPicture({
  section,
  ...day
}: CategorySectionProps): ReactNode {
  const { t } = useTranslation();
  const titleId = useId();
  const sectionId = `category-${section.id}`;
  const countText = useCountText();
  const name = section.name ?? t('board.uncategorised');
  return (
    <section id={sectionId} aria-labelledby={titleId} className={styles.section}>
      <div className={styles.sectionHead}>
        <h2 id={titleId}>{name}</h2>
        <p>{countText(section.isFiltered ? null : section.claimed.length, section.ids.length)}</p>
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
        <p className="faint fine">{t('board.photo.noClaims')}</p>
      )}
    </section>
  );
});

/** Rendered at once: the first screen of a phone or tablet, or the first rows of a wide screen. */
const FIRST = 6;
/** A card costs as much as four tiles. */
const CARD_COST = 4;
const TILE_COST = 1;
/** Cost per slice: a phone can render it between two touches. */
const SLICE_COST = 16;
/** If a slice took less than this, double the next one. Each slice causes a layout and a paint. */
const QUICK_MS = 30;
const MAX_GROWTH = 8;

/**
 * How many of a list's spots to render. The rest follow in slices while the browser is idle, until all are rendered: find-in-page, the
 * page height and every spot's position then don't depend on scrolling.
 * @param costs of the list's spots, in display order
 * @param whole all of them at once: pictures and paper do not wait
 */
export function useRenderedCount(costs: readonly number[], whole: boolean): number {
  const total = costs.length;
  const [built, setBuilt] = useState(FIRST);
  const last = useRef({ times: 1, startedAt: 0 });
  useEffect(() => {
    if (built >= total) return;
    const startedAt = performance.now();
    const times =
      startedAt - last.current.startedAt < QUICK_MS
        ? Math.min(2 * last.current.times, MAX_GROWTH)
        : 1;
    last.current = { times, startedAt };
    let next = built;
    for (let left = times * SLICE_COST; left > 0 && next < total; next++) left -= costs[next] ?? 0;
    // A transition yields to input.
    startTransition(() => setBuilt(next));
  }, [built, total, costs]);
  return whole ? total : Math.min(built, total);
}

/** The focusable elements of a spot; the first match identifies an element. */
const KINDS = ['a[href]', '[data-hours-of]', 'button[aria-pressed]', 'button'] as const;

interface KeptFocus<E> {
  ref: RefObject<E | null>;
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
}

/** A spot that moves to another section is remounted: move the focus along and keep the scroll position. */
function useFocusFollowsSpot<E extends HTMLElement>(): KeptFocus<E> {
  const ref = useRef<E>(null);
  const kept = useRef<{ element: Element; spot: string; kind: string } | null>(null);
  useLayoutEffect(() => {
    const { element, spot, kind } = kept.current ?? {};
    if (!element || element.isConnected || document.activeElement !== document.body) return;
    ref.current
      ?.querySelector<HTMLElement>(`[data-spot="${spot}"] :is(${kind})`)
      ?.focus({ preventScroll: true });
  });
  return {
    ref,
    onFocus: ({ target }) => {
      const spot = target.closest<HTMLElement>('[data-spot]')?.dataset.spot;
      const kind = KINDS.find((selector) => target.matches(selector));
      kept.current = spot && kind ? { element: target, spot, kind } : null;
    },
    // React fires no blur when it removes the focused element.
    onBlur: () => {
      kept.current = null;
    },
  };
}
