import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Change } from '../../../shared/live.ts';
import { applyChanges, clearBoard } from '../../state/board-store.ts';
import {
  addProfile,
  dropAdmin,
  logoutAll,
  signInAdmin,
  useSession,
} from '../../state/session-store.ts';
import { aClaim, aClaimOnRespawn } from '../../test/records.ts';
import { FakeServer, ok, refused } from './test/fake-server.ts';
import { chooseSpot } from './test/page-parts.ts';
import { claimRowOf, eventOf, memberTypeOf, onItsDate, respawnOf } from './test/records.ts';
import {
  config,
  profile,
  showSubmitPage,
  signIn,
  signInAsAdmin,
} from './test/show-submit-page.tsx';

let server: FakeServer;
const nothingHeld = { hasClaimsForDate: false, claimsForDate: [] };
const arden = claimRowOf({ id: 1, hour_start: 2, hour_end: 6 });

beforeEach(() => {
  clearBoard();
  server = new FakeServer()
    .on('GET', '/respawns/1/claims/2026-11-21', () => ok([arden]))
    .on('GET', '/respawns/', () => ok([]))
    .on('GET', '/claims/check-character-claims/', () => ok(nothingHeld));
});
afterEach(() => {
  useSession.setState({ admin: null });
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const cell = (hour: number): HTMLElement =>
  screen.getByRole('button', { name: new RegExp(`^SS\\+${hour},`) });
const submitButton = (): HTMLElement => screen.getByRole('button', { name: /^Submit/ });
const isBlocked = (hour: number): boolean => cell(hour).getAttribute('aria-disabled') === 'true';
const untilTaken = (hour: number): Promise<void> =>
  waitFor(() => expect(cell(hour).getAttribute('aria-label')).toContain('taken'));

describe('the states of the page', () => {
  test('without a session it says so and leads to the login with an access key', () => {
    vi.useFakeTimers();
    useSession.setState({ status: 'ready', current: null, profiles: [] });
    showSubmitPage();
    expect(screen.getByText("You're not signed in")).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Verify Character' }).getAttribute('href')).toBe(
      '/verify',
    );
    act(() => vi.advanceTimersByTime(4000));
    expect(screen.getByText('at /login?type=access-key')).toBeTruthy();
  });

  test('an admin without a character goes to the form for others, with the same request', () => {
    signInAsAdmin();
    showSubmitPage('?respawn=1&hour=14');
    expect(screen.getByRole('heading', { name: 'Submit claims as an admin' })).toBeTruthy();
    expect(screen.getByRole('combobox', { name: 'Spot' })).toHaveProperty('value', 'Cobra Bastion');
  });

  test('an admin whose role may not claim, without a character, reads why and where to go', () => {
    vi.useFakeTimers();
    useSession.setState({ status: 'ready', current: null, profiles: [] });
    signInAdmin('TOKEN', 'Vera', 'viewer');
    showSubmitPage('?respawn=1&hour=14');
    expect(screen.getByText('You have no character here')).toBeTruthy();
    expect(screen.queryByText("You're not signed in")).toBeNull();
    expect(
      screen.getByRole('link', { name: 'View Claims on Main Page' }).getAttribute('href'),
    ).toBe('/');
    expect(screen.getByRole('link', { name: 'Sign in with an access key' })).toBeTruthy();
    act(() => vi.advanceTimersByTime(10_000));
    expect(screen.getByText('You have no character here')).toBeTruthy();
  });

  test('a member’s selection stays when an admin signs in and out in another tab', async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    const choice = await screen.findByRole('combobox', { name: 'Spot' });
    act(() => signInAdmin('TOKEN', 'Thora', 'owner'));
    expect(choice.isConnected).toBe(true);
    act(() => dropAdmin(null));
    expect(choice.isConnected).toBe(true);
    expect(choice).toHaveProperty('value', 'Cobra Bastion');
  });

  test('another character starts over', async () => {
    signIn();
    const sable = { ...profile, characterName: 'Sable Quinn', accessKey: 'OTHER' };
    showSubmitPage('?respawn=1&hour=14');
    const choice = await screen.findByRole('combobox', { name: 'Spot' });
    act(() => addProfile(sable));
    expect(choice.isConnected).toBe(false);
    logoutAll();
  });

  test.each([
    ['Sign in with an access key', '/login?type=access-key'],
    ['Verify Character', '/verify'],
  ])('a visitor’s selection on the board is kept: %s', async (link, address) => {
    useSession.setState({ status: 'ready', current: null, profiles: [] });
    showSubmitPage('?respawn=1&date=2026-11-22&hour=14');
    await userEvent.click(screen.getByRole('link', { name: link }));
    expect(screen.getByText(`at ${address}`)).toBeTruthy();
    expect(screen.getByText('for ?respawn=1&date=2026-11-22&hour=14')).toBeTruthy();
  });

  test('the layout is complete while the board loads', () => {
    signIn();
    clearBoard();
    showSubmitPage();
    expect(screen.getByText('Loading…')).toBeTruthy();
    expect(screen.getByText('1 · Where')).toBeTruthy();
  });

  test.each([
    [
      'it is switched off',
      { config: [{ ...config, submission_enabled: 0 as const }] },
      /currently disabled/,
    ],
    [
      'the type may not',
      { member_type: [memberTypeOf({ can_submit: 0 })] },
      /type member cannot submit/,
    ],
    [
      'it is too early',
      { member_type: [memberTypeOf({ earliest_submission_date: '2026-11-25' })] },
      /from Wed,? 25 Nov on/,
    ],
  ])('says that submission is disabled when %s', (_why, snapshot, sentence) => {
    signIn(snapshot);
    showSubmitPage();
    expect(screen.getByText('Claims Submission Disabled')).toBeTruthy();
    expect(screen.getByText(sentence)).toBeTruthy();
  });
});

