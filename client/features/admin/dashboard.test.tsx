import { act, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { StorageProblem } from '../../../shared/schemas/health.ts';
import { HealthBanner } from './dashboard.tsx';
import { answering, ok, refused } from './test/server.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each<[StorageProblem, RegExp]>([
  ['server.storageDamaged', /damaged.*nothing is stored any more/],
  ['server.storageLost', /moved, replaced or deleted.*not stored any more/],
  ['server.storageReadOnly', /may not be written/],
  ['server.storageFull', /nearly full/],
])('%s is said in words that help', async (problem, words) => {
  answering({ 'GET /api/admin/health': () => ok({ problem }) });
  render(<HealthBanner />);
  expect((await screen.findByRole('alert')).textContent).toMatch(words);
});

test('it goes when all is well again, and stays while the server cannot be asked', async () => {
  vi.useFakeTimers();
  let answer: () => Response = () => ok({ problem: 'server.storageFull' });
  const sent = answering({ 'GET /api/admin/health': () => answer() });
  render(<HealthBanner />);
  const later = () => act(() => vi.advanceTimersByTimeAsync(30_000));
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(screen.getByRole('alert')).toBeTruthy();
  answer = () => refused(503, 'server.databaseAway', { seconds: 2 });
  await later();
  expect(screen.getByRole('alert')).toBeTruthy();
  answer = () => ok({ problem: null });
  await later();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(sent).toHaveLength(3);
});
