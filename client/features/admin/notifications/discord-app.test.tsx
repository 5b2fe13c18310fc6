import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { DiscordApp, DiscordSetup } from '../../../../shared/schemas/discord.ts';
import { queryClient } from '../../../api/query.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aKey } from '../../../test/records.ts';
import { mockServer, ok, refused, type Sent } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';
import './notifications-tab.tsx';

const NOW = '2026-11-21T18:00:00.000Z';
const PLACE = '/admin/dashboard/settings/notifications';
const ENDPOINT = 'https://board.example/api/discord/interactions';
const APPLICATION = '123456789012345678';
const GUILD = '223456789012345678';
const KEY = 'a1'.repeat(32);
const TOKEN = 'bot-token.for-tests_0123456789';

const anApp = (change: Partial<DiscordApp> = {}): DiscordApp => ({
  application_id: APPLICATION,
  public_key: KEY,
  guild_id: GUILD,
  saved_at: NOW,
  registered_at: NOW,
  register_error: null,
  first_interaction_at: null,
  message_error: null,
  ...change,
});
const aSetup = (app: DiscordApp | null, endpoint_url: string | null = ENDPOINT): DiscordSetup => ({
  endpoint_url,
  invite_url: app && `https://discord.com/oauth2/authorize?client_id=${app.application_id}`,
  app,
});

/** The server's state, as each call answers it. */
let setup: DiscordSetup;

beforeEach(() => {
  clearBoard();
  queryClient.clear();
  vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date(NOW) });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function show(
  first: DiscordSetup,
  answers: Parameters<typeof mockServer>[0] = {},
): Promise<Sent[]> {
  setup = first;
  const sent = mockServer({ 'GET /api/admin/discord': () => ok(setup), ...answers });
  await openAdmin(PLACE, { access_key: [aKey()] });
  return sent;
}
const section = (): HTMLElement => screen.getByRole('region', { name: 'Discord app' });
const user = () => userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
const press = async (name: string): Promise<void> =>
  user().click(await screen.findByRole('button', { name }));
const pass = (ms: number): Promise<void> =>
  act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
const step = (title: string): HTMLElement => {
  const found = within(section())
    .getAllByRole('listitem')
    .find((item) => within(item).queryByRole('heading', { name: title }));
  if (!found) throw new Error(`no step ${title}`);
  return found;
};
const fill = async (label: string, text: string): Promise<void> => {
  const field = screen.getByLabelText(label);
  await user().clear(field);
  await user().click(field);
  await user().paste(text);
};
const changes = (sent: Sent[]): Sent[] => sent.filter(({ call }) => !call.startsWith('GET'));