describe('submission switched off while the form is open', () => {
  const switched = (submission_enabled: 0 | 1, clock: number): void =>
    act(
      () =>
        void applyChanges({
          clock,
          changes: [{ op: 'put', kind: 'config', record: { ...config, submission_enabled } }],
        }),
    );

  test('says so, keeps everything chosen, and gives it back when it is on again', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    await userEvent.click(cell(8));
    switched(0, 2);
    const panel = within(screen.getByRole('alert'));
    expect(panel.getByText('Claims Submission Disabled')).toBeTruthy();
    expect(panel.getByText('Claim submission is currently disabled')).toBeTruthy();
    expect(submitButton().getAttribute('aria-disabled')).toBe('true');
    expect(cell(8).closest('fieldset:disabled')).not.toBeNull();
    const stays = (name: RegExp): boolean =>
      !screen.getByRole('button', { name }).matches(':disabled');
    expect([/^Help: /, /^Split/, /next day/i].map(stays)).toEqual([true, false, false]);
    switched(1, 3);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(cell(8).getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByRole('combobox', { name: 'Spot' })).toHaveProperty('value', 'Cobra Bastion');
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
  });

  test('a page that opens meanwhile shows its form when the board arrives', () => {
    signIn({ config: [{ ...config, submission_enabled: 0 }] });
    showSubmitPage('?respawn=1');
    expect(screen.queryByRole('combobox')).toBeNull();
    switched(1, 2);
    expect(screen.getByRole('combobox', { name: 'Spot' })).toBeTruthy();
  });
});

