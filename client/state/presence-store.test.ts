import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { Chooser } from '../../shared/live.ts';
import { applyPresence, clearPresence, useChoosing, usePresence } from './presence-store.ts';

const riley: Chooser = {
  id: 'member:riley',
  name: 'Riley',
  choices: [
    { respawn_id: 1, date: '2026-11-21', hour_start: 10, hour_end: 14 },
    { respawn_id: 2, date: '2026-11-22', hour_start: 4, hour_end: 8 },
  ],
};
const sable: Chooser = {
  id: 'member:sable',
  name: null,
  choices: [{ respawn_id: 1, date: null, hour_start: 0, hour_end: 2 }],
};

beforeEach(clearPresence);

const on = (respawn_id: number, date: string) =>
  renderHook(() => useChoosing(respawn_id, date)).result;
const names = (list: readonly { name: string | null }[]) => list.map((choice) => choice.name);

test('a selection belongs to its spot and date; one without a date to every date', () => {
  applyPresence({ op: 'state', watching: 3, choosers: [riley, sable] });
  expect(usePresence.getState().watching).toBe(3);
  expect(on(1, '2026-11-21').current).toEqual([
    { id: 'member:riley', name: 'Riley', date: '2026-11-21', hour_start: 10, hour_end: 14 },
    { id: 'member:sable', name: null, date: null, hour_start: 0, hour_end: 2 },
  ]);
  expect(names(on(1, '2026-11-22').current)).toEqual([null]);
  expect(names(on(2, '2026-11-22').current)).toEqual(['Riley']);
  expect(on(3, '2026-11-21').current).toEqual([]);
});

test('a new selection replaces the previous one', () => {
  applyPresence({ op: 'put', chooser: riley });
  applyPresence({
    op: 'put',
    chooser: {
      ...riley,
      choices: [{ respawn_id: 3, date: '2026-11-21', hour_start: 1, hour_end: 2 }],
    },
  });
  expect([...usePresence.getState().choosingByRespawn.keys()]).toEqual([3]);
  applyPresence({ op: 'remove', id: riley.id });
  expect(usePresence.getState().choosingByRespawn.size).toBe(0);
  expect(usePresence.getState().choosers.size).toBe(0);
});

test('a spot that a change does not touch keeps its list, also on a date without choices', () => {
  applyPresence({ op: 'state', watching: 2, choosers: [riley] });
  const second = on(2, '2026-11-22');
  const emptyDate = on(2, '2026-11-25');
  const before = [second.current, emptyDate.current];
  act(() => applyPresence({ op: 'put', chooser: sable }));
  act(() => applyPresence({ op: 'watching', watching: 4 }));
  expect(second.current).toBe(before[0]);
  expect(emptyDate.current).toBe(before[1]);
});

test('events within one moment are applied in order, in one step', () => {
  applyPresence({ op: 'state', watching: 2, choosers: [riley] });
  const steps: number[] = [];
  const stop = usePresence.subscribe(({ choosers }) => steps.push(choosers.size));
  applyPresence({
    op: 'several',
    news: [
      { op: 'put', chooser: sable },
      { op: 'remove', id: riley.id },
      { op: 'watching', watching: 7 },
    ],
  });
  stop();
  expect(steps).toEqual([1]);
  expect(names(on(1, '2026-11-21').current)).toEqual([null]);
  expect(on(2, '2026-11-22').current).toEqual([]);
  expect(usePresence.getState().watching).toBe(7);
});

test('a lost connection clears the presence', () => {
  applyPresence({ op: 'state', watching: 2, choosers: [riley] });
  clearPresence();
  expect(usePresence.getState()).toMatchObject({
    watching: null,
    choosers: new Map(),
    choosingByRespawn: new Map(),
  });
});
