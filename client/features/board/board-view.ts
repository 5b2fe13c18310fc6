import { isWithinEvent } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Category } from '../../../shared/schemas/category.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { groupBy, inNameOrder } from '../../lib/words/order.ts';
import { holds, missingIn, searchIndex, wordsOf } from '../../lib/words/search.ts';

/** 'none' holds the spots without a category. */
export type CategoryId = number | 'none';

export const SHOWS = ['all', 'claimed', 'unclaimed', 'active'] as const;
type Show = (typeof SHOWS)[number];
/** In a single_claim event every claim covers the same days: only these two tell spots apart. */
export const SHOWS_IN_SINGLE_EVENT: readonly Show[] = ['all', 'active'];
export const SORTS = ['none', 'alphabetical', 'most_claims'] as const;
export type Sort = (typeof SORTS)[number];

export interface BoardQuery {
  search: string;
  show: Show;
  sort: Sort;
  category: CategoryId | null;
}

export interface Now {
  date: string;
  hour: number;
}

export interface BoardFacts {
  respawns: Iterable<Respawn>;
  categories: Iterable<Category>;
  claimsByRespawn: ReadonlyMap<number, readonly ClaimOnRespawn[]>;
  event: ActiveEvent | null;
  now: Now;
  /** The server-save date in view: a spot is claimed when it is on this date. */
  date: string;
  own: Own;
}

/** The viewer's spots, for the shelf above the categories. */
export interface Own {
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  starred: ReadonlySet<number>;
  /** The spot where the viewer can repeat their last claim. */
  again: number | null;
}

export interface Section {
  id: CategoryId;
  name: string | null;
  /** Ids of the matching spots by name, and of those with claims on the date. */
  ids: readonly number[];
  claimed: readonly number[];
  /** The same spots as they are drawn: claimed ones as cards, then unclaimed ones as tiles. */
  cards: readonly number[];
  tiles: readonly number[];
  /** The filters leave out some of the category's spots. */
  isFiltered: boolean;
}

export interface BoardView {
  /** The shelf above the categories: the viewer's own spots of the date, then starred ones. Each is in its category as well. null: no shelf. */
  yours: readonly number[] | null;
  /** By category; null when the board is one sorted list. */
  sections: readonly Section[] | null;
  /** Every matching spot in display order. */
  ids: readonly number[];
  spot_count: number;
  any_claims: boolean;
}

/** A claim is active now when its date is today, or its event runs today, and this hour lies within it. */
export function isActiveNow(
  claim: Pick<ClaimOnRespawn, 'date' | 'hour_start' | 'hour_end'>,
  now: Now,
  event: ActiveEvent | null,
): boolean {
  const isToday =
    claim.date === null
      ? event !== null && isWithinEvent(now.date, event)
      : claim.date === now.date;
  return isToday && claim.hour_start <= now.hour && now.hour < claim.hour_end;
}

/** Without an event the board starts today: drop yesterday's claims that are still loaded after midnight. */
export function currentClaims(
  claims: readonly ClaimOnRespawn[] | undefined,
  event: ActiveEvent | null,
  today: string,
): readonly ClaimOnRespawn[] {
  if (!claims) return [];
  return event || claims.every(({ date }) => date === null || date >= today)
    ? claims
    : claims.filter(({ date }) => date === null || date >= today);
}

/** Whether a spot with these claims counts as claimed on the date. */
export function isClaimedOn(
  date: string,
  claims: readonly ClaimOnRespawn[] | undefined,
  event: ActiveEvent | null,
  today: string,
): boolean {
  return currentClaims(claims, event, today).some(
    (claim) => claim.date === null || claim.date === date,
  );
}