describe('start hours', () => {
  test('that cannot be chosen say why, word for word', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    await untilTaken(2);
    expect(cell(2).getAttribute('aria-label')).toBe(
      'SS+2, taken: conflicts with existing claim (Arden Vale, SS+2 to SS+6)',
    );
    expect(cell(0).getAttribute('aria-label')).toBe('SS+0, max 2h available');
    expect(cell(22).getAttribute('aria-label')).toBe('SS+22, would exceed SS+24');
    expect(cell(6).getAttribute('aria-label')).toBe('SS+6, 06:00 your time');
    expect([0, 2, 5, 6, 20, 21].map(isBlocked)).toEqual([true, true, true, false, false, true]);
    await userEvent.click(cell(2));
    expect(cell(2).getAttribute('aria-pressed')).toBe('false');
  });

  test('become free for a shorter duration', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    await untilTaken(2);
    await userEvent.click(screen.getByRole('radio', { name: '2 h' }));
    expect([0, 1, 22, 23].map(isBlocked)).toEqual([false, true, false, true]);
  });

  test('are one tab stop; arrow keys move by one and by a row, Enter chooses', async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=7');
    const user = userEvent.setup();
    cell(7).focus();
    await user.keyboard('{ArrowRight}');
    expect(document.activeElement).toBe(cell(8));
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(cell(20));
    await user.keyboard('{Enter}');
    expect(cell(20).getAttribute('aria-pressed')).toBe('true');
    await user.keyboard('{Home}{ArrowLeft}');
    expect(document.activeElement).toBe(cell(0));
    const grid = within(screen.getByRole('group', { name: /^Start hour/ }));
    const tabStops = grid.getAllByRole('button').filter((button) => button.tabIndex === 0);
    expect(tabStops).toEqual([cell(0)]);
  });

  test('a duration that passes SS+24 is named beside the date and blocks', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    await userEvent.click(screen.getByRole('radio', { name: '2 h' }));
    await userEvent.click(cell(22));
    await userEvent.click(screen.getByRole('radio', { name: '4 h' }));
    expect(screen.getByRole('alert').textContent).toBe(
      'Start time SS+22 with 4-hour duration would exceed SS+24. Please choose an earlier start time.',
    );
    // "The day runs SS+0 to SS+24": a choice beyond it is never summed up as "SS+22 to SS+26".
    expect(document.body.textContent).not.toContain('SS+26');
    expect(screen.getByText('SS+22, 4 h').closest('dl')).toBeTruthy();
    expect(submitButton().getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(screen.getByRole('checkbox', { name: /22 November/ }));
    expect(document.body.textContent).not.toContain('SS+26');
  });
});

describe('missing input', () => {
  test('is named by the button, which is golden only when everything is chosen', async () => {
    signIn();
    showSubmitPage();
    const why = (): string | null | undefined =>
      document.getElementById(submitButton().getAttribute('aria-describedby') ?? '')?.textContent;
    const isGolden = (): boolean => /primary/.test(submitButton().className);
    expect([why(), isGolden()]).toEqual(['Choose a spot.', false]);
    await chooseSpot(screen, 'Spot', 'Cobra Bastion');
    expect([why(), isGolden()]).toEqual(['Choose a start hour.', false]);
    await userEvent.click(cell(8));
    expect([why(), isGolden()]).toEqual([undefined, true]);
    await userEvent.click(screen.getByRole('checkbox', { name: /21 November/ }));
    expect([why(), isGolden()]).toEqual(['Choose a date.', false]);
  });

  test('chosen hours show the local time; "yours" marks the character’s own', async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=8');
    const word = (hour: number): string | null | undefined =>
      cell(hour).querySelector('[data-word]')?.getAttribute('data-word');
    expect([word(8), cell(8).getAttribute('aria-label')]).toEqual([
      '08:00',
      'SS+8, chosen, 08:00 your time',
    ]);
    const own = aClaimOnRespawn({
      id: 2,
      character_name: 'Riley Ashdown',
      hour_start: 14,
      hour_end: 16,
    });
    act(
      () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: own }] }),
    );
    expect(word(14)).toBe('yours');
  });

  test('is shown at its field, which gets the focus', async () => {
    signIn();
    showSubmitPage();
    await userEvent.click(submitButton());
    expect(screen.getByText('Please select a respawn')).toBeTruthy();
    expect(screen.getByText('Please choose a start hour.').getAttribute('role')).toBe('alert');
    const why = document.getElementById(submitButton().getAttribute('aria-describedby') ?? '');
    expect(why?.textContent).toBe('Please fill in all required fields');
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Spot' }));
    expect(server.made('POST', '/claims')).toEqual([]);
  });

  test('no date at all', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    await userEvent.click(screen.getByRole('checkbox', { name: /21 November/ }));
    await userEvent.click(submitButton());
    expect(screen.getByText('Please ensure all dates are filled')).toBeTruthy();
  });
});

