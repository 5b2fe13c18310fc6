import { sql } from 'kysely';
import { z } from 'zod';
import { omit } from '../../../shared/omit.ts';
import { eventDate, MAX_EVENT_DAYS } from '../../../shared/rules/event-period.ts';
import {
  addDays,
  datesBetween,
  instantOf,
  type ServerSaveClock,
} from '../../../shared/rules/server-save.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Flag, ServerSaveDate, Timestamp } from '../../db/schema.ts';

/** Events in a calendar; the ones that were cancelled first are left out. */
export const MAX_EVENTS = 1_000;

export interface ClaimPart {
  claim_id: number;
  date: ServerSaveDate;
  part_number: number;
  respawn_id: number;
  respawn_name: string;
  hour_start: number;
  hour_end: number;
  starts_at: Timestamp;
  ends_at: Timestamp;
  is_secondary: boolean;
}

const calendarEvent = z.object({
  claim_id: z.number(),
  date: z.string(),
  /** Identifies the event among those of its claim on that date. It stays, while part numbers may change. */
  slot: z.number(),
  respawn_id: z.number(),
  respawn_name: z.string(),
  hour_start: z.number(),
  hour_end: z.number(),
  starts_at: z.string(),
  ends_at: z.string(),
  is_secondary: z.boolean(),
  is_cancelled: z.boolean(),
  /** The calendar's revision in which the event last changed. */
  sequence: z.number(),
  changed_at: z.string(),
});
export type CalendarEvent = z.infer<typeof calendarEvent>;

const calendarEvents = z.array(calendarEvent);
export const readEvents = (stored: string): CalendarEvent[] =>
  calendarEvents.parse(JSON.parse(stored));

export interface Moment {
  /** First and last date of the calendar. */
  from: string;
  to: string;
  at: string;
  /** For events that changed. */
  sequence: number;
}

export interface Changed {
  events: CalendarEvent[];
  hasChanged: boolean;
}

const FIELDS = [
  'respawn_id',
  'respawn_name',
  'hour_start',
  'hour_end',
  'starts_at',
  'ends_at',
  'is_secondary',
] as const;
const keyOf = ({ claim_id, date }: Pick<ClaimPart, 'claim_id' | 'date'>): string =>
  `${claim_id} ${date}`;
const showsPart = (event: CalendarEvent, part: ClaimPart): boolean =>
  !event.is_cancelled && FIELDS.every((name) => event[name] === part[name]);

/**
 * The next events of a calendar. Changed events get the new sequence. Events without a part are cancelled, and stay so while
 * their date is in the calendar.
 */
export function advance(
  last: readonly CalendarEvent[],
  parts: readonly ClaimPart[],
  moment: Moment,
): Changed {
  const within = last.filter(({ date }) => date >= moment.from && date <= moment.to);
  const before = Map.groupBy(within, keyOf);
  const now = Map.groupBy(parts, keyOf);
  const events: CalendarEvent[] = [];
  let hasChanged = false;
  for (const key of new Set([...before.keys(), ...now.keys()])) {
    for (const { event, part, slot } of pair(before.get(key) ?? [], now.get(key) ?? [])) {
      const next = part
        ? withPart(event, { ...part, slot }, moment)
        : event && cancelled(event, moment);
      if (!next) continue;
      hasChanged ||= next !== event;
      events.push(next);
    }
  }
  return { events: limited(events).sort(inOrder), hasChanged };
}

function withPart(
  event: CalendarEvent | null,
  part: ClaimPart & { slot: number },
  { at, sequence }: Moment,
): CalendarEvent {
  return event && showsPart(event, part)
    ? event
    : { ...omit(part, 'part_number'), is_cancelled: false, sequence, changed_at: at };
}

const cancelled = (event: CalendarEvent, { at, sequence }: Moment): CalendarEvent =>
  event.is_cancelled ? event : { ...event, is_cancelled: true, sequence, changed_at: at };

interface Pair {
  event: CalendarEvent | null;
  part: ClaimPart | null;
  slot: number;
}

/**
 * Assigns a claim's parts on a date to its events: first to the event with the same spot and start, then to those that are left,
 * uncancelled ones first. So the remaining part of a split claim stays the same event.
 */
function pair(events: readonly CalendarEvent[], parts: readonly ClaimPart[]): Pair[] {
  const left = [...events].sort(
    (one, other) => Number(one.is_cancelled) - Number(other.is_cancelled) || one.slot - other.slot,
  );
  const found = new Map<ClaimPart, CalendarEvent>();
  const assign = (part: ClaimPart, matches: (event: CalendarEvent) => boolean): void => {
    const at = found.has(part) ? -1 : left.findIndex(matches);
    for (const event of at < 0 ? [] : left.splice(at, 1)) found.set(part, event);
  };
  for (const part of parts)
    assign(
      part,
      ({ respawn_id, hour_start }) =>
        respawn_id === part.respawn_id && hour_start === part.hour_start,
    );
  for (const part of parts) assign(part, () => true);
  const slots = new Set(events.map(({ slot }) => slot));
  const pairs = parts.map((part): Pair => {
    const event = found.get(part) ?? null;
    return { event, part, slot: event?.slot ?? freeSlot(slots, part.part_number) };
  });
  return [...pairs, ...left.map((event) => ({ event, part: null, slot: event.slot }))];
}