/** The visible board as ids: a claim that changes nothing here produces an equal view. */
export function boardView(
  { respawns, categories, claimsByRespawn, event, now, date, own }: BoardFacts,
  query: BoardQuery,
): BoardView {
  const names = new Map([...categories].map((category) => [category.id, category.name]));
  const categoryOf = (spot: Respawn): CategoryId =>
    spot.category_id !== null && names.has(spot.category_id) ? spot.category_id : 'none';
  const spots = inNameOrder(respawns, (spot) => spot.name).filter((spot) => spot.is_enabled);
  const claims = new Map(
    spots.map((spot) => [spot.id, currentClaims(claimsByRespawn.get(spot.id), event, now.date)]),
  );
  const claimsOnSpot = (spot: Respawn): readonly ClaimOnRespawn[] => claims.get(spot.id) ?? [];
  const isOnDate = (claim: ClaimOnRespawn): boolean => claim.date === null || claim.date === date;
  const isClaimed = (spot: Respawn): boolean =>
    isClaimedOn(date, claimsOnSpot(spot), event, now.date);

  const words = wordsOf(query.search);
  const found = spots.filter(
    (spot) =>
      (query.category === null || categoryOf(spot) === query.category) &&
      matchesSearch(spot, claimsOnSpot(spot), words) &&
      matchesShow(query.show, isClaimed(spot), () =>
        claimsOnSpot(spot).some((claim) => isActiveNow(claim, now, event)),
      ),
  );
  const base = {
    spot_count: spots.length,
    any_claims: spots.some((spot) => claimsOnSpot(spot).length > 0),
  };
  if (query.sort !== 'none') {
    if (query.sort === 'most_claims')
      found.sort((a, b) => claimsOnSpot(b).length - claimsOnSpot(a).length);
    return { ...base, yours: null, sections: null, ids: found.map((spot) => spot.id) };
  }
  const isOwn = (spot: Respawn): boolean =>
    spot.id === own.again ||
    claimsOnSpot(spot).some(
      (claim) => isOnDate(claim) && nameKey(claim.character_name) === own.viewer,
    );
  const sections = inSections({ found, all: spots, names, categoryOf, isClaimed });
  return {
    ...base,
    yours: yoursAmong(found, isOwn, own.starred),
    sections,
    ids: idsFromTop(sections),
  };
}

/** Own spots, then starred ones, each by name; null: there are none. */
function yoursAmong(
  found: readonly Respawn[],
  isOwn: (spot: Respawn) => boolean,
  starred: ReadonlySet<number>,
): number[] | null {
  const mine = found.filter(isOwn);
  const others = found.filter((spot) => starred.has(spot.id) && !mine.includes(spot));
  const yours = [...mine, ...others].map((spot) => spot.id);
  return yours.length > 0 ? yours : null;
}

/** Every spot in display order. */
const idsFromTop = (sections: readonly Section[]): number[] =>
  sections.flatMap(({ cards, tiles }) => [...cards, ...tiles]);

const spotText = searchIndex((spot: Respawn) => [spot.name]);
const claimText = searchIndex((claim: ClaimOnRespawn) => [claim.character_name]);

/** Words missing from the spot's name may be in the name of a claimant. */
function matchesSearch(
  spot: Respawn,
  claims: readonly ClaimOnRespawn[],
  words: readonly string[],
): boolean {
  const others = missingIn(spotText(spot), words);
  return others.length === 0 || claims.some((claim) => holds(claimText(claim), others));
}

function matchesShow(show: Show, claimed: boolean, active: () => boolean): boolean {
  if (show === 'all') return true;
  return show === 'active' ? active() : claimed === (show === 'claimed');
}

interface SectionInput {
  found: readonly Respawn[];
  all: readonly Respawn[];
  names: ReadonlyMap<number, string>;
  categoryOf: (spot: Respawn) => CategoryId;
  isClaimed: (spot: Respawn) => boolean;
}

function inSections({ found, all, names, categoryOf, isClaimed }: SectionInput): Section[] {
  const idsOf = (spots: readonly Respawn[]): number[] => spots.map((spot) => spot.id);
  const everyone = groupBy(all, categoryOf);
  const categories = inNameOrder(
    [...groupBy(found, categoryOf)].map(([id, inside]) => ({
      id,
      inside,
      name: id === 'none' ? null : (names.get(id) ?? null),
    })),
    ({ name }) => name,
  );
  const sections = categories.map(({ id, inside, name }) => {
    const claimed = idsOf(inside.filter(isClaimed));
    return {
      id,
      name,
      ids: idsOf(inside),
      claimed,
      cards: claimed,
      tiles: idsOf(inside.filter((spot) => !isClaimed(spot))),
      isFiltered: inside.length < (everyone.get(id)?.length ?? 0),
    };
  });
  // The hunts of the date come first.
  const hasClaims = ({ claimed }: Section): boolean => claimed.length > 0;
  return [...sections.filter(hasClaims), ...sections.filter((section) => !hasClaims(section))];
}

