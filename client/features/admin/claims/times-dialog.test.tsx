import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clearBoard } from '../../../state/board-store.ts';
import { aClaim, aClaimRow, anEvent, aRespawn } from '../../../test/records.ts';
import { mockServer, ok, refused, type Sent } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
// Loaded when the tab is opened: here it is there before the first test's time runs.
import './claims-tab.tsx';

const week = anEvent({ id: 7, is_active: 1 });
const arden = aClaim({ event_id: 7 });
const mira = aClaim({
  id: 2,
  event_id: 7,
  character_name: 'Mira Stormcrow',
  member_type: 'elite',
  hour_start: 2,
  hour_end: 6,
});
/** Of another event, which the board does not hold. */
const odo = aClaimRow({
  id: 3,
  event_id: 8,
  character_name: 'Odo Holt',
  hour_start: 18,
  hour_end: 20,
});

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function openTimes(save?: () => Response): Promise<Sent[]> {
  const sent = mockServer({
    'GET /api/respawns/1/claims/2026-11-21': () => ok([aClaimRow(arden), aClaimRow(mira), odo]),
    ...(save ? { 'PUT /api/claims/admin/1': save } : {}),
  });
  showAdmin('/admin/dashboard/claims?day=all', {
    event: [week],
    respawn: [aRespawn()],
    claim: [arden, mira],
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Edit times of Arden Vale/ }));
  return sent;
}
const field = (label: string): HTMLElement => screen.getByLabelText(label);
const enter = (start: string, end: string): void => {
  fireEvent.change(field('Start (SS+)'), { target: { value: start } });
  fireEvent.change(field('End (SS+)'), { target: { value: end } });
};
const save = (): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
const alerts = (): (string | null)[] =>
  screen.queryAllByRole('alert').map((alert) => alert.textContent);
const saved = (sent: Sent[]): unknown[] =>
  sent.filter(({ call }) => call.startsWith('PUT')).map(({ body }) => body);

