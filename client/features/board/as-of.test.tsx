import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resetBoardFreshness, useStaleBoard } from '../../state/board-freshness.ts';
import { useServerSaveClock } from '../../state/clock.ts';
import { AsOf } from './board-page.tsx';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-21T15:13:00'), toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  resetBoardFreshness();
  useServerSaveClock.setState({ ahead_ms: 0 });
});

test('says since when the board is old, by the server’s clock, and nothing while it is fresh', () => {
  useServerSaveClock.setState({ ahead_ms: -60_000 });
  render(<AsOf />);
  expect(screen.getByRole('status').textContent).toBe('');
  act(() => useStaleBoard.setState({ confirmed_at: new Date('2026-11-21T15:12:45').getTime() }));
  expect(screen.getByRole('status').textContent).toContain('Board as of 15:11');
  act(() => useStaleBoard.setState({ confirmed_at: null }));
  expect(screen.getByRole('status').textContent).toBe('');
});

test('names the day where a night has passed', () => {
  render(<AsOf />);
  act(() => useStaleBoard.setState({ confirmed_at: new Date('2026-11-20T22:00:00').getTime() }));
  expect(screen.getByRole('status').textContent).toMatch(/Board as of Fri,? 22:00/);
});
