import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../../shared/live.ts';
import { DEFAULT_CATEGORY_ID } from '../../../shared/schemas/category.ts';
import { LoadError } from '../../api/load-error.ts';
import { ApiError } from '../../api/request.ts';
import { applySnapshot, clearBoard, setConnection } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import {
  aCategory,
  aConfig,
  aDestination,
  anEvent,
  aSpot,
  aVerifiedCode,
} from '../../test/records.ts';
import { mockServer, ok } from './test/server.ts';
import { goTo, openAdmin, push, renderAdmin, showAdmin } from './test/show-admin.tsx';

// Loaded already, so that no test waits for them.
import './categories/categories-tab.tsx';
import './claims/claims-tab.tsx';
import './imports/guild-tables.tsx';
import './people/people-list.tsx';
import './members/members-tab.tsx';
import './respawns/respawns-tab.tsx';
import './settings/guild-settings.tsx';
import { descriptionOf } from '../../test/description.ts';

beforeEach(() => {
  clearBoard();
  useSession.setState({ status: 'ready', admin: null });
});
afterEach(() => vi.unstubAllGlobals());

const address = (): string | null => screen.getByLabelText('address').textContent;
const chosenTab = (): string | null => screen.getByRole('tab', { selected: true }).textContent;

test('the title welcomes the admin by name', () => {
  showAdmin('/admin/dashboard');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(
    'Admin Dashboard - Welcome Thora',
  );
});

test('without an admin session it leads to the login', () => {
  renderAdmin('/admin/dashboard');
  expect(screen.getByText('Login page')).toBeTruthy();
});

test('does not redirect while the session is being checked', () => {
  useSession.setState({ status: 'checking' });
  renderAdmin('/admin/dashboard/keys');
  expect(address()).toBe('/admin/dashboard/keys');
  expect(screen.getByText('Loading…')).toBeTruthy();
});

test('an admin does not use the board that a member read: lists wait, and are not shown as empty', () => {
  useSession.setState({ admin: { username: 'Thora', token: 'token', role: 'owner' } });
  applySnapshot(1, { event: [anEvent()] });
  renderAdmin('/admin/dashboard');
  expect(screen.getByText('Loading…')).toBeTruthy();
  expect(screen.queryByText('Double week')).toBeNull();
  act(() =>
    applySnapshot(1, { event: [anEvent()], access_key: [], verified_code: [], activity: [] }),
  );
  expect(screen.queryByText('Loading…')).toBeNull();
  expect(screen.getAllByText('Double week')).not.toEqual([]);
});

test('the tab counts characters to verify, live, where admins verify', () => {
  const jorun = aVerifiedCode({
    id: 2,
    character_name: 'Jorun Pike',
    access_key: null,
    verified_at: null,
  });
  const known = [
    aVerifiedCode({ id: 1, character_name: 'Arden Vale' }),
    jorun,
    aVerifiedCode({ id: 3, character_name: 'Mira' }),
  ];
  showAdmin('/admin/dashboard', {
    config: [aConfig({ character_check: 'manual' })],
    verified_code: known,
  });
  const tab = (): string | null => screen.getByRole('tab', { name: /^Characters/ }).textContent;
  expect(tab()).toBe('Characters11 character to verify');
  push({
    op: 'put',
    kind: 'verified_code',
    record: aVerifiedCode({ ...jorun, id: 4, character_name: 'Old Bram' }),
  });
  expect(tab()).toContain('2 characters to verify');
  push(
    {
      op: 'put',
      kind: 'verified_code',
      record: aVerifiedCode({ ...jorun, verified_at: '2026-11-21T10:00:00Z' }),
    },
    { op: 'remove', kind: 'verified_code', id: 4 },
  );
  expect(tab()).toBe('Characters');
  push({ op: 'put', kind: 'verified_code', record: jorun });
  push({ op: 'put', kind: 'config', record: aConfig({ character_check: 'tibiadata' }) });
  expect(tab()).toBe('Characters');
});

test('each tab has one short help text; the settings, whose fields have hints, have none', async () => {
  showAdmin('/admin/dashboard/keys');
  const help = (): HTMLElement => screen.getByRole('button', { name: /^Help: / });
  expect(help().getAttribute('aria-label')).toBe('Help: Keys');
  expect(descriptionOf(help())).toMatch(/^An access key lets a member sign in and claim\./);
  goTo('/admin/dashboard/categories');
  await waitFor(() => expect(help().getAttribute('aria-label')).toBe('Help: Categories'));
  goTo('/admin/dashboard/settings/guild');
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Help: / })).toBeNull());
});

