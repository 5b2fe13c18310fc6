import { expect, test } from 'vitest';
import { claimOnRespawns } from '../../../../shared/rules/claim-parts.ts';
import { aClaim } from '../../../test/records.ts';
import { dayCells } from './day-cells.ts';
import { type CellPosition, positionAfter } from './timeline-keys.ts';
import type { TimelineRow } from './timeline-rows.ts';

const rows: TimelineRow[] = [
  { kind: 'heading', key: 'category 10', id: '10', name: 'Ankrahmun', claimed: 1, count: 2 },
  { kind: 'spot', key: '1', id: 1 },
  { kind: 'spot', key: '2', id: 2 },
  { kind: 'heading', key: 'category 20', id: '20', name: 'Marapur', claimed: 0, count: 1 },
  { kind: 'spot', key: '3', id: 3 },
];
/** On spot 1 there is a claim from SS+10 to SS+14, and a secondary one from SS+12 on. */
const claims = [
  aClaim({ id: 1, respawn_id: 1 }),
  aClaim({ id: 2, respawn_id: 1, hour_start: 12, hour_end: 16, is_secondary_claim: 1 }),
].flatMap(claimOnRespawns);
const cellsOf = (id: number) => dayCells(id === 1 ? claims : [], 0);
const press = (key: string, from: Partial<CellPosition> = {}, ctrlKey = false) =>
  positionAfter({ key, ctrlKey }, { id: 1, hour: 9, lane: 0, ...from }, rows, cellsOf);

test('right moves to the next cell: an hour, a whole claim, then the secondary claim next to it', () => {
  expect(press('ArrowRight', { hour: 8 })).toEqual({ id: 1, hour: 9, lane: 0 });
  expect(press('ArrowRight', { hour: 9 })).toEqual({ id: 1, hour: 10, lane: 0 });
  expect(press('ArrowRight', { hour: 13 })).toEqual({ id: 1, hour: 12, lane: 1 });
  expect(press('ArrowRight', { hour: 12, lane: 1 })).toEqual({ id: 1, hour: 14, lane: 0 });
});

test('left moves back the same way', () => {
  expect(press('ArrowLeft', { hour: 14 })).toEqual({ id: 1, hour: 12, lane: 1 });
  expect(press('ArrowLeft', { hour: 11 })).toEqual({ id: 1, hour: 9, lane: 0 });
});

test('at either end of the day it stays', () => {
  expect(press('ArrowLeft', { hour: 0 })).toEqual({ id: 1, hour: 0, lane: 0 });
  expect(press('ArrowRight', { hour: 23 })).toEqual({ id: 1, hour: 23, lane: 0 });
});

test('up and down keep the hour and pass over headings', () => {
  expect(press('ArrowDown', { id: 2, hour: 17 })).toEqual({ id: 3, hour: 17, lane: 0 });
  expect(press('ArrowUp', { id: 3, hour: 17 })).toEqual({ id: 2, hour: 17, lane: 0 });
  expect(press('ArrowUp', { id: 1 })).toMatchObject({ id: 1 });
  expect(press('PageDown')).toMatchObject({ id: 3, hour: 9 });
});

test('Home and End are the ends of the day, with Control those of the board', () => {
  expect(press('Home', { id: 2 })).toEqual({ id: 2, hour: 0, lane: 0 });
  expect(press('End', { id: 2 })).toEqual({ id: 2, hour: 23, lane: 0 });
  expect(press('End', {}, true)).toEqual({ id: 3, hour: 23, lane: 0 });
  expect(press('Home', { id: 3 }, true)).toEqual({ id: 1, hour: 0, lane: 0 });
});

test('other keys are not taken', () => {
  expect(press('Enter')).toBeNull();
  expect(press('Tab')).toBeNull();
});