describe('dates', () => {
  test('the next day takes over the hours, unless it is added already', async () => {
    signIn();
    showSubmitPage('?respawn=1&date=2026-11-21&hour=10');
    await userEvent.click(screen.getByRole('button', { name: 'Configure the next day' }));
    expect(screen.getByRole('button', { name: 'Submit 2 claims' })).toBeTruthy();
    expect(screen.getAllByText('SS+10 to SS+14').length).toBeGreaterThan(2);
    await userEvent.click(screen.getByRole('button', { name: /^Sat,? 21 Nov/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Configure the next day' }));
    expect(screen.getByRole('alert').textContent).toBe('This date is already added');
  });

  test('do not pass the end of the event', async () => {
    signIn({ event: [eventOf({ end_time: '2026-11-21' })] });
    showSubmitPage('?respawn=1&hour=10');
    await userEvent.click(screen.getByRole('button', { name: 'Configure the next day' }));
    expect(screen.getByRole('alert').textContent).toBe('Cannot add date beyond event end date');
  });

  test("'Cannot add date beyond event end date' leaves with the choice that caused it", async () => {
    signIn({ event: [eventOf({ end_time: '2026-11-22' })] });
    showSubmitPage('?respawn=1&date=2026-11-22&hour=10');
    const nextDay = (): Promise<void> =>
      userEvent.click(screen.getByRole('button', { name: 'Configure the next day' }));
    const refusal = (): HTMLElement | null =>
      screen.queryByText('Cannot add date beyond event end date');
    await nextDay();
    expect(refusal()).toBeTruthy();
    await userEvent.click(cell(12));
    expect(refusal()).toBeNull();
    await nextDay();
    await userEvent.click(screen.getByRole('checkbox', { name: /21 November/ }));
    await userEvent.click(screen.getByRole('button', { name: /^Sun,? 22 Nov/ }));
    expect(refusal()).toBeNull();
    await nextDay();
    const longer = eventOf({ end_time: '2026-11-25' });
    act(
      () =>
        void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'event', record: longer }] }),
    );
    expect(refusal()).toBeNull();
  });

  test('an added one leaves the others, also a suggested one without hours, and each can be removed', async () => {
    signIn();
    showSubmitPage('?respawn=1');
    await userEvent.click(screen.getByRole('checkbox', { name: /22 November/ }));
    expect(screen.getByRole('checkbox', { name: /21 November/ })).toHaveProperty('checked', true);
    await userEvent.click(cell(8));
    expect(
      screen.getByText('Choose a start hour for Sat 21 Nov, or remove that date.'),
    ).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Take SS+8, 4 h on Sat 21 Nov' }));
    expect(submitButton().getAttribute('aria-describedby')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /Remove Sat,? 21 Nov/ }));
    await userEvent.click(cell(8));
    await userEvent.click(screen.getByRole('checkbox', { name: /24 November/ }));
    await userEvent.click(screen.getByRole('button', { name: /Remove Sun,? 22 Nov/ }));
    expect(screen.getByRole('checkbox', { name: /22 November/ })).toHaveProperty('checked', false);
    expect(cell(8).getAttribute('aria-pressed')).toBe('true');
  });
});

describe('the date that the form opens with', () => {
  const chosen = (): (string | null)[] =>
    screen
      .getAllByRole('checkbox', { checked: true })
      .map((chip) => chip.getAttribute('aria-label'));
  const ofRiley = { character_name: 'Riley Ashdown', respawn_id: 2 };

  test('is the first that can be claimed: the character has no claim on it, and the spot has a free hour', () => {
    signIn({
      claim: [
        aClaim({ id: 1, ...ofRiley, date: '2026-11-21' }),
        aClaim({
          id: 2,
          respawn_id: 1,
          character_name: 'Sable Quinn',
          date: '2026-11-22',
          hour_start: 0,
          hour_end: 24,
        }),
      ],
    });
    showSubmitPage('?respawn=1');
    expect(chosen()).toEqual(['Monday 23 November']);
  });

  test('is the requested one in any case, and the first one where none can be claimed', () => {
    const event = eventOf({ end_time: '2026-11-22' });
    const claim = ['2026-11-21', '2026-11-22'].map((date, i) =>
      aClaim({ id: i + 1, ...ofRiley, date, event_id: 5 }),
    );
    signIn({ event: [event], claim });
    const { unmount } = showSubmitPage('?respawn=1&date=2026-11-22');
    expect(chosen()).toEqual(['Sunday 22 November, Riley Ashdown has a claim']);
    unmount();
    showSubmitPage('?respawn=1');
    expect(chosen()).toEqual(['Saturday 21 November, Today, Riley Ashdown has a claim']);
  });
});