test('logging out ends the token and leads to the login', async () => {
  const sent = mockServer({ 'POST /api/logout': () => ok() });
  showAdmin('/admin/dashboard');
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  expect(address()).toBe('/admin/login');
  expect(sent.map(({ call }) => call)).toEqual(['POST /api/logout']);
});

test('the tab is in the address; an unknown one opens the events', async () => {
  showAdmin('/admin/dashboard/nonsense');
  expect(chosenTab()).toBe('Events');
  await userEvent.click(screen.getByRole('tab', { name: 'Keys' }));
  await waitFor(() => expect(address()).toBe('/admin/dashboard/keys'));
  expect(chosenTab()).toBe('Keys');
});

test('a bookmark of the former section of rules opens them', async () => {
  await openAdmin('/admin/dashboard/settings/waitlist');
  expect(await screen.findByRole('link', { name: 'Claim rules', current: 'page' })).toBeTruthy();
});

test('a tab that is opened again has the filters it was left with', async () => {
  await openAdmin('/admin/dashboard/keys?search=mira');
  await userEvent.click(screen.getByRole('tab', { name: 'Characters' }));
  await waitFor(() => expect(address()).toBe('/admin/dashboard/verified'));
  await userEvent.click(screen.getByRole('tab', { name: 'Keys' }));
  await waitFor(() => expect(address()).toBe('/admin/dashboard/keys?search=mira'));
  expect(await screen.findByLabelText('Search characters')).toHaveProperty('value', 'mira');
});

describe.each(['viewer', 'moderator'] as const)(
  'to a %s, who may not change the guild,',
  (role) => {
    const as = async (address: string, snapshot: Snapshot): Promise<void> => {
      showAdmin(address, snapshot);
      act(() => useSession.setState({ admin: { username: 'Bram', token: 'token', role } }));
      await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull());
    };
    const buttons = (): (string | null)[] =>
      within(screen.getByRole('tabpanel'))
        .queryAllByRole('button')
        .map((one) => one.textContent);

    test.each([
      ['keys', 'Keys'],
      ['verified', 'Characters'],
      ['settings', 'Guild'],
      ['settings/system', 'System'],
    ])('%s is not shown at its address, nor another tab in its place', async (address, name) => {
      await as(`/admin/dashboard/${address}`, { event: [anEvent({ name: 'Week 12' })] });
      expect(screen.getByText(`Your role can't see ${name}`)).toBeTruthy();
      expect(screen.queryByRole('tab', { selected: true })).toBeNull();
      expect(screen.queryByRole('heading', { name: 'Week 12' })).toBeNull();
      await userEvent.click(screen.getByRole('link', { name: 'Open Events' }));
      expect(chosenTab()).toBe('Events');
      expect(screen.getByRole('heading', { name: 'Week 12' })).toBeTruthy();
    });

    test('events are to be read: no button changes one', async () => {
      await as('/admin/dashboard/events', {
        event: [anEvent({ name: 'Week 12' })],
      });
      expect(screen.getByRole('heading', { name: 'Week 12' })).toBeTruthy();
      expect(buttons()).toEqual([]);
    });

    test('a list without anything proposes nothing that would be refused', async () => {
      await as('/admin/dashboard/events', {});
      expect(screen.getByText('No events yet')).toBeTruthy();
      expect(screen.queryByText(/Create one, then activate it/)).toBeNull();
      expect(buttons()).toEqual([]);
    });

    test('a member type says no count of keys, which this role does not see', async () => {
      await as('/admin/dashboard/members', {});
      expect(screen.getAllByText('0 claims on the board').length).toBeGreaterThan(0);
      expect(screen.queryByText(/\d keys?\b/)).toBeNull();
      expect(buttons()).toEqual([]);
    });

    test('spots have no boxes, no bar and no buttons', async () => {
      await as('/admin/dashboard/respawns', { respawn: [aSpot(1, 'Fire Library')] });
      expect(screen.getByText('Fire Library')).toBeTruthy();
      expect(screen.queryByRole('checkbox')).toBeNull();
      expect(screen.queryByRole('button', { name: /Edit|Delete|Create/ })).toBeNull();
    });

    test('categories are to be read, and none says that it cannot be deleted', async () => {
      await as('/admin/dashboard/categories', {
        category: [aCategory(DEFAULT_CATEGORY_ID, 'General')],
      });
      expect(screen.getByRole('heading', { name: 'General' })).toBeTruthy();
      expect(screen.queryByText('The default category cannot be deleted.')).toBeNull();
      expect(buttons()).toEqual([]);
    });
  },
);

