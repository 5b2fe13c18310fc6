import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import { aConfig, aType, aWait } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';

beforeEach(clearBoard);
afterEach(() => {
  dismissToasts();
  vi.unstubAllGlobals();
});

const open = async (
  change: Parameters<typeof aConfig>[0] = {},
  wait = [] as ReturnType<typeof aWait>[],
): Promise<HTMLElement> => {
  await openAdmin('/admin/dashboard/settings/rules', {
    config: [aConfig(change)],
    member_type: [aType('member')],
    wait,
  });
  return screen.getByRole('region', { name: 'Claim rules' });
};
const store = (change: Parameters<typeof aConfig>[0]): void =>
  push({ op: 'put', kind: 'config', record: aConfig(change) });
const theSwitch = (name: string): HTMLElement => screen.getByRole('switch', { name });
const HOLD = 'Minutes to accept an offer';
const typedIn = (label: string): unknown =>
  (screen.getByLabelText(label) as HTMLInputElement).value;
const type = async (label: string, text: string): Promise<void> => {
  const field = screen.getByLabelText(label);
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
};
const undo = (): Promise<void> => userEvent.click(screen.getByRole('button', { name: 'Undo' }));

test('each switch explains its effect on members, shows what is stored, and is stored at once', async () => {
  const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig()) });
  const section = await open();
  const waits = theSwitch('Members can join waitlists');
  expect(waits.getAttribute('aria-checked')).toBe('true');
  expect(section.textContent).toContain('Freed hours are held for 10 min for the first member');
  expect(section.textContent).toContain('Only admins can end a claim early.');
  expect(section.textContent).toContain("Claims last even if the member doesn't show up.");
  await userEvent.click(waits);
  await waitFor(() =>
    expect(sent).toEqual([{ call: 'PUT /api/admin/config', body: { waits_enabled: 0 } }]),
  );
  // The stored record arrives live.
  expect(waits.getAttribute('aria-checked')).toBe('true');
  store({ waits_enabled: 0, release_enabled: 1 });
  expect(waits.getAttribute('aria-checked')).toBe('false');
  expect(section.textContent).toContain('There are no waitlists.');
  expect(section.textContent).toContain('Members can release the rest of their own claims.');
  expect(await screen.findByText('Configuration saved successfully!')).toBeTruthy();
  await undo();
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ waits_enabled: 1 }));
});

test('counts live how many are still on a waitlist when it is switched off', async () => {
  const section = await open({ waits_enabled: 0 }, [aWait({ id: 1 }), aWait({ id: 2 })]);
  expect(section.textContent).toContain('2 waitlist entries are kept');
  push({ op: 'remove', kind: 'wait', id: 1 }, { op: 'remove', kind: 'wait', id: 2 });
  expect(section.textContent).not.toContain('are kept');
});

test('a refused switch stays as it is stored, with the reason', async () => {
  mockServer({ 'PUT /api/admin/config': () => refused(503, 'server.stopping') });
  await open();
  await userEvent.click(theSwitch('Members must confirm their claims'));
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^Couldn't save the configuration: /,
  );
  expect(theSwitch('Members must confirm their claims').getAttribute('aria-checked')).toBe('false');
});

test('a number is under its switch while that is on', async () => {
  await open();
  expect(screen.queryByLabelText('Minutes after the start to confirm')).toBeNull();
  store({ confirm_enabled: 1 });
  expect(typedIn('Minutes after the start to confirm')).toBe('10');
});

test('a number is stored when its field is left, once, with an undo', async () => {
  const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig({ hold_minutes: 25 })) });
  await open();
  await type(HOLD, '25');
  expect(sent).toEqual([]);
  await userEvent.tab();
  expect(await screen.findByText('Configuration saved successfully!')).toBeTruthy();
  // Until the change arrives, the field keeps the typed text.
  expect(typedIn(HOLD)).toBe('25');
  store({ hold_minutes: 25 });
  await userEvent.click(screen.getByLabelText(HOLD));
  await userEvent.tab();
  expect(sent.map(({ body }) => body)).toEqual([{ hold_minutes: 25 }]);
  await undo();
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ hold_minutes: 10 }));
});

test('a number is stored by Enter, and Escape brings the stored one back', async () => {
  const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig()) });
  await open();
  await type(HOLD, '30{Escape}');
  expect(typedIn(HOLD)).toBe('10');
  await type(HOLD, '20{Enter}');
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ hold_minutes: 20 }]));
});

