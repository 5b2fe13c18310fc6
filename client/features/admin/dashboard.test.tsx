import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { StorageProblem } from '../../../shared/schemas/health.ts';
import { queryClient } from '../../api/query.ts';
import { Overlays } from '../../app.tsx';
import { useSession } from '../../state/session-store.ts';
import { BackupNeed, GeneratedPassword, HealthBanner } from './dashboard.tsx';
import { mockServer, ok, refused } from './test/server.ts';

afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each<[StorageProblem, RegExp]>([
  ['server.storageDamaged', /damaged.*no longer saved/],
  ['server.storageLost', /moved, replaced or deleted.*no longer saved/],
  ['server.storageReadOnly', /read-only/],
  ['server.storageFull', /almost full/],
])('%s shows the problem and its fix', async (problem, words) => {
  mockServer({ 'GET /api/admin/health': () => ok({ problem }) });
  render(<HealthBanner />);
  expect((await screen.findByRole('alert')).textContent).toMatch(words);
});

test('disappears when the problem is solved, and stays while the server cannot be reached', async () => {
  vi.useFakeTimers();
  let answer: () => Response = () => ok({ problem: 'server.storageFull' });
  const sent = mockServer({ 'GET /api/admin/health': () => answer() });
  render(<HealthBanner />);
  const later = () => act(() => vi.advanceTimersByTimeAsync(30_010));
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

test.each([true, false])(
  'an admin whose password was generated (%s) is asked to choose another, with the way to it',
  async (is_generated) => {
    useSession.setState({
      status: 'ready',
      admin: { username: 'admin', token: 'secret', role: 'owner' },
    });
    const answer = { admin: 'admin', role: 'owner', has_generated_password: is_generated };
    const sent = mockServer({ 'GET /api/admin/verify': () => ok(answer) });
    render(
      <MemoryRouter>
        <GeneratedPassword />
        <Overlays />
      </MemoryRouter>,
    );
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    if (is_generated) {
      await userEvent.click(
        await screen.findByRole('button', { name: 'Change the generated password' }),
      );
      expect(await screen.findByLabelText('New password')).toBeTruthy();
    } else expect(screen.queryByRole('button')).toBeNull();
  },
);

describe('the backup in the status line', () => {
  const NOW = '2026-11-25T12:00:00.000Z';
  const show = (backup: object): void => {
    mockServer({
      'GET /api/admin/system': () =>
        ok({
          clock: { time: NOW },
          started_at: '2026-11-25T11:00:00.000Z',
          backup: { every_hours: 24, failure: null, running: null, ...backup },
        }),
    });
    render(
      <MemoryRouter>
        <BackupNeed />
      </MemoryRouter>,
    );
  };
  const made = (made_at: string): object => ({
    newest: { made_at, bytes: 1, name: '', elsewhere: null },
  });

  test.each([
    ['older than two intervals', made('2026-11-22T11:00:00.000Z'), 'Backup is 3 days old'],
    [
      'many intervals old on the same day',
      { ...made('2026-11-25T06:30:00.000Z'), every_hours: 1 },
      'Backup is 5 hours old',
    ],
    [
      'almost two days old',
      { ...made('2026-11-23T12:30:00.000Z'), every_hours: 6 },
      'Backup is 47 hours old',
    ],
    [
      'two days old',
      { ...made('2026-11-23T12:00:00.000Z'), every_hours: 6 },
      'Backup is 2 days old',
    ],
    ['the last one failed', { ...made(NOW), failure: { reason: 'disk full' } }, 'Backup failed'],
  ])('%s: it says so and leads to the backups', async (_, backup, words) => {
    show(backup);
    expect((await screen.findByRole('link', { name: words })).getAttribute('href')).toBe(
      '/admin/dashboard/settings/system',
    );
  });

  test.each([
    ['recent', made('2026-11-24T11:00:00.000Z')],
    ['not made yet by a server that has just started', { newest: null }],
    ['made by hand only', { ...made('2026-11-01T11:00:00.000Z'), every_hours: 0 }],
  ])('%s: it says nothing', async (_, backup) => {
    show(backup);
    await act(async () => {});
    expect(screen.queryByRole('link')).toBeNull();
  });
});
