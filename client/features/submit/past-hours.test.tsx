import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyChanges, clearBoard } from '../../state/board-store.ts';
import { FakeServer, ok, refused } from './test/fake-server.ts';
import { chooseSpot, dialog, hourIn, part, press, submitButton } from './test/page-parts.ts';
import { claimRowOf, eventOf } from './test/records.ts';
import {
  config,
  setServerTime,
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
    .on('GET', '/respawns/2/claims/', () =>
      ok([claimRowOf({ id: 1, respawn_id: 2, hour_start: 3, hour_end: 8 })]),
    )
    .on('GET', '/respawns/', () => ok([]))
    .on('GET', '/claims/check-character-claims/', () =>
      ok({ hasClaimsForDate: false, claimsForDate: [] }),
    );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const isBlocked = (cell: HTMLElement): boolean => cell.getAttribute('aria-disabled') === 'true';
const blocked = (): number[] =>
  Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => isBlocked(hourIn(screen, hour)));
const chips = (): HTMLElement[] => screen.getAllByRole('checkbox');

describe('the hours of today', () => {
  test('past hours are marked and cannot be chosen for any duration; the running one can (R2.4)', async () => {
    signIn();
    setServerTime('09:30');
    showSubmitPage('?respawn=1');
    expect(hourIn(screen, 5).getAttribute('aria-label')).toBe('SS+5, is over');
    expect(hourIn(screen, 5).querySelector('[data-word]')?.getAttribute('data-word')).toBe('over');
    expect(blocked()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 21, 22, 23]);
    await userEvent.click(hourIn(screen, 5));
    expect(hourIn(screen, 5).getAttribute('aria-pressed')).toBe('false');
    await userEvent.click(screen.getByRole('radio', { name: '1 h' }));
    expect(blocked()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    await userEvent.click(screen.getByRole('checkbox', { name: /22 November/ }));
    expect(blocked()).toEqual([]);
  });

  test('become over while the form is open, by the server’s clock: a choice is kept, and blocked with the sentence', async () => {
    signIn();
    setServerTime('09:59');
    showSubmitPage('?respawn=1&hour=6');
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
    act(() => setServerTime('10:00'));
    const sentence = 'SS+6 to SS+10 on Sat 21 Nov is over. Please choose later hours.';
    expect(screen.getByRole('alert').textContent).toBe(sentence);
    expect(hourIn(screen, 6).getAttribute('aria-pressed')).toBe('true');
    expect(submitButton().getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(hourIn(screen, 10));
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
  });

  test('are an admin’s to enter', () => {
    signInAsAdmin();
    setServerTime('09:30');
    showAdminInput('?respawn=1');
    expect(blocked()).toEqual([21, 22, 23]);
  });

  test('count in a single_claim event only on its last date', () => {
    const event = eventOf({
      type: 'single_claim',
      start_time: '2026-11-15',
      end_time: '2026-11-22',
    });
    signIn({ event: [event] });
    setServerTime('09:30');
    showSubmitPage('?respawn=1');
    expect(blocked()).toEqual([21, 22, 23]);
    const moved = { ...event, end_time: '2026-11-21' };
    act(() => applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'event', record: moved }] }));
    expect(blocked()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 21, 22, 23]);
  });

  test('past hours hold no part of a split claim (R4.14)', async () => {
    signIn();
    setServerTime('13:30');
    showSubmitPage('?respawn=1');
    await press('Split in two');
    // It opens on hours that are still to come.
    expect(dialog().queryByRole('alert')).toBeNull();
    expect(hourIn(part(1), 13).getAttribute('aria-pressed')).toBe('true');
    act(() => setServerTime('17:30'));
    expect(part(1).getByRole('alert').textContent).toBe(
      'Split part 1: SS+13 to SS+15 on Sat 21 Nov is over. Please choose later hours.',
    );
    act(() => setServerTime('13:30'));
    expect(isBlocked(hourIn(part(1), 12))).toBe(true);
    expect(isBlocked(hourIn(part(1), 13))).toBe(false);
    await userEvent.click(hourIn(part(1), 16));
    expect(part(1).queryByRole('alert')).toBeNull();
  });

  test('are not waited for, either: taken or not (R4.14)', async () => {
    signIn({}, 'elite');
    setServerTime('06:30');
    showSubmitPage('?respawn=1&hour=14');
    await press('Add secondary claim');
    await chooseSpot(dialog(), 'Spot of the secondary claim', 'Fire Library');
    await waitFor(() =>
      expect(hourIn(dialog(), 6).getAttribute('aria-label')).toContain('SS+6, taken, '),
    );
    expect(hourIn(dialog(), 4).getAttribute('aria-label')).toBe('SS+4, is over');
    await userEvent.click(hourIn(dialog(), 4));
    expect(hourIn(dialog(), 14).getAttribute('aria-pressed')).toBe('true');
    await userEvent.click(hourIn(dialog(), 6));
    await press('Use this secondary claim');
    expect(screen.getByText('P5: Fire Library')).toBeTruthy();
  });
});

