import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ONLINE_LASTS_MS } from '../../../shared/live.ts';
import { applySnapshot, clearBoard } from '../../state/board-store.ts';
import { setServerSaveClock } from '../../state/clock.ts';
import { applyOnline, clearOnline } from '../../state/online.ts';
import { aConfig } from '../../test/records.ts';
import { OnlineBadge, OnlineMark } from './online-mark.tsx';

/** SS+9 of the date, with the save at midnight UTC plus 9 hours. */
const NOW = '2026-11-21T18:30:00.000Z';
const hunt = { character_name: 'Arden Vale', date: '2026-11-21', hour_start: 9, hour_end: 11 };
const READING = { names: ['ARDEN VALE'], worlds: ['Antica'], as_of: NOW };

beforeEach(() => {
  clearBoard();
  clearOnline();
  vi.useFakeTimers({ now: new Date(NOW) });
  setServerSaveClock({ ss_time_zone: 'UTC', ss_hour: 9, server_time: NOW });
  applySnapshot(1, {
    config: [aConfig({ ss_time_zone: 'UTC', ss_hour: 9, online_enabled: 1 })],
  });
});
afterEach(() => vi.useRealTimers());

const mark = () => screen.queryByRole('img', { name: 'online in Antica' });

test('a hunter who is online has a mark with words, for three minutes, while the guild shows it', () => {
  render(<OnlineMark hunt={hunt} />);
  expect(mark()).toBeNull();
  act(() => applyOnline(READING));
  expect(mark()).not.toBeNull();
  act(() => applySnapshot(2, { config: [aConfig({ online_enabled: 0 })] }));
  expect(mark()).toBeNull();
  act(() => applySnapshot(3, { config: [aConfig({ online_enabled: 1 })] }));
  expect(mark()).not.toBeNull();
  act(() => void vi.advanceTimersByTime(ONLINE_LASTS_MS));
  expect(mark()).toBeNull();
});

test('a reading that was under way keeps its age, and one from a server whose clock is ahead none', () => {
  render(<OnlineMark hunt={hunt} />);
  const readBefore = (age_ms: number) => ({
    ...READING,
    as_of: new Date(Date.now() - age_ms).toISOString(),
  });
  act(() => applyOnline(readBefore(ONLINE_LASTS_MS - 1_000)));
  expect(mark()).not.toBeNull();
  act(() => void vi.advanceTimersByTime(1_000));
  expect(mark()).toBeNull();
  act(() => applyOnline(readBefore(-60_000)));
  act(() => void vi.advanceTimersByTime(ONLINE_LASTS_MS));
  expect(mark()).toBeNull();
  act(() => applyOnline(READING));
  act(() => applyOnline(readBefore(ONLINE_LASTS_MS)));
  expect(mark()).toBeNull();
});

test('later hunts of the hunter have none', () => {
  render(<OnlineMark hunt={{ ...hunt, hour_start: 11, hour_end: 12 }} />);
  act(() => applyOnline(READING));
  expect(mark()).toBeNull();
});

test('admins see since when the hunter of a running claim is offline, and nothing of one who is unknown', () => {
  const { container } = render(<OnlineBadge hunt={hunt} />);
  expect(container.textContent).toBe('');
  const offline = [{ name: 'Arden Vale', since: '2026-11-21T18:05:00.000Z' }];
  act(() => applyOnline({ names: [], worlds: [], as_of: NOW, offline }));
  expect(container.textContent).toMatch(/^offline since \d\d:05$/);
  act(() => applyOnline(READING));
  expect(mark()).not.toBeNull();
});
