import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../../../shared/live.ts';
import type { AdminRole } from '../../../../shared/rules/roles.ts';
import { MAX_IMPORT_ROWS } from '../../../../shared/schemas/import.ts';
import { SETUP_STEPS, type Setup, setupChange } from '../../../../shared/schemas/setup.ts';
import { queryClient } from '../../../api/query.ts';
import { Overlays } from '../../../app.tsx';
import { applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import { aConfig, aDestination, aKey, anEntry, anEvent, aType } from '../../../test/records.ts';
import { ToastHost } from '../../../ui/toast.tsx';
import { mockServer, ok, refused } from '../test/server.ts';
import { push } from '../test/show-admin.tsx';
import { SetupChecklist } from './checklist.tsx';

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  dismissToasts();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  queryClient.clear();
});

const system = { public_url: null, backup: { newest: null } };
const owner = { id: 1, username: 'Thora', role: 'owner' };
type Answers = Parameters<typeof mockServer>[0];

async function show(options: ShowOptions = {}) {
  const { role = 'owner', setup = {}, snapshot = {}, answers = {} } = options;
  const stored: Setup = { skipped: [], is_dismissed: false, ...setup };
  useSession.setState({ status: 'ready', admin: { username: 'Thora', token: 'token', role } });
  applySnapshot(1, {
    config: [aConfig()],
    member_type: ['member', 'elite', 'vice'].map((name) => aType(name)),
    access_key: [],
    ...snapshot,
  });
  const sent = mockServer({
    'GET /api/admin/setup': () => ok(stored),
    'PUT /api/admin/setup': (body) =>
      ok({
        ...stored,
        ...setupChange
          .transform(({ skip = [], is_dismissed }) => ({
            skipped: skip,
            is_dismissed: is_dismissed ?? false,
          }))
          .parse(body),
      }),
    'GET /api/admin/admins': () => ok({ admins: [owner], invitations: [] }),
    'GET /api/admin/system': () => ok(system),
    ...answers,
  });
  render(
    <MemoryRouter>
      <SetupChecklist
        hasGeneratedPassword={
          'hasGeneratedPassword' in options ? options.hasGeneratedPassword : true
        }
        placeholder={<p>loading</p>}
      >
        <p>the events</p>
      </SetupChecklist>
      <Overlays />
      <ToastHost />
    </MemoryRouter>,
  );
  await act(async () => {});
  return sent;
}
interface ShowOptions {
  role?: AdminRole;
  setup?: Partial<Setup>;
  snapshot?: Snapshot;
  answers?: Answers;
  hasGeneratedPassword?: boolean | null | undefined;
}

const list = (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Set up your guild' });
const steps = async (): Promise<(string | undefined)[]> =>
  [...(await list()).querySelectorAll<HTMLElement>('[data-step]')].map(
    ({ dataset }) => `${dataset.step} ${dataset.state}`,
  );
const step = async (name: string): Promise<HTMLElement> => {
  const item = (await screen.findByRole('heading', { name: new RegExp(`^${name}`) })).closest('li');
  if (!item) throw new Error(`no step ${name}`);
  return item;
};
const expand = (name: string): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));
const puts = (sent: Awaited<ReturnType<typeof show>>): unknown[] =>
  sent.filter(({ call }) => call.startsWith('PUT')).map(({ body }) => body);

describe('the content below the list', () => {
  const events = (): HTMLElement | null => screen.queryByText('the events');

  test('waits until the list is known, so that the list pushes nothing down', async () => {
    let answer = (): void => {};
    const admins = new Promise<Response>((resolve) => {
      answer = () => resolve(ok({ admins: [owner], invitations: [] }));
    });
    await show({ answers: { 'GET /api/admin/admins': () => admins } });
    expect(screen.getByText('loading')).toBeTruthy();
    expect(events()).toBeNull();
    await act(async () => answer());
    expect(await list()).toBeTruthy();
    expect(events()).toBeTruthy();
    expect(screen.queryByText('loading')).toBeNull();
  });

  test('waits for the answer about the password', async () => {
    await show({ hasGeneratedPassword: undefined });
    expect(events()).toBeNull();
  });

  test('is shown without a list, also if it cannot be read', async () => {
    await show({ setup: { is_dismissed: true } });
    await waitFor(() => expect(events()).toBeTruthy());
    cleanup();
    queryClient.clear();
    await show({ answers: { 'GET /api/admin/setup': () => refused(503, 'server.databaseAway') } });
    await waitFor(() => expect(events()).toBeTruthy());
  });

  test('stays as it is when the list is dismissed', async () => {
    await show();
    await list();
    const before = events();
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss the list' }));
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Set up your guild' })).toBeNull(),
    );
    expect(events()).toBe(before);
  });
});

