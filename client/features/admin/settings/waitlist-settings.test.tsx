import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { aConfig, aWait } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

const open = async (
  change: Parameters<typeof aConfig>[0] = {},
  wait = [] as ReturnType<typeof aWait>[],
): Promise<HTMLElement> => {
  await openAdmin('/admin/dashboard/settings/waitlist', { config: [aConfig(change)], wait });
  return screen.getByRole('region', { name: 'Waitlist & confirmation' });
};
const theSwitch = (name: string): HTMLElement => screen.getByRole('switch', { name });
const save = (): HTMLElement => screen.getByRole('button', { name: 'Save' });
const typeMinutes = async (label: string, text: string): Promise<void> => {
  const field = screen.getByLabelText(label);
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
};

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
  // What is stored arrives live.
  expect(waits.getAttribute('aria-checked')).toBe('true');
  push({ op: 'put', kind: 'config', record: aConfig({ waits_enabled: 0, release_enabled: 1 }) });
  expect(waits.getAttribute('aria-checked')).toBe('false');
  expect(section.textContent).toContain('There are no waitlists.');
  expect(section.textContent).toContain('Members can release the rest of their own claims.');
  expect(await screen.findByText('Configuration saved successfully!')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ waits_enabled: 1 }));
});

test('numbers are stored by Save, beside a switch that is stored meanwhile', async () => {
  const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig()) });
  const section = await open({ confirm_enabled: 1 });
  expect(save().getAttribute('aria-disabled')).toBe('true');
  await typeMinutes('Minutes after the start to confirm', '25');
  expect(section.textContent).toContain(
    'until 25 min after it. Unconfirmed claims end as no-shows',
  );
  await userEvent.click(theSwitch('Members can release their hours'));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ release_enabled: 1 }]));
  await userEvent.click(save());
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ grace_minutes: 25 }));
  push({
    op: 'put',
    kind: 'config',
    record: aConfig({ confirm_enabled: 1, release_enabled: 1, grace_minutes: 25 }),
  });
  await waitFor(() => expect(save().getAttribute('aria-disabled')).toBe('true'));
});

test('counts live how many are still on a waitlist when it is switched off', async () => {
  const section = await open({ waits_enabled: 0 }, [aWait({ id: 1 }), aWait({ id: 2 })]);
  expect(section.textContent).toContain('2 waitlist entries are kept');
  push({ op: 'remove', kind: 'wait', id: 1 }, { op: 'remove', kind: 'wait', id: 2 });
  expect(section.textContent).not.toContain('are kept');
});

test('a refused switch stays as it is stored, refused numbers as they are typed, with the reason', async () => {
  mockServer({ 'PUT /api/admin/config': () => refused(503, 'server.stopping') });
  await open();
  await userEvent.click(theSwitch('Members must confirm their claims'));
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^Couldn't save the configuration: /,
  );
  expect(theSwitch('Members must confirm their claims').getAttribute('aria-checked')).toBe('false');
  await typeMinutes('Minutes to accept an offer', '5');
  await userEvent.click(save());
  // Each stands at its own control.
  await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
  expect(screen.getAllByRole('alert')[1]?.textContent).toMatch(
    /^Couldn't save the configuration: /,
  );
  expect(screen.getByLabelText('Minutes to accept an offer')).toHaveProperty('value', '5');
  expect(save().getAttribute('aria-disabled')).toBeNull();
});

test.each([
  {
    label: 'Minutes to accept an offer',
    name: 'hold_minutes',
    least: 1,
    wrong: ['0', '61', '1.5', ''],
  },
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
    const section = await open();
    for (const text of wrong) {
      await typeMinutes(label, text);
      expect(within(section).getByRole('alert').textContent).toBe(
        `Enter a whole number from ${least} to 60`,
      );
      await userEvent.click(save());
    }
    expect(sent).toEqual([]);
    await typeMinutes(label, `${least}{Enter}`);
    await waitFor(() =>
      expect(sent).toEqual([{ call: 'PUT /api/admin/config', body: { [name]: least } }]),
    );
  },
);

test('fields follow another admin’s changes until they are edited; then they stay, and it says so', async () => {
  await open();
  const field = screen.getByLabelText('Minutes to accept an offer');
  push({ op: 'put', kind: 'config', record: aConfig({ hold_minutes: 20 }) });
  expect(field).toHaveProperty('value', '20');
  await typeMinutes('Minutes to accept an offer', '5');
  push({ op: 'put', kind: 'config', record: aConfig({ hold_minutes: 30, release_enabled: 1 }) });
  expect(field).toHaveProperty('value', '5');
  expect(theSwitch('Members can release their hours').getAttribute('aria-checked')).toBe('true');
  expect(screen.getByText('Another admin changed this to 30. Saving overwrites it.')).toBeTruthy();
});

test('a former value that is typed after another admin’s change stays as typed, and is saved', async () => {
  const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig({ hold_minutes: 10 })) });
  await open();
  const label = 'Minutes to accept an offer';
  expect(screen.getByLabelText(label)).toHaveProperty('value', '10');
  await typeMinutes(label, '7');
  push({ op: 'put', kind: 'config', record: aConfig({ hold_minutes: 30 }) });
  await typeMinutes(label, '10');
  expect(screen.getByLabelText(label)).toHaveProperty('value', '10');
  expect(screen.getByText('Another admin changed this to 30. Saving overwrites it.')).toBeTruthy();
  await userEvent.click(save());
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ hold_minutes: 10 }]));
});

test('while one number is edited, the others follow another admin, and only the edited one is sent', async () => {
  const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig({ hold_minutes: 5 })) });
  await open();
  await typeMinutes('Minutes to accept an offer', '5');
  push({ op: 'put', kind: 'config', record: aConfig({ grace_minutes: 25 }) });
  expect(screen.getByLabelText('Minutes after the start to confirm')).toHaveProperty('value', '25');
  expect(screen.getByLabelText('Minutes to accept an offer')).toHaveProperty('value', '5');
  expect(screen.queryByText(/Another admin changed/)).toBeNull();
  await userEvent.click(save());
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ hold_minutes: 5 }]));
});