test('without an app, has only the button; its dialog says where to find what it asks for', async () => {
  await show(aSetup(null));
  expect(within(section()).queryAllByRole('listitem')).toEqual([]);
  expect(within(section()).queryByRole('alert')).toBeNull();
  expect(screen.getByRole('button', { name: 'Help: Discord app' })).toBeTruthy();
  await user().click(screen.getByRole('button', { name: 'Set up Discord app' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(
    dialog.getAllByRole('listitem').map((item) => item.querySelector('h3')?.textContent),
  ).toEqual(['Create an application', 'Copy its ID and public key', 'Create a bot token']);
  expect(
    dialog.getByRole('link', { name: "Open Discord's developer portal" }).getAttribute('href'),
  ).toBe('https://discord.com/developers/applications');
});

test('saves the app with its bot token, and registers the commands', async () => {
  const sent = await show(aSetup(null), {
    'PUT /api/admin/discord': () => {
      setup = aSetup(anApp());
      return ok(setup);
    },
  });
  await press('Set up Discord app');
  await press('Cancel');
  expect(document.activeElement?.textContent).toBe('Set up Discord app');
  await press('Set up Discord app');
  const dialog = await screen.findByRole('dialog', { name: 'Set up Discord app' });
  await fill('Application ID', APPLICATION);
  await fill('Public key', KEY);
  await fill('Bot token', TOKEN);
  expect(screen.getByLabelText('Bot token')).toHaveProperty('type', 'password');
  await fill('Server ID (optional)', GUILD);
  await user().click(within(dialog).getByRole('button', { name: 'Save and register commands' }));
  expect(await screen.findByText('Discord app saved')).toBeTruthy();
  // The button that opened the form is gone.
  await waitFor(() =>
    expect(document.activeElement).toBe(
      within(section()).getByRole('heading', { name: 'Discord app' }),
    ),
  );
  expect(changes(sent)).toEqual([
    {
      call: 'PUT /api/admin/discord',
      body: {
        application_id: APPLICATION,
        public_key: KEY,
        bot_token: TOKEN,
        guild_id: GUILD,
        based_on: null,
      },
    },
  ]);
  expect(step('App saved').textContent).toMatch(
    /Done.*Application 123456789012345678.*The bot token is saved\..*only in the server 2234/,
  );
  expect(step('Commands registered').textContent).toContain('Done');
  expect(document.body.textContent).not.toContain(TOKEN);
});

test('shows errors and refusals at their fields', async () => {
  const sent = await show(aSetup(null), {
    'PUT /api/admin/discord': () => refused(400, 'discord.publicKey'),
  });
  await press('Set up Discord app');
  await fill('Application ID', 'x');
  await fill('Server ID (optional)', '12');
  await press('Save and register commands');
  const problems = (await screen.findAllByRole('alert')).map((alert) => alert.textContent);
  expect(problems).toEqual([
    'An application ID is a number of 15 to 20 digits. Copy it from General Information.',
    'A public key has 64 characters, 0 to 9 and a to f. Copy it from General Information.',
    'Enter the bot token.',
    'A server ID is a number of 15 to 20 digits.',
  ]);
  expect(sent.filter(({ call }) => call.startsWith('PUT'))).toEqual([]);
  await fill('Application ID', APPLICATION);
  await fill('Public key', KEY);
  await fill('Bot token', 'short');
  await fill('Server ID (optional)', '');
  await press('Save and register commands');
  expect((await screen.findByRole('alert')).textContent).toContain("This isn't a bot token.");
  await fill('Bot token', TOKEN);
  await press('Save and register commands');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This is not the public key of a Discord application.',
  );
  expect(screen.getByLabelText('Bot token')).toHaveProperty('value', TOKEN);
});

test('keeps the bot token when another field is edited, and asks for one with another application', async () => {
  const sent = await show(aSetup(anApp()), { 'PUT /api/admin/discord': () => ok(setup) });
  await press('Edit Discord app');
  expect(screen.getByLabelText('Bot token')).toHaveProperty('value', '');
  expect(screen.getByText(/^Saved\. Leave empty to keep it\./)).toBeTruthy();
  await fill('Application ID', '999999999999999999');
  await press('Save and register commands');
  expect((await screen.findByRole('alert')).textContent).toBe('Enter the bot token.');
  await fill('Application ID', APPLICATION);
  await fill('Server ID (optional)', '');
  await press('Save and register commands');
  await waitFor(() => expect(changes(sent)).toHaveLength(1));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit Discord app' })),
  );
  expect(changes(sent)[0]?.body).toEqual({
    application_id: APPLICATION,
    public_key: KEY,
    guild_id: null,
    based_on: NOW,
  });
});

test('registers the commands of an unchanged app, too', async () => {
  const sent = await show(aSetup(anApp()), { 'PUT /api/admin/discord': () => ok(setup) });
  await press('Edit Discord app');
  await press('Save and register commands');
  await waitFor(() => expect(changes(sent)).toHaveLength(1));
});

const conflict = (): string =>
  screen.getByText('Another admin changed the Discord app').parentElement?.textContent ?? '';

test("shows another owner's change before it is overwritten, and keeps what was typed", async () => {
  const sent = await show(aSetup(anApp({ first_interaction_at: NOW })), {
    'PUT /api/admin/discord': () => ok(setup),
  });
  const other = '323456789012345678';
  await press('Edit Discord app');
  await fill('Public key', 'b2'.repeat(32));
  // Saved by the other a moment ago, so that it is not on this page yet.
  const later = new Date(Date.parse(NOW) + 1_000).toISOString();
  setup = aSetup(anApp({ guild_id: other, saved_at: later, first_interaction_at: NOW }));
  await press('Save and register commands');
  await waitFor(() => expect(conflict()).toContain(`Server ID (optional)${other}`));
  expect(changes(sent)).toEqual([]);
  await press('Save and register commands');
  expect(document.activeElement?.textContent).toContain('Another admin changed the Discord app');
  expect(changes(sent)).toEqual([]);
  await press('Keep mine');
  expect(screen.getByLabelText('Server ID (optional)')).toHaveProperty('value', other);
  await press('Save and register commands');
  await waitFor(() => expect(changes(sent)).toHaveLength(1));
  expect(changes(sent)[0]?.body).toEqual({
    application_id: APPLICATION,
    public_key: 'b2'.repeat(32),
    guild_id: other,
    based_on: later,
  });
});

test('says that another owner replaced the bot token, which the form can’t compare', async () => {
  await show(aSetup(anApp()), {
    'PUT /api/admin/discord': () => refused(409, 'discord.appChanged'),
  });
  await press('Edit Discord app');
  await fill('Bot token', TOKEN);
  await press('Save and register commands');
  expect(
    await screen.findByText(
      /^Another admin changed the Discord app, perhaps its bot token\. Close this form/,
    ),
  ).toBeTruthy();
  expect(screen.getByLabelText('Bot token')).toHaveProperty('value', TOKEN);
});

test('takes over what another owner saves while nothing was typed, and saves no app that was removed', async () => {
  const sent = await show(aSetup(anApp({ first_interaction_at: NOW })));
  await press('Edit Discord app');
  setup = aSetup(anApp({ public_key: 'c3'.repeat(32), first_interaction_at: NOW }));
  await pass(15_100);
  await waitFor(() =>
    expect(screen.getByLabelText('Public key')).toHaveProperty('value', 'c3'.repeat(32)),
  );
  expect(
    screen.getByText("Another admin just changed the Discord app. You're seeing the new version."),
  ).toBeTruthy();
  setup = aSetup(null);
  await fill('Bot token', TOKEN);
  await press('Save and register commands');
  expect(await screen.findByText('Another admin removed the Discord app.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Save and register commands' })).toHaveProperty(
    'disabled',
    true,
  );
  expect(changes(sent)).toEqual([]);
});