describe('a submission whose answer was lost', () => {
  const stored = claimRowOf({ id: 9, hour_start: 6, hour_end: 10 });

  test.each([
    ['hour', '10:00'],
    ['day', '24:00'],
  ])('can be sent again though the %s turned: the server keeps its answer', async (_, later) => {
    server.on('POST', '/claims', () => 'network fails');
    signIn();
    setServerTime('09:59');
    showSubmitPage('?respawn=1&hour=6');
    await userEvent.click(submitButton());
    await screen.findByText('Network error. Please check your connection.');
    act(() => setServerTime(later));
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
    server.on('POST', '/claims', () => ok([stored], 201));
    await userEvent.click(submitButton());
    await screen.findByText('Claims Submitted Successfully!');
    const [first, second] = server.made('POST', '/claims');
    expect([second?.body, second?.headers.get('Idempotency-Key')]).toEqual([
      first?.body,
      first?.headers.get('Idempotency-Key'),
    ]);
  });

  test('is past like any other as soon as the server says so', async () => {
    server.on('POST', '/claims', () => 'network fails');
    signIn();
    setServerTime('09:59');
    showSubmitPage('?respawn=1&hour=6');
    await userEvent.click(submitButton());
    await screen.findByText('Network error. Please check your connection.');
    act(() => setServerTime('10:00'));
    server.on('POST', '/claims', () =>
      refused(400, 'claim.hoursOver', { date: TODAY, hour: 6, end: 10 }),
    );
    await userEvent.click(submitButton());
    await waitFor(() => expect(submitButton().getAttribute('aria-disabled')).toBe('true'));
    expect(
      screen.getAllByText('SS+6 to SS+10 on Sat 21 Nov is over. Please choose later hours.'),
    ).not.toHaveLength(0);
  });
});

describe('the dates on offer', () => {
  test('end at the horizon, and the next day says where that is (R3.10)', async () => {
    signIn({ config: [{ ...config, horizon_days: 1 }] });
    showSubmitPage('?respawn=1&hour=14&date=2026-11-22');
    expect(chips()).toHaveLength(2);
    await press('Configure the next day');
    expect(screen.getByRole('alert').textContent).toBe(
      'Mon 23 Nov is too far ahead. You can claim up to Sun 22 Nov.',
    );
    expect(chips()).toHaveLength(2);
  });

  test('reach two weeks back for an admin, and are sent', async () => {
    server.on('POST', '/claims', () =>
      ok([claimRowOf({ id: 9, character_name: 'Mira', date: '2026-11-10' })], 201),
    );
    signInAsAdmin();
    showAdminInput('?respawn=1&hour=3');
    expect(chips()).toHaveLength(28);
    expect(screen.getByRole('checkbox', { name: /21 November/ })).toHaveProperty('checked', true);
    await userEvent.click(screen.getByRole('checkbox', { name: /10 November/ }));
    await userEvent.click(screen.getByRole('checkbox', { name: /21 November/ }));
    await userEvent.type(screen.getByLabelText('Character name'), 'Mira');
    await userEvent.click(submitButton());
    await screen.findByText('Successfully submitted 1 claim(s) for Mira!');
    expect(server.made('POST', '/claims')[0]?.body).toMatchObject({
      claims: [{ date: '2026-11-10', hour_start: 3 }],
    });
  });
});
