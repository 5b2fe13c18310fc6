import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyChanges, clearBoard, setConnection } from '../../state/board-store.ts';
import { aClaimOnRespawn } from '../../test/records.ts';
import { FakeServer, ok } from './test/fake-server.ts';
import { hourIn, submitButton } from './test/page-parts.ts';
import { claimRowOf } from './test/records.ts';
import {
  setServerTime,
  showAdminInput,
  showSubmitPage,
  signIn,
  signInAsAdmin,
} from './test/show-submit-page.tsx';

let server: FakeServer;
beforeEach(() => {
  clearBoard();
  server = new FakeServer()
    .on('GET', '/respawns/', () =>
      ok([claimRowOf({ id: 1, character_name: 'Sable Quinn', hour_start: 10, hour_end: 14 })]),
    )
    .on('GET', '/claims/check-character-claims/', () =>
      ok({ hasClaimsForDate: false, claimsForDate: [] }),
    );
});
afterEach(() => {
  setConnection('connecting');
  vi.unstubAllGlobals();
});

const untilTaken = () =>
  waitFor(() => expect(hourIn(screen, 10).getAttribute('aria-label')).toContain('taken'));
const take = (offer: string) =>
  userEvent.click(screen.getByRole('button', { name: `Take ${offer}` }));
const offers = () =>
  screen.queryAllByRole('button', { name: /^Take / }).map((button) => button.textContent);
const isBlocked = (hour: number) => hourIn(screen, hour).getAttribute('aria-disabled') === 'true';
const duration = (hours: number) => screen.getByRole('radio', { name: `${hours} h` });

describe('a start that only a shorter duration allows', () => {
  test('stays disabled, and one press beside it takes the hours that fit', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    expect(isBlocked(22)).toBe(true);
    await userEvent.click(hourIn(screen, 22));
    expect(hourIn(screen, 22).getAttribute('aria-pressed')).toBe('false');
    expect(screen.getByText('SS+22, would exceed SS+24')).toBeTruthy();
    expect(offers()).toEqual(['SS+22, 2 h', 'SS+20, 4 h']);
    await take('SS+22, 2 h');
    expect(hourIn(screen, 22).getAttribute('aria-pressed')).toBe('true');
    expect(duration(2)).toHaveProperty('checked', true);
    expect(document.activeElement).toBe(hourIn(screen, 22));
    expect([offers(), submitButton().getAttribute('aria-disabled')]).toEqual([[], null]);
  });

  test('or the whole of it as near as can be, also with the keys alone', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    await untilTaken();
    const user = userEvent.setup();
    hourIn(screen, 0).focus();
    await user.keyboard('{ArrowRight>8/}');
    expect(screen.getByText('SS+8, max 2h available')).toBeTruthy();
    expect(offers()).toEqual(['SS+8, 2 h', 'SS+6, 4 h']);
    await user.keyboard('{Shift>}{Tab}{/Shift}{Enter}');
    expect(hourIn(screen, 6).getAttribute('aria-pressed')).toBe('true');
    expect(duration(4)).toHaveProperty('checked', true);
  });

  test('is red where it runs into a claim, and says so in its name', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    await untilTaken();
    expect(hourIn(screen, 8).className).toMatch(/conflict/);
    expect(hourIn(screen, 8).getAttribute('aria-label')).toBe('SS+8, max 2h available');
    expect(hourIn(screen, 22).className).not.toMatch(/conflict/);
  });

  test('of the past is offered nothing, and one that can be had ends the question', async () => {
    signIn();
    setServerTime('08:30');
    showSubmitPage('?respawn=1');
    await untilTaken();
    await userEvent.click(hourIn(screen, 3));
    expect(screen.getByText('SS+3, is over')).toBeTruthy();
    expect(offers()).toEqual([]);
    await userEvent.click(hourIn(screen, 8));
    expect(offers()).toEqual(['SS+8, 2 h']);
    await userEvent.click(hourIn(screen, 16));
    expect(offers()).toEqual([]);
  });

  test('is offered when another member takes the selected hours, with the member’s name', async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=16');
    await untilTaken();
    const taken = aClaimOnRespawn({
      id: 2,
      character_name: 'Late Lena',
      hour_start: 16,
      hour_end: 18,
    });
    act(
      () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: taken }] }),
    );
    expect(screen.getByText('Late Lena has SS+16 to SS+18.')).toBeTruthy();
    expect(offers()).toEqual(['SS+18, 4 h']);
    await take('SS+18, 4 h');
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
  });
});

