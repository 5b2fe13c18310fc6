import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearBoard } from '../../state/board-store.ts';
import { FakeServer, ok } from './test/fake-server.ts';
import { chooseSpot, dialog, hourIn, nameOf, press } from './test/page-parts.ts';
import { claimRowOf, eventOf, memberTypeOf } from './test/records.ts';
import { showAdminInput, showSubmitPage, signIn, signInAsAdmin } from './test/show-submit-page.tsx';

let server: FakeServer;

beforeEach(() => {
  clearBoard();
  server = new FakeServer()
    .on('GET', '/respawns/2/claims/2026-11-21', () =>
      ok([claimRowOf({ id: 1, respawn_id: 2, hour_start: 18, hour_end: 22 })]),
    )
    .on('GET', '/respawns/', () => ok([]))
    .on('GET', '/claims/check-character-claims/', () =>
      ok({ hasClaimsForDate: false, claimsForDate: [] }),
    );
});
afterEach(() => vi.unstubAllGlobals());

const button = (): HTMLElement | null =>
  screen.queryByRole('button', { name: 'Add secondary claim' });
const apply = (): Promise<void> =>
  userEvent.click(dialog().getByRole('button', { name: 'Use this secondary claim' }));
const label = 'Spot of the secondary claim';

describe('a secondary claim is offered (R5.5)', () => {
  test.each([
    ['elite', 1, true],
    ['vice', 1, true],
    ['elite', 0, false],
    ['member', 1, false],
  ] as const)(
    'to %s with allow_secondary_claims %i: %s',
    (member_type, allow_secondary_claims, isOffered) => {
      signIn({ member_type: [memberTypeOf({ member_type, allow_secondary_claims })] }, member_type);
      showSubmitPage('?respawn=1');
      expect(button() !== null).toBe(isOffered);
    },
  );

  test('in the admin form to elite and vice, unless their type says no', async () => {
    signInAsAdmin();
    showAdminInput('?respawn=1');
    expect(button()).toBeNull();
    await userEvent.selectOptions(screen.getByLabelText('Member type'), 'elite');
    expect(button()).not.toBeNull();
    await userEvent.selectOptions(screen.getByLabelText('Member type'), 'vice');
    expect(button()).toBeNull();
  });
});