test('overwrites no app that another owner set up meanwhile', async () => {
  const sent = await show(aSetup(null));
  await press('Set up Discord app');
  await fill('Application ID', '999999999999999999');
  await fill('Public key', KEY);
  await fill('Bot token', TOKEN);
  setup = aSetup(anApp());
  await press('Save and register commands');
  await waitFor(() => expect(conflict()).toContain(`Application ID${APPLICATION}`));
  await press('Use theirs');
  expect(screen.getByLabelText('Application ID')).toHaveProperty('value', APPLICATION);
  expect(changes(sent)).toEqual([]);
});

test.each([
  ['botToken', GUILD, 'Discord rejects the bot token. Press Reset Token'],
  ['notInServer', GUILD, "The app isn't in the server 223456789012345678."],
  [
    'unknownApplication',
    null,
    "Discord doesn't know the application 123456789012345678. Press Edit",
  ],
  [
    'unknownApplication',
    GUILD,
    "doesn't know the application 123456789012345678 or the server 223456789012345678",
  ],
  ['tooMany', GUILD, 'Discord is rate-limiting us.'],
  ['refused', GUILD, 'Discord rejected the request.'],
  ['unreachable', GUILD, "Discord can't be reached."],
] as const)(
  'says why Discord refused the commands (%s), until they are registered again',
  async (register_error, guild_id, words) => {
    await show(aSetup(anApp({ registered_at: null, register_error, guild_id })), {
      'POST /api/admin/discord/register': () => {
        setup = aSetup(anApp());
        return ok(setup);
      },
    });
    expect(step('Commands registered').textContent).toContain('Failed');
    expect(step('Commands registered').textContent).toContain(words);
    await press('Register again');
    expect((await screen.findAllByText('Commands registered')).length).toBeGreaterThan(1);
    expect(step('Commands registered').textContent).toMatch(/Done.*Discord accepted them/);
  },
);

test('a registration that is refused or fails says so', async () => {
  let answer = (): Response => ok(aSetup(anApp({ register_error: 'tooMany' })));
  await show(aSetup(anApp()), { 'POST /api/admin/discord/register': () => answer() });
  await press('Register again');
  await waitFor(() =>
    expect(step('Commands registered').textContent).toMatch(/Failed.*accepted them.*rate-limiting/),
  );
  answer = () => refused(404, 'discord.notSetUp');
  await press('Register again');
  expect(
    await screen.findByText("Couldn't register the commands: The Discord app is not set up."),
  ).toBeTruthy();
});

test('the result of a registration is not undone by a read that began before it', async () => {
  const before = aSetup(anApp({ registered_at: null, register_error: 'tooMany' }));
  const reads: ((answer: Response) => void)[] = [];
  let isSlow = false;
  await show(before, {
    'GET /api/admin/discord': () =>
      isSlow ? new Promise((resolve) => reads.push(resolve)) : ok(before),
    'POST /api/admin/discord/register': () => ok(aSetup(anApp())),
  });
  expect(step('Commands registered').textContent).toContain('Failed');
  isSlow = true;
  await pass(15_000);
  expect(reads.length).toBeGreaterThan(0);
  await press('Register again');
  await waitFor(() => expect(step('Commands registered').textContent).toContain('Done'));
  reads[0]?.(ok(before));
  await pass(50);
  expect(step('Commands registered').textContent).toContain('Done');
});

