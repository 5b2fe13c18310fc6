import { useRef } from 'react';
import { isWithinEvent } from '../../../../shared/rules/event-period.ts';
import type { Category } from '../../../../shared/schemas/category.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { groupBy, inNameOrder } from '../../../lib/words/order.ts';
import { holds, missingIn, searchIndex, wordsOf } from '../../../lib/words/search.ts';
import { type BoardState, useBoard } from '../../../store/board-store.ts';

/** 'none' holds the spots without a category. */
export type CategoryId = number | 'none';

export const SHOWS = ['all', 'claimed', 'unclaimed', 'active'] as const;
export type Show = (typeof SHOWS)[number];
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
}

export interface Section {
  id: CategoryId;
  /** null: uncategorised. */
  name: string | null;
  /** Ids of the spots that match, by name: all, and those with claims and without. */
  ids: readonly number[];
  claimed: readonly number[];
  unclaimed: readonly number[];
  /** All of the category, whether they match or not. */
  claimed_count: number;
  count: number;
}

export interface BoardView {
  /** By category, or null when a sort makes one list of it. */
  sections: readonly Section[] | null;
  /** All that match, in the order of the sort. */
  ids: readonly number[];
  spot_count: number;
  any_claims: boolean;
}

/** A claim is active now when its date is today, or its event runs today, and this hour lies within it. */
export function isActiveNow(claim: Pick<ClaimOnRespawn, 'date' | 'hour_start' | 'hour_end'>, now: Now, event: ActiveEvent | null): boolean {
  const isToday = claim.date === null ? event !== null && isWithinEvent(now.date, event) : claim.date === now.date;
  return isToday && claim.hour_start <= now.hour && now.hour < claim.hour_end;
}

/** Without an event the board is about today and later: yesterday's claims, still here since midnight, do not count. */
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

/** What the board shows, as ids only: a claim that changes nothing here makes an equal view. */
export function boardView({ respawns, categories, claimsByRespawn, event, now }: BoardFacts, query: BoardQuery): BoardView {
  const names = new Map([...categories].map((category) => [category.id, category.name]));
  const categoryOf = (spot: Respawn): CategoryId => (spot.category_id !== null && names.has(spot.category_id) ? spot.category_id : 'none');
  const spots = inNameOrder(respawns, (spot) => spot.name).filter((spot) => spot.is_enabled);
  const claims = new Map(spots.map((spot) => [spot.id, currentClaims(claimsByRespawn.get(spot.id), event, now.date)]));
  const claimsOf = (spot: Respawn): readonly ClaimOnRespawn[] => claims.get(spot.id) ?? [];
  const isClaimed = (spot: Respawn): boolean => claimsOf(spot).length > 0;

  const words = wordsOf(query.search);
  const found = spots.filter(
    (spot) =>
      (query.category === null || categoryOf(spot) === query.category) &&
      matchesSearch(spot, claimsOf(spot), words) &&
      matchesShow(query.show, isClaimed(spot), () => claimsOf(spot).some((claim) => isActiveNow(claim, now, event))),
  );
  const base = { spot_count: spots.length, any_claims: spots.some(isClaimed) };
  if (query.sort !== 'none') {
    if (query.sort === 'most_claims') found.sort((a, b) => claimsOf(b).length - claimsOf(a).length);
    return { ...base, sections: null, ids: found.map((spot) => spot.id) };
  }
  const sections = inSections(found, spots, names, categoryOf, isClaimed);
  return { ...base, sections, ids: sections.flatMap((section) => [...section.claimed, ...section.unclaimed]) };
}

const spotText = searchIndex((spot: Respawn) => [spot.name]);
const claimText = searchIndex((claim: ClaimOnRespawn) => [claim.character_name]);

/** What the spot's name does not hold is in the name of one who claims it. */
function matchesSearch(spot: Respawn, claims: readonly ClaimOnRespawn[], words: readonly string[]): boolean {
  const others = missingIn(spotText(spot), words);
  return others.length === 0 || claims.some((claim) => holds(claimText(claim), others));
}

function matchesShow(show: Show, claimed: boolean, active: () => boolean): boolean {
  if (show === 'all') return true;
  return show === 'active' ? active() : claimed === (show === 'claimed');
}

function inSections(
  found: readonly Respawn[],
  all: readonly Respawn[],
  names: ReadonlyMap<number, string>,
  categoryOf: (spot: Respawn) => CategoryId,
  isClaimed: (spot: Respawn) => boolean,
): Section[] {
  const everyone = groupBy(all, categoryOf);
  const sections = [...groupBy(found, categoryOf)].map(([id, inside]) => ({
    id,
    name: id === 'none' ? null : (names.get(id) ?? null),
    ids: inside.map((spot) => spot.id),
    claimed: inside.filter(isClaimed).map((spot) => spot.id),
    unclaimed: inside.filter((spot) => !isClaimed(spot)).map((spot) => spot.id),
    claimed_count: everyone.get(id)?.filter(isClaimed).length ?? 0,
    count: everyone.get(id)?.length ?? 0,
  }));
  return inNameOrder(sections, ({ name }) => name);
}

/** The view, with every part that is still the same taken from the one before: what has not changed is not rendered. */
export function reuse(before: BoardView | null, next: BoardView): BoardView {
  if (!before) return next;
  const sections =
    next.sections &&
    reuseList(
      before.sections,
      next.sections.map((section) => reuseSection(before.sections, section)),
    );
  const ids = reuseList(before.ids, next.ids);
  const same =
    sections === before.sections && ids === before.ids && next.spot_count === before.spot_count && next.any_claims === before.any_claims;
  return same ? before : { ...next, sections, ids };
}

function reuseSection(before: readonly Section[] | null, next: Section): Section {
  const old = before?.find((section) => section.id === next.id);
  if (!old) return next;
  const ids = reuseList(old.ids, next.ids);
  const claimed = reuseList(old.claimed, next.claimed);
  const unclaimed = reuseList(old.unclaimed, next.unclaimed);
  const same =
    ids === old.ids &&
    claimed === old.claimed &&
    unclaimed === old.unclaimed &&
    old.name === next.name &&
    old.count === next.count &&
    old.claimed_count === next.claimed_count;
  return same ? old : { ...next, ids, claimed, unclaimed };
}

function reuseList<T>(before: readonly T[] | null, next: readonly T[]): readonly T[] {
  return before && before.length === next.length && before.every((item, i) => item === next[i]) ? before : next;
}

/** What the board shows; the same object until that changes, however many claims do. */
export function useBoardView({ search, show, sort, category }: BoardQuery, event: ActiveEvent | null, { date, hour }: Now): BoardView {
  const last = useRef<{ of: readonly unknown[]; view: BoardView } | null>(null);
  return useBoard(({ byKind, claimsByRespawn }: BoardState): BoardView => {
    const of = [byKind.respawn, byKind.category, claimsByRespawn, event, date, hour, search, show, sort, category];
    // React asks several times in each rendering, and so does every change of the board that is about something else.
    if (last.current?.of.every((value, i) => value === of[i])) return last.current.view;
    const facts = { respawns: byKind.respawn.values(), categories: byKind.category.values(), claimsByRespawn, event, now: { date, hour } };
    const view = reuse(last.current?.view ?? null, boardView(facts, { search, show, sort, category }));
    last.current = { of, view };
    return view;
  });
}
