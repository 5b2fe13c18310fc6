import { type ClaimTime, lastDateAhead } from '../../../../shared/rules/claim-time.ts';
import { eventDate } from '../../../../shared/rules/event-period.ts';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import {
  SECONDARY_PRIORITY,
  type SecondaryPlace,
  secondaryEnd,
} from '../../../../shared/rules/secondary.ts';
import { addDays, datesBetween } from '../../../../shared/rules/server-save.ts';
import { partRange } from '../../../../shared/rules/split.ts';
import { lengthOf } from '../../../../shared/rules/stretch.ts';
import type { SplitPart } from '../../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';

export type SplitParts = readonly [SplitPart, SplitPart];

/** A draft claim for one date (section 3 of the specification, "Claim form row"). */
export interface DraftRow {
  date: string;
  /** null: not chosen yet. Kept while the row is split, for when the split is cancelled. */
  hour_start: number | null;
  /** Whole hours; null: the whole voucher. */
  custom_duration: number | null;
  split: SplitParts | null;
  secondary: SecondaryPlace | null;
}

export const emptyRow = (date: string): DraftRow => ({
  date,
  hour_start: null,
  custom_duration: null,
  split: null,
  secondary: null,
});

export function rowOf(date: string, hours: HourRange, voucher: number): DraftRow {
  const length = lengthOf(hours);
  return {
    ...emptyRow(date),
    hour_start: hours.hour_start,
    custom_duration: length === voucher ? null : length,
  };
}

export interface RowPart extends HourRange {
  part_number: number;
  /** null: no spot is chosen yet. */
  respawn_id: number | null;
}

/** The length of an unsplit row; an admin may shorten the voucher while the row is edited. */
export const durationOf = (row: Pick<DraftRow, 'custom_duration'>, voucher: number): number =>
  Math.min(row.custom_duration ?? voucher, voucher);

/** The length of a row's primary claim, both parts together; its secondary claim lasts as long. */
export const primaryDuration = (row: DraftRow, voucher: number): number =>
  row.split ? row.split.reduce((sum, part) => sum + part.duration, 0) : durationOf(row, voucher);

/** The hours of a row's primary claim: two parts when it is split, none before a start hour is chosen. */
export function rowParts(row: DraftRow, respawn_id: number | null, voucher: number): RowPart[] {
  if (row.split)
    return row.split.map((part) => ({
      part_number: part.part_number,
      respawn_id: part.respawn_id,
      ...partRange(part),
    }));
  const { hour_start } = row;
  if (hour_start === null) return [];
  return [
    { part_number: 1, respawn_id, hour_start, hour_end: hour_start + durationOf(row, voucher) },
  ];
}

/** The spots of the primary claim, whether or not its hours are chosen. */
export const primaryRespawns = (
  row: DraftRow,
  respawn_id: number | null,
): { respawn_id: number | null }[] =>
  row.split ? row.split.map((part) => ({ respawn_id: part.respawn_id })) : [{ respawn_id }];

export interface SecondaryPart extends HourRange {
  respawn_id: number;
  priority: number;
}

export function secondaryPart(row: DraftRow, voucher: number): SecondaryPart | null {
  if (!row.secondary) return null;
  const { respawn_id, hour_start } = row.secondary;
  return {
    respawn_id,
    hour_start,
    hour_end: secondaryEnd(hour_start, primaryDuration(row, voucher)),
    priority: SECONDARY_PRIORITY,
  };
}

/** The dates that a claim covers, first and last included. */
export interface Period {
  first: string;
  last: string;
  /** The single_claim event that it covers all of; null: one date. */
  event_id: number | null;
}

/** A claim for `date` covers that date, or the whole of a single_claim event. */
export function coveredPeriod(date: string, event: ActiveEvent | null): Period {
  if (event?.type !== 'single_claim') return { first: date, last: date, event_id: null };
  return {
    first: eventDate(event.start_time),
    last: eventDate(event.end_time),
    event_id: event.id,
  };
}

/** How many days can be chosen while no event sets an end. */
const DAYS_WITHOUT_EVENT = 14;

/** The dates that can be chosen: the event's from today on, or the next two weeks; for an admin also the past ones. */
export function datesOnOffer(event: ActiveEvent | null, time: ClaimTime): string[] {
  const { today, may_enter_past } = time;
  if (!event) {
    const first = may_enter_past ? addDays(today, -DAYS_WITHOUT_EVENT) : today;
    const last = addDays(today, DAYS_WITHOUT_EVENT - 1);
    const horizon = lastDateAhead(time);
    return datesBetween(first, last < horizon ? last : horizon);
  }
  const start = eventDate(event.start_time);
  return datesBetween(start > today || may_enter_past ? start : today, eventDate(event.end_time));
}
