import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClaimToCopy, EventCopied } from '../../../../shared/schemas/event-copy.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import { anEvent } from '../../../test/records.ts';
import { mockServer, ok, refused, type Sent } from '../test/server.ts';
import { pressAction, showAdmin } from '../test/show-admin.tsx';

const week = anEvent({
  id: 1,
  name: 'Week 12',
  claim_count: 3,
  start_time: '2026-11-16T10:00',
  end_time: '2026-11-22T09:00',
});
const next = anEvent({
  id: 2,
  name: 'Week 13',
  claim_count: 2,
  start_time: '2026-11-23T10:00',
  end_time: '2026-11-29T09:00',
});

const aClaim = (
  id: number,
  character_name: string,
  change: Partial<ClaimToCopy> = {},
): ClaimToCopy => ({
  id,
  character_name,
  member_type: 'member',
  is_secondary_claim: 0,
  is_split_claim: 0,
  date: '2026-11-24',
  places: [{ respawn_id: 1, respawn_name: 'Fire Library', hour_start: 10, hour_end: 14 }],
  refusal: null,
  holders: [],
  ...change,
});
const taken = aClaim(3, 'Nim', {
  refusal: { code: 'claim.timeConflict', params: { date: '2026-11-24', hour: 10 } },
  holders: [
    {
      character_name: 'Thief',
      respawn_name: 'Fire Library',
      date: '2026-11-24',
      hour_start: 12,
      hour_end: 15,
      held_until: null,
    },
  ],
});
const claims = [aClaim(1, 'Mira'), aClaim(2, 'Aldo'), taken];
const copiedAnswer = (change: Partial<EventCopied> = {}): EventCopied => ({
  event: null,
  start_time: next.start_time,
  end_time: next.end_time,
  copied: 2,
  left_out: 1,
  gone: 0,
  claims,
  ...change,
});

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T18:00:00Z') });
});
afterEach(() => {
  dismissToasts();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const COPY = 'POST /api/admin/events/1/copy';
const bodies = (sent: Sent[]): unknown[] =>
  sent.flatMap(({ call, body }) => (call === COPY ? [body] : []));
const previews = (sent: Sent[]): unknown[] => bodies(sent).filter((body) => Object(body).preview);
async function openCopy(): Promise<HTMLElement> {
  showAdmin('/admin/dashboard/events', { event: [week] });
  await pressAction('Copy Week 12');
  return screen.getByRole('dialog', { name: 'Copy Week 12' });
}
/** Of the newest message, as those of earlier tests may still be shown. */
async function press(name: string): Promise<void> {
  const button = screen.getAllByRole('button', { name }).at(-1);
  if (button) await userEvent.click(button);
}
const rows = (): string[] =>
  within(screen.getByRole('list', { name: 'Claims of the event' }))
    .getAllByRole('listitem')
    .map((row) => row.textContent ?? '');

describe('the next event of one', () => {
  test('is proposed whole: the name counted up, the day after the end, as long; and made without claims by one press', async () => {
    const sent = mockServer({
      [COPY]: () =>
        ok(
          copiedAnswer({ event: { ...next, claim_count: 0 }, copied: 0, left_out: 0, claims: [] }),
        ),
    });
    const dialog = await openCopy();
    expect(within(dialog).getByLabelText('Name')).toHaveProperty('value', 'Week 13');
    expect(within(dialog).getByLabelText('Start')).toHaveProperty('value', '2026-11-23');
    expect(within(dialog).getByLabelText('End')).toHaveProperty('value', '2026-11-29');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create event' }));
    expect(await screen.findByText("Event 'Week 13' created.")).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(bodies(sent)).toEqual([
      {
        name: 'Week 13',
        start_time: '2026-11-23 00:00:00',
        end_time: '2026-11-29 23:59:59',
        claims: 'none',
      },
    ]);
  });

  test('starts after an event that its dates would overlap, and is activated by the same press', async () => {
    const sent = mockServer({
      [COPY]: () => ok(copiedAnswer({ event: { ...next, is_active: 1 }, left_out: 0, claims: [] })),
      'GET /api/events/2/activation': () => ok({ outside: 1, fitting: 1 }),
    });
    const other = {
      ...week,
      id: 7,
      name: 'Rush',
      start_time: '2026-11-25',
      end_time: '2026-11-30',
    };
    showAdmin('/admin/dashboard/events', { event: [week, other] });
    await pressAction('Copy Week 12');
    const dialog = screen.getByRole('dialog', { name: 'Copy Week 12' });
    expect(within(dialog).getByLabelText('Start')).toHaveProperty('value', '2026-12-01');
    expect(within(dialog).queryByText(/overlap/)).toBeNull();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create and activate' }));
    expect(await screen.findByText('Event activated successfully')).toBeTruthy();
    expect(bodies(sent)).toMatchObject([{ start_time: '2026-12-01 00:00:00', activate: true }]);
    expect(
      await screen.findByRole('alertdialog', { name: 'Take claims into Week 13?' }),
    ).toBeTruthy();
  });

  test('previews each claim, again after a change of dates, then creates the event', async () => {
    const sent = mockServer({
      [COPY]: (body) =>
        ok(Object(body).preview ? copiedAnswer() : copiedAnswer({ event: next, claims: [taken] })),
      'GET /api/events/2/activation': () => ok({ outside: 1, fitting: 1 }),
      'POST /api/events/2/activate': () => ok(next),
    });
    const dialog = await openCopy();
    await userEvent.click(within(dialog).getByRole('radio', { name: 'All' }));
    expect(await within(dialog).findByText('2 claims are copied. 1 is skipped.')).toBeTruthy();
    // Claims that are not moved are first.
    expect(rows()[0]).toBe(
      'NimTue 24 NovFire Library, SS+10 to SS+14Taken by Thief (Fire Library, Tue 24 Nov, SS+12 to SS+15)',
    );
    expect(rows()).toHaveLength(3);
    fireEvent.change(within(dialog).getByLabelText('Start'), { target: { value: '2026-11-30' } });
    expect(within(dialog).getByLabelText('End')).toHaveProperty('value', '2026-12-06');
    await waitFor(() => expect(previews(sent)).toHaveLength(2));
    expect(previews(sent)[1]).toMatchObject({
      start_time: '2026-11-30',
      end_time: '2026-12-06',
      claims: 'all',
    });
    await userEvent.click(
      await within(dialog).findByRole('button', { name: 'Create with 2 claims' }),
    );
    expect(
      await screen.findByText("Event 'Week 13' created with 2 claims. 1 was skipped."),
    ).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    await press('Activate');
    const question = await screen.findByRole('alertdialog', { name: 'Activate Week 13?' });
    await userEvent.click(
      await within(question).findByRole('checkbox', { name: 'Take 1 claim into the event' }),
    );
    await userEvent.click(within(question).getByRole('button', { name: 'Activate event' }));
    expect(await screen.findByText('Event activated successfully')).toBeTruthy();
  });

  test('takes those that are chosen', async () => {
    const sent = mockServer({
      [COPY]: (body) =>
        ok(
          Array.isArray(Object(body).claims)
            ? copiedAnswer({ copied: 1, left_out: 0, claims: claims.slice(0, 1) })
            : copiedAnswer(),
        ),
    });
    const dialog = await openCopy();
    await userEvent.click(within(dialog).getByRole('radio', { name: 'Choose' }));
    for (const name of [/Nim/, /Aldo/])
      await userEvent.click(await within(dialog).findByRole('checkbox', { name }));
    expect(await within(dialog).findByText('1 claim is copied.')).toBeTruthy();
    await userEvent.click(
      await within(dialog).findByRole('button', { name: 'Create with 1 claim' }),
    );
    await waitFor(() =>
      expect(sent.at(-1)?.body).toEqual({
        name: 'Week 13',
        start_time: '2026-11-23 00:00:00',
        end_time: '2026-11-29 23:59:59',
        claims: [1],
      }),
    );
  });

  test('is undone from the message that announces it', async () => {
    const sent = mockServer({
      [COPY]: () => ok(copiedAnswer({ event: next, left_out: 0, claims: [] })),
      'DELETE /api/events/2': () => ok(),
    });
    const dialog = await openCopy();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create event' }));
    await screen.findAllByText("Event 'Week 13' created with 2 claims.");
    await press('Undo');
    expect(await screen.findByText('Event deleted successfully')).toBeTruthy();
    expect(sent.at(-1)?.call).toBe('DELETE /api/events/2');
  });

  test('lists the skipped claims if they are more than previewed', async () => {
    mockServer({
      [COPY]: (body) =>
        ok(
          Object(body).preview
            ? copiedAnswer({
                copied: 3,
                left_out: 0,
                claims: [...claims.slice(0, 2), aClaim(3, 'Nim')],
              })
            : copiedAnswer({ event: next, claims: [taken] }),
        ),
    });
    const dialog = await openCopy();
    await userEvent.click(within(dialog).getByRole('radio', { name: 'All' }));
    await userEvent.click(
      await within(dialog).findByRole('button', { name: 'Create with 3 claims' }),
    );
    const left = await screen.findByRole('dialog', { name: 'Skipped claims' });
    expect(left.textContent).toContain('Taken by Thief');
  });

  test('that is refused stays as it is, and says why where the mistake is', async () => {
    mockServer({ [COPY]: () => refused(409, 'event.nameExists', { name: 'Week 13' }) });
    const dialog = await openCopy();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create event' }));
    expect(
      await within(dialog).findByText('There is already an event named Week 13.'),
    ).toBeTruthy();
    expect(within(dialog).getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
    fireEvent.change(within(dialog).getByLabelText('End'), { target: { value: '2026-11-20' } });
    expect(await within(dialog).findByText('End time must be after start time')).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Create event' })).toHaveProperty(
      'disabled',
      true,
    );
  });

  test('is not made without claims where they were to be chosen and could not be looked at', async () => {
    mockServer({ [COPY]: () => refused(409, 'event.tooManyToCopy', { count: 6000, max: 5000 }) });
    const dialog = await openCopy();
    const create = within(dialog).getByRole('button', { name: 'Create event' });
    await userEvent.click(within(dialog).getByRole('radio', { name: 'Choose' }));
    expect(await within(dialog).findByRole('alert')).toBeTruthy();
    expect(create).toHaveProperty('disabled', true);
    await userEvent.click(within(dialog).getByRole('radio', { name: 'None' }));
    expect(create).toHaveProperty('disabled', false);
  });

  test('with too many claims says so, and can be made without', async () => {
    mockServer({ [COPY]: () => refused(409, 'event.tooManyToCopy', { count: 6000, max: 5000 }) });
    const dialog = await openCopy();
    await userEvent.click(within(dialog).getByRole('radio', { name: 'All' }));
    expect(
      await within(dialog).findByText(
        'You can copy at most 5000 claims at once, not 6000. Choose fewer.',
      ),
    ).toBeTruthy();
  });

  test('follows the last copy, and names events on the same dates', async () => {
    showAdmin('/admin/dashboard/events', { event: [week, next] });
    await pressAction('Copy Week 12');
    const dialog = screen.getByRole('dialog', { name: 'Copy Week 12' });
    expect(within(dialog).getByLabelText('Name')).toHaveProperty('value', 'Week 14');
    expect(within(dialog).getByLabelText('Start')).toHaveProperty('value', '2026-11-30');
    expect(within(dialog).queryByText(/overlap/)).toBeNull();
    fireEvent.change(within(dialog).getByLabelText('Start'), { target: { value: '2026-11-28' } });
    expect(
      within(dialog).getByText('These dates overlap Week 13 (Mon 23 Nov to Sun 29 Nov).'),
    ).toBeTruthy();
  });

  test('counts many skipped claims by reason, and lists them on demand', async () => {
    const left = Array.from({ length: 651 }, (_, n) =>
      n < 600
        ? { ...taken, id: n }
        : aClaim(n, 'Nim', { refusal: { code: 'budget.day', params: {} } }),
    );
    mockServer({ [COPY]: () => ok(copiedAnswer({ copied: 0, left_out: 651, claims: left })) });
    const dialog = await openCopy();
    await userEvent.click(within(dialog).getByRole('radio', { name: 'All' }));
    expect(await within(dialog).findByText('No claims are copied. 651 are skipped.')).toBeTruthy();
    const reasons = within(dialog).getByRole('list', { name: 'Why claims are skipped' });
    expect(
      within(reasons)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['600: hours taken', "51: over the member type's hour limit"]);
    expect(within(dialog).queryByRole('list', { name: 'Claims of the event' })).toBeNull();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Show claims one by one' }));
    expect(rows()).toHaveLength(100);
  });
});