/** The next view with its categories in the order of the previous one, and new ones at the end. */
export function keepCategoryOrder(before: BoardView, next: BoardView): BoardView {
  if (!before.sections || !next.sections) return next;
  const places = new Map(before.sections.map(({ id }, place) => [id, place]));
  const placeOf = ({ id }: Section): number => places.get(id) ?? places.size;
  const sections = next.sections.toSorted((a, b) => placeOf(a) - placeOf(b));
  return { ...next, sections, ids: idsFromTop(sections) };
}

/** Keeps only the spots that have the searched hours. */
export function onlyFitting(view: BoardView, fitting: ReadonlySet<number>): BoardView {
  const only = (ids: readonly number[]): readonly number[] => ids.filter((id) => fitting.has(id));
  const sections = view.sections?.map((section) => ({
    ...section,
    ids: only(section.ids),
    claimed: only(section.claimed),
    cards: only(section.cards),
    tiles: only(section.tiles),
    isFiltered: section.isFiltered || !section.ids.every((id) => fitting.has(id)),
  }));
  const yours = only(view.yours ?? []);
  return {
    ...view,
    yours: yours.length > 0 ? yours : null,
    ids: only(view.ids),
    sections: sections?.filter((section) => section.ids.length > 0) ?? null,
  };
}

/**
 * The next view with every spot in its previous place, so that nothing moves under the reader's finger. New spots go to the end of their
 * section, removed ones disappear. The shelf itself neither comes nor goes. Headings count the claims of now.
 * @param isThere whether a spot is still on the board, though the filters may no longer let it through
 * @param isClaimed whether a spot has claims on the date now
 */
export function keepPlaces(
  before: BoardView,
  next: BoardView,
  isThere: (id: number) => boolean,
  isClaimed: (id: number) => boolean,
): BoardView {
  const known = new Set(before.ids);
  const merged = (old: readonly number[] = [], now: readonly number[] = []): number[] => [
    ...old.filter(isThere),
    ...now.filter((id) => !known.has(id)),
  ];
  if (!before.sections || !next.sections)
    return { ...next, yours: before.yours, ids: merged(before.ids, next.ids) };

  const arrived = next.sections.filter(
    ({ id }) => !before.sections?.some((section) => section.id === id),
  );
  const sections = [...before.sections, ...arrived].flatMap((section): Section[] => {
    const now = next.sections?.find(({ id }) => id === section.id);
    const old = arrived.includes(section) ? undefined : section;
    const ids = merged(old?.ids, now?.ids);
    const cards = merged(old?.cards, now?.cards);
    const tiles = merged(old?.tiles, now?.tiles);
    return ids.length > 0
      ? [{ ...(now ?? section), ids, claimed: ids.filter(isClaimed), cards, tiles }]
      : [];
  });
  return {
    ...next,
    yours: before.yours && keptShelf(before.yours, next.yours ?? []),
    sections,
    ids: idsFromTop(sections),
  };
}

/** The shelf with its spots in their places; new ones at its end. */
const keptShelf = (before: readonly number[], next: readonly number[]): number[] => [
  ...before.filter((id) => next.includes(id)),
  ...next.filter((id) => !before.includes(id)),
];

/** Reuses every unchanged part of the previous view, so that unchanged sections don't render. */
export function reuseParts(before: BoardView | null, next: BoardView): BoardView {
  if (!before) return next;
  const yours = next.yours && reuseList(before.yours, next.yours);
  const sections =
    next.sections &&
    reuseList(
      before.sections,
      next.sections.map((section) => reuseSection(before.sections, section)),
    );
  const ids = reuseList(before.ids, next.ids);
  const same =
    yours === before.yours &&
    sections === before.sections &&
    ids === before.ids &&
    next.spot_count === before.spot_count &&
    next.any_claims === before.any_claims;
  return same ? before : { ...next, yours, sections, ids };
}

function reuseSection(before: readonly Section[] | null, next: Section): Section {
  const old = before?.find((section) => section.id === next.id);
  if (!old) return next;
  const ids = reuseList(old.ids, next.ids);
  const claimed = reuseList(old.claimed, next.claimed);
  const cards = reuseList(old.cards, next.cards);
  const tiles = reuseList(old.tiles, next.tiles);
  const same =
    ids === old.ids &&
    claimed === old.claimed &&
    cards === old.cards &&
    tiles === old.tiles &&
    old.name === next.name &&
    old.isFiltered === next.isFiltered;
  return same ? old : { ...next, ids, claimed, cards, tiles };
}

function reuseList<T>(before: readonly T[] | null, next: readonly T[]): readonly T[] {
  return before && before.length === next.length && before.every((item, i) => item === next[i])
    ? before
    : next;
}