describe('the modal', () => {
  const open = async (): Promise<void> => {
    signIn({}, 'elite');
    showSubmitPage('?respawn=1&hour=14');
    await press('Add secondary claim');
  };

  test('asks for a respawn with the server’s sentence (R5.6), and begins with the primary claim’s hour', async () => {
    await open();
    await apply();
    expect(dialog().getByRole('alert').textContent).toBe(
      'Please select a respawn for the secondary claim',
    );
    await chooseSpot(dialog(), label, 'Fire Library');
    expect(hourIn(dialog(), 14).getAttribute('aria-pressed')).toBe('true');
    await apply();
    expect(screen.getByRole('list', { name: 'Secondary claim' }).textContent).toBe(
      'Secondary claim P5Fire LibrarySS+14 to SS+18',
    );
  });

  test('without a primary hour a missing one is asked for: it is not out of range', async () => {
    signIn({}, 'elite');
    showSubmitPage('?respawn=1');
    await press('Add secondary claim');
    await chooseSpot(dialog(), label, 'Fire Library');
    await apply();
    expect(dialog().getByRole('alert').textContent).toBe('Please choose a start hour.');
  });

  test('does not offer the primary respawn (R5.6)', async () => {
    await open();
    await userEvent.click(dialog().getByRole('combobox', { name: label }));
    expect(dialog().getAllByRole('option').map(nameOf)).toEqual(['Fire Library', 'Ice Library']);
  });

  test('does not offer the respawn of any part of a split claim', async () => {
    signIn({}, 'elite');
    showSubmitPage('?respawn=1');
    await press('Split in two');
    await chooseSpot(dialog(), 'Spot, part 2', 'Fire Library');
    await userEvent.click(dialog().getByRole('button', { name: 'Use these two parts' }));
    await press('Add secondary claim');
    await userEvent.click(dialog().getByRole('combobox', { name: label }));
    expect(dialog().getAllByRole('option').map(nameOf)).toEqual(['Ice Library']);
  });

  test('shows taken hours and lets one wait for them, as long as the primary claim, cut at SS+24', async () => {
    server.on('POST', '/claims', () =>
      ok(
        [
          claimRowOf({ id: 9 }),
          claimRowOf({ id: 10, is_secondary_claim: 1, secondary_priority: 5 }),
        ],
        201,
      ),
    );
    await open();
    await chooseSpot(dialog(), label, 'Fire Library');
    await waitFor(() =>
      expect(hourIn(dialog(), 21).getAttribute('aria-label')).toBe(
        'SS+21, taken, 21:00 your time (Arden Vale, SS+18 to SS+22)',
      ),
    );
    await userEvent.click(hourIn(dialog(), 21));
    expect(dialog().getByRole('status').textContent).toContain('SS+21 to SS+24');
    expect(dialog().getByRole('status').textContent).toContain('Claimed by Arden Vale.');
    await apply();
    expect(screen.getByRole('list', { name: 'Secondary claim' }).textContent).toBe(
      'Secondary claim P5Fire LibrarySS+21 to SS+24',
    );
    expect(screen.getByText('P5: Fire Library')).toBeTruthy();
    await press('Submit 2 claims');
    await screen.findByText('Claims Submitted Successfully!');
    expect(server.made('POST', '/claims')[0]?.body).toMatchObject({
      claims: [
        { is_secondary_claim: 0, secondary_priority: 0, respawn_id: 1, hour_start: 14 },
        {
          is_secondary_claim: 1,
          secondary_priority: 5,
          respawn_id: 2,
          hour_start: 21,
          hour_end: 24,
          date: '2026-11-21',
        },
      ],
    });
  });

  test('a secondary claim can be changed, and cancelled', async () => {
    await open();
    await chooseSpot(dialog(), label, 'Fire Library');
    await userEvent.click(hourIn(dialog(), 2));
    await apply();
    await press('Change secondary claim');
    expect(hourIn(dialog(), 2).getAttribute('aria-pressed')).toBe('true');
    await userEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
    await press('Cancel secondary claim');
    expect(screen.queryByText('P5: Fire Library')).toBeNull();
    expect(screen.getByRole('button', { name: 'Submit 1 claim' })).toBeTruthy();
    expect(document.activeElement).toBe(hourIn(screen, 14));
  });

  test('a spot that becomes the primary one afterwards is refused, the choice is kept', async () => {
    await open();
    await chooseSpot(dialog(), label, 'Fire Library');
    await userEvent.click(hourIn(dialog(), 2));
    await apply();
    await chooseSpot(screen, 'Spot', 'Fire Library');
    expect(screen.getByRole('alert').textContent).toBe(
      "The secondary spot can't be the primary one.",
    );
    expect(screen.getByRole('list', { name: 'Secondary claim' })).toBeTruthy();
  });
});

test('in a single_claim event it is sent without a date, like its primary one', async () => {
  server.on('POST', '/claims', () => ok([claimRowOf({ id: 9, date: null })], 201));
  signIn(
    {
      event: [eventOf({ type: 'single_claim', start_time: '2026-11-20', end_time: '2026-11-22' })],
    },
    'elite',
  );
  showSubmitPage('?respawn=1&hour=14');
  expect(screen.queryByRole('button', { name: 'Configure the next day' })).toBeNull();
  await press('Add secondary claim');
  await chooseSpot(dialog(), label, 'Fire Library');
  await userEvent.click(hourIn(dialog(), 2));
  await apply();
  await press('Submit 2 claims');
  await screen.findByText('Claims Submitted Successfully!');
  const [post] = server.made('POST', '/claims');
  expect(post?.body).toMatchObject({
    claims: [{ event_id: 5 }, { event_id: 5, is_secondary_claim: 1 }],
  });
  expect(JSON.stringify(post?.body)).not.toContain('"date"');
});
