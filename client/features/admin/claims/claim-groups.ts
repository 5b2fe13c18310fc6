import { isWithinEvent } from '../../../../shared/rules/event-period.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Event } from '../../../../shared/schemas/event.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { byHour } from '../../../lib/claims.ts';
import { compareText, groupBy, inNameOrder } from '../../../lib/words/order.ts';
import { holds, missingIn, searchable, searchIndex, wordsOf } from '../../../lib/words/search.ts';

export type ClaimIndex = ReadonlyMap<number, readonly ClaimOnRespawn[]>;

/** The claims of one respawn on one date; null: on every date of an event. */
export interface ClaimDay {
  key: string;
  date: string | null;
  event_id: number | null;
  claims: readonly ClaimOnRespawn[];
}

export interface ClaimGroup {
  respawn_id: number;
  name: string;
  image_url: string | null;
  days: readonly ClaimDay[];
}

/** A server-save date, and an SS hour that the claims include; null: any. */
export interface DayFilter {
  date: string;
  hour: number | null;
  /** The events of that date, from `eventsOn`: it includes their claims for every day. */
  events: string;
}

export interface ClaimFilter {
  search: string;
  /** Empty: any. */
  memberType: string;
  day: DayFilter | null;
}

/** A row of the list; the days of a group follow its head. */
export type ListRow =
  | { kind: 'head'; key: string; group: ClaimGroup }
  | { kind: 'day'; key: string; group: ClaimGroup; day: ClaimDay };

type Respawns = { get: (id: number) => Respawn | undefined };

/**
 * Claims by respawn, then by date: coming dates in order, then past ones, latest first.
 * @param sources indexes that have no claim in common
 */
export function claimGroups(
  sources: readonly ClaimIndex[],
  respawns: Respawns,
  filter: ClaimFilter,
  today: string,
): ClaimGroup[] {
  const ids = new Set(sources.flatMap((index) => [...index.keys()]));
  const groups: ClaimGroup[] = [];
  for (const respawn_id of ids) {
    const respawn = respawns.get(respawn_id);
    const name = respawn?.name ?? '';
    const days = sources.flatMap((index) =>
      matchingDays(index.get(respawn_id) ?? [], name, filter),
    );
    if (days.length === 0) continue;
    groups.push({
      respawn_id,
      name,
      image_url: respawn?.image_url ?? null,
      days: merged(days).sort((a, b) => byDate(a, b, today)),
    });
  }
  return inNameOrder(
    groups.sort((a, b) => a.respawn_id - b.respawn_id),
    ({ name }) => name,
  );
}

/** Claims of an event and others may be on the same date. */
function merged(days: ClaimDay[]): ClaimDay[] {
  const isEachOnce = new Set(days.map(({ key }) => key)).size === days.length;
  return isEachOnce ? days : daysOf(days.flatMap(({ claims }) => claims));
}

function byDate(a: ClaimDay, b: ClaimDay, today: string): number {
  const first = a.date ?? '';
  const second = b.date ?? '';
  const isPast = first !== '' && first < today;
  const isPastToo = second !== '' && second < today;
  if (isPast !== isPastToo) return isPast ? 1 : -1;
  return isPast ? compareText(second, first) : compareText(first, second);
}

interface CachedDays {
  key: string;
  days: ClaimDay[];
}
/** A change replaces the claim list of one respawn; the days of the others are reused. */
const cachedDays = new WeakMap<readonly ClaimOnRespawn[], CachedDays>();

function matchingDays(
  claims: readonly ClaimOnRespawn[],
  respawn_name: string,
  filter: ClaimFilter,
): ClaimDay[] {
  const key = JSON.stringify([respawn_name, filter]);
  const known = cachedDays.get(claims);
  if (known?.key === key) return known.days;
  const days = daysOf(matching(claims, respawn_name, filter));
  cachedDays.set(claims, { key, days });
  return days;
}

const claimText = searchIndex((claim: ClaimOnRespawn) => [claim.character_name]);

/** A claim matches a search if each word is in the character's or the respawn's name. */
function matching(
  claims: readonly ClaimOnRespawn[],
  respawn_name: string,
  { search, memberType, day }: ClaimFilter,
): ClaimOnRespawn[] {
  const words = missingIn(searchable(respawn_name), wordsOf(search));
  return claims.filter(
    (claim) =>
      (memberType === '' || claim.member_type === memberType) &&
      (day === null || isOnDay(claim, day)) &&
      holds(claimText(claim), words),
  );
}

