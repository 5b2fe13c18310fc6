import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { aConfig, aWait } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

const open = async (change: Parameters<typeof aConfig>[0] = {}, wait = [] as ReturnType<typeof aWait>[]): Promise<HTMLElement> => {
  await openAdmin('/admin/dashboard/events', { config: [aConfig(change)], wait });
  await userEvent.click(screen.getByRole('button', { name: 'Guild settings' }));
  return screen.getByRole('dialog');
};
const theSwitch = (name: string): HTMLElement => screen.getByRole('switch', { name });

test('three switches say what they change for members as they stand, and store themselves alone', async () => {
  const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig()) });
  const dialog = await open();
  expect(theSwitch('Members can wait in line').getAttribute('aria-checked')).toBe('true');
  expect(dialog.textContent).toContain('Hours that come free are held 10 min for whoever is first');
  expect(dialog.textContent).toContain('Only admins end a claim early.');
  expect(dialog.textContent).toContain('A claim lasts whether or not anybody comes.');
  await userEvent.click(theSwitch('Members can release their hours'));
  await userEvent.click(theSwitch('Claims have to be confirmed'));
  await userEvent.click(theSwitch('Members can wait in line'));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ release_enabled: 1 }, { confirm_enabled: 1 }, { waits_enabled: 0 }]));
  push({
    op: 'put',
    kind: 'config',
    record: aConfig({ waits_enabled: 0, release_enabled: 1, confirm_enabled: 1, grace_minutes: 25 }),
  });
  expect(dialog.textContent).toContain('Nobody can get in line, and nothing is offered.');
  expect(dialog.textContent).toContain('Members can give back what is left of their own claims.');
  expect(dialog.textContent).toContain('to 25 min after it the holder has to say');
});

test('counts live how many are still on a waitlist when it is switched off', async () => {
  const dialog = await open({ waits_enabled: 0 }, [aWait({ id: 1 }), aWait({ id: 2 })]);
  expect(dialog.textContent).toContain('2 characters keep their place in line');
  push({ op: 'remove', kind: 'wait', id: 1 }, { op: 'remove', kind: 'wait', id: 2 });
  expect(dialog.textContent).not.toContain('keep their place');
});

test('a refused switch stays as it was and says why beside it', async () => {
  mockServer({ 'PUT /api/admin/config': () => refused(503, 'server.stopping') });
  await open();
  await userEvent.click(theSwitch('Claims have to be confirmed'));
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Failed to save configuration: /);
  expect(theSwitch('Claims have to be confirmed').getAttribute('aria-checked')).toBe('false');
});

test.each([
  {
    label: 'Minutes to take an offer',
    save: 'Save minutes to take an offer',
    name: 'hold_minutes',
    least: 1,
    wrong: ['0', '61', '1.5', ''],
  },
  { label: 'Minutes after the start', save: 'Save minutes after the start', name: 'grace_minutes', least: 0, wrong: ['-1', '61', ''] },
])('$label are whole and from $least to 60; anything else is not sent', async ({ label, save, name, least, wrong }) => {
  const sent = mockServer({ 'PUT /api/admin/config': () => ok(aConfig()) });
  const dialog = await open();
  const field = within(dialog).getByLabelText(label);
  const button = within(dialog).getByRole('button', { name: save });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  for (const text of wrong) {
    await userEvent.clear(field);
    if (text) await userEvent.type(field, text);
    expect(within(dialog).getByRole('alert').textContent).toBe(`A whole number from ${least} to 60`);
    await userEvent.click(button);
  }
  expect(sent).toEqual([]);
  await userEvent.clear(field);
  await userEvent.type(field, `${least}{Enter}`);
  await waitFor(() => expect(sent).toEqual([{ call: 'PUT /api/admin/config', body: { [name]: least } }]));
});

test('minutes follow another admin’s changes until the user types; then they stay, and it says so', async () => {
  const dialog = await open();
  const field = within(dialog).getByLabelText('Minutes to take an offer');
  push({ op: 'put', kind: 'config', record: aConfig({ hold_minutes: 20 }) });
  expect(field).toHaveProperty('value', '20');
  await userEvent.clear(field);
  await userEvent.type(field, '5');
  push({ op: 'put', kind: 'config', record: aConfig({ hold_minutes: 30 }) });
  expect(field).toHaveProperty('value', '5');
  expect(screen.getByText('Another admin set it to 30 meanwhile. Saving overwrites that.')).toBeTruthy();
});
