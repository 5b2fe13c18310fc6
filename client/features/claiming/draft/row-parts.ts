import type { HourRange } from '../../../../shared/rules/hours.ts';
import { SECONDARY_PRIORITY, secondaryEnd } from '../../../../shared/rules/secondary.ts';
import { partRange } from '../../../../shared/rules/split.ts';
import type { ClaimFormRow } from './row.ts';

/** One stretch of hours on one respawn that a row asks for. */
export interface RowPart extends HourRange {
  part_number: number;
  /** null: no spot is chosen yet. */
  respawn_id: number | null;
}

/** How long an unsplit row's claim lasts; never longer than the voucher, which an admin may shorten meanwhile. */
export function durationOf(row: Pick<ClaimFormRow, 'custom_duration'>, voucher: number): number {
  return Math.min(row.custom_duration ?? voucher, voucher);
}

/** How long a row's primary claim lasts, both parts together: so long its secondary one lasts, too. */
export function primaryDuration(row: ClaimFormRow, voucher: number): number {
  return row.split ? row.split.reduce((sum, part) => sum + part.duration, 0) : durationOf(row, voucher);
}

/** What a row's primary claim takes: two parts when it is split, nothing before a start hour is chosen. */
export function rowParts(row: ClaimFormRow, respawn_id: number | null, voucher: number): RowPart[] {
  if (row.split) return row.split.map((part) => ({ part_number: part.part_number, respawn_id: part.respawn_id, ...partRange(part) }));
  const { hour_start } = row;
  if (hour_start === null) return [];
  return [{ part_number: 1, respawn_id, hour_start, hour_end: hour_start + durationOf(row, voucher) }];
}

/** Where the primary claim stands, whether or not its hours are chosen. */
export function primaryRespawns(row: ClaimFormRow, respawn_id: number | null): { respawn_id: number | null }[] {
  return row.split ? row.split.map((part) => ({ respawn_id: part.respawn_id })) : [{ respawn_id }];
}

export interface WaitingPart extends HourRange {
  respawn_id: number;
  priority: number;
}

/** What a row's secondary claim waits for. */
export function waitingPart(row: ClaimFormRow, voucher: number): WaitingPart | null {
  if (!row.secondary) return null;
  const { respawn_id, hour_start } = row.secondary;
  return { respawn_id, hour_start, hour_end: secondaryEnd(hour_start, primaryDuration(row, voucher)), priority: SECONDARY_PRIORITY };
}