describe('a form that is left half filled', () => {
  const left = async (query: string, change: () => Promise<void>): Promise<void> => {
    const { unmount } = showSubmitPage(query);
    await change();
    unmount();
  };

  test('is kept on return, unless the address requests something; it can be started over', async () => {
    signIn();
    await left('?respawn=1', async () => {
      await userEvent.click(screen.getByRole('checkbox', { name: /23 November/ }));
      await userEvent.click(cell(8));
    });
    await left('?respawn=1', async () => {
      expect(screen.getByText('Your choices from before are still here.')).toBeTruthy();
      expect(cell(8).getAttribute('aria-pressed')).toBe('true');
    });
    showSubmitPage();
    expect(screen.getByRole('combobox', { name: 'Spot' })).toHaveProperty('value', 'Cobra Bastion');
    expect(screen.getByRole('checkbox', { name: /23 November/ })).toHaveProperty('checked', true);
    await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
    expect(screen.getByRole('combobox', { name: 'Spot' })).toHaveProperty('value', '');
    expect(screen.queryByText('Your choices from before are still here.')).toBeNull();
  });

  test('can be started over while claims are closed', async () => {
    signIn();
    await left('?respawn=1', async () => userEvent.click(cell(8)));
    showSubmitPage();
    act(() => {
      const record = { ...config, submission_enabled: 0 } as const;
      applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'config', record }] });
    });
    await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
    expect(screen.getByRole('combobox', { name: 'Spot' })).toHaveProperty('value', '');
  });

  const isKept = (): boolean =>
    screen.queryByText('Your choices from before are still here.') !== null;

  test('stays while another form is only opened', async () => {
    signIn();
    await left('', async () => userEvent.click(cell(8)));
    await left('?respawn=2', async () =>
      expect(cell(8).getAttribute('aria-pressed')).toBe('false'),
    );
    showSubmitPage();
    expect(isKept()).toBe(true);
    expect(cell(8).getAttribute('aria-pressed')).toBe('true');
  });

  test('is not there for another request, for another character, where nothing was changed, or once it is submitted', async () => {
    signIn();
    await left('?respawn=2', async () =>
      expect(cell(8).getAttribute('aria-pressed')).toBe('false'),
    );
    await left('', async () => expect(isKept()).toBe(false));
    await left('?respawn=1', async () => userEvent.click(cell(8)));
    await left('?respawn=2', async () =>
      expect(cell(8).getAttribute('aria-pressed')).toBe('false'),
    );
    const mira = { ...profile, characterName: 'Mira', accessKey: 'ABCD-EFGH-JKLM' };
    act(() => useSession.setState({ current: mira, profiles: [mira] }));
    await left('', async () => expect(isKept()).toBe(false));
    act(() => useSession.setState({ current: profile, profiles: [profile] }));
    server.on('POST', '/claims', () => ok([claimRowOf({ id: 9 })], 201));
    await left('?respawn=1', async () => {
      await userEvent.click(cell(8));
      await userEvent.click(submitButton());
      await screen.findByText('Claims Submitted Successfully!');
    });
    showSubmitPage();
    expect(isKept()).toBe(false);
  });
});

