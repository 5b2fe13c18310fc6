import type { ShownEvent, Standing } from './shown.ts';

/** The most events that a calendar has; of more, those that were cancelled first are left out. */
export const MAX_EVENTS = 1_000;

/** Of which the calendar is, and when. */
export interface Moment {
  /** The first and the last date that it has. */
  from: string;
  to: string;
  at: string;
  /** Of whatever is another one now. */
  sequence: number;
}

/** What a calendar says next. */
export interface Advanced {
  events: ShownEvent[];
  /** Whether anything is another one than was said last. */
  hasChanged: boolean;
}

type Place = Omit<Standing, 'part_number'>;

const FIELDS = ['respawn_id', 'respawn_name', 'hour_start', 'hour_end', 'starts_at', 'ends_at', 'is_secondary'] as const;
const keyOf = ({ claim_id, date }: Pick<Standing, 'claim_id' | 'date'>): string => `${claim_id} ${date}`;
const isSame = (event: ShownEvent, place: Place): boolean => !event.is_cancelled && FIELDS.every((name) => event[name] === place[name]);

/**
 * Compares what a calendar said last with what stands now. What is another one gets the new sequence; what is gone is cancelled
 * and stays so while it lies within the calendar's dates.
 */
export function advance(shown: readonly ShownEvent[], standing: readonly Standing[], moment: Moment): Advanced {
  const within = shown.filter(({ date }) => date >= moment.from && date <= moment.to);
  const before = Map.groupBy(within, keyOf);
  const now = Map.groupBy(standing, keyOf);
  const events: ShownEvent[] = [];
  let hasChanged = false;
  for (const key of new Set([...before.keys(), ...now.keys()])) {
    const paired = pair(before.get(key) ?? [], now.get(key) ?? []);
    for (const { event, place, slot } of paired) {
      const next = place ? asItIs(event, place, slot, moment) : event && cancelled(event, moment);
      if (!next) continue;
      hasChanged ||= next !== event;
      events.push(next);
    }
  }
  return { events: bounded(events).sort(inOrder), hasChanged };
}

function asItIs(event: ShownEvent | null, { part_number: _, ...place }: Standing, slot: number, { at, sequence }: Moment): ShownEvent {
  return event && isSame(event, place) ? event : { ...place, slot, is_cancelled: false, sequence, changed_at: at };
}

const cancelled = (event: ShownEvent, { at, sequence }: Moment): ShownEvent =>
  event.is_cancelled ? event : { ...event, is_cancelled: true, sequence, changed_at: at };

interface Pair {
  event: ShownEvent | null;
  place: Standing | null;
  slot: number;
}

/**
 * Which event of a claim on a date each of its parts is: the one that began there at that hour, or else what is left of them in
 * their order, those that stand first. So what is left of a split claim stays the event that it was.
 */
function pair(events: readonly ShownEvent[], places: readonly Standing[]): Pair[] {
  const left = [...events].sort((one, other) => Number(one.is_cancelled) - Number(other.is_cancelled) || one.slot - other.slot);
  const found = new Map<Standing, ShownEvent>();
  const take = (place: Standing, is: (event: ShownEvent) => boolean): void => {
    const at = found.has(place) ? -1 : left.findIndex(is);
    for (const event of at < 0 ? [] : left.splice(at, 1)) found.set(place, event);
  };
  for (const place of places)
    take(place, ({ respawn_id, hour_start }) => respawn_id === place.respawn_id && hour_start === place.hour_start);
  for (const place of places) take(place, () => true);
  const slots = new Set(events.map(({ slot }) => slot));
  const pairs = places.map((place): Pair => {
    const event = found.get(place) ?? null;
    return { event, place, slot: event?.slot ?? freeSlot(slots, place.part_number) };
  });
  return [...pairs, ...left.map((event) => ({ event, place: null, slot: event.slot }))];
}

/** Its part's number, or the next one that no event of the claim has on that date. */
function freeSlot(slots: Set<number>, wanted: number): number {
  let slot = wanted;
  while (slots.has(slot)) slot += 1;
  slots.add(slot);
  return slot;
}

function bounded(events: ShownEvent[]): ShownEvent[] {
  if (events.length <= MAX_EVENTS) return events;
  const newestFirst = (one: ShownEvent, other: ShownEvent): number => other.sequence - one.sequence || inOrder(other, one);
  const standing = events.filter(({ is_cancelled }) => !is_cancelled);
  const gone = events.filter(({ is_cancelled }) => is_cancelled).sort(newestFirst);
  return [...standing, ...gone].slice(0, MAX_EVENTS);
}

const inOrder = (one: ShownEvent, other: ShownEvent): number =>
  one.starts_at.localeCompare(other.starts_at) || one.claim_id - other.claim_id || one.slot - other.slot;
