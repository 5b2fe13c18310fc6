import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { changeLanguage } from '../../../i18n.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import { anEvent } from '../../../test/records.ts';
import { mockServer, ok, refused, type Sent } from '../test/server.ts';
import { pressAction, push, showAdmin } from '../test/show-admin.tsx';

const week = anEvent({ claim_count: 2 });

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  dismissToasts();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const field = (label: string): HTMLElement => screen.getByLabelText(label);
const enter = (label: string, value: string): void =>
  void fireEvent.change(field(label), { target: { value } });
const submit = (): Promise<void> =>
  userEvent.click(
    within(screen.getByRole('dialog')).getByRole('button', {
      name: /^(Create event|Save changes)$/,
    }),
  );
const alerts = (): (string | null)[] =>
  screen.queryAllByRole('alert').map((alert) => alert.textContent);

async function openNew(): Promise<void> {
  showAdmin('/admin/dashboard/events');
  await userEvent.click(screen.getByRole('button', { name: 'Create event' }));
}
async function openEdit(event = week): Promise<void> {
  showAdmin('/admin/dashboard/events', { event: [event] });
  await pressAction(`Edit ${event.name}`);
}

describe('a new event', () => {
  test('is proposed for two weeks from today, dated, and starts at its name', async () => {
    await openNew();
    expect(document.activeElement).toBe(field('Name'));
    expect(field('Type')).toHaveProperty('value', 'multiple_claims');
    expect(field('Start')).toHaveProperty('value', '2026-11-21');
    expect(field('End')).toHaveProperty('value', '2026-12-04');
    expect(screen.getByText('14 days.', { exact: false })).toBeTruthy();
    enter('End', '2026-11-21');
    expect(screen.getByText('1 day.', { exact: false })).toBeTruthy();
  });

  test('is proposed from the day after the last event, so that none overlaps', async () => {
    showAdmin('/admin/dashboard/events', {
      event: [
        anEvent({ id: 1, start_time: '2026-11-15T10:00', end_time: '2026-11-28T10:00' }),
        anEvent({ id: 2, start_time: '2026-12-01T10:00', end_time: '2026-12-06T10:00' }),
      ],
    });
    await userEvent.click(screen.getByRole('button', { name: 'Create event' }));
    expect(field('Start')).toHaveProperty('value', '2026-12-07');
    expect(field('End')).toHaveProperty('value', '2026-12-20');
  });

  describe('that is activated by the same press', () => {
    const rush = anEvent({ id: 9, name: 'Rush', is_active: 1 });
    const former = anEvent({ id: 1, name: 'Week 1', is_active: 1 });
    const answers = {
      'POST /api/events': () => ok(rush),
      'GET /api/events/9/activation': () => ok({ outside: 0, fitting: 0 }),
      'POST /api/events/1/activate': () => ok(former),
      'DELETE /api/events/9': () => ok({}),
    };
    const calls = (sent: Sent[]): string[] => sent.slice(2).map(({ call }) => call);

    async function createActive(change: Parameters<typeof mockServer>[0] = {}): Promise<Sent[]> {
      const sent = mockServer({ ...answers, ...change });
      showAdmin('/admin/dashboard/events', { event: [former] });
      await userEvent.click(screen.getByRole('button', { name: 'Create event' }));
      expect(screen.getByText(/^Week 1 is active now/)).toBeTruthy();
      enter('Name', 'Rush');
      await userEvent.click(screen.getByRole('button', { name: 'Create and activate' }));
      expect(await screen.findByText("Event 'Rush' created successfully")).toBeTruthy();
      expect(screen.getByText('Event activated successfully')).toBeTruthy();
      expect(sent[0]?.body).toMatchObject({ name: 'Rush', activate: true });
      await waitFor(() => expect(sent).toHaveLength(2));
      push(
        { op: 'put', kind: 'event', record: { ...former, is_active: 0 } },
        { op: 'put', kind: 'event', record: rush },
      );
      return sent;
    }
    const undo = (): Promise<void> => userEvent.click(screen.getByRole('button', { name: 'Undo' }));

    test('is undone by activating the former one again and deleting it', async () => {
      const sent = await createActive();
      await undo();
      expect(await screen.findByText('Event deleted successfully')).toBeTruthy();
      expect(calls(sent)).toEqual(['POST /api/events/1/activate', 'DELETE /api/events/9']);
    });

    test('offers to take the claims on its dates', async () => {
      const sent = await createActive({
        'GET /api/events/9/activation': () => ok({ outside: 3, fitting: 2 }),
        'POST /api/events/9/activate': () => ok({ ...rush, claim_count: 2 }),
      });
      const question = await screen.findByRole('alertdialog', { name: 'Take claims into Rush?' });
      expect(question.textContent).toContain('3 upcoming claims on its dates are not part');
      await userEvent.click(
        within(question).getByRole('button', { name: 'Take 2 claims into the event' }),
      );
      await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
      expect(sent.at(-1)).toEqual({
        call: 'POST /api/events/9/activate',
        body: { take_claims: true },
      });
    });

    test.each([
      ['another event is active since', { ...rush, is_active: 0 as const }],
      ['it has claims since, which would be lost', { ...rush, claim_count: 2 }],
    ])('is not undone if %s', async (_since, record) => {
      const sent = await createActive();
      push({ op: 'put', kind: 'event', record });
      await undo();
      expect(await screen.findByText(/^Nothing was undone: Rush has new claims/)).toBeTruthy();
      expect(calls(sent)).toEqual([]);
    });

    test('says how far its undo went', async () => {
      await createActive({ 'DELETE /api/events/9': () => refused(403, 'auth.forbidden') });
      await undo();
      expect(
        await screen.findByText(/^Week 1 is active again, but Rush couldn't be deleted: /),
      ).toBeTruthy();
    });
  });

  test('asks before Escape discards input', async () => {
    await openNew();
    enter('Name', 'Hunt');
    await userEvent.keyboard('{Escape}');
    expect(screen.getByRole('alertdialog', { name: 'Discard what you typed?' })).toBeTruthy();
  });

  test('needs a name and times, and ends after it starts', async () => {
    const sent = mockServer({});
    await openNew();
    enter('End', '2026-11-20');
    await submit();
    await waitFor(() =>
      expect(alerts()).toEqual(['Event name is required', 'End time must be after start time']),
    );
    enter('Name', 'Rush');
    enter('End', '');
    await waitFor(() => expect(alerts()).toEqual(['Start and end times are required']));
    expect(sent).toEqual([]);
  });

  test('is sent once while the first answer is under way', async () => {
    const answer = Promise.withResolvers<Response>();
    const sent = mockServer({ 'POST /api/events': () => answer.promise });
    await openNew();
    enter('Name', 'Winter rush');
    await userEvent.type(field('Name'), '{Enter}');
    await waitFor(() => expect(sent).toHaveLength(1));
    fireEvent.submit(field('Name'));
    await act(() => new Promise((done) => setTimeout(done, 10)));
    answer.resolve(ok(anEvent({ id: 9, name: 'Winter rush' })));
    expect(await screen.findByText("Event 'Winter rush' created successfully")).toBeTruthy();
    expect(sent).toHaveLength(1);
  });

  test('is created from the input, and named in the message', async () => {
    const sent = mockServer({
      'POST /api/events': (body) => ok({ ...anEvent({ id: 9 }), ...Object(body) }),
    });
    await openNew();
    enter('Name', '  Winter   rush ');
    enter('Type', 'single_claim');
    enter('Single-claim template (optional)', 'Bring prey.');
    await submit();
    expect(await screen.findByText("Event 'Winter rush' created successfully")).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Activate' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Activate Winter rush?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent[0]?.body).toEqual({
      name: 'Winter rush',
      type: 'single_claim',
      // Section 3: "start_time and end_time (a date followed by a time)".
      start_time: '2026-11-21 00:00:00',
      end_time: '2026-12-04 23:59:59',
      single_claim_template: 'Bring prey.',
    });
  });

  test('has a template only when it is a single-claim event', async () => {
    await openNew();
    expect(screen.queryByLabelText('Single-claim template (optional)')).toBeNull();
  });

  test('that the server refuses stays as typed, with the reason at the field', async () => {
    mockServer({ 'POST /api/events': () => refused(409, 'event.nameExists', { name: 'Rush' }) });
    await openNew();
    enter('Name', 'Rush');
    await submit();
    expect(await screen.findByText('Failed to create event')).toBeTruthy();
    expect(field('Name')).toHaveProperty('value', 'Rush');
    expect(field('Name').getAttribute('aria-invalid')).toBe('true');
    expect(alerts()).toContain('There is already an event named Rush.');
  });

  test('says so when the network fails', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    await openNew();
    enter('Name', 'Rush');
    await submit();
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to create eventNetwork error. Please check your connection.',
    );
  });
});