describe('the checklist of an empty guild', () => {
  test('names every step of an owner, the address first, and the consequence of an unnamed guild', async () => {
    await show();
    expect(await steps()).toEqual([
      'public_address open',
      'guild_name open',
      'members open',
      'event open',
      'rules open',
      'spots open',
      'discord open',
      'second_owner open',
      'backup open',
      'password open',
    ]);
    expect((await step('Set the public address')).textContent).toContain(
      'Set PUBLIC_URL to the address',
    );
    await expand('Name your guild');
    expect((await step('Name your guild')).textContent).toContain(
      'anyone in the world can verify a character and read your board',
    );
    await expand('Create and activate an event');
    expect((await step('Create and activate an event')).textContent).toContain(
      'Claims work without an event',
    );
    expect((await list()).textContent).toContain('0 of 10 done');
  });

  test('explains once the consequence of an unnamed guild', async () => {
    await show();
    await list();
    await expand('Name your guild');
    expect((await step('Name your guild')).textContent?.match(/anyone in the world/g)).toHaveLength(
      1,
    );
  });

  test('expands its first open step; the others are a line each, which opens and closes', async () => {
    await show();
    await list();
    const expanded = (): (string | undefined)[] =>
      screen
        .getAllByRole('button', { expanded: true })
        .map((button) => button.closest('li')?.dataset.step);
    expect(expanded()).toEqual(['public_address']);
    await expand('Set the public address');
    await expand('Name your guild');
    await expand('Connect Discord');
    expect(expanded()).toEqual(['guild_name', 'discord']);
    expect(screen.getByRole('link', { name: 'Open Discord settings' })).toBeTruthy();
    await expand('Connect Discord');
    await expand('Set the public address');
    push({ op: 'put', kind: 'config', record: aConfig({ guild_name: 'Night Watch' }) });
    expect(expanded()).toEqual(['public_address']);
  });

  test('says beside the link to send that only this computer can open it', async () => {
    await show();
    await list();
    await expand('Invite members');
    expect((await step('Invite members')).textContent).toContain(
      'Only this computer can open this link.',
    );
  });

  test.each([
    ['the admins', 'GET /api/admin/admins', 'second_owner'],
    ['the system', 'GET /api/admin/system', 'public_address'],
  ])('leaves out the step of an owner whose fact cannot be read: %s', async (_, call, left) => {
    await show({ answers: { [call]: () => refused(500, 'server.failed') } });
    expect(await steps()).toHaveLength(9);
    expect(await steps()).not.toContain(`${left} open`);
  });

  test('leaves out the password if the server gives no answer about it', async () => {
    await show({ hasGeneratedPassword: null });
    expect(await steps()).toHaveLength(9);
    expect(await steps()).not.toContain('password open');
  });

  test('completes the Discord step for an app too', async () => {
    await show();
    expect(await steps()).toContain('discord open');
    push({ op: 'put', kind: 'config', record: aConfig({ has_discord_app: 1 }) });
    expect(await steps()).toContain('discord done');
  });

  test('completes the second owner as soon as the log reports an admin', async () => {
    let owners = [owner];
    await show({
      answers: { 'GET /api/admin/admins': () => ok({ admins: owners, invitations: [] }) },
    });
    expect(await steps()).toContain('second_owner open');
    owners = [owner, { ...owner, id: 2, username: 'Kael' }];
    push({ op: 'put', kind: 'activity', record: anEntry({ id: 5, action: 'admin_added' }) });
    await waitFor(async () => expect(await steps()).toContain('second_owner done'));
  });

  test('has no steps that an admin who is no owner cannot take', async () => {
    await show({ role: 'admin' });
    expect(await steps()).not.toContain('second_owner open');
    expect((await list()).textContent).toContain('0 of 7 done');
  });

  test('completes each step as soon as the guild has it', async () => {
    await show();
    await list();
    const record = aConfig({ guild_name: 'Night Watch', release_enabled: 1 });
    push({ op: 'put', kind: 'config', record });
    push({ op: 'put', kind: 'event', record: anEvent({ is_active: 1 }) });
    push({ op: 'put', kind: 'access_key', record: aKey() });
    push({ op: 'put', kind: 'destination', record: aDestination() });
    expect((await steps()).slice(1, 7)).toEqual([
      'guild_name done',
      'members done',
      'event done',
      'rules done',
      'spots open',
      'discord done',
    ]);
    expect((await list()).textContent).toContain('5 of 10 done');
    push({ op: 'put', kind: 'access_key', record: aKey({ is_revoked: 1 }) });
    expect(await steps()).toContain('members open');
  });

  test('offers to activate an event that waits for it, and to create one if there is none', async () => {
    await show();
    await list();
    await expand('Create and activate an event');
    await userEvent.click(screen.getByRole('button', { name: 'Create an event' }));
    expect(await screen.findByRole('dialog', { name: 'Create event' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    push({
      op: 'put',
      kind: 'event',
      record: anEvent({ name: 'Winter', end_time: '2026-12-24T10:00' }),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Activate your event “Winter”' }));
    expect(await screen.findByRole('alertdialog', { name: 'Activate Winter?' })).toBeTruthy();
  });
});

describe('a step', () => {
  test('is skipped for all admins, and resumed', async () => {
    const sent = await show();
    await userEvent.click(await screen.findByRole('button', { name: 'Skip: Connect Discord' }));
    await waitFor(async () => expect(await steps()).toContain('discord skipped'));
    expect((await list()).textContent).toContain('1 of 10 done');
    expect(document.activeElement?.textContent).toBe('Set up your guild');
    await userEvent.click(screen.getByRole('button', { name: 'Resume: Connect Discord' }));
    await waitFor(() =>
      expect(puts(sent)).toEqual([{ skip: ['discord'] }, { resume: ['discord'] }]),
    );
  });

  test('stays skipped although a read that began before arrives after it', async () => {
    const reads: ((answer: Response) => void)[] = [];
    const earlier = (): Response => ok({ skipped: [], is_dismissed: false });
    let isSlow = false;
    await show({
      answers: {
        'GET /api/admin/setup': () =>
          isSlow ? new Promise((resolve) => reads.push(resolve)) : earlier(),
      },
    });
    await list();
    isSlow = true;
    void queryClient.refetchQueries({ queryKey: ['setup'] });
    await waitFor(() => expect(reads).toHaveLength(1));
    await userEvent.click(screen.getByRole('button', { name: 'Skip: Connect Discord' }));
    await waitFor(async () => expect(await steps()).toContain('discord skipped'));
    await act(async () => reads[0]?.(earlier()));
    expect(await steps()).toContain('discord skipped');
  });

  test('that cannot be skipped says why', async () => {
    await show({ answers: { 'PUT /api/admin/setup': () => refused(503, 'server.stopping') } });
    await userEvent.click(await screen.findByRole('button', { name: 'Skip: Connect Discord' }));
    expect(await screen.findByText(/^Couldn't save this: /)).toBeTruthy();
    expect(await steps()).toContain('discord open');
  });
});

describe('the list leaves', () => {
  test('when an admin dismisses it', async () => {
    const sent = await show();
    await userEvent.click(await screen.findByRole('button', { name: 'Dismiss the list' }));
    await waitFor(() =>
      expect(screen.queryByRole('region', { name: 'Set up your guild' })).toBeNull(),
    );
    expect(puts(sent)).toEqual([{ is_dismissed: true }]);
  });

  test('and can be undone', async () => {
    const sent = await show();
    await userEvent.click(await screen.findByRole('button', { name: 'Dismiss the list' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await list()).toBeTruthy();
    expect(puts(sent)).toEqual([{ is_dismissed: true }, { is_dismissed: false }]);
  });

  test('when every step is done or skipped', async () => {
    await show({
      role: 'admin',
      setup: { skipped: ['event', 'rules', 'members', 'spots', 'discord', 'backup', 'password'] },
    });
    expect((await list()).textContent).toContain('6 of 7 done');
    push({ op: 'put', kind: 'config', record: aConfig({ guild_name: 'Night Watch' }) });
    expect(screen.queryByRole('region', { name: 'Set up your guild' })).toBeNull();
  });

  test("for good when an owner's every step is done or skipped, and only then", async () => {
    const sent = await show({
      setup: { skipped: SETUP_STEPS.filter((id) => id !== 'guild_name') },
    });
    expect((await list()).textContent).toContain('9 of 10 done');
    expect(puts(sent)).toEqual([]);
    push({ op: 'put', kind: 'config', record: aConfig({ guild_name: 'Night Watch' }) });
    await waitFor(() => expect(puts(sent)).toEqual([{ is_dismissed: true }]));
  });

  test('only for an admin who has fewer steps than an owner', async () => {
    const sent = await show({ role: 'admin', setup: { skipped: [...SETUP_STEPS] } });
    expect(screen.queryByRole('region', { name: 'Set up your guild' })).toBeNull();
    expect(puts(sent)).toEqual([]);
  });
});

describe('the server is queried again', () => {
  const everything: Snapshot = {
    config: [aConfig({ guild_name: 'Night Watch', release_enabled: 1 })],
    event: [anEvent({ is_active: 1 })],
    access_key: [aKey()],
    destination: [aDestination()],
  };
  const finished: ShowOptions = {
    setup: { skipped: ['spots', 'backup'] },
    snapshot: everything,
    hasGeneratedPassword: false,
    answers: {
      'GET /api/admin/admins': () => ok({ admins: [owner, { ...owner, id: 2 }], invitations: [] }),
      'GET /api/admin/system': () =>
        ok({ public_url: 'https://board.example', backup: { newest: {} } }),
    },
  };
  test.each<[string, ShowOptions, number]>([
    ['while the list is shown', {}, 3],
    ['not once it was dismissed', { setup: { is_dismissed: true } }, 0],
    ['not once every step is done', finished, 0],
  ])('%s', async (_, options, reads) => {
    vi.useFakeTimers({ now: new Date('2026-11-21T18:00:00Z') });
    const sent = await show(options);
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    const before = sent.length;
    await act(() => vi.advanceTimersByTimeAsync(15_000));
    expect(sent.length - before).toBe(reads);
  });
});

describe('a pasted list of names', () => {
  test('makes a key for each character that has none, and shows them to be copied', async () => {
    const row = (name: string, outcome = 'new') => ({
      outcome,
      name,
      code: null,
      params: {},
      changed: {},
    });
    const answer = {
      rows: [row('Mira'), row('Bad!', 'wrong')],
      new_categories: [],
      activity_id: 1,
    };
    const sent = await show({ answers: { 'POST /api/admin/import/members': () => ok(answer) } });
    push({ op: 'put', kind: 'access_key', record: aKey({ is_revoked: 1 }) });
    await list();
    await expand('Invite members');
    await userEvent.click(screen.getByRole('button', { name: 'Paste a list of names' }));
    await userEvent.type(
      screen.getByLabelText('Character names'),
      'Mira, arden vale{Enter}  mira {Enter}Bad!',
    );
    expect(screen.getByText('1 character already has a key and keeps it.')).toBeTruthy();
    await userEvent.selectOptions(screen.getByLabelText('Member type'), 'elite');
    await userEvent.click(screen.getByRole('button', { name: 'Create 2 keys' }));
    const rows = ['Mira', 'Bad!'].map((character_name) => ({
      character_name,
      member_type: 'elite',
    }));
    const made = await screen.findByRole('dialog', { name: '1 key created' });
    expect(sent.find(({ call }) => call.startsWith('POST'))?.body).toEqual({
      rows,
      preview: false,
    });
    const copy = within(made).getByRole<HTMLButtonElement>('button', {
      name: 'Copy names and keys',
    });
    expect(copy.disabled).toBe(true);
    push({
      op: 'put',
      kind: 'access_key',
      record: aKey({ id: 2, character_name: 'Mira', key_value: 'H6VB-7JQP-2MEX' }),
    });
    expect(within(made).getByLabelText('Names and keys')).toHaveProperty(
      'value',
      'Mira: H6VB-7JQP-2MEX',
    );
    expect(copy.disabled).toBe(false);
    expect(made.textContent).toContain('Left out: Bad!');
  });

  test('longer than an import’s limit creates no keys at all', async () => {
    await show();
    await list();
    await expand('Invite members');
    await userEvent.click(screen.getByRole('button', { name: 'Paste a list of names' }));
    const names = Array.from({ length: MAX_IMPORT_ROWS + 1 }, (_, at) => `Name ${at}`);
    fireEvent.change(screen.getByLabelText('Character names'), {
      target: { value: names.join('\n') },
    });
    expect(
      screen.getByText('The list has more than 2000 names. Split it and paste the parts.'),
    ).toBeTruthy();
    expect(
      screen.getByRole<HTMLButtonElement>('button', { name: /^Create 2,?001 keys$/ }).disabled,
    ).toBe(true);
    fireEvent.change(screen.getByLabelText('Character names'), {
      target: { value: names.slice(1).join('\n') },
    });
    expect(
      screen.getByRole<HTMLButtonElement>('button', { name: /^Create 2,?000 keys$/ }).disabled,
    ).toBe(false);
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('alertdialog', { name: 'Discard what you typed?' })).toBeTruthy();
  });
});