describe('a link to a past day', () => {
  const sentence = "This link's day is over, so today is shown instead.";
  const chip = (day: number): HTMLElement =>
    screen.getByRole('checkbox', { name: new RegExp(`${day} November`) });
  const notice = (): HTMLElement | null => screen.queryByText(/This link's day is over/);

  test('says so once, politely: until the dates are changed', async () => {
    signIn();
    showSubmitPage('?respawn=1&date=2026-11-20&hour=10');
    expect(notice()?.textContent).toBe(sentence);
    expect(notice()?.closest('[role="status"]')).not.toBeNull();
    expect(chip(21)).toHaveProperty('checked', true);
    await userEvent.click(cell(8));
    expect(notice()).not.toBeNull();
    await userEvent.click(chip(22));
    expect(notice()).toBeNull();
    await userEvent.click(chip(22));
    expect(chip(21)).toHaveProperty('checked', true);
    expect(notice()).toBeNull();
  });

  test('is not announced again after its replacement date was removed and added again', async () => {
    signIn();
    showSubmitPage('?respawn=1&date=2026-11-20');
    await userEvent.click(chip(21));
    await userEvent.click(chip(21));
    expect(notice()).toBeNull();
  });

  test('names the day that is shown where today is none of the event’s', () => {
    signIn({ event: [eventOf({ start_time: '2026-11-23' })] });
    showSubmitPage('?respawn=1&date=2026-11-20');
    expect(notice()?.textContent).toMatch(
      /^This link's day is over, so Mon,? 23 Nov is shown instead\.$/,
    );
  });

  test.each([
    ['today', {}, '2026-11-21'],
    ['a day to come', {}, '2026-11-23'],
    ['a day that cannot be chosen yet', {}, '2027-11-21'],
    ['no date', {}, '0-tomorrow'],
    [
      'any day of a single_claim event, which has no date to choose',
      { event: [eventOf({ type: 'single_claim' })] },
      '2026-11-20',
    ],
    [
      'a day of an event that is over itself',
      { event: [eventOf({ end_time: '2026-11-20' })] },
      '2026-11-20',
    ],
  ])('differs from a link to %s', (_what, snapshot, date) => {
    signIn(snapshot);
    showSubmitPage(`?respawn=1&date=${date}`);
    expect(notice()).toBeNull();
  });
});

describe('a character that has a claim on the date', () => {
  test('or are only held there: it says so, until they are taken', async () => {
    server.on('GET', '/claims/check-character-claims/Riley%20Ashdown?date=2026-11-21', () =>
      ok({
        hasClaimsForDate: true,
        claimsForDate: [{ respawn_name: 'Fire Library', hour_start: 8, hour_end: 12 }],
      }),
    );
    const hold = aClaim({
      id: 9,
      character_name: 'Riley Ashdown',
      respawn_id: 2,
      date: '2026-11-21',
      hour_start: 8,
      hour_end: 12,
    });
    signIn({ claim: [{ ...hold, is_held: 1, held_until: '2026-11-21T18:10:00Z' }] });
    showSubmitPage('?respawn=1&date=2026-11-21');
    const warning = await screen.findByRole('alert');
    expect(within(warning).getByText('Hours are held for Riley Ashdown on this date')).toBeTruthy();
    expect(within(warning).getByText('Take or decline them to claim other hours.')).toBeTruthy();
    expect(screen.queryByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE')).toBeNull();
    act(
      () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: hold }] }),
    );
    expect(await screen.findByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE')).toBeTruthy();
  });

  test('is warned, with the claims; the time controls of that date are off', async () => {
    server.on('GET', '/claims/check-character-claims/Riley%20Ashdown?date=2026-11-21', () =>
      ok({
        hasClaimsForDate: true,
        claimsForDate: [{ respawn_name: 'Fire Library', hour_start: 8, hour_end: 12 }],
      }),
    );
    signIn();
    showSubmitPage('?respawn=1');
    const warning = await screen.findByRole('alert');
    expect(within(warning).getByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE')).toBeTruthy();
    expect(screen.getAllByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE')).toHaveLength(1);
    expect(
      within(warning)
        .getByRole('link', { name: 'Fire Library, SS+8 to SS+12' })
        .getAttribute('href'),
    ).toBe('/');
    const why = document.getElementById(submitButton().getAttribute('aria-describedby') ?? '');
    expect(why?.textContent).toBe('Sat 21 Nov: Riley Ashdown has a claim. Choose another date.');
    expect(cell(6).closest('fieldset')).toHaveProperty('disabled', true);
    expect(screen.getByRole('radio', { name: '2 h' })).toHaveProperty('disabled', true);
    expect(submitButton().getAttribute('aria-disabled')).toBe('true');
  });

  test('is not asked about before 300 ms have passed', async () => {
    vi.useFakeTimers();
    signIn();
    showSubmitPage('?respawn=1');
    await act(() => vi.advanceTimersByTimeAsync(299));
    expect(server.made('GET', '/claims/check-character-claims')).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(1));
    expect(server.made('GET', '/claims/check-character-claims')).toHaveLength(1);
  });

  test('a failed check says so, can be repeated, and blocks nothing', async () => {
    server.on('GET', '/claims/check-character-claims/', () => 'network fails');
    signIn();
    showSubmitPage('?respawn=1&hour=10');
    await screen.findByText('Failed to check character claims');
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
    server.on('GET', '/claims/check-character-claims/', () => ok(nothingHeld));
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByText('Failed to check character claims')).toBeNull());
  });
});