describe('an event under edit', () => {
  test('asks before Escape discards input, and only then', async () => {
    await openEdit();
    enter('Name', 'Other');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(
      within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Cancel' }),
    );
    expect(field('Name')).toHaveProperty('value', 'Other');
    enter('Name', week.name);
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('sends only the changed fields', async () => {
    const sent = mockServer({ 'PUT /api/events/1': () => ok(week) });
    await openEdit();
    enter('Name', 'Triple week');
    await submit();
    expect(await screen.findByText('Event updated successfully')).toBeTruthy();
    expect(sent).toEqual([{ call: 'PUT /api/events/1', body: { name: 'Triple week' } }]);
  });

  test('keeps its type while it has claims, and says why', async () => {
    await openEdit();
    expect(field('Type')).toHaveProperty('disabled', true);
    expect(screen.getByText("You can't change the type of an event that has claims.")).toBeTruthy();
  });

  test('lists the claims that new dates leave outside', async () => {
    const claims = [
      {
        id: 5,
        character_name: 'Mira',
        respawn_name: 'Fire Library',
        date: '2026-11-27',
        hour_start: 10,
        hour_end: 14,
      },
      {
        id: 6,
        character_name: 'Nim',
        respawn_name: 'Asura Palace',
        date: '2026-11-28',
        hour_start: 2,
        hour_end: 4,
      },
    ];
    mockServer({
      'PUT /api/events/1': () =>
        refused(409, 'event.claimsOutside', { count: 2, list: '…', claims }),
    });
    await openEdit();
    enter('End', '2026-11-20');
    await submit();
    const list = await screen.findByRole('list', { name: 'Conflicting claims' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(2);
    expect(list.textContent).toContain('Fire Library');
    expect(list.textContent).toContain('SS+10 to SS+14');
    expect(field('End')).toHaveProperty('value', '2026-11-20');
  });

  test.each([
    ['en', 'and 2 more'],
    ['es', 'y 2 más'],
    ['pt', 'e mais 2'],
  ] as const)(
    'says in %s that more claims than those listed are left outside; a split one counts once',
    async (language, last) => {
      const part = { character_name: 'Mira', date: '2026-11-27', hour_start: 10, hour_end: 14 };
      const claims = [
        { ...part, id: 5, respawn_name: 'Fire Library' },
        { ...part, id: 5, respawn_name: 'Ice Library', hour_start: 14, hour_end: 16 },
        { ...part, id: 6, respawn_name: 'Asura Palace' },
      ];
      mockServer({
        'PUT /api/events/1': () =>
          refused(409, 'event.claimsOutside', { count: 4, list: '…', claims }),
      });
      await openEdit();
      enter('End', '2026-11-20');
      await submit();
      const list = await screen.findByRole('list', { name: 'Conflicting claims' });
      await act(() => changeLanguage(language));
      expect(within(list).getAllByRole('listitem').at(-1)?.textContent).toBe(last);
      await act(() => changeLanguage('en'));
    },
  );
});

describe('an event that another admin changes during the edit', () => {
  const theirs = { ...week, name: 'Their week', end_time: '2026-11-30T23:59' };

  test('is followed while nothing was typed', async () => {
    await openEdit();
    push({ op: 'put', kind: 'event', record: theirs });
    await waitFor(() => expect(field('Name')).toHaveProperty('value', 'Their week'));
    expect(
      screen.getByText("Another admin just changed this event. You're seeing the new version."),
    ).toBeTruthy();
  });

  test('is not overwritten before a choice, and theirs can be loaded', async () => {
    const sent = mockServer({});
    await openEdit();
    enter('Name', 'My week');
    push({ op: 'put', kind: 'event', record: theirs });
    const notice = (await screen.findByText('Another admin changed this event')).parentElement;
    expect(notice?.textContent).toContain('NameTheir week');
    await submit();
    expect(sent).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Use theirs' }));
    expect(field('Name')).toHaveProperty('value', 'Their week');
    expect(field('End')).toHaveProperty('value', '2026-11-30');
  });

  test("keeps typed fields and takes the other admin's version of the rest", async () => {
    const sent = mockServer({ 'PUT /api/events/1': () => ok(week) });
    await openEdit();
    enter('Name', 'My week');
    push({ op: 'put', kind: 'event', record: theirs });
    await userEvent.click(await screen.findByRole('button', { name: 'Keep mine' }));
    expect(field('Name')).toHaveProperty('value', 'My week');
    expect(field('End')).toHaveProperty('value', '2026-11-30');
    await submit();
    await waitFor(() =>
      expect(sent).toEqual([{ call: 'PUT /api/events/1', body: { name: 'My week' } }]),
    );
  });

  test("only compares the form's fields: a new claim causes no conflict", async () => {
    await openEdit();
    enter('Name', 'My week');
    push({ op: 'put', kind: 'event', record: { ...week, claim_count: 3 } });
    expect(screen.queryByText('Another admin changed this event')).toBeNull();
  });

  test('says so when it was deleted', async () => {
    await openEdit();
    push({ op: 'remove', kind: 'event', id: week.id });
    expect(screen.getByRole('alert').textContent).toBe('Another admin deleted this event.');
    expect(screen.getByRole('button', { name: 'Save changes' })).toHaveProperty('disabled', true);
  });
});