describe('hours whose claims could not be loaded', () => {
  beforeEach(() => {
    server.on('GET', '/respawns/', () => 'network fails');
  });

  test('are not called free, and can be chosen: the server refuses taken ones', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    await screen.findByText('You can still submit: the server refuses hours that are taken.');
    expect(screen.getByText("Couldn't load who has which hours.")).toBeTruthy();
    expect(hourIn(screen, 14).getAttribute('aria-label')).toBe(
      'SS+14, 14:00 your time, availability unknown',
    );
    await userEvent.click(hourIn(screen, 14));
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
  });

  test('are kept while the server is unreachable, and nothing is reported as submitted', async () => {
    server.on('POST', '/claims', () => ok([claimRowOf({ id: 9 })], 201));
    signIn();
    setConnection('offline');
    showSubmitPage('?respawn=1&hour=14');
    await screen.findByText(
      "We can't tell which hours are free until the server is back. Your choices are kept.",
    );
    expect(screen.queryByText(/You can still submit/)).toBeNull();
    expect(submitButton().getAttribute('aria-disabled')).toBe('true');
    const why = document.getElementById(submitButton().getAttribute('aria-describedby') ?? '');
    expect(why?.textContent).toMatch(/^Can't reach the server\./);
    await userEvent.click(submitButton());
    expect(server.made('POST', '/claims')).toEqual([]);
    act(() => setConnection('live'));
    await userEvent.click(submitButton());
    expect(await screen.findByText('Claims Submitted Successfully!')).toBeTruthy();
  });
});

describe('a date on which the character has a claim', () => {
  const claims = [
    aClaimOnRespawn({ id: 3, respawn_id: 2, date: '2026-11-23', character_name: 'riley  ashdown' }),
    aClaimOnRespawn({
      id: 4,
      respawn_id: 2,
      date: '2026-11-24',
      character_name: 'Riley Ashdown',
      is_secondary_claim: 1,
    }),
    aClaimOnRespawn({ id: 5, respawn_id: 2, date: '2026-11-25', character_name: 'Sable Quinn' }),
  ];
  const marked = () =>
    screen
      .queryAllByRole('checkbox', { name: /has a claim/ })
      .map((chip) => chip.getAttribute('aria-label'));

  test('is marked before it is chosen; one that only waits takes no date', () => {
    signIn({ claim: claims });
    showSubmitPage('?respawn=1');
    expect(marked()).toEqual(['Monday 23 November, Riley Ashdown has a claim']);
  });

  test('is marked as held until it is taken', () => {
    const hold = aClaimOnRespawn({
      id: 6,
      respawn_id: 2,
      date: '2026-11-23',
      character_name: 'Riley Ashdown',
    });
    signIn({ claim: [{ ...hold, is_held: 1, held_until: '2026-11-21T18:10:00Z' }] });
    showSubmitPage('?respawn=1');
    expect(marked()).toEqual([]);
    expect(
      screen.getByRole('checkbox', {
        name: 'Monday 23 November, hours are held for Riley Ashdown',
      }),
    ).toBeTruthy();
    act(
      () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: hold }] }),
    );
    expect(marked()).toEqual(['Monday 23 November, Riley Ashdown has a claim']);
  });

  test('is the one that an admin types', async () => {
    signInAsAdmin({ claim: claims });
    showAdminInput('?respawn=1');
    expect(marked()).toEqual([]);
    await userEvent.type(screen.getByLabelText('Character name'), 'Sable Quinn');
    expect(marked()).toEqual(['Wednesday 25 November, Sable Quinn has a claim']);
  });
});