function isOnDay(claim: ClaimOnRespawn, { date, hour, events }: DayFilter): boolean {
  if (hour !== null && (hour < claim.hour_start || claim.hour_end <= hour)) return false;
  return claim.date === null ? events.includes(` ${claim.event_id} `) : claim.date === date;
}

/** The events that include a date, as a text, which stays equal while only their claim counts change. */
export function eventsOn(events: Iterable<Event>, date: string): string {
  const running = [...events].filter((event) => isWithinEvent(date, event));
  return running.map(({ id }) => ` ${id} `).join('');
}

/** A character's claims by date, in the order of a group's days. */
export const daysInOrder = (claims: readonly ClaimOnRespawn[], today: string): ClaimDay[] =>
  daysOf([...claims]).sort((a, b) => byDate(a, b, today));

function daysOf(claims: readonly ClaimOnRespawn[]): ClaimDay[] {
  const days = groupBy(claims, (claim) => claim.date ?? `event ${claim.event_id}`);
  for (const list of days.values()) list.sort(byHour);
  return [...days].map(([key, list]) => ({
    key,
    date: list[0]?.date ?? null,
    event_id: list[0]?.event_id ?? null,
    claims: list,
  }));
}

/** Claims by id, in list order; a split claim is at its first part. */
export function claimsById(groups: readonly ClaimGroup[]): Map<string, ClaimOnRespawn> {
  const claims = new Map<string, ClaimOnRespawn>();
  for (const { days } of groups) {
    for (const day of days)
      for (const claim of day.claims)
        if (!claims.has(String(claim.id))) claims.set(String(claim.id), claim);
  }
  return claims;
}

/** A split claim counts once. */
export function countClaims(groups: readonly ClaimGroup[]): number {
  const ids = new Set<number>();
  for (const { days } of groups)
    for (const { claims } of days) for (const { id } of claims) ids.add(id);
  return ids.size;
}

/**
 * How many claims of a respawn are deleted if it is cleared, whatever the filters show.
 * @param stored how many it has on the server; null: only those of the active event are deleted, and all of them are loaded
 */
export function countToClear(
  sources: readonly ClaimIndex[],
  respawn_id: number,
  stored: number | null,
): number {
  const loaded = new Set(
    sources.flatMap((index) => (index.get(respawn_id) ?? []).map(({ id }) => id)),
  ).size;
  return Math.max(loaded, stored ?? 0);
}

export function memberTypesOf(groups: readonly ClaimGroup[]): string[] {
  const names = new Set<string>();
  for (const { days } of groups)
    for (const { claims } of days) for (const { member_type } of claims) names.add(member_type);
  return inNameOrder(names, (name) => name);
}

/** The claim, or its part, as it is now, also on another spot; undefined if it is gone. */
export function findClaim(
  sources: readonly ClaimIndex[],
  { id, respawn_id, split_part_number }: ClaimOnRespawn,
): ClaimOnRespawn | undefined {
  const isIt = (claim: ClaimOnRespawn): boolean =>
    claim.id === id && claim.split_part_number === split_part_number;
  for (const index of sources) {
    const found = index.get(respawn_id)?.find(isIt) ?? [...index.values()].flat().find(isIt);
    if (found) return found;
  }
  return undefined;
}

/**
 * The secondary claim submitted together with a primary one, if it is loaded. Claims of a submission share their creation time, and
 * a submission has at most one secondary claim a date.
 */
export function findSecondary(
  sources: readonly ClaimIndex[],
  { is_secondary_claim, character_name, date, event_id, created_at }: ClaimOnRespawn,
): ClaimOnRespawn | undefined {
  if (is_secondary_claim) return undefined;
  const belongs = (claim: ClaimOnRespawn): boolean =>
    claim.is_secondary_claim === 1 &&
    claim.character_name === character_name &&
    claim.date === date &&
    claim.event_id === event_id &&
    claim.created_at === created_at;
  for (const index of sources)
    for (const claims of index.values()) {
      const found = claims.find(belongs);
      if (found) return found;
    }
  return undefined;
}

export function listRows(groups: readonly ClaimGroup[]): ListRow[] {
  return groups.flatMap((group): ListRow[] => [
    { kind: 'head', key: `${group.respawn_id}`, group },
    ...group.days.map(
      (day): ListRow => ({ kind: 'day', key: `${group.respawn_id} ${day.key}`, group, day }),
    ),
  ]);
}

/** The claims' ids in the order of the rows; a split claim is at its first part. */
export function idsInOrder(rows: readonly ListRow[]): string[] {
  return [
    ...new Set(
      rows.flatMap((row) => (row.kind === 'day' ? row.day.claims.map(({ id }) => String(id)) : [])),
    ),
  ];
}
