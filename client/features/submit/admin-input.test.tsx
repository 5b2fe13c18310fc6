import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Change } from '../../../shared/live.ts';
import type { AccessKey } from '../../../shared/schemas/access-key.ts';
import { applyChanges, clearBoard, useBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { aKey } from '../../test/records.ts';
import { FakeServer, ok, refused } from './test/fake-server.ts';
import { hourIn, press, submitButton } from './test/page-parts.ts';
import { claimRowOf, memberTypeOf } from './test/records.ts';
import { config, showAdminInput, signInAsAdmin } from './test/show-submit-page.tsx';

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
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const nameField = (): HTMLElement => screen.getByLabelText('Character name');

test('without an admin session it redirects to the login; not while the session is being checked', () => {
  useSession.setState({ status: 'checking', admin: null, current: null });
  showAdminInput();
  expect(screen.getByText('Loading…')).toBeTruthy();
  act(() => useSession.setState({ status: 'ready' }));
  expect(screen.getByText('at /admin/login')).toBeTruthy();
});

describe('submitting for a character', () => {
  test('sends name, member type and the admin flag, and confirms the claimant and the number stored', async () => {
    const stored = claimRowOf({ id: 9, character_name: 'Mira Stormcrow', member_type: 'elite' });
    server.on('POST', '/claims', () => ok([stored], 201));
    signInAsAdmin();
    showAdminInput('?respawn=1&hour=14');
    await userEvent.type(nameField(), '  Mira   Stormcrow ');
    await userEvent.selectOptions(screen.getByLabelText('Member type'), 'elite');
    await userEvent.click(submitButton());
    expect(
      await screen.findByText('Successfully submitted 1 claim(s) for Mira Stormcrow!'),
    ).toBeTruthy();
    expect(
      screen
        .getByRole('link', { name: 'Edit or delete claims on the dashboard' })
        .getAttribute('href'),
    ).toBe('/admin/dashboard/claims');
    expect(screen.queryByText(/contact an admin/)).toBeNull();
    const [post] = server.made('POST', '/claims');
    expect(post?.body).toMatchObject({
      admin_submission: true,
      member_type: 'elite',
      claims: [{ character_name: 'Mira Stormcrow', respawn_id: 1, hour_start: 14, hour_end: 18 }],
    });
    expect(post?.body).not.toHaveProperty('access_key');
    await press('Submit More Claims');
    expect(nameField()).toHaveProperty('value', '');
    expect(screen.getByRole('combobox', { name: 'Spot' })).toHaveProperty('value', '');
  });

  test('an interrupted Undo continues where it stopped; a claim that no longer exists counts as undone', async () => {
    const rows = [9, 10, 11].map((id) => claimRowOf({ id, character_name: 'Mira Stormcrow' }));
    server
      .on('POST', '/claims', () => ok(rows, 201))
      .on('DELETE', '/admin/claims/9', () => ok(null))
      .on('DELETE', '/admin/claims/10', () => refused(500, 'server.failed'))
      .on('DELETE', '/admin/claims/11', () => ok(null));
    signInAsAdmin();
    showAdminInput('?respawn=1&hour=14');
    await userEvent.type(nameField(), 'Mira Stormcrow');
    await userEvent.click(submitButton());
    const undo = await screen.findByRole('button', { name: 'Undo' });
    await userEvent.click(undo);
    await waitFor(() => expect(undo.getAttribute('aria-busy')).not.toBe('true'));
    server.on('DELETE', '/admin/claims/10', () => refused(404, 'claim.notFound'));
    await userEvent.click(undo);
    expect(await screen.findByLabelText('Character name')).toHaveProperty(
      'value',
      'Mira Stormcrow',
    );
    const paths = server.made('DELETE', '/admin/claims/').map(({ path }) => path);
    expect(paths).toEqual(['9', '10', '10', '11'].map((id) => `/admin/claims/${id}`));
  });

  test('a name that was typed and removed leaves no draft', async () => {
    signInAsAdmin();
    const { unmount } = showAdminInput();
    await userEvent.type(nameField(), 'Mira');
    await userEvent.clear(nameField());
    unmount();
    showAdminInput();
    expect(nameField()).toHaveProperty('value', '');
    expect(screen.queryByText('Your choices from before are still here.')).toBeNull();
  });

  test('a half-filled form is not mixed with another claimant chosen on the board, and is restored afterwards', async () => {
    const hour = (start: number): string | null =>
      hourIn(screen, start).getAttribute('aria-pressed');
    const bram = { requested_claimant: { character_name: 'Old Bram', member_type: 'elite' } };
    signInAsAdmin();
    const left = showAdminInput('?respawn=1');
    await userEvent.type(nameField(), 'Mira Stormcrow');
    await userEvent.click(hourIn(screen, 8));
    left.unmount();
    const other = showAdminInput('?respawn=1', bram);
    expect(nameField()).toHaveProperty('value', 'Old Bram');
    expect(hour(8)).toBe('false');
    other.unmount();
    const renamed = showAdminInput('?respawn=1', bram);
    await userEvent.clear(nameField());
    await userEvent.type(nameField(), 'Sable Quinn');
    await userEvent.click(hourIn(screen, 9));
    renamed.unmount();
    showAdminInput('?respawn=1', bram);
    expect(nameField()).toHaveProperty('value', 'Sable Quinn');
    expect(hour(9)).toBe('true');
  });

  test('a known character is offered while one types, and brings its member type', async () => {
    signInAsAdmin();
    showAdminInput('?respawn=1&hour=14');
    const change = (record: AccessKey): Change => ({ op: 'put', kind: 'access_key', record });
    act(() => {
      const keys = [
        aKey({ id: 1, character_name: 'Mira Stormcrow', member_type: 'elite' }),
        aKey({ id: 2, character_name: 'Old Bram', member_type: 'elite', is_revoked: 1 }),
      ];
      applyChanges({ clock: useBoard.getState().clock + 1, changes: keys.map(change) });
    });
    const offered = (): (string | null)[] =>
      [...document.querySelectorAll('[role="option"]')].map(({ textContent }) => textContent);
    expect(offered()).toEqual([]);
    await userEvent.type(nameField(), 'storm');
    expect(offered()).toEqual(['Mira Stormcrow']);
    const type = screen.getByLabelText('Member type');
    expect(type).toHaveProperty('value', 'member');
    await userEvent.clear(nameField());
    await userEvent.type(nameField(), 'mira  stormcrow');
    expect(type).toHaveProperty('value', 'elite');
    await userEvent.selectOptions(type, 'vice');
    expect(type).toHaveProperty('value', 'vice');
    // A revoked key is not suggested.
    await userEvent.clear(nameField());
    await userEvent.type(nameField(), 'old');
    expect(offered()).toEqual([]);
  });

  test('a name that no key has is said, and one press takes the nearest; it is not refused', async () => {
    signInAsAdmin();
    showAdminInput('?respawn=1&hour=14');
    const hint = (): Element | null => screen.queryByText('No key has this name.');
    await userEvent.type(nameField(), 'Mira Strmcrow');
    expect(hint()).toBeNull();
    act(() => {
      const keys = [
        aKey({ id: 1, character_name: 'Mira Stormcrow', member_type: 'elite' }),
        aKey({ id: 2, character_name: 'Mira Stormcow', is_revoked: 1 }),
      ];
      applyChanges({
        clock: useBoard.getState().clock + 1,
        changes: keys.map((record) => ({ op: 'put', kind: 'access_key', record })),
      });
    });
    expect(hint()).toBeTruthy();
    expect(nameField().getAttribute('aria-invalid')).toBeNull();
    await press('Did you mean Mira Stormcrow?');
    expect(nameField()).toHaveProperty('value', 'Mira Stormcrow');
    expect(screen.getByLabelText('Member type')).toHaveProperty('value', 'elite');
    expect(hint()).toBeNull();
    await userEvent.clear(nameField());
    await userEvent.type(nameField(), 'Jorun Pike');
    expect(hint()).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Did you mean/ })).toBeNull();
  });

  test('needs a name that is more than spaces', async () => {
    signInAsAdmin();
    showAdminInput('?respawn=1&hour=14');
    await userEvent.type(nameField(), '   ');
    await userEvent.click(submitButton());
    expect(screen.getByText('Character name is required')).toBeTruthy();
    expect(document.activeElement).toBe(nameField());
    expect(server.made('POST', '/claims')).toEqual([]);
  });

  test('lasts as long as the voucher of the chosen type', async () => {
    signInAsAdmin({
      member_type: [
        memberTypeOf({}),
        memberTypeOf({ member_type: 'elite', voucher_duration_hours: 6 }),
      ],
    });
    showAdminInput('?respawn=1&hour=14');
    expect(screen.queryByRole('radio', { name: '6 h' })).toBeNull();
    await userEvent.selectOptions(screen.getByLabelText('Member type'), 'elite');
    expect(screen.getByRole('radio', { name: '6 h' })).toHaveProperty('checked', true);
  });
});

