import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import { aClaim, aClaimRow, aKey, anEntry, anEvent, aRespawn } from '../../../test/records.ts';
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

/** What the server compares: the claim as the dialog showed it. */
const SEEN = { respawn_id: 1, date: '2026-11-21', hour_start: 10, hour_end: 14 };

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  dismissToasts();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function openEdit(
  save?: () => Response,
  answers: Parameters<typeof mockServer>[0] = {},
): Promise<Sent[]> {
  const sent = mockServer({
    'GET /api/respawns/1/claims/2026-11-21': () => ok([aClaimRow(arden), aClaimRow(mira), odo]),
    ...(save ? { 'PUT /api/claims/admin/1': save } : {}),
    ...answers,
  });
  showAdmin('/admin/dashboard/claims?day=all', {
    event: [week],
    respawn: [aRespawn(), aRespawn({ id: 3, name: 'Ingol' })],
    claim: [arden, mira],
  });
  await userEvent.click(await screen.findByRole('button', { name: /^Edit… Arden Vale/ }));
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
    await openEdit();
    expect(screen.getByRole('dialog', { name: 'Edit claim' }).textContent).toContain(
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
    await openEdit();
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
    const sent = await openEdit();
    enter(start, end);
    expect(alerts()).toEqual([]);
    await save();
    expect(alerts()).toEqual([message]);
    expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true');
    expect(saved(sent)).toEqual([]);
  });

  test('that are free are stored', async () => {
    const sent = await openEdit(() => ok({ ...arden, hour_start: 6, hour_end: 18 }));
    enter('06', '18');
    await save();
    expect(await screen.findByText('Claim updated successfully')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(saved(sent)).toEqual([{ hour_start: 6, hour_end: 18, seen: SEEN }]);
  });

  test('are refused before sending if another claim has them; touching ends are fine', async () => {
    await openEdit();
    await screen.findByText('Odo Holt');
    enter('5', '19');
    expect(
      screen.getByText('Already claimed by Mira Stormcrow, Odo Holt. Choose other hours.'),
    ).toBeTruthy();
    enter('6', '18');
    expect(screen.queryByText(/Already claimed/)).toBeNull();
  });

  test('that are taken cannot be saved, and the conflicting claim stays in view', async () => {
    const sent = await openEdit(() => ok(arden));
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
    const sent = await openEdit(() => ok(arden));
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
    await waitFor(() => expect(saved(sent)).toEqual([{ hour_start: 9, hour_end: 10, seen: SEEN }]));
  });

  test('that the server refuses stay in the dialog as typed', async () => {
    await openEdit(() => refused(409, 'claim.timeConflict', { date: '2026-11-21', hour: 20 }));
    enter('20', '22');
    await save();
    await waitFor(() =>
      expect(alerts()).toEqual([
        'Failed to update claim: Time conflict detected for Sat 21 Nov at SS+20. There is already a claim that overlaps this time.',
      ]),
    );
    expect(field('Start (SS+)')).toHaveProperty('value', '20');
    enter('20', '23');
    expect(alerts()).toEqual([]);
  });

  test('are no longer refused once the other hour was corrected', async () => {
    await openEdit();
    enter('12', '10');
    await save();
    expect(alerts()).toEqual(['End time must be after start time']);
    fireEvent.change(field('Start (SS+)'), { target: { value: '8' } });
    await waitFor(() => expect(alerts()).toEqual([]));
  });

  test('that were not answered are an error', async () => {
    await openEdit(() => Response.error());
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

describe('a claim that changes while it is edited', () => {
  test('is followed while nothing was typed', async () => {
    await openEdit();
    push({ op: 'put', kind: 'claim', record: { ...arden, hour_start: 20, hour_end: 24 } });
    await waitFor(() => expect(field('Start (SS+)')).toHaveProperty('value', '20'));
    expect(
      screen.getByText("This claim was just changed. You're seeing the new version."),
    ).toBeTruthy();
  });

  test('is not overwritten before a choice', async () => {
    const sent = await openEdit(() => ok(arden));
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
    await openEdit();
    push({ op: 'remove', kind: 'claim', id: arden.id });
    expect(await screen.findByText('This claim was deleted.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Save changes' })).toHaveProperty('disabled', true);
  });
});

describe('spot, date, hours and character in one dialog', () => {
  const GIVE = 'PUT /api/claims/admin/1/character';
  const EDIT = 'PUT /api/claims/admin/1';
  const bram = { ...arden, character_name: 'Old Bram' };
  const elsewhere = { respawn_id: 3, date: '2026-11-22', hour_start: 12, hour_end: 16 };
  const there = {
    'GET /api/respawns/3/claims/2026-11-21': () => ok([]),
    'GET /api/respawns/3/claims/2026-11-22': () => ok([]),
  };
  const writes = (sent: Sent[]) =>
    sent.filter(({ call }) => !call.startsWith('GET')).map(({ call, body }) => ({ call, body }));
  const given = {
    call: GIVE,
    body: {
      character_name: 'Old Bram',
      member_type: 'member',
      seen: { character_name: 'Arden Vale' },
    },
  };
  const all = {
    call: EDIT,
    body: {
      ...elsewhere,
      character_name: 'Old Bram',
      member_type: 'member',
      seen: { ...SEEN, character_name: 'Arden Vale' },
    },
  };
  async function changeAll(): Promise<void> {
    await userEvent.click(screen.getByRole('combobox', { name: 'Spot' }));
    await userEvent.click(screen.getByRole('option', { name: /Ingol/ }));
    await userEvent.click(screen.getByRole('radio', { name: /22 Nov/ }));
    enter('12', '16');
    fireEvent.change(field('Character'), { target: { value: 'Old Bram' } });
  }
  const entry = (id: number, changed: ActivityEntry['details']) =>
    anEntry({ id, action: 'claim_updated', details: { claim_id: 1, changed }, undo: 'possible' });

  const UNDONE = () => ok({ restored_claims: 0, left_claims: 0 });
  const rename = (name: string): boolean =>
    fireEvent.change(field('Character'), { target: { value: name } });

  test('are stored by one call, and one undo takes them back', async () => {
    const sent = await openEdit(() => ok({ ...bram, ...elsewhere }), {
      ...there,
      'POST /api/admin/activity-log/70/undo': UNDONE,
    });
    await changeAll();
    await save();
    expect(await screen.findByText('Claim updated successfully')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(writes(sent)).toEqual([all]);
    const changed = {
      character_name: { from: 'Arden Vale', to: 'Old Bram' },
      hour_start: { from: 10, to: 12 },
    };
    push({ op: 'put', kind: 'activity', record: entry(70, changed) });
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The claim is as it was before')).toBeTruthy();
    expect(writes(sent).at(-1)?.call).toBe('POST /api/admin/activity-log/70/undo');
  });

  test('stay typed if the character is refused; the next try sends all of them', async () => {
    let isBanned = true;
    const sent = await openEdit(
      () => (isBanned ? refused(403, 'character.banned') : ok({ ...bram, ...elsewhere })),
      there,
    );
    await changeAll();
    await save();
    await waitFor(() =>
      expect(alerts()).toEqual([expect.stringMatching(/^Failed to update claim: /)]),
    );
    expect(field('Character')).toHaveProperty('value', 'Old Bram');
    expect(field('Start (SS+)')).toHaveProperty('value', '12');
    isBanned = false;
    await save();
    expect(await screen.findByText('Claim updated successfully')).toBeTruthy();
    expect(writes(sent)).toEqual([all, all]);
  });

  test('a spelling is corrected with the claim’s own member type, and without an undo', async () => {
    const sent = await openEdit(undefined, {
      [GIVE]: () => ok([{ ...arden, character_name: 'ARDEN Vale' }]),
    });
    push({ op: 'put', kind: 'access_key', record: aKey({ member_type: 'elite' }) });
    rename('ARDEN Vale');
    await save();
    expect(await screen.findByText('Claim updated successfully')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(writes(sent)).toMatchObject([
      { call: GIVE, body: { character_name: 'ARDEN Vale', member_type: 'member' } },
    ]);
  });

  test('a spelling corrected with the hours is undone with them', async () => {
    const sent = await openEdit(
      () => ok({ ...arden, hour_start: 12, character_name: 'ARDEN Vale' }),
      {
        'POST /api/admin/activity-log/70/undo': UNDONE,
      },
    );
    enter('12', '14');
    rename('ARDEN Vale');
    await save();
    const changed = {
      character_name: { from: 'Arden Vale', to: 'ARDEN Vale' },
      hour_start: { from: 10, to: 12 },
    };
    push({ op: 'put', kind: 'activity', record: entry(70, changed) });
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The claim is as it was before')).toBeTruthy();
    expect(writes(sent)).toMatchObject([
      { call: EDIT, body: { character_name: 'ARDEN Vale', hour_start: 12 } },
      { call: 'POST /api/admin/activity-log/70/undo' },
    ]);
  });

  test('a member type chosen before the former name was typed again is no change', async () => {
    const sent = await openEdit();
    const choose = async (): Promise<void> => {
      rename('Old Bram');
      const types = within(screen.getByRole('dialog')).getByLabelText('Member type');
      await userEvent.selectOptions(types, 'elite');
      rename('Arden Vale');
    };
    await choose();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: /^Edit… Arden Vale/ }));
    await choose();
    await save();
    expect(await screen.findByText('Claim updated successfully')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(writes(sent)).toEqual([]);
  });

  test('ask once where another admin gave the claim to a third character', async () => {
    const sent = await openEdit(undefined, { [GIVE]: () => ok([bram]) });
    fireEvent.change(field('Character'), { target: { value: 'Old Bram' } });
    push({ op: 'put', kind: 'claim', record: { ...arden, character_name: 'Nim Farrow' } });
    const notice = (await screen.findByText('This claim was changed')).closest('[tabindex]');
    expect(notice?.textContent).toContain('CharacterNim Farrow');
    await save();
    expect(writes(sent)).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Keep mine' }));
    await save();
    expect(await screen.findByText('The claim now belongs to Old Bram')).toBeTruthy();
    expect(writes(sent)).toEqual([
      { ...given, body: { ...given.body, seen: { character_name: 'Nim Farrow' } } },
    ]);
  });

  test('a name that no key has is said, and one press takes the nearest', async () => {
    await openEdit();
    push({ op: 'put', kind: 'access_key', record: aKey({ character_name: 'Old Bram' }) });
    rename('Old Brm');
    expect(await screen.findByText('No key has this name.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Did you mean Old Bram?' }));
    expect(field('Character')).toHaveProperty('value', 'Old Bram');
    expect(screen.queryByText('No key has this name.')).toBeNull();
  });

  test('a claim needs a character', async () => {
    const sent = await openEdit();
    fireEvent.change(field('Character'), { target: { value: '  ' } });
    await save();
    expect(alerts()).toHaveLength(1);
    expect(document.activeElement).toBe(field('Character'));
    expect(writes(sent)).toEqual([]);
  });
});