test('a refused number stays as typed, with the reason beside its field', async () => {
  mockServer({ 'PUT /api/admin/config': () => refused(503, 'server.stopping') });
  await open();
  await type(HOLD, '5{Enter}');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toMatch(/^Couldn't save the configuration: /);
  expect(screen.getByLabelText(HOLD).getAttribute('aria-describedby')).toBe(alert.id);
  expect(typedIn(HOLD)).toBe('5');
});

test.each([
  { label: HOLD, name: 'hold_minutes', least: 1, wrong: ['0', '61', '1.5', ''] },
  {
    label: 'Minutes after the start to confirm',
    name: 'grace_minutes',
    least: 0,
    wrong: ['-1', '61', ''],
  },
])(
  '$label are whole and from $least to 60; anything else is not sent',
  async ({ label, name, least, wrong }) => {
    const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig()) });
    const section = await open({ confirm_enabled: 1 });
    for (const text of wrong) {
      await type(label, text);
      expect(within(section).getByRole('alert').textContent).toBe(
        `Enter a whole number from ${least} to 60`,
      );
      await userEvent.tab();
    }
    expect(sent).toEqual([]);
    await type(label, `${least}{Enter}`);
    await waitFor(() =>
      expect(sent).toEqual([{ call: 'PUT /api/admin/config', body: { [name]: least } }]),
    );
  },
);

test('a field follows another admin’s changes until it is edited; then it keeps the text, says so, and only Enter stores it', async () => {
  const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig({ hold_minutes: 10 })) });
  await open();
  store({ hold_minutes: 20 });
  expect(typedIn(HOLD)).toBe('20');
  await type(HOLD, '5');
  store({ hold_minutes: 30, release_enabled: 1 });
  expect(typedIn(HOLD)).toBe('5');
  expect(theSwitch('Members can release their hours').getAttribute('aria-checked')).toBe('true');
  expect(screen.getByRole('alert').textContent).toBe(
    'Another admin changed this to 30. Press Enter to overwrite it.',
  );
  await userEvent.tab();
  expect(sent).toEqual([]);
  await type(HOLD, '10{Enter}');
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ hold_minutes: 10 }]));
});

test('a preset says what it changes, and is one write with one undo', async () => {
  const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig()) });
  await open({ release_enabled: 1, standing_enabled: 1 });
  await userEvent.click(screen.getByRole('button', { name: 'Strict' }));
  const question = await screen.findByRole('alertdialog', { name: 'Apply the preset Strict?' });
  expect(question.textContent).toContain('Members must confirm their claimsoff → on');
  expect(question.textContent).toContain('Members can have weekly claimson → off');
  expect(question.textContent).not.toContain('Members can release');
  expect(sent).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Apply preset' }));
  const change = { confirm_enabled: 1, standing_enabled: 0 } as const;
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([change]));
  store({ release_enabled: 1, ...change });
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Strict' })).toHaveProperty('disabled', true),
  );
  await undo();
  await waitFor(() =>
    expect(sent.at(-1)?.body).toEqual({ confirm_enabled: 0, standing_enabled: 1 }),
  );
});

test('hour limits of a member type are stored the same way; an empty field is no limit', async () => {
  const sent = mockServer({
    'PUT /api/admin/member-types/member': () => ok(aType('member', { max_hours_per_day: 4 })),
  });
  await open();
  const limits = screen.getByRole('group', { name: 'member' });
  const perDay = within(limits).getByLabelText('Max hours per day');
  await userEvent.type(perDay, '4{Enter}');
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ max_hours_per_day: 4 }]));
  push({ op: 'put', kind: 'member_type', record: aType('member', { max_hours_per_day: 4 }) });
  await userEvent.clear(perDay);
  await userEvent.tab();
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ max_hours_per_day: null }));
});

test('what is no number is refused, and never stored as no limit', async () => {
  const sent = mockServer({ 'PUT /api/admin/member-types/member': () => ok(aType('member')) });
  await open();
  const limits = screen.getByRole('group', { name: 'member' });
  const perDay = within(limits).getByLabelText('Max hours per day');
  for (const text of ['-', '4e', '4,5']) {
    await userEvent.clear(perDay);
    await userEvent.type(perDay, text);
    await userEvent.tab();
    expect(perDay).toHaveProperty('value', text);
    expect(within(limits).getByRole('alert').textContent).toContain('Enter a whole number');
  }
  expect(sent).toEqual([]);
});

test('R9.29: what missed claims cost is said beside the numbers, which count while claims are confirmed', async () => {
  const section = await open({ confirm_enabled: 0, no_show_limit: 3 });
  const LIMIT = 'Missed claims until a pause (0: never)';
  expect(screen.queryByLabelText(LIMIT)).toBeNull();
  store({ confirm_enabled: 1, no_show_limit: 0 });
  expect(typedIn(LIMIT)).toBe('0');
  expect(screen.queryByLabelText('Days of the pause')).toBeNull();
  expect(section.textContent).toContain('Missed claims have no consequence.');
  store({ confirm_enabled: 1, no_show_limit: 3, no_show_days: 14, no_show_pause_days: 1 });
  expect(typedIn('Days in which they count')).toBe('14');
  expect(section.textContent).toContain(
    "After 3 missed claims in 14 days, a member can't claim, join a waitlist or take hours for 1 day.",
  );
});

test('who is online cannot be switched on where characters are checked by hand, which is said', async () => {
  const sent = mockServer({});
  const section = await open({ character_check: 'manual' });
  const online = theSwitch('Show who is online in the game');
  expect(online.getAttribute('aria-disabled')).toBe('true');
  expect(section.textContent).toContain("Claimboard can't read who is online: this server checks");
  await userEvent.click(online);
  expect(sent).toEqual([]);
});