describe('the claims that the typed character has', () => {
  test('are queried 300 ms after the last key, and disable the times meanwhile', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    server.on('GET', '/claims/check-character-claims/Mira', () =>
      ok({
        hasClaimsForDate: true,
        claimsForDate: [{ respawn_name: 'Fire Library', hour_start: 8, hour_end: 12 }],
      }),
    );
    signInAsAdmin();
    showAdminInput('?respawn=1');
    expect(server.made('GET', '/claims/check-character-claims')).toEqual([]);
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await user.type(nameField(), 'Mira');
    await act(() => vi.advanceTimersByTimeAsync(300));
    expect(server.made('GET', '/claims/check-character-claims').map((call) => call.path)).toEqual([
      '/claims/check-character-claims/Mira?date=2026-11-21&respawnId=1',
    ]);
    const warning = await screen.findByRole('alert');
    expect(within(warning).getByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE')).toBeTruthy();
    expect(hourIn(screen, 6).closest('fieldset')).toHaveProperty('disabled', true);
    expect(submitButton().getAttribute('aria-disabled')).toBe('true');
    await user.type(nameField(), 'x');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });
});

test.each([
  [
    'submission is disabled',
    { config: [{ ...config, submission_enabled: 0 as const }] },
    'Claim submission is currently disabled',
  ],
  [
    'the type may not submit',
    { member_type: [memberTypeOf({ can_submit: 0 })] },
    /Members of the type member cannot submit claims/,
  ],
  [
    'it is too early',
    { member_type: [memberTypeOf({ earliest_submission_date: '2026-11-25' })] },
    /can submit claims from Wed,? 25 Nov on/,
  ],
])(
  'while %s the form says so and works all the same (R4.2, R4.3)',
  async (_why, snapshot, sentence) => {
    server.on('POST', '/claims', () => ok([claimRowOf({ id: 9, character_name: 'Mira' })], 201));
    signInAsAdmin(snapshot);
    showAdminInput('?respawn=1&hour=14');
    expect(
      screen.getByText("Members can't submit this right now. As an admin, you can."),
    ).toBeTruthy();
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(screen.queryByText(/contact an admin/)).toBeNull();
    await userEvent.type(nameField(), 'Mira');
    await userEvent.click(submitButton());
    expect(await screen.findByText('Successfully submitted 1 claim(s) for Mira!')).toBeTruthy();
  },
);

test('a token that the server rejects ends the session and leads to the login', async () => {
  server.on('POST', '/claims', () => refused(401, 'session.expired'));
  signInAsAdmin();
  showAdminInput('?respawn=1&hour=14');
  await userEvent.type(nameField(), 'Mira');
  await userEvent.click(submitButton());
  expect(await screen.findByText('at /admin/login')).toBeTruthy();
  expect(useSession.getState()).toMatchObject({
    admin: null,
    ended: [{ who: null, code: 'session.expired' }],
  });
});
