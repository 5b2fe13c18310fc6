import { afterEach, expect, test, vi } from 'vitest';
import { applyChanges, applySnapshot, clearBoard } from '../../state/board-store.ts';
import { aClaim, aSpot } from '../../test/records.ts';
import { onChangedSpots, useJustChanged } from './live-changes.tsx';

afterEach(clearBoard);

const start = (): void =>
  applySnapshot(1, {
    respawn: [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion')],
    claim: [aClaim({ id: 1, respawn_id: 1 })],
  });

test('the first board and the same board read again are no changes', () => {
  const listener = vi.fn();
  const stop = onChangedSpots(listener);
  start();
  start();
  stop();
  expect(listener).not.toHaveBeenCalled();
});

test('a new claim is marked for eight seconds, on its row and on its spot', () => {
  vi.useFakeTimers();
  start();
  const listener = vi.fn();
  const stop = onChangedSpots(listener);
  applyChanges({
    clock: 2,
    changes: [{ op: 'put', kind: 'claim', record: aClaim({ id: 2, respawn_id: 2 }) }],
  });
  expect(listener).toHaveBeenCalledWith([2]);
  expect([...useJustChanged.getState().rows]).toEqual(['2/0']);
  expect([...useJustChanged.getState().spots]).toEqual([2]);
  vi.advanceTimersByTime(8000);
  expect(useJustChanged.getState().rows.size).toBe(0);
  stop();
  vi.useRealTimers();
});

test('a claim that is removed marks its spot', () => {
  start();
  const listener = vi.fn();
  const stop = onChangedSpots(listener);
  applyChanges({ clock: 2, changes: [{ op: 'remove', kind: 'claim', id: 1 }] });
  stop();
  expect(listener).toHaveBeenCalledWith([1]);
});
