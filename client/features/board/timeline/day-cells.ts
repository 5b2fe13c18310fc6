import { freeRanges, type HourRange, rangesOverlap } from '../../../../shared/rules/hours.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { OccupiedHours } from '../../../../shared/schemas/occupancy.ts';
import { claimKey } from '../../../lib/claims.ts';

/** One cell of a spot's day: a claim, a secondary claim, a free hour, or a free range that is over. */
export type DayCell = HourRange & { key: string } & (
    | { kind: 'claim'; claim: ClaimOnRespawn }
    /** A secondary claim occupies nothing; it has a lane below the claim it waits for. */
    | { kind: 'waiting'; claim: ClaimOnRespawn; lane: number }
    /** `free_until`: where its free stretch ends, 1 to 24. */
    | { kind: 'free'; free_until: number }
    | { kind: 'past' }
    /** Occupied by a claim of another event. */
    | { kind: 'elsewhere'; of: OccupiedHours }
  );

/** The lane of claims; secondary claims are in lane 1 and below. */
export const FIRST_LANE = 0;
export const laneOf = (cell: DayCell): number => (cell.kind === 'waiting' ? cell.lane : FIRST_LANE);

/**
 * A spot's day from SS+0 to SS+24 in reading order; lane 0 has no gap.
 * @param claims those of one date
 * @param elsewhere the hours of that date that claims of other events occupy
 * @param over how many hours of the day are over: nothing leads to the claim form there
 */
export function dayCells(
  claims: readonly ClaimOnRespawn[],
  over: number,
  elsewhere: readonly OccupiedHours[] = [],
): DayCell[] {
  const held = claims.filter((claim) => !claim.is_secondary_claim);
  const cells: DayCell[] = [
    ...held.map(
      (claim): DayCell => ({ kind: 'claim', key: claimKey(claim), claim, ...hoursOf(claim) }),
    ),
    ...inLanes(claims.filter((claim) => claim.is_secondary_claim)),
    ...elsewhere.map(
      (of): DayCell => ({
        kind: 'elsewhere',
        key: `elsewhere ${of.id} ${of.hour_start}`,
        of,
        ...hoursOf(of),
      }),
    ),
    ...freeRanges([...held, ...elsewhere]).flatMap((range) => [
      ...pastHours(range, over),
      ...freeHours(range, over),
    ]),
  ];
  return cells.sort((a, b) => a.hour_start - b.hour_start || laneOf(a) - laneOf(b));
}

const hoursOf = ({ hour_start, hour_end }: HourRange): HourRange => ({ hour_start, hour_end });

function pastHours({ hour_start, hour_end }: HourRange, over: number): DayCell[] {
  const end = Math.min(hour_end, over);
  return end > hour_start
    ? [{ kind: 'past', key: `past${hour_start}`, hour_start, hour_end: end }]
    : [];
}

/** Each future hour of a free range: any of them can start a claim. */
function freeHours({ hour_start, hour_end }: HourRange, over: number): DayCell[] {
  const first = Math.max(hour_start, over);
  return Array.from({ length: Math.max(0, hour_end - first) }, (_, i) => {
    const hour = first + i;
    return {
      kind: 'free',
      key: `free${hour}`,
      hour_start: hour,
      hour_end: hour + 1,
      free_until: hour_end,
    };
  });
}

/** Several may overlap: each goes into the first lane with room. */
function inLanes(waiting: readonly ClaimOnRespawn[]): DayCell[] {
  const lanes: HourRange[][] = [];
  return waiting.map((claim) => {
    const found = lanes.findIndex((taken) => !taken.some((range) => rangesOverlap(range, claim)));
    const index = found === -1 ? lanes.length : found;
    lanes[index] = [...(lanes[index] ?? []), claim];
    return { kind: 'waiting', key: claimKey(claim), claim, lane: index + 1, ...hoursOf(claim) };
  });
}

/** How many lanes there are below the first. */
export function waitingLanes(cells: readonly DayCell[]): number {
  return Math.max(FIRST_LANE, ...cells.map(laneOf));
}