test.each([
  ['keys', 'Failed to fetch access keys'],
  ['verified', 'Failed to fetch verified codes: An error occurred. Please try again.'],
  ['members', 'Failed to fetch member types'],
  ['claims', 'Failed to fetch claims'],
  ['claims?view=waitlist', 'Failed to fetch claims'],
  ['respawns', 'Failed to fetch respawns'],
  ['categories', 'Failed to fetch categories: 500 Internal Server Error'],
  ['events', 'Failed to load admin data: An error occurred. Please try again.'],
])('when loading fails, the tab %s says it of itself', async (tab, sentence) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  showAdmin(`/admin/dashboard/${tab}`);
  const refusal = new ApiError(500, 'server.failed', {}, 'Internal Server Error', {
    statusText: 'Internal Server Error',
  });
  act(() => setConnection('offline', new LoadError('respawns', refusal)));
  expect(await screen.findByText(sentence)).toBeTruthy();
  expect(screen.queryByText(/Failed to fetch respawns: 500/)).toBeNull();
});

test('a visitor goes to the login and returns to the requested tab; someone who signs out does not', async () => {
  useSession.setState({ status: 'ready', admin: null });
  renderAdmin('/admin/dashboard/keys?search=Arden');
  expect(screen.getByLabelText('handed on').textContent).toBe(
    '{"return_to":"/admin/dashboard/keys?search=Arden"}',
  );
  cleanup();
  showAdmin('/admin/dashboard/keys');
  act(() => useSession.setState({ admin: null, ended: [] }));
  await screen.findByText('Login page');
  expect(screen.getByLabelText('handed on').textContent).toBe('null');
});

describe('the settings', () => {
  const settingsLinks = (): (string | null)[] =>
    within(screen.getByRole('navigation', { name: 'Settings' }))
      .getAllByRole('link')
      .map((link) => link.textContent);

  test('are behind a link beside the eight tabs, each section with its own address', async () => {
    await openAdmin('/admin/dashboard', { config: [aConfig()] });
    const tabs = [
      'Events',
      'Activity Log',
      'Members',
      'Keys',
      'Characters',
      'Claims',
      'Respawns',
      'Categories',
    ];
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(tabs);
    await userEvent.click(screen.getByRole('link', { name: 'Settings' }));
    expect(address()).toBe('/admin/dashboard/settings/guild');
    expect(await screen.findByLabelText('Guild name')).toBeTruthy();
    expect(screen.queryByRole('tab', { selected: true })).toBeNull();
    expect(screen.queryByRole('tabpanel')).toBeNull();
    expect(settingsLinks()).toEqual([
      'Guild',
      'Claim rules',
      'Discord & webhooks',
      'Admins',
      'Import & export',
      'System',
    ]);
    await userEvent.click(screen.getByRole('link', { name: 'Import & export' }));
    expect(address()).toBe('/admin/dashboard/settings/import-export');
    expect(screen.getByRole('link', { name: 'Import & export' }).getAttribute('aria-current')).toBe(
      'page',
    );
    await userEvent.click(screen.getByRole('tab', { name: 'Events' }));
    expect(address()).toBe('/admin/dashboard/events');
  });

  test.each([
    ['/admin/dashboard/settings', '/admin/dashboard/settings', 'Guild'],
    ['/admin/dashboard/settings/nonsense', '/admin/dashboard/settings/nonsense', null],
  ])('%s opens the first section, or the first tab', (from, to, current) => {
    showAdmin(from, { config: [aConfig()] });
    expect(address()).toBe(to);
    if (current)
      expect(screen.getByRole('link', { name: current }).getAttribute('aria-current')).toBe('page');
    else expect(chosenTab()).toBe('Events');
  });

  test('an admin who is not an owner has neither admins nor system', () => {
    showAdmin('/admin/dashboard/settings/system', { config: [aConfig()] });
    act(() => useSession.setState({ admin: { username: 'Bram', token: 'token', role: 'admin' } }));
    expect(screen.getByText("Your role can't see System")).toBeTruthy();
    goTo('/admin/dashboard/settings/guild');
    expect(settingsLinks()).toEqual([
      'Guild',
      'Claim rules',
      'Discord & webhooks',
      'Import & export',
    ]);
  });
});

