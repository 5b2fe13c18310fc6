import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Chooser, ChosenHours } from '../../../shared/live.ts';
import { announceVia } from '../../live/announce-choosing.ts';
import { applyChanges, clearBoard } from '../../state/board-store.ts';
import { applyPresence, clearPresence } from '../../state/presence-store.ts';
import { aClaimOnRespawn } from '../../test/records.ts';
import { FakeServer, ok } from './test/fake-server.ts';
import { press, submitButton } from './test/page-parts.ts';
import { claimRowOf, eventOf } from './test/records.ts';
import {
  config,
  showAdminInput,
  showSubmitPage,
  signIn,
  signInAsAdmin,
  TODAY,
} from './test/show-submit-page.tsx';

let server: FakeServer;
beforeEach(() => {
  clearBoard();
  server = new FakeServer()
    .on('GET', '/respawns/', () => ok([]))
    .on('GET', '/claims/check-character-claims/', () =>
      ok({ hasClaimsForDate: false, claimsForDate: [] }),
    );
});
afterEach(() => {
  clearPresence();
  announceVia(null);
  vi.unstubAllGlobals();
});

const cell = (hour: number): HTMLElement =>
  screen.getByRole('button', { name: new RegExp(`^SS\\+${hour},`) });
const sable = (hour_start: number): Chooser => ({
  id: 'member:sable quinn',
  name: 'Sable Quinn',
  choices: [{ respawn_id: 1, date: TODAY, hour_start, hour_end: hour_start + 4 }],
});
const choose = (chooser: Chooser): void => act(() => applyPresence({ op: 'put', chooser }));

describe('hours that another member is choosing', () => {
  test('is named on its hours, which can still be chosen', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    choose(sable(10));
    expect(cell(9).getAttribute('aria-label')).toBe('SS+9, 09:00 your time');
    expect(cell(10).getAttribute('aria-label')).toBe(
      'SS+10, 10:00 your time. Sable Quinn is choosing it too. You can still choose it.',
    );
    expect(cell(13).querySelector('[data-word]')?.getAttribute('data-word')).toBe('Sable');
    expect(screen.getAllByText('Sable Quinn is choosing')).toHaveLength(2);
    expect(screen.getByText(/are still free. The first to submit gets them/)).toBeTruthy();
    await userEvent.click(cell(11));
    expect(cell(11).getAttribute('aria-pressed')).toBe('true');
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('is an admin’s without a name, and is removed when they leave', () => {
    signIn();
    showSubmitPage('?respawn=1');
    choose({ ...sable(10), name: null });
    expect(cell(10).getAttribute('aria-label')).toContain('An admin is choosing it too');
    act(() => applyPresence({ op: 'remove', id: 'member:sable quinn' }));
    expect(cell(10).getAttribute('aria-label')).toBe('SS+10, 10:00 your time');
    expect(screen.queryByText(/is choosing/)).toBeNull();
  });
});

describe('announcing the choice to others', () => {
  let announced: (readonly ChosenHours[] | null)[];
  beforeEach(() => {
    announced = [];
    announceVia((choices) => announced.push(choices));
  });

  test('the requested selection, and leaving it', async () => {
    signIn();
    const { unmount } = showSubmitPage('?respawn=1&hour=10');
    await waitFor(() =>
      expect(announced).toEqual([[{ respawn_id: 1, date: TODAY, hour_start: 10, hour_end: 14 }]]),
    );
    await userEvent.click(screen.getByRole('radio', { name: '2 h' }));
    await waitFor(() =>
      expect(announced.at(-1)).toEqual([
        { respawn_id: 1, date: TODAY, hour_start: 10, hour_end: 12 },
      ]),
    );
    unmount();
    expect(announced.at(-1)).toBeNull();
  });

  test('that the claim is stored: nothing is being chosen any more', async () => {
    server.on('POST', '/claims', () => ok([claimRowOf({ hour_start: 10, hour_end: 14 })], 201));
    signIn();
    showSubmitPage('?respawn=1&hour=10');
    await waitFor(() => expect(announced).toHaveLength(1));
    await userEvent.click(submitButton());
    await screen.findByText('Claims Submitted Successfully!');
    expect(announced.at(-1)).toBeNull();
  });

  test('of hours that cannot be had nothing', async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=10');
    await waitFor(() => expect(announced).toHaveLength(1));
    const taken = aClaimOnRespawn({
      id: 2,
      character_name: 'Old Bram',
      hour_start: 12,
      hour_end: 16,
    });
    act(
      () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: taken }] }),
    );
    await waitFor(() => expect(announced.at(-1)).toBeNull());
  });

  test('of a claim for a whole event that it is for every date', async () => {
    signInAsAdmin({ event: [eventOf({ type: 'single_claim' })] });
    showAdminInput('?respawn=2&hour=3');
    await waitFor(() =>
      expect(announced).toEqual([[{ respawn_id: 2, date: null, hour_start: 3, hour_end: 7 }]]),
    );
  });

  test('nothing while submission is disabled', async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=10');
    await waitFor(() => expect(announced).toHaveLength(1));
    act(
      () =>
        void applyChanges({
          clock: 2,
          changes: [
            { op: 'put', kind: 'config', record: { ...config, submission_enabled: 0 as const } },
          ],
        }),
    );
    await waitFor(() => expect(announced.at(-1)).toBeNull());
  });
});

test('a conflict leaves the focus on the button, which says why it cannot be pressed', () => {
  signIn();
  showSubmitPage('?respawn=1&hour=10');
  submitButton().focus();
  const taken = aClaimOnRespawn({
    id: 2,
    character_name: 'Old Bram',
    hour_start: 12,
    hour_end: 16,
  });
  act(
    () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: taken }] }),
  );
  expect(document.activeElement).toBe(submitButton());
  expect(submitButton().getAttribute('aria-disabled')).toBe('true');
  const why = document.getElementById(submitButton().getAttribute('aria-describedby') ?? '');
  expect(why?.textContent).toBe('Time conflict with existing claims');
});

test('pressed all the same, the button sends nothing', async () => {
  signIn();
  showSubmitPage('?respawn=1&hour=10');
  const taken = aClaimOnRespawn({
    id: 2,
    character_name: 'Old Bram',
    hour_start: 12,
    hour_end: 16,
  });
  act(
    () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: taken }] }),
  );
  await press('Submit 1 claim');
  expect(server.made('POST', '/claims')).toEqual([]);
  expect(document.activeElement?.getAttribute('data-hour')).not.toBeNull();
});

test('a single_claim event whose dates are moved is named by its new days', () => {
  signIn({ event: [eventOf({ type: 'single_claim' })] });
  showSubmitPage('?respawn=1&hour=10');
  const summary = within(
    screen.getByRole('heading', { name: 'Your claim' }).closest('section') ?? document.body,
  );
  expect(summary.getByText(/15 Nov to .*28 Nov/)).toBeTruthy();
  const moved = eventOf({ type: 'single_claim', start_time: '2026-11-20', end_time: '2026-11-29' });
  act(
    () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'event', record: moved }] }),
  );
  expect(summary.getByText(/20 Nov to .*29 Nov/)).toBeTruthy();
  expect(screen.getByRole('heading', { name: /20 Nov to .*29 Nov at Cobra Bastion/ })).toBeTruthy();
  expect(screen.getByRole('group', { name: /^Start hour, .*20 Nov to .*29 Nov/ })).toBeTruthy();
  expect(screen.queryByText(/15 Nov/)).toBeNull();
});
