import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addDays } from '../../../shared/rules/server-save.ts';
import { clearBoard } from '../../state/board-store.ts';
import { setServerSaveClock } from '../../state/clock.ts';
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

const TOMORROW = addDays(TODAY, 1);
/** Shortly after the server save that ends so many days. */
const daysPass = (days: number): void =>
  act(() =>
    setServerSaveClock({ ...config, server_time: `${addDays(TODAY, days)}T00:00:30.000Z` }),
  );

let server: FakeServer;

beforeEach(() => {
  clearBoard();
  server = new FakeServer()
    .on('GET', '/respawns/', () => ok([]))
    .on('GET', '/claims/check-character-claims/', () =>
      ok({ hasClaimsForDate: false, claimsForDate: [] }),
    )
    .on('POST', '/claims', () =>
      ok([claimRowOf({ id: 9, date: TOMORROW, hour_start: 20, hour_end: 22 })], 201),
    );
});
afterEach(() => vi.unstubAllGlobals());

const chip = (date: RegExp): HTMLElement => screen.getByRole('checkbox', { name: date });
const sentence = (dates: string): string =>
  `Ended at server save: ${dates}. The form now shows today; everything else you chose is kept.`;
const sentClaims = (): unknown => server.made('POST', '/claims')[0]?.body;

describe('over the server save', () => {
  test('the form moves to the new day with its selection, says so, and submits the new date', async () => {
    signIn();
    setServerTime('23:59');
    showSubmitPage('?respawn=1&hour=20');
    await userEvent.click(screen.getByRole('radio', { name: '2 h' }));
    expect(screen.queryByText(/Ended at server save/)).toBeNull();
    daysPass(1);
    expect(screen.getByText(sentence('Sat 21 Nov'))).toBeTruthy();
    expect(screen.queryByRole('checkbox', { name: /21 November/ })).toBeNull();
    expect(screen.getAllByRole('checkbox', { checked: true })).toHaveLength(1);
    expect(chip(/22 November/)).toHaveProperty('checked', true);
    expect(hourIn(screen, 20).getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByRole('radio', { name: '2 h' })).toHaveProperty('checked', true);
    await userEvent.click(submitButton());
    await screen.findByText('Claims Submitted Successfully!');
    expect(sentClaims()).toMatchObject({
      claims: [{ date: TOMORROW, respawn_id: 1, hour_start: 20, hour_end: 22 }],
    });
  });

  test('does so in an event too, and the other chosen day stays', async () => {
    signIn({ event: [eventOf({})] });
    setServerTime('23:59');
    showSubmitPage('?respawn=1&hour=20');
    await userEvent.click(chip(/24 November/));
    daysPass(1);
    expect(screen.getByText(sentence('Sat 21 Nov'))).toBeTruthy();
    await userEvent.click(submitButton());
    expect(sentClaims()).toMatchObject({ claims: [{ date: TOMORROW }, { date: '2026-11-24' }] });
  });

  test('keeps the choices already made for the new day', async () => {
    signIn();
    setServerTime('23:59');
    showSubmitPage('?respawn=1&hour=20');
    await press('Configure the next day');
    await userEvent.click(hourIn(screen, 5));
    daysPass(1);
    expect(screen.getByText(sentence('Sat 21 Nov'))).toBeTruthy();
    await userEvent.click(submitButton());
    expect(sentClaims()).toMatchObject({ claims: [{ date: TOMORROW, hour_start: 5 }] });
  });

  test('after several days the last ended one moves on, and all of them are named', async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=20');
    await press('Configure the next day');
    await userEvent.click(hourIn(screen, 5));
    daysPass(3);
    expect(screen.getByText(sentence('Sat 21 Nov, Sun 22 Nov'))).toBeTruthy();
    await userEvent.click(submitButton());
    expect(sentClaims()).toMatchObject({ claims: [{ date: addDays(TODAY, 3), hour_start: 5 }] });
  });

  test('after two server saves it is on the following day, in the same row', async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=20');
    hourIn(screen, 20).focus();
    const focused = document.activeElement;
    daysPass(1);
    expect(document.activeElement).toBe(focused);
    daysPass(2);
    expect(document.activeElement).toBe(focused);
    expect(screen.getByText(sentence('Sun 22 Nov'))).toBeTruthy();
    await userEvent.click(chip(/24 November/));
    expect(screen.queryByText(/Ended at server save/)).toBeNull();
  });

  test('a dialog that is half filled stays open, and is used for the new day', async () => {
    signIn();
    setServerTime('09:00');
    showSubmitPage('?respawn=1&hour=20');
    await press('Split in two');
    await chooseSpot(part(2), 'Spot, part 2', 'Fire Library');
    await userEvent.click(hourIn(part(2), 17));
    daysPass(1);
    expect(dialog().getByText(/22 Nov/)).toBeTruthy();
    expect(hourIn(part(2), 17).getAttribute('aria-pressed')).toBe('true');
    await press('Use these two parts');
    await userEvent.click(submitButton());
    expect(sentClaims()).toMatchObject({
      claims: [
        { date: TOMORROW, split_parts: [{ respawn_id: 1 }, { respawn_id: 2, hour_start: 17 }] },
      ],
    });
  });

  test('where the event ended with the day, the choice stays and says so', () => {
    signIn({ event: [eventOf({ end_time: TODAY })] });
    setServerTime('23:59');
    showSubmitPage('?respawn=1&hour=20');
    daysPass(1);
    expect(screen.getByRole('alert').textContent).toContain(
      'The event ended on Sat 21 Nov. No dates are left to claim.',
    );
    expect(submitButton().getAttribute('aria-disabled')).toBe('true');
  });

  test('a claim for a whole event is unchanged', async () => {
    signIn({ event: [eventOf({ type: 'single_claim' })] });
    setServerTime('23:59');
    showSubmitPage('?respawn=1&hour=20');
    daysPass(1);
    expect(screen.queryByText(/Ended at server save/)).toBeNull();
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
  });

  test('the claims that were just refused are queried for the new day', async () => {
    server.on('POST', '/claims', () => refused(400, 'claim.dateOver', { date: TODAY }));
    signIn();
    setServerTime('23:59');
    showSubmitPage('?respawn=1&hour=20');
    await userEvent.click(submitButton());
    await screen.findAllByText('Sat 21 Nov is over. Please choose a later date.');
    daysPass(1);
    expect(chip(/22 November/)).toHaveProperty('checked', true);
    expect(screen.getByText(sentence('Sat 21 Nov'))).toBeTruthy();
  });
});

