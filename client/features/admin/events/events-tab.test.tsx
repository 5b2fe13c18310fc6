import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { anEvent, aWait } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { pressAction, push, showAdmin } from '../test/show-admin.tsx';

const ended = anEvent({
  id: 1,
  name: 'Autumn',
  start_time: '2026-10-01T01:00',
  end_time: '2026-10-14T23:59',
});
const active = anEvent({ id: 2, name: 'Double week', is_active: 1, claim_count: 3 });
const upcoming = anEvent({
  id: 3,
  name: 'Winter',
  type: 'single_claim',
  start_time: '2026-12-01T01:00',
  end_time: '2026-12-01T23:59',
  single_claim_template: 'Bring your own prey.',
});

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const rows = (): HTMLElement[] =>
  within(screen.getByRole('region', { name: 'Events' })).getAllByRole('listitem');

describe('the list', () => {
  test('lists events by start, the newest first, with their type and status', () => {
    showAdmin('/admin/dashboard/events', { event: [ended, active, upcoming] });
    expect(rows().map((row) => within(row).getByRole('heading').textContent)).toEqual([
      'Winter',
      'Double week',
      'Autumn',
    ]);
    const [winter, week, autumn] = rows().map((row) => row.textContent);
    expect(winter).toContain('Winter' + 'Single claim' + 'upcoming');
    expect(winter).toContain('Tue, 1 Dec 2026' + '1 day' + '0 claims');
    expect(winter).toContain('Bring your own prey.');
    expect(week).toContain('Double week' + 'Multiple claims' + 'active' + 'ACTIVE');
    expect(week).toContain(
      'Sun 15 Nov 2026 to Sat 28 Nov 2026'.replace('Sun ', 'Sun, ').replace('Sat ', 'Sat, '),
    );
    expect(week).toContain('14 days' + '3 claims');
    expect(autumn).toContain('Autumn' + 'Multiple claims' + 'ended');
    expect(autumn).not.toContain('ACTIVE');
  });

  test('an event that is not activated says that members cannot claim in it, unless it has ended', () => {
    const running = anEvent({ id: 4, name: 'Rush' });
    showAdmin('/admin/dashboard/events', { event: [ended, running, upcoming] });
    const [winter, rush, autumn] = rows().map((row) => row.textContent);
    for (const text of [winter, rush])
      expect(text).toContain('Not activated: members cannot claim in it');
    expect(rush).toContain('Rush' + 'Multiple claims' + 'active');
    expect(autumn).not.toContain('Not activated');
    push({ op: 'put', kind: 'event', record: { ...running, is_active: 1 } });
    expect(screen.getByText('ACTIVE').closest('li')?.textContent).not.toContain('Not activated');
  });

  test('shows another admin’s changes live', () => {
    showAdmin('/admin/dashboard/events', { event: [active] });
    push({ op: 'put', kind: 'event', record: upcoming });
    expect(screen.getByRole('heading', { name: 'Winter' })).toBeTruthy();
    push({ op: 'remove', kind: 'event', id: active.id });
    expect(screen.queryByRole('heading', { name: 'Double week' })).toBeNull();
  });

  test('empty, it offers the next step', async () => {
    showAdmin('/admin/dashboard/events');
    expect(screen.getByText('No events yet')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Create event' }));
    expect(screen.getByRole('dialog', { name: 'Create event' })).toBeTruthy();
  });
});

describe('activating, deactivating, deleting', () => {
  test('activating says which event it ends', async () => {
    const sent = mockServer({
      'POST /api/events/3/activate': () => ok({ ...upcoming, is_active: 1 }),
    });
    showAdmin('/admin/dashboard/events', { event: [active, upcoming] });
    await pressAction('Activate Winter');
    const dialog = await screen.findByRole('alertdialog', { name: 'Activate Winter?' });
    expect(dialog.textContent).toContain('The board switches to this event for everyone at once.');
    expect(dialog.textContent).toContain('Double week is deactivated.');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Activate event' }));
    expect(await screen.findByText('Event activated successfully')).toBeTruthy();
    expect(sent.map(({ call }) => call)).toContain('POST /api/events/3/activate');
  });

  test('says how many claims it would leave outside, and takes those that fit unless the admin refuses', async () => {
    const activations: unknown[] = [];
    const sent = mockServer({
      'GET /api/events/3/activation': () => ok({ outside: 5, fitting: 4 }),
      'POST /api/events/3/activate': () => ok({ ...upcoming, is_active: 1 }),
    });
    showAdmin('/admin/dashboard/events', { event: [upcoming] });
    for (const takes of [true, false]) {
      await pressAction('Activate Winter');
      const dialog = await screen.findByRole('alertdialog');
      const box = await within(dialog).findByRole('checkbox', {
        name: 'Take 4 claims into the event',
      });
      expect(dialog.textContent).toContain(
        '5 upcoming claims on its dates are not part of this event.',
      );
      if (!takes) await userEvent.click(box);
      await userEvent.click(within(dialog).getByRole('button', { name: 'Activate event' }));
      activations.push(sent.filter(({ call }) => call.startsWith('POST')).at(-1)?.body);
    }
    expect(activations).toEqual([{ take_claims: true }, { take_claims: false }]);
  });

  test('counts the waitlist entries that end, live, and says that they return with the event', async () => {
    const entries = [1, 2].map((id) => aWait({ id, event_id: active.id }));
    showAdmin('/admin/dashboard/events', {
      event: [active, upcoming],
      wait: [...entries, aWait({ id: 3, event_id: null })],
    });
    await pressAction('Activate Winter');
    const message =
      '2 waitlist entries are cancelled. They come back if you activate Double week again today.';
    expect((await screen.findByRole('alertdialog')).textContent).toContain(message);
    push({ op: 'remove', kind: 'wait', id: 1 });
    expect(screen.getByRole('alertdialog').textContent).toContain(
      '1 waitlist entry is cancelled. It comes back',
    );
    push({ op: 'remove', kind: 'wait', id: 2 });
    expect(screen.getByRole('alertdialog').textContent).not.toContain('waitlist');
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    for (const record of entries) push({ op: 'put', kind: 'wait', record });
    await pressAction('Deactivate Double week');
    expect((await screen.findByRole('alertdialog')).textContent).toContain(message);
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await pressAction('Delete Double week');
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      '2 waitlist entries are cancelled.',
    );
  });

  test('deactivating asks for confirmation', async () => {
    mockServer({ 'POST /api/events/2/deactivate': () => ok({ ...active, is_active: 0 }) });
    showAdmin('/admin/dashboard/events', { event: [active] });
    await pressAction('Deactivate Double week');
    await userEvent.click(screen.getByRole('button', { name: 'Deactivate event' }));
    expect(await screen.findByText('Event deactivated successfully')).toBeTruthy();
  });

  test('deleting says how many claims go, as many as there are by then', async () => {
    mockServer({ 'DELETE /api/events/2': () => ok() });
    showAdmin('/admin/dashboard/events', { event: [active] });
    await pressAction('Delete Double week');
    expect((await screen.findByRole('alertdialog')).textContent).toContain(
      'Its 3 claims are deleted too. You can restore it with its claims from the activity log.',
    );
    push({ op: 'put', kind: 'event', record: { ...active, claim_count: 1 } });
    expect(screen.getByRole('alertdialog').textContent).toContain('Its 1 claim is deleted too.');
    await userEvent.click(screen.getByRole('button', { name: 'Delete event' }));
    expect(await screen.findByText('Event deleted successfully')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Events' }));
  });

  test('deleting one with too many claims to restore says that it is final', async () => {
    showAdmin('/admin/dashboard/events', { event: [{ ...active, claim_count: 20_001 }] });
    await pressAction('Delete Double week');
    const text =
      "Its 20001 claims are deleted too. With so many claims, the event can't be restored.";
    expect((await screen.findByRole('alertdialog')).textContent).toContain(text);
    push({ op: 'put', kind: 'event', record: { ...active, claim_count: 20_000 } });
    expect(screen.getByRole('alertdialog').textContent).toContain(
      'You can restore it with its claims from the activity log.',
    );
  });

  test('a failure stays in the dialog with its reason', async () => {
    mockServer({ 'DELETE /api/events/2': () => refused(404, 'event.notFound') });
    showAdmin('/admin/dashboard/events', { event: [active] });
    await pressAction('Delete Double week');
    await userEvent.click(screen.getByRole('button', { name: 'Delete event' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to delete event' + 'This event no longer exists.',
    );
  });
});
