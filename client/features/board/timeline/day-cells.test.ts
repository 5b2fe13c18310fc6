import { expect, test } from 'vitest';
import { claimOnRespawns } from '../../../../shared/rules/claim-parts.ts';
import type { Claim } from '../../../../shared/schemas/claim.ts';
import { aClaim } from '../../../test/records.ts';
import { type DayCell, dayCells, laneOf, waitingLanes } from './day-cells.ts';

const at = (hour_start: number, hour_end: number, more: Partial<Claim> = {}, id = hour_start + 1) =>
  claimOnRespawns(aClaim({ id, respawn_id: 1, hour_start, hour_end, ...more }));
const waiting = { is_secondary_claim: 1, secondary_priority: 5 } as const;
const inShort = (cells: readonly DayCell[]) =>
  cells.map(({ kind, hour_start, hour_end }) => `${kind} ${hour_start}-${hour_end}`);

test('every free hour of an upcoming day can be claimed', () => {
  const cells = dayCells([], 0);
  expect(cells).toHaveLength(24);
  expect(cells[0]).toEqual({
    kind: 'free',
    key: 'free0',
    hour_start: 0,
    hour_end: 1,
    free_until: 24,
  });
  expect(cells[23]).toMatchObject({ kind: 'free', hour_start: 23, hour_end: 24, free_until: 24 });
});

test('the free hours of a past day are ranges without a link', () => {
  expect(inShort(dayCells(at(10, 14), 24))).toEqual(['past 0-10', 'claim 10-14', 'past 14-24']);
});

test('past hours of today have no link, upcoming ones can be claimed', () => {
  expect(inShort(dayCells(at(2, 22), 9))).toEqual([
    'past 0-2',
    'claim 2-22',
    'free 22-23',
    'free 23-24',
  ]);
  expect(inShort(dayCells(at(0, 22), 23))).toEqual(['claim 0-22', 'past 22-23', 'free 23-24']);
  expect(dayCells([], 23)).toEqual([
    { kind: 'past', key: 'past0', hour_start: 0, hour_end: 23 },
    { kind: 'free', key: 'free23', hour_start: 23, hour_end: 24, free_until: 24 },
  ]);
});

test('the first and the last hour of the day: SS+0 and SS+23 to SS+24', () => {
  expect(inShort(dayCells([...at(0, 1), ...at(23, 24)], 24))).toEqual([
    'claim 0-1',
    'past 1-23',
    'claim 23-24',
  ]);
  expect(inShort(dayCells(at(0, 24), 0))).toEqual(['claim 0-24']);
});

test('R2.3: between claims that touch there is no free hour', () => {
  expect(inShort(dayCells([...at(8, 12), ...at(12, 16)], 24))).toEqual([
    'past 0-8',
    'claim 8-12',
    'claim 12-16',
    'past 16-24',
  ]);
});

test('a free hour knows where its stretch ends', () => {
  const free = dayCells([...at(2, 6), ...at(10, 24)], 0).filter((cell) => cell.kind === 'free');
  expect(free.map((cell) => [cell.hour_start, cell.free_until])).toEqual([
    [0, 2],
    [1, 2],
    [6, 10],
    [7, 10],
    [8, 10],
    [9, 10],
  ]);
});

test('R5.6: a secondary claim occupies nothing; below the first lane it waits', () => {
  const cells = dayCells([...at(10, 14), ...at(12, 16, waiting)], 24);
  expect(inShort(cells)).toEqual(['past 0-10', 'claim 10-14', 'waiting 12-16', 'past 14-24']);
  expect(cells.map(laneOf)).toEqual([0, 0, 1, 0]);
  expect(inShort(dayCells(at(0, 4, waiting), 0)).slice(0, 3)).toEqual([
    'free 0-1',
    'waiting 0-4',
    'free 1-2',
  ]);
});

test('entries for the same hours are in separate lanes; adjacent ones share a lane', () => {
  const cells = dayCells(
    [...at(2, 6, waiting, 1), ...at(4, 8, waiting, 2), ...at(6, 10, waiting, 3)],
    24,
  );
  expect(cells.filter(({ kind }) => kind === 'waiting').map(laneOf)).toEqual([1, 2, 1]);
  expect(waitingLanes(cells)).toBe(2);
  expect(waitingLanes(dayCells([], 0))).toBe(0);
});

test('each part of a split claim is at its own hours; two parts on one spot have different keys', () => {
  const parts = claimOnRespawns(
    aClaim({
      id: 7,
      respawn_id: 1,
      is_split_claim: 1,
      split_parts: [
        { part_number: 1, respawn_id: 1, hour_start: 10, duration: 2 },
        { part_number: 2, respawn_id: 1, hour_start: 14, duration: 2 },
      ],
    }),
  );
  const cells = dayCells(parts, 24);
  expect(inShort(cells)).toEqual([
    'past 0-10',
    'claim 10-12',
    'past 12-14',
    'claim 14-16',
    'past 16-24',
  ]);
  expect(new Set(cells.map(({ key }) => key)).size).toBe(5);
});

test('a claim of a single_claim event is a bar like any other', () => {
  expect(inShort(dayCells(at(20, 24, { date: null }), 24))).toEqual(['past 0-20', 'claim 20-24']);
});