describe('an admin’s form over the server save', () => {
  test('continues with the suggested date, and keeps the half-typed name', async () => {
    signInAsAdmin();
    setServerTime('23:59');
    showAdminInput('?respawn=1&hour=20');
    await userEvent.type(screen.getByLabelText('Character name'), 'Mi');
    daysPass(1);
    expect(screen.getByText(sentence('Sat 21 Nov'))).toBeTruthy();
    await userEvent.type(screen.getByLabelText('Character name'), 'ra');
    await userEvent.click(submitButton());
    expect(sentClaims()).toMatchObject({
      claims: [{ character_name: 'Mira', date: TOMORROW, hour_start: 20 }],
    });
  });

  test('keeps a past date that an admin may enter, and marks it as past', async () => {
    signInAsAdmin();
    setServerTime('23:59');
    showAdminInput(`?respawn=1&hour=20&date=${TODAY}`);
    await userEvent.type(screen.getByLabelText('Character name'), 'Mira');
    expect(screen.queryByText(/is over/)).toBeNull();
    daysPass(1);
    expect(
      screen.getByText('Sat 21 Nov is over. As an admin, you can still add the claim.'),
    ).toBeTruthy();
    await userEvent.click(submitButton());
    expect(sentClaims()).toMatchObject({ claims: [{ date: TODAY }] });
  });
});
