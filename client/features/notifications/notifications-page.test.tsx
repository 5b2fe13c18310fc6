import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readPush } from '../../offline/push-store.ts';
import { applySnapshot, clearBoard, setConnection } from '../../state/board-store.ts';
import { closeOverlay, isOverlayOpen } from '../../state/overlays.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useSession } from '../../state/session-store.ts';
import { ALL_ON, endPushWorld, type PushWorld, startPushWorld } from '../../test/push.ts';
import { aConfig } from '../../test/records.ts';
import { NotificationsPage } from './notifications-page.tsx';

const profile = (characterName: string, accessKey: string): Profile => ({
  characterName,
  accessKey,
  memberType: 'member',
  isVerified: true,
  createdAt: '',
});
const arden = profile('Arden Vale', 'ARDENS-KEY');
const mira = profile('Mira Stormcrow', 'MIRAS-KEY');
const HERE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

let world: PushWorld;
beforeEach(() => {
  world = startPushWorld();
  // The browser's four hundred are most of what the page costs to draw.
  vi.spyOn(Intl, 'supportedValuesOf').mockReturnValue(['Asia/Tokyo']);
  signIn(arden);
});
afterEach(() => {
  cleanup();
  endPushWorld();
  clearBoard();
  useSession.setState({ status: 'checking', profiles: [], current: null, admin: null });
  vi.restoreAllMocks();
});

const signIn = (...profiles: Profile[]): void =>
  useSession.setState({ status: 'ready', profiles, current: profiles[0] ?? null });

async function show(): Promise<void> {
  render(
    <MemoryRouter>
      <NotificationsPage />
    </MemoryRouter>,
  );
  await act(async () => {});
  await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull());
}
const region = (name: string): HTMLElement => screen.getByRole('region', { name });
const button = (name: string): HTMLElement => screen.getByRole('button', { name });
const press = (name: string): Promise<void> => userEvent.click(button(name));
const turnOn = (name = 'Arden Vale'): Promise<void> => press(`Turn on: ${name} on this device`);
const isOn = (name = 'Arden Vale'): Promise<HTMLElement> =>
  screen.findByText(`This device gets notifications for ${name}`);