test('shows the address to paste, and live when Discord has used it', async () => {
  await show(aSetup(anApp()));
  const endpoint = step('Interactions Endpoint URL');
  expect(endpoint.textContent).toMatch(/Waiting.*paste this address on General Information/);
  await press('Copy Interactions Endpoint URL');
  expect(await navigator.clipboard.readText()).toBe(ENDPOINT);
  expect(within(endpoint).getByText("Discord doesn't accept the address?")).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open invite link' }).getAttribute('href')).toContain(
    `client_id=${APPLICATION}`,
  );
  setup = aSetup(anApp({ first_interaction_at: NOW }));
  await pass(3_100);
  await waitFor(() =>
    expect(endpoint.textContent).toMatch(/Done.*First signed interaction received/),
  );
  expect(within(endpoint).queryByText("Discord doesn't accept the address?")).toBeNull();
});

test.each([
  [null, 'The board has no public address', 'PUBLIC_URL is not set'],
  [
    'http://board.example/api/discord/interactions',
    "The board's public address doesn't use https",
    'Set PUBLIC_URL to an https address',
  ],
])('says what is missing if the address is %s', async (endpoint_url, title, text) => {
  await show(aSetup(anApp(), endpoint_url));
  expect(within(section()).getByText(title).parentElement?.textContent).toContain(text);
  expect(screen.queryByRole('button', { name: 'Copy Interactions Endpoint URL' }) !== null).toBe(
    endpoint_url !== null,
  );
});

test('counts the members who are connected, live, and says why direct messages fail', async () => {
  await show(aSetup(anApp({ message_error: 'botToken' })));
  expect(step('Members connect').textContent).toMatch(
    /Waiting.*Connect Discord in the profile menu/,
  );
  expect(step('Direct messages').textContent).toMatch(/Failed.*rejects the bot token/);
  push({
    op: 'put',
    kind: 'access_key',
    record: aKey({ discord_user_id: '323456789012345678', discord_name: 'Thora' }),
  });
  expect(step('Members connect').textContent).toMatch(/Done.*1 character is connected\./);
  expect(within(step('Members connect')).getByRole('link').getAttribute('href')).toBe(
    '/admin/dashboard/keys?discord=1',
  );
});

test('is removed after a question that says who stays connected; a failure stays in the question', async () => {
  let fails = true;
  await show(aSetup(anApp()), {
    'DELETE /api/admin/discord': () => {
      if (fails) return refused(503, 'server.stopping');
      setup = aSetup(null);
      return ok();
    },
  });
  push({
    op: 'put',
    kind: 'access_key',
    record: aKey({ discord_user_id: '323456789012345678', discord_name: 'Thora' }),
  });
  await press('Remove Discord app');
  const question = await screen.findByRole('alertdialog', { name: 'Remove the Discord app?' });
  await pass(50);
  expect(question.textContent).toContain('Its commands stop working');
  expect(question.textContent).toContain('1 connected character stays connected');
  await press('Remove app');
  expect((await within(question).findByRole('alert')).textContent).toMatch(
    /^Couldn't remove the Discord app: /,
  );
  fails = false;
  await press('Remove app');
  expect(await screen.findByText('Discord app removed')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Set up Discord app' })).toBeTruthy();
  expect(document.activeElement?.textContent).toBe('Discord app');
});

test('a failed load says why, with another try', async () => {
  let fails = true;
  mockServer({
    'GET /api/admin/discord': () => (fails ? refused(503, 'server.stopping') : ok(aSetup(null))),
  });
  await openAdmin(PLACE);
  expect((await within(section()).findByRole('alert')).textContent).toContain(
    "Couldn't load the Discord app",
  );
  fails = false;
  await press('Try again');
  expect(await screen.findByRole('button', { name: 'Set up Discord app' })).toBeTruthy();
});

test('admins who are no owners are shown no app', async () => {
  const sent = mockServer({});
  await openAdmin(PLACE, {}, 'admin');
  expect(screen.getByRole('region', { name: 'Notification channels' })).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Discord app' })).toBeNull();
  expect(sent).toEqual([]);
});