test('a tab names its panel only while it is open', async () => {
  await openAdmin('/admin/dashboard/keys');
  const panel = screen.getByRole('tabpanel', { name: 'Keys' });
  expect(screen.getByRole('tab', { name: 'Keys' }).getAttribute('aria-controls')).toBe(panel.id);
  expect(screen.getByRole('tab', { name: 'Events' }).hasAttribute('aria-controls')).toBe(false);
});

describe('the status line', () => {
  const status = (): HTMLElement => screen.getByRole('region', { name: 'Guild status' });
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') }),
  );
  afterEach(() => void vi.useRealTimers());

  test('names the active event, its day and its claims, live', () => {
    const event = anEvent({
      is_active: 1,
      start_time: '2026-11-17T10:00',
      end_time: '2026-11-30T09:00',
      claim_count: 650,
    });
    showAdmin('/admin/dashboard/keys', { config: [aConfig()], event: [event] });
    expect(status().textContent).toBe('Double weekday 5 of 14650 claimsClaims open');
    push({ op: 'put', kind: 'event', record: { ...event, claim_count: 651 } });
    expect(within(status()).getByRole('link', { name: '651 claims' })).toBeTruthy();
    push({ op: 'put', kind: 'event', record: { ...event, end_time: '2026-11-20T09:00' } });
    expect(status().textContent).toBe('Double weekended650 claimsNo dates left to claim');
    push({ op: 'put', kind: 'event', record: { ...event, is_active: 0 } });
    expect(status().textContent).toBe('No active eventClaims open');
  });

  test('names what needs an admin and links to it; otherwise shows nothing', async () => {
    const destination = aDestination({ name: 'Loot bot' });
    showAdmin('/admin/dashboard', {
      config: [aConfig({ character_check: 'manual' })],
      destination: [destination],
    });
    expect(status().textContent).toBe('No active eventClaims open');
    push(
      { op: 'put', kind: 'destination', record: { ...destination, switched_off: 'gone' } },
      {
        op: 'put',
        kind: 'verified_code',
        record: aVerifiedCode({ access_key: null, verified_at: null }),
      },
    );
    const failing = within(status()).getByRole('link', { name: 'Failing: Loot bot' });
    expect(failing.getAttribute('href')).toBe('/admin/dashboard/settings/notifications');
    await userEvent.click(
      within(status()).getByRole('link', { name: '1 character waits for verification' }),
    );
    expect(address()).toBe('/admin/dashboard/verified?status=pending');
  });

  test('says to every role that notifications are paused after a restore; only owners can resume them', () => {
    const channel = aDestination({
      name: 'Loot bot',
      last_error: 'HTTP 500',
      next_try_at: '2026-11-21T18:05:00.000Z',
    });
    showAdmin('/admin/dashboard/keys', {
      config: [aConfig({ notifications_paused: 1 })],
      destination: [channel],
    });
    expect(status().textContent).toBe('No active eventClaims openNotifications are paused');
    const link = within(status()).getByRole('link', { name: 'Notifications are paused' });
    expect(link.getAttribute('href')).toBe('/admin/dashboard/settings/system');
    act(() => useSession.setState({ admin: { username: 'Bram', token: 'token', role: 'viewer' } }));
    expect(status().textContent).toBe('No active eventClaims openNotifications are paused');
    expect(within(status()).queryByRole('link', { name: 'Notifications are paused' })).toBeNull();
    push({ op: 'put', kind: 'config', record: aConfig() });
    expect(status().textContent).not.toContain('paused');
  });

  test('shows read-only roles whether claims are open, without a button', () => {
    showAdmin('/admin/dashboard', { config: [aConfig({ submission_enabled: 0 })] });
    act(() => useSession.setState({ admin: { username: 'Bram', token: 'token', role: 'viewer' } }));
    expect(status().textContent).toBe('No active eventClaims closed');
    expect(within(status()).queryByRole('button')).toBeNull();
  });
});