describe('this device', () => {
  test('turns on at a press, and off again', async () => {
    await show();
    expect(screen.getByText(/The browser will ask/)).toBeTruthy();
    expect(world.timesAsked).toBe(0);
    expect(world.subscription).toBeNull();
    await turnOn();
    await isOn();
    expect(world.timesAsked).toBe(1);
    expect([...world.subscribed]).toEqual([`ARDENS-KEY ${world.subscription?.endpoint}`]);
    // The button that was pressed has gone.
    await waitFor(() => expect(document.activeElement).toBe(button('Send test: Arden Vale')));
    await press('Turn off: Arden Vale on this device');
    await screen.findByText('Notifications for Arden Vale are off on this device');
    expect([world.subscribed.size, world.subscription]).toEqual([0, null]);
    expect(await readPush()).toBeNull();
    expect(localStorage.getItem('push')).toBeNull();
    expect(screen.queryByText(/The browser will ask/)).toBeNull();
  });

  test('is shared by the characters of the browser: one leaves, the other stays', async () => {
    signIn(arden, mira);
    await show();
    await turnOn();
    await isOn();
    await turnOn('Mira Stormcrow');
    await isOn('Mira Stormcrow');
    const endpoint = world.subscription?.endpoint;
    expect([...world.subscribed]).toEqual([`ARDENS-KEY ${endpoint}`, `MIRAS-KEY ${endpoint}`]);
    await press('Turn off: Arden Vale on this device');
    await screen.findByText('Notifications for Arden Vale are off on this device');
    expect([...world.subscribed]).toEqual([`MIRAS-KEY ${endpoint}`]);
    expect(world.subscription).not.toBeNull();
  });

  test('that is refused says so, and how to allow it again', async () => {
    world.says = 'denied';
    await show();
    await turnOn();
    expect(
      (await screen.findByText('Notifications are blocked in this browser')).parentElement
        ?.textContent,
    ).toContain('To allow them');
    expect(screen.queryByRole('button', { name: /^Turn on/ })).toBeNull();
    // Allowed in the browser's settings; the page is looked at again.
    world.permission = 'granted';
    act(() => void window.dispatchEvent(new Event('focus')));
    expect(button('Turn on: Arden Vale on this device')).toBeTruthy();
  });

  test('whose question is closed can ask once more', async () => {
    world.says = 'default';
    await show();
    await turnOn();
    expect((await screen.findByRole('alert')).textContent).toMatch(/question was closed/);
    world.says = 'granted';
    await turnOn();
    await isOn();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test.each([
    [
      'a push service that is out of reach',
      new DOMException('no', 'AbortError'),
      /couldn't reach its push service/,
    ],
    ['a policy', new DOMException('no', 'NotAllowedError'), /browser blocks notifications/],
  ])('that cannot subscribe because of %s says why', async (_, refuses, text) => {
    world.refuses = refuses;
    await show();
    await turnOn();
    expect((await screen.findByRole('alert')).textContent).toMatch(text);
    expect(world.subscribed.size).toBe(0);
  });

  test('that the server refuses stays off, and says why', async () => {
    world.failures.set('POST /push/subscriptions', { status: 400, code: 'push.endpoint' });
    await show();
    await turnOn();
    expect((await screen.findByRole('alert')).textContent).toBe(
      "Notifications can't be sent to this address.",
    );
    expect(screen.getByText('Notifications for Arden Vale are off on this device')).toBeTruthy();
    world.failures.clear();
    await turnOn();
    await isOn();
  });

  test('is subscribed again if the server has another key, for every character of this browser', async () => {
    signIn(arden, mira);
    await show();
    await turnOn();
    await isOn();
    const before = world.subscription?.endpoint;
    world.serverKey = 'BAECBA';
    await turnOn('Mira Stormcrow');
    await isOn('Mira Stormcrow');
    const endpoint = world.subscription?.endpoint;
    expect(endpoint).not.toBe(before);
    expect([...world.subscribed].sort()).toEqual([
      `ARDENS-KEY ${endpoint}`,
      `MIRAS-KEY ${endpoint}`,
    ]);
  });
});

describe('a test', () => {
  const send = (): Promise<void> => press('Send test: Arden Vale');
  const turnedOn = async (): Promise<void> => {
    await show();
    await turnOn();
    await isOn();
  };

  test('says that it was sent', async () => {
    await turnedOn();
    await send();
    expect(await screen.findByText(/^Sent\. It should appear/)).toBeTruthy();
  });

  test.each(['the push service takes nothing', 'the server has forgotten it'])(
    'that fails as %s offers to set the device up again',
    async (why) => {
      await turnedOn();
      const before = world.subscription?.endpoint;
      if (why.startsWith('the server'))
        world.failures.set('POST /push/test', { status: 404, code: 'push.notFound' });
      else world.taken = false;
      await send();
      await screen.findByText(/^Couldn't send it/);
      world.taken = true;
      world.failures.clear();
      await press('Set up this device again');
      await screen.findByText(/is set up again/);
      expect(world.subscription?.endpoint).not.toBe(before);
      expect([...world.subscribed]).toEqual([`ARDENS-KEY ${world.subscription?.endpoint}`]);
    },
  );

  test('that is repeated too often asks to wait', async () => {
    await turnedOn();
    world.failures.set('POST /push/test', { status: 429, code: 'request.tooManyTries' });
    await send();
    expect((await screen.findByRole('alert')).textContent).not.toBe('');
  });
});

describe('kinds of notifications of a character', () => {
  const kind = (name: string): HTMLElement => screen.getByRole('switch', { name });

  test('is loaded, switched kind by kind, and saved', async () => {
    world.preferences.set('ARDENS-KEY', { ...ALL_ON, hunt_begins: 0 });
    await show();
    expect(kind('Your hunt starts').getAttribute('aria-checked')).toBe('false');
    for (const name of [
      'Your hunt starts',
      'Hours are held for you',
      'Confirm now',
      'An admin changed your claim',
    ]) {
      await userEvent.click(kind(name));
    }
    await waitFor(() =>
      expect(world.preferences.get('ARDENS-KEY')).toEqual({
        ...ALL_ON,
        hold_offered: 0,
        confirm_now: 0,
        claim_changed: 0,
      }),
    );
    expect(await screen.findByText('Saved')).toBeTruthy();
  });

  test('stays as chosen after a refusal, and is sent again', async () => {
    await show();
    world.failures.set('PUT /push/preferences', { status: 503, code: 'server.stopping' });
    await userEvent.click(kind('Confirm now'));
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Not saved yet');
    expect(kind('Confirm now').getAttribute('aria-checked')).toBe('false');
    world.failures.clear();
    await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Saved')).toBeTruthy();
    expect(world.preferences.get('ARDENS-KEY')?.confirm_now).toBe(0);
  });

  test('that was chosen without a network is saved when it is back', async () => {
    await show();
    act(() => setConnection('offline'));
    expect(screen.getByText(/^You're offline/)).toBeTruthy();
    world.failures.set('PUT /push/preferences', { status: 0, code: '' });
    await userEvent.click(kind('Confirm now'));
    await screen.findByRole('alert');
    world.failures.clear();
    act(() => setConnection('live'));
    expect(await screen.findByText('Saved')).toBeTruthy();
    expect(world.preferences.get('ARDENS-KEY')?.confirm_now).toBe(0);
  });

  test('that is switched while another is saved, is saved although the page is left at once', async () => {
    await show();
    const held = Promise.withResolvers<void>();
    world.answersAfter.set('PUT /push/preferences', held.promise);
    await userEvent.click(kind('Confirm now'));
    await userEvent.click(kind('Your hunt starts'));
    await userEvent.click(kind('Confirm now'));
    cleanup();
    // Opened again before anything is stored.
    await show();
    expect(kind('Your hunt starts').getAttribute('aria-checked')).toBe('false');
    expect(kind('Confirm now').getAttribute('aria-checked')).toBe('true');
    cleanup();
    held.resolve();
    await waitFor(() =>
      expect(world.preferences.get('ARDENS-KEY')).toEqual({ ...ALL_ON, hunt_begins: 0 }),
    );
    await show();
    expect(kind('Your hunt starts').getAttribute('aria-checked')).toBe('false');
  });

  test('that waits for another is sent when the page is closed', async () => {
    await show();
    const held = Promise.withResolvers<void>();
    world.answersAfter.set('PUT /push/preferences', held.promise);
    await userEvent.click(kind('Confirm now'));
    await userEvent.click(kind('Your hunt starts'));
    const puts = (): number => world.calls.filter((call) => call.startsWith('PUT')).length;
    expect(puts()).toBe(1);
    window.dispatchEvent(new Event('pagehide'));
    expect(puts()).toBe(2);
    held.resolve();
    await waitFor(() =>
      expect(world.preferences.get('ARDENS-KEY')).toEqual({
        ...ALL_ON,
        confirm_now: 0,
        hunt_begins: 0,
      }),
    );
    await screen.findByText('Saved');
  });

  test('is saved although quiet hours are half typed', async () => {
    await show();
    await userEvent.click(kind('Quiet hours'));
    await userEvent.clear(screen.getByLabelText('Until'));
    await userEvent.click(kind('Confirm now'));
    await waitFor(() => expect(world.preferences.get('ARDENS-KEY')?.confirm_now).toBe(0));
    expect(world.preferences.get('ARDENS-KEY')?.quiet_until).toBe('07:00');
    await userEvent.click(kind('Quiet hours'));
    await screen.findByText('Saved');
  });

  test('that cannot be loaded says why, with another try', async () => {
    world.failures.set('GET /push/preferences', { status: 503, code: 'server.stopping' });
    await show();
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain("Couldn't load");
    world.failures.clear();
    await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('switch', { name: 'Confirm now' })).toBeTruthy();
  });

  test('is each character’s own', async () => {
    signIn(arden, mira);
    await show();
    await userEvent.click(
      within(region('Mira Stormcrow')).getByRole('switch', { name: 'Confirm now' }),
    );
    await within(region('Mira Stormcrow')).findByText('Saved');
    expect([...world.preferences.keys()]).toEqual(['MIRAS-KEY']);
    expect(
      within(region('Arden Vale'))
        .getByRole('switch', { name: 'Confirm now' })
        .getAttribute('aria-checked'),
    ).toBe('true');
  });

  test('has quiet hours with a start and an end that differ, by a clock that is chosen', async () => {
    vi.mocked(Intl.supportedValuesOf).mockRestore();
    await show();
    await userEvent.click(kind('Quiet hours'));
    await waitFor(() =>
      expect(world.preferences.get('ARDENS-KEY')).toMatchObject({
        quiet_from: '23:00',
        quiet_until: '07:00',
      }),
    );
    const until = screen.getByLabelText('Until');
    await userEvent.clear(until);
    expect(await screen.findByText('Choose a start and an end that differ.')).toBeTruthy();
    await userEvent.type(until, '23:00');
    expect(screen.getByText('Choose a start and an end that differ.')).toBeTruthy();
    expect(world.preferences.get('ARDENS-KEY')?.quiet_until).toBe('07:00');
    await userEvent.clear(until);
    await userEvent.type(until, '08:30');
    await waitFor(() => expect(world.preferences.get('ARDENS-KEY')?.quiet_until).toBe('08:30'));
    await userEvent.selectOptions(screen.getByLabelText('Time zone'), 'Europe/Lisbon');
    await waitFor(() =>
      expect(world.preferences.get('ARDENS-KEY')?.time_zone).toBe('Europe/Lisbon'),
    );
    await userEvent.click(kind('Quiet hours'));
    await waitFor(() =>
      expect(world.preferences.get('ARDENS-KEY')).toMatchObject({
        quiet_from: null,
        quiet_until: null,
      }),
    );
  });

  test('uses the device’s time zone from the first time that it is turned on', async () => {
    world.preferences.set('ARDENS-KEY', { ...ALL_ON, time_zone: 'Asia/Tokyo' });
    await show();
    await turnOn();
    await waitFor(() => expect(world.preferences.get('ARDENS-KEY')?.time_zone).toBe(HERE));
  });

  test('keeps the clock that was chosen for quiet hours', async () => {
    world.preferences.set('ARDENS-KEY', {
      ...ALL_ON,
      time_zone: 'Asia/Tokyo',
      quiet_from: '22:00',
      quiet_until: '06:00',
    });
    await show();
    await turnOn();
    await isOn();
    expect(world.preferences.get('ARDENS-KEY')?.time_zone).toBe('Asia/Tokyo');
    await press(`Use this device's: ${HERE.replaceAll('_', ' ')}`);
    await waitFor(() => expect(world.preferences.get('ARDENS-KEY')?.time_zone).toBe(HERE));
  });
});

test('says that notifications are paused after a restore, until they are resumed', async () => {
  applySnapshot(1, { config: [aConfig({ notifications_paused: 1 })] });
  await show();
  expect(screen.getByText('Notifications are paused')).toBeTruthy();
  expect(screen.getByText(/You get no notifications until an owner/)).toBeTruthy();
  act(() => applySnapshot(2, { config: [aConfig()] }));
  expect(screen.queryByText('Notifications are paused')).toBeNull();
});

describe('direct messages in Discord', () => {
  const LINK = {
    discord_user_id: '323456789012345678',
    discord_name: 'Thora',
    linked_at: '2026-11-21T18:00:00.000Z',
    messages_closed_at: null,
  };
  const withApp = (): void => applySnapshot(1, { config: [aConfig({ has_discord_app: 1 })] });
  const switchOf = (kind: string, channel: 'Push' | 'Direct message'): HTMLElement =>
    within(screen.getByRole('group', { name: kind })).getByRole('switch', { name: channel });

  test('are not spoken of without an app', async () => {
    await show();
    expect(world.calls).not.toContain('GET /discord/links ARDENS-KEY');
    expect(screen.queryByText(/Discord/)).toBeNull();
  });

  test('are offered to a character that is not connected', async () => {
    withApp();
    await show();
    expect(await screen.findByText("Arden Vale isn't connected to Discord")).toBeTruthy();
    expect(screen.queryByRole('switch', { name: 'Direct message' })).toBeNull();
    await press('Connect Discord: Arden Vale');
    expect(isOverlayOpen('connectDiscord')).toBe(true);
    closeOverlay('connectDiscord');
  });

  test('are chosen beside push, kind by kind, and saved', async () => {
    withApp();
    world.links.set('ARDENS-KEY', LINK);
    await show();
    expect(await screen.findByText('Direct messages go to Thora in Discord')).toBeTruthy();
    expect(switchOf('Hours are held for you', 'Direct message').getAttribute('aria-checked')).toBe(
      'true',
    );
    expect(switchOf('Your hunt starts', 'Direct message').getAttribute('aria-checked')).toBe(
      'false',
    );
    await userEvent.click(switchOf('Your hunt starts', 'Direct message'));
    await userEvent.click(switchOf('Confirm now', 'Push'));
    await waitFor(() =>
      expect(world.preferences.get('ARDENS-KEY')).toEqual({
        ...ALL_ON,
        direct_hunt_begins: 1,
        confirm_now: 0,
      }),
    );
    expect(await screen.findByText('Saved')).toBeTruthy();
  });

  test('that no longer arrive say so within a minute', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    withApp();
    world.links.set('ARDENS-KEY', LINK);
    await show();
    await screen.findByText('Direct messages go to Thora in Discord');
    world.links.set('ARDENS-KEY', { ...LINK, messages_closed_at: '2026-11-21T19:00:00.000Z' });
    await act(async () => void (await vi.advanceTimersByTimeAsync(60_000)));
    expect(
      await screen.findByText("Thora doesn't accept direct messages from the app"),
    ).toBeTruthy();
  });

  test('that Discord does not deliver say how to open them, until a test arrives', async () => {
    withApp();
    world.links.set('ARDENS-KEY', { ...LINK, messages_closed_at: '2026-11-21T19:00:00.000Z' });
    world.direct = 'closed';
    await show();
    expect(
      await screen.findByText("Thora doesn't accept direct messages from the app"),
    ).toBeTruthy();
    expect(screen.getByText(/choose Privacy Settings and turn on Direct Messages/)).toBeTruthy();
    await press('Send test: Arden Vale in Discord');
    expect((await screen.findByRole('alert')).textContent).toContain(
      "Discord doesn't accept direct messages for you",
    );
    world.direct = 'sent';
    world.links.set('ARDENS-KEY', LINK);
    await press('Send test: Arden Vale in Discord');
    expect(
      await screen.findByText('Sent. It should appear in Discord within seconds.'),
    ).toBeTruthy();
    expect(await screen.findByText('Direct messages go to Thora in Discord')).toBeTruthy();
    expect(screen.queryByText(/Privacy Settings/)).toBeNull();
  });

  test('whose test fails or is refused say why', async () => {
    withApp();
    world.links.set('ARDENS-KEY', LINK);
    world.direct = 'failed';
    await show();
    await screen.findByText('Direct messages go to Thora in Discord');
    await press('Send test: Arden Vale in Discord');
    expect((await screen.findByRole('alert')).textContent).toContain(
      "Discord can't be reached or refuses the app",
    );
    world.failures.set('POST /discord/test', { status: 404, code: 'discord.notLinked' });
    await press('Send test: Arden Vale in Discord');
    await waitFor(() =>
      expect(screen.getByRole('alert').textContent).toBe('No character is connected to Discord.'),
    );
  });
});

describe('a browser without notifications explains why, and the fix', () => {
  test('without https', async () => {
    vi.stubGlobal('isSecureContext', false);
    await show();
    expect(screen.getByText('This page was opened without https')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Turn on/ })).toBeNull();
    // The kinds for other devices can be chosen here, too.
    expect(screen.getByRole('switch', { name: 'Confirm now' })).toBeTruthy();
  });

  test('an iPhone whose board is not on the home screen', async () => {
    Reflect.deleteProperty(window, 'PushManager');
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)',
    );
    await show();
    expect(screen.getAllByRole('listitem').map((step) => step.textContent)).toHaveLength(3);
    expect(screen.getByText(/add the board to the home screen first/)).toBeTruthy();
  });

  test('an old one', async () => {
    Reflect.deleteProperty(window, 'PushManager');
    await show();
    expect(screen.getByText("This browser can't show notifications")).toBeTruthy();
  });
});

test('without a session the page offers to sign in', async () => {
  signIn();
  await show();
  expect(screen.getByRole('heading', { name: 'Notifications are for a character' })).toBeTruthy();
});