/** The part's number, or the next free one. */
function freeSlot(slots: Set<number>, wanted: number): number {
  let slot = wanted;
  while (slots.has(slot)) slot += 1;
  slots.add(slot);
  return slot;
}

function limited(events: CalendarEvent[]): CalendarEvent[] {
  if (events.length <= MAX_EVENTS) return events;
  const newestFirst = (one: CalendarEvent, other: CalendarEvent): number =>
    other.sequence - one.sequence || inOrder(other, one);
  const current = events.filter(({ is_cancelled }) => !is_cancelled);
  const gone = events.filter(({ is_cancelled }) => is_cancelled).sort(newestFirst);
  return [...current, ...gone].slice(0, MAX_EVENTS);
}

const inOrder = (one: CalendarEvent, other: CalendarEvent): number =>
  one.starts_at.localeCompare(other.starts_at) ||
  one.claim_id - other.claim_id ||
  one.slot - other.slot;

interface PartRow {
  claim_id: number;
  /** null: each date from `first` to `last` */
  date: string | null;
  first: string;
  last: string;
  part_number: number;
  respawn_id: number;
  respawn_name: string;
  hour_start: number;
  hour_end: number;
  is_secondary_claim: Flag;
}

interface PartsWanted extends Pick<Moment, 'from' | 'to'> {
  character_key: string;
  clock: ServerSaveClock;
}

/** A character's parts on some dates, archived ones too, without holds. Of more than MAX_EVENTS the latest. */
export async function findParts(
  db: Db | Tx,
  { character_key, from, to, clock }: PartsWanted,
): Promise<ClaimPart[]> {
  const part = sql`part_number, respawn_id, respawns.name as respawn_name, hour_start, hour_end, is_secondary_claim`;
  const archivedPart = sql`part_number, respawn_id, respawn_name, hour_start, hour_end, is_secondary_claim`;
  // One statement, so that a claim which is archived meanwhile is found exactly once.
  const { rows } = await sql<PartRow>`
    select claims.id as claim_id, date, date as first, date as last, ${part}
      from claims inner join claim_parts on claim_parts.claim_id = claims.id inner join respawns on respawns.id = respawn_id
      where character_key = ${character_key} and date >= ${from} and date <= ${to} and held_until is null
    union all select claims.id, date, start_time, end_time, ${part}
      from claims inner join events on events.id = claims.event_id
      inner join claim_parts on claim_parts.claim_id = claims.id inner join respawns on respawns.id = respawn_id
      where character_key = ${character_key} and date is null and end_time >= ${from} and held_until is null
    union all select archived_claims.id, date, date, date, ${archivedPart}
      from archived_claims inner join archived_claim_parts on archived_claim_parts.claim_id = archived_claims.id
      where character_key = ${character_key} and archived_claims.last_date >= ${from} and archived_claims.last_date <= ${to}
      and date is not null
    union all select archived_claims.id, date, start_time, end_time, ${archivedPart}
      from archived_claims inner join archived_events on archived_events.id = archived_claims.event_id
      inner join archived_claim_parts on archived_claim_parts.claim_id = archived_claims.id
      where character_key = ${character_key} and archived_claims.last_date >= ${from}
      and archived_claims.last_date <= ${addDays(to, MAX_EVENT_DAYS)} and date is null
    order by last desc, claim_id, part_number limit ${sql.lit(MAX_EVENTS)}`.execute(db);
  // Lazily: all claims on each of their dates may be a hundred times MAX_EVENTS.
  return rows
    .values()
    .flatMap((row) => onEachDate(row, { from, to, clock }))
    .take(MAX_EVENTS)
    .toArray();
}

function* onEachDate(
  { first, last, is_secondary_claim, ...row }: PartRow,
  { from, to, clock }: Omit<PartsWanted, 'character_key'>,
): Generator<ClaimPart> {
  const begin = eventDate(first);
  const end = eventDate(last);
  for (const date of datesBetween(begin > from ? begin : from, end < to ? end : to)) {
    yield {
      ...row,
      date,
      starts_at: instantOf(date, row.hour_start, clock).toISOString(),
      ends_at: instantOf(date, row.hour_end, clock).toISOString(),
      is_secondary: is_secondary_claim === 1,
    };
  }
}
