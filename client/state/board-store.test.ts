import { afterEach, expect, test, vi } from 'vitest';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import { onReconnect } from '../lib/page-events.ts';
import { applyChanges, applySnapshot, clearBoard, setConnection, useBoard } from './board-store.ts';

afterEach(clearBoard);

const entry = (id: number): ActivityEntry => ({
  id,
  timestamp: '2026-11-21T12:00:00.000Z',
  action: 'admin_login',
  admin_id: 1,
  admin_username: 'Thora',
  actor_kind: 'admin',
  actor_name: 'Thora',
  details: {},
  clock: null,
  undo: null,
});
const kept = (): number[] =>
  [...useBoard.getState().byKind.activity.values()].map(({ id }) => id).sort((a, b) => a - b);

test('the board keeps the newest thousand entries of a long log, without a gap', () => {
  applySnapshot(1, { activity: Array.from({ length: 100 }, (_, at) => entry(at + 1)) });
  let most = 0;
  for (let id = 101; id <= 20_000; id += 1) {
    applyChanges({
      clock: useBoard.getState().clock + 1,
      changes: [{ op: 'put', kind: 'activity', record: entry(id) }],
    });
    most = Math.max(most, useBoard.getState().byKind.activity.size);
  }
  expect(most).toBeLessThanOrEqual(1_000);
  expect(kept().length).toBeGreaterThanOrEqual(500);
  expect(kept()).toEqual(
    Array.from({ length: kept().length }, (_, at) => 20_000 - kept().length + at + 1),
  );
});

test('a change of something else leaves the log the same object', () => {
  applySnapshot(1, { activity: [entry(1)] });
  const before = useBoard.getState().byKind.activity;
  applyChanges({ clock: 2, changes: [{ op: 'remove', kind: 'claim', id: 9 }] });
  expect(useBoard.getState().byKind.activity).toBe(before);
});

test('the end of an outage is announced once', () => {
  const reconnected = vi.fn();
  const stop = onReconnect(reconnected);
  for (const connection of ['live', 'offline', 'polling', 'live'] as const)
    setConnection(connection);
  stop();
  expect(reconnected).toHaveBeenCalledTimes(1);
});