describe('a slot taken while the form is open', () => {
  test('turns red with a reason; the choice is kept and blocks until another is made', async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    await untilTaken(2);
    const sable = aClaimOnRespawn({
      id: 2,
      character_name: 'Sable Quinn',
      hour_start: 15,
      hour_end: 18,
    });
    act(
      () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: sable }] }),
    );
    expect(cell(15).getAttribute('aria-label')).toContain('conflicts with existing claim');
    const alert = screen.getByRole('alert');
    expect(alert.textContent).toContain(
      'Time conflict detected for Sat 21 Nov at SS+14. There is already a claim that overlaps this time.',
    );
    expect(alert.textContent).toContain('Sable Quinn has SS+15 to SS+18');
    expect(screen.getByText('Time conflict with existing claims')).toBeTruthy();
    expect(cell(14).getAttribute('aria-pressed')).toBe('true');
    expect(submitButton().getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(cell(6));
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('a secondary claim does not conflict', async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    await untilTaken(2);
    const waiting = aClaimOnRespawn({
      id: 2,
      hour_start: 14,
      hour_end: 18,
      is_secondary_claim: 1,
      secondary_priority: 5,
    });
    act(
      () =>
        void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: waiting }] }),
    );
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
  });
});

describe('submitting', () => {
  const stored = claimRowOf({
    id: 9,
    character_name: 'Riley Ashdown',
    hour_start: 14,
    hour_end: 18,
  });

  test('shows the stored claims, and resets the form on request', async () => {
    server.on('POST', '/claims', () => ok([stored], 201));
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    await userEvent.click(screen.getByRole('button', { name: 'Submit 1 claim' }));
    expect(await screen.findByText('Claims Submitted Successfully!')).toBeTruthy();
    expect(screen.getByText('Riley Ashdown')).toBeTruthy();
    expect(screen.getByText('Cobra Bastion')).toBeTruthy();
    expect(screen.getByText('SS+14 to SS+18')).toBeTruthy();
    expect(
      screen.getByText(
        'A submitted claim cannot be edited. To change it, contact an admin or guild leader.',
      ),
    ).toBeTruthy();
    expect(server.made('POST', '/claims')[0]?.body).toMatchObject({
      access_key: 'K7QM-2F9A-XW3C',
      claims: [
        {
          respawn_id: 1,
          character_name: 'Riley Ashdown',
          date: '2026-11-21',
          hour_start: 14,
          hour_end: 18,
        },
      ],
    });
    expect(
      screen.getByRole('link', { name: 'View Claims on Main Page' }).getAttribute('href'),
    ).toBe('/');
    await userEvent.click(screen.getByRole('button', { name: 'Submit More Claims' }));
    expect(screen.getByRole('combobox', { name: 'Spot' })).toHaveProperty('value', '');
  });

  test('a refusal is shown and the whole selection is kept', async () => {
    server.on('POST', '/claims', () =>
      refused(409, 'claim.timeConflict', { date: '2026-11-21', hour: 14 }),
    );
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    await userEvent.click(submitButton());
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Time conflict detected for Sat 21 Nov at SS+14. There is already a claim that overlaps this time.',
    );
    expect(cell(14).getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByRole('combobox', { name: 'Spot' })).toHaveProperty('value', 'Cobra Bastion');
  });

  test('after a network failure the same content is sent with the same key, other content with a new one', async () => {
    server.on('POST', '/claims', () => 'network fails');
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    await userEvent.click(submitButton());
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Network error. Please check your connection.',
    );
    await userEvent.click(submitButton());
    await waitFor(() => expect(server.made('POST', '/claims')).toHaveLength(2));
    await waitFor(() => expect(submitButton().getAttribute('aria-disabled')).toBeNull());
    await userEvent.click(cell(6));
    await userEvent.click(submitButton());
    await waitFor(() => expect(server.made('POST', '/claims')).toHaveLength(3));
    const [first, second, third] = server
      .made('POST', '/claims')
      .map((call) => call.headers.get('Idempotency-Key'));
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('a lost answer does not make the own claim look like a conflict: the retry learns that it was stored', async () => {
    server.on('POST', '/claims', () => 'network fails');
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    await userEvent.click(submitButton());
    await screen.findByRole('alert');
    act(
      () =>
        void applyChanges({
          clock: 2,
          changes: [{ op: 'put', kind: 'claim', record: aClaimOnRespawn(stored) }],
        }),
    );
    expect(submitButton().getAttribute('aria-disabled')).toBeNull();
    server.on('POST', '/claims', () => ok([stored], 201));
    await userEvent.click(submitButton());
    expect(await screen.findByText('Claims Submitted Successfully!')).toBeTruthy();
  });

  const MEANWHILE: [string, Change][] = [
    [
      'submission is switched off',
      { op: 'put', kind: 'config', record: { ...config, submission_enabled: 0 } },
    ],
    ['the spot is disabled', { op: 'put', kind: 'respawn', record: respawnOf({ is_enabled: 0 }) }],
    ['the spot is gone', { op: 'remove', kind: 'respawn', id: 1 }],
    [
      'the type may not submit',
      {
        op: 'put',
        kind: 'member_type',
        record: memberTypeOf({ can_submit: 0, voucher_duration_hours: 2 }),
      },
    ],
  ];

  test.each(MEANWHILE)(
    'whose answer was lost can be sent again though %s meanwhile: the server keeps its answer',
    async (_what, change) => {
      server.on('POST', '/claims', () => 'network fails');
      signIn();
      showSubmitPage('?respawn=1&hour=14');
      await userEvent.click(submitButton());
      await screen.findByText('Network error. Please check your connection.');
      act(() => void applyChanges({ clock: 2, changes: [change] }));
      expect(submitButton().getAttribute('aria-disabled')).not.toBe('true');
      server.on('POST', '/claims', () => ok([stored], 201));
      await userEvent.click(submitButton());
      expect(await screen.findByText('Claims Submitted Successfully!')).toBeTruthy();
      const [first, second] = server.made('POST', '/claims');
      expect([second?.body, second?.headers.get('Idempotency-Key')]).toEqual([
        first?.body,
        first?.headers.get('Idempotency-Key'),
      ]);
    },
  );

  test('that was not stored is refused with the disabled feature, and cannot be sent again', async () => {
    server.on('POST', '/claims', () => 'network fails');
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    await userEvent.click(submitButton());
    await screen.findByText('Network error. Please check your connection.');
    act(
      () =>
        void applyChanges({
          clock: 2,
          changes: [{ op: 'put', kind: 'config', record: { ...config, submission_enabled: 0 } }],
        }),
    );
    server.on('POST', '/claims', () => refused(403, 'claim.submissionDisabled'));
    await userEvent.click(submitButton());
    await waitFor(() => expect(submitButton().getAttribute('aria-disabled')).toBe('true'));
    expect(screen.getAllByText('Claim submission is currently disabled')).not.toHaveLength(0);
    await userEvent.click(submitButton());
    expect(server.made('POST', '/claims')).toHaveLength(2);
  });
});

describe('a single_claim event', () => {
  const event = eventOf({
    type: 'single_claim',
    start_time: '2026-11-20',
    end_time: '2026-11-22',
    single_claim_template: 'Bring potions',
  });

  test('has no date to choose, and only hours that are free on all its dates', async () => {
    const later = claimRowOf({ id: 3, date: '2026-11-22', hour_start: 10, hour_end: 12 });
    server.on('GET', '/respawns/1/claims?from=2026-11-20&to=2026-11-22', () =>
      ok([onItsDate(arden), onItsDate(later)]),
    );
    server.on('POST', '/claims', () => ok([claimRowOf({ id: 9, date: null, event_id: 5 })], 201));
    signIn({ event: [event] });
    showSubmitPage('?respawn=1&hour=14');
    await untilTaken(10);
    await untilTaken(2);
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByText('Bring potions')).toBeTruthy();
    await userEvent.click(submitButton());
    await screen.findByText('Claims Submitted Successfully!');
    const [post] = server.made('POST', '/claims');
    expect(post?.body).toMatchObject({ claims: [{ event_id: 5, hour_start: 14, hour_end: 18 }] });
    expect(JSON.stringify(post?.body)).not.toContain('"date"');
  });
});
