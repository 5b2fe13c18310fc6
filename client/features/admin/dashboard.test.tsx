import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test, vi } from 'vitest';
import type { StorageProblem } from '../../../shared/schemas/health.ts';
import { Overlays } from '../../app.tsx';
import { useSession } from '../../state/session-store.ts';
import { GeneratedPassword, HealthBanner } from './dashboard.tsx';
import { mockServer, ok, refused } from './test/server.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test.each<[StorageProblem, RegExp]>([
  ['server.storageDamaged', /damaged.*no longer saved/],
  ['server.storageLost', /moved, replaced or deleted.*no longer saved/],
  ['server.storageReadOnly', /read-only/],
  ['server.storageFull', /almost full/],
])('%s shows what happened and what to do', async (problem, words) => {
  mockServer({ 'GET /api/admin/health': () => ok({ problem }) });
  render(<HealthBanner />);
  expect((await screen.findByRole('alert')).textContent).toMatch(words);
});

test('it goes when all is well again, and stays while the server cannot be asked', async () => {
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
    useSession.setState({ status: 'ready', admin: { username: 'admin', token: 'secret', role: 'owner' } });
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
      expect((await screen.findByRole('status')).textContent).toMatch(/^Choose your own password/);
      await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
      expect(await screen.findByLabelText('New password')).toBeTruthy();
    } else expect(screen.queryByRole('status')).toBeNull();
  },
);