describe('the hours', () => {
  test('start with the claim’s hours in local time, and show that day’s other claims of any event', async () => {
    await openTimes();
    expect(screen.getByRole('dialog', { name: 'Edit times' }).textContent).toContain(
      'Arden Vale at Asura Palace, Sat, 21 Nov 2026',
    );
    expect(field('Start (SS+)')).toHaveProperty('value', '10');
    expect(field('End (SS+)')).toHaveProperty('value', '14');
    expect(screen.getByText('10:00 your time')).toBeTruthy();
    const others = await screen.findByRole('list', { name: 'Other claims that day' });
    await waitFor(() => expect(within(others).getAllByRole('listitem')).toHaveLength(2));
    expect(others.textContent).toContain('SS+2 to SS+6Mira Stormcrow');
    expect(others.textContent).toContain('SS+18 to SS+20Odo Holt');
    expect(screen.getByRole('img').getAttribute('aria-label')).toContain(
      'Taken: SS+2 to SS+6, SS+18 to SS+20.',
    );
  });

  test('R5.7: changes its secondary claim too and says so; claims of others stay silent', async () => {
    const hint = 'If you change its length, its secondary claim on Fire Library changes too.';
    const itsSecondary = {
      event_id: 7,
      respawn_id: 2,
      is_secondary_claim: 1,
      secondary_priority: 5,
    } as const;
    await openTimes();
    expect(screen.queryByText(hint)).toBeNull();
    const others = [
      { created_at: '2026-11-20T12:00:01Z' },
      { date: '2026-11-22' },
      { character_name: 'Odo Holt' },
      { event_id: 8 },
    ];
    for (const [nth, other] of others.entries())
      push({
        op: 'put',
        kind: 'claim',
        record: aClaim({ id: 10 + nth, ...itsSecondary, ...other }),
      });
    push({ op: 'put', kind: 'respawn', record: aRespawn({ id: 2, name: 'Fire Library' }) });
    await waitFor(() => expect(screen.getAllByText(/Fire Library/).length).toBeGreaterThan(0));
    expect(screen.queryByText(hint)).toBeNull();
    push({ op: 'put', kind: 'claim', record: aClaim({ id: 20, ...itsSecondary }) });
    expect(await screen.findByText(hint)).toBeTruthy();
  });

  test.each([
    ['24', '24', 'Start time must be between SS+0 and SS+23'],
    ['-1', '4', 'Start time must be between SS+0 and SS+23'],
    ['10', '25', 'End time cannot exceed SS+24'],
    ['0', '0', 'End time must be between SS+1 and SS+24'],
    ['10', '10', 'End time must be after start time'],
    ['10', '1.5', 'Time range is invalid'],
    ['', '4', 'Time range is invalid'],
  ])('SS+%s to SS+%s are refused (R4.13): %s', async (start, end, message) => {
    const sent = await openTimes();
    enter(start, end);
    expect(alerts()).toEqual([]);
    await save();
    expect(alerts()).toEqual([message]);
    expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true');
    expect(saved(sent)).toEqual([]);
  });

  test('that are free are stored', async () => {
    const sent = await openTimes(() => ok({ ...arden, hour_start: 6, hour_end: 18 }));
    enter('06', '18');
    await save();
    expect(await screen.findByText('Claim updated successfully')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(saved(sent)).toEqual([{ hour_start: 6, hour_end: 18 }]);
  });

  test('are refused before sending if another claim has them; touching ends are fine', async () => {
    await openTimes();
    await screen.findByText('Odo Holt');
    enter('5', '19');
    expect(
      screen.getByText('Already claimed by Mira Stormcrow, Odo Holt. Choose other hours.'),
    ).toBeTruthy();
    enter('6', '18');
    expect(screen.queryByText(/Already claimed/)).toBeNull();
  });

  test('that are taken cannot be saved, and the conflicting claim stays in view', async () => {
    const sent = await openTimes(() => ok(arden));
    await screen.findByText('Odo Holt');
    enter('5', '8');
    const button = screen.getByRole('button', { name: 'Save changes' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(
      document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent,
    ).toContain('Mira Stormcrow');
    expect(screen.getByRole('list', { name: 'Other claims that day' }).textContent).toContain(
      'SS+2 to SS+6Mira Stormcrow',
    );
    await save();
    expect(saved(sent)).toEqual([]);
    enter('6', '8');
    expect(button.getAttribute('aria-disabled')).toBeNull();
  });

  test('are dragged by their ends, or moved with the arrow keys, within the day', async () => {
    const sent = await openTimes(() => ok(arden));
    const [start, end] = ['Start of the claim', 'End of the claim'].map((name) =>
      screen.getByRole('slider', { name }),
    );
    if (!start || !end) throw new Error('no handles');
    fireEvent.keyDown(end, { key: 'ArrowRight' });
    fireEvent.keyDown(start, { key: 'ArrowLeft' });
    expect(field('Start (SS+)')).toHaveProperty('value', '9');
    expect(field('End (SS+)')).toHaveProperty('value', '15');
    fireEvent.keyDown(end, { key: 'Home' });
    expect(field('End (SS+)')).toHaveProperty('value', '10');
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
      new DOMRect(0, 0, 240, 20),
    );
    fireEvent.pointerDown(end, { pointerId: 1, clientX: 100 });
    fireEvent.pointerMove(end, { pointerId: 1, clientX: 131 });
    expect(field('End (SS+)')).toHaveProperty('value', '13');
    fireEvent.pointerMove(end, { pointerId: 1, clientX: 20 });
    expect(field('End (SS+)')).toHaveProperty('value', '10');
    vi.restoreAllMocks();
    await save();
    await waitFor(() => expect(saved(sent)).toEqual([{ hour_start: 9, hour_end: 10 }]));
  });

  test('that the server refuses stay in the dialog as typed', async () => {
    await openTimes(() => refused(409, 'claim.timeConflict', { date: '2026-11-21', hour: 20 }));
    enter('20', '22');
    await save();
    await waitFor(() =>
      expect(alerts()).toEqual([
        'Failed to update claim: Time conflict detected for Sat 21 Nov at SS+20. There is already a claim that overlaps this time.',
      ]),
    );
    expect(field('Start (SS+)')).toHaveProperty('value', '20');
  });

  test('that were not answered are an error', async () => {
    await openTimes(() => Response.error());
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    enter('14', '18');
    await save();
    await waitFor(() =>
      expect(alerts()).toEqual([
        'Error updating claimNetwork error. Please check your connection.',
      ]),
    );
  });
});

describe('a claim that changes while its times are edited', () => {
  test('is followed while nothing was typed', async () => {
    await openTimes();
    push({ op: 'put', kind: 'claim', record: { ...arden, hour_start: 20, hour_end: 24 } });
    await waitFor(() => expect(field('Start (SS+)')).toHaveProperty('value', '20'));
    expect(
      screen.getByText("This claim was just changed. You're seeing the new version."),
    ).toBeTruthy();
  });

  test('is not overwritten before a choice', async () => {
    const sent = await openTimes(() => ok(arden));
    enter('12', '14');
    push({ op: 'put', kind: 'claim', record: { ...arden, hour_start: 20, hour_end: 24 } });
    const notice = (await screen.findByText('This claim was changed')).closest('[tabindex]');
    expect(notice?.textContent).toContain('Start (SS+)SS+20');
    await save();
    expect(saved(sent)).toEqual([]);
    expect(document.activeElement).toBe(notice);
    await userEvent.click(screen.getByRole('button', { name: 'Use theirs' }));
    expect(field('End (SS+)')).toHaveProperty('value', '24');
  });

  test('and is deleted can no longer be saved', async () => {
    await openTimes();
    push({ op: 'remove', kind: 'claim', id: arden.id });
    expect(await screen.findByText('This claim was deleted.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Save changes' })).toHaveProperty('disabled', true);
  });
});
