import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../../../shared/live.ts';
import { clearBoard, setConnection } from '../../../state/board-store.ts';
import { aClaim, aClaimRow, anEntry, anEvent, aRespawn } from '../../../test/records.ts';
import { savedFiles } from '../test/saved-files.ts';
import { mockServer, ok, refused, type Sent } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
// Loaded when the tab is opened: here it is there before the first test's time runs.
import './claims-tab.tsx';

const palace = aRespawn();
const library = aRespawn({ id: 2, name: 'Fire Library' });
const week = anEvent({ id: 7, is_active: 1, claim_count: 4 });
const inWeek = { event_id: week.id };
const arden = aClaim({ id: 1, ...inWeek });
const mira = aClaim({
  id: 2,
  ...inWeek,
  character_name: 'Mira Stormcrow',
  member_type: 'elite',
  hour_start: 2,
  hour_end: 6,
});
const jorun = aClaim({
  id: 3,
  ...inWeek,
  character_name: 'Jorun Pike',
  date: '2026-11-23',
  respawn_id: 2,
});
const waiting = aClaim({
  ...jorun,
  id: 4,
  character_name: 'Nim Farrow',
  is_secondary_claim: 1,
  secondary_priority: 5,
});
const board: Snapshot = {
  event: [week],
  respawn: [palace, library],
  claim: [arden, mira, jorun, waiting],
};

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const TAB = '/admin/dashboard/claims';
/** With every day's claims, which other tests filter. */
const open = async (snapshot: Snapshot = board, query = ''): Promise<void> => {
  showAdmin(`${TAB}?day=all${query}`, snapshot);
  await screen.findByRole('region', { name: 'Claims' });
};
const list = (): HTMLElement => screen.getByRole('region', { name: 'Claims' });
const address = (): string | null => screen.getByLabelText('address').textContent;
const respawns = (): (string | null)[] =>
  within(list())
    .queryAllByRole('heading', { level: 2 })
    .map((heading) => heading.textContent);
const lines = (): string[] =>
  within(list())
    .queryAllByRole('listitem')
    .map((line) => line.textContent);
const writesIn = (sent: readonly Sent[]): string[] =>
  sent.map(({ call }) => call).filter((call) => !call.startsWith('GET'));
const press = (name: string | RegExp): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));

describe('claims outside the active event', () => {
  const bram = aClaimRow({
    id: 50,
    event_id: null,
    character_name: 'Old Bram',
    date: '2026-11-21',
    respawn_id: 2,
    hour_start: 16,
    hour_end: 20,
  });
  const page = () =>
    Response.json({ success: true, data: [bram] }, { headers: { 'X-Total-Count': '1' } });
  const serve = () =>
    mockServer({
      'GET /api/admin/claims?except_event=7&from=2026-11-21&limit=1': page,
      'GET /api/admin/claims?except_event=7': page,
    });
  const outside = () =>
    screen.getByRole('switch', { name: /^Also claims outside the event \(1 upcoming\)/ });

  test('are listed by a switch with their number, can be edited, and are not what clearing deletes', async () => {
    serve();
    await open();
    await waitFor(() => expect(outside().getAttribute('aria-checked')).toBe('false'));
    expect(list().textContent).not.toContain('Old Bram');
    await userEvent.click(outside());
    await waitFor(() => expect(list().textContent).toContain('Old Bram'));
    await waitFor(() => expect(address()).toContain('outside=1'));
    expect(screen.getByRole('button', { name: /Delete.*Old Bram|Old Bram.*Delete/ })).toBeTruthy();
    // Two of the event's claims are there, and Old Bram's.
    expect(
      screen.getByRole('button', { name: /Clear All.*Fire Library|Fire Library.*2/ }).textContent,
    ).toContain('2');
    await userEvent.click(outside());
    expect(list().textContent).not.toContain('Old Bram');
  });

  test('are found by a search that finds nothing in the event', async () => {
    serve();
    await open(board, '&search=bram');
    await waitFor(() => expect(list().textContent).toContain('Old Bram'));
    expect(outside().getAttribute('aria-checked')).toBe('true');
    await userEvent.clear(screen.getByRole('searchbox'));
    await waitFor(() => expect(outside().getAttribute('aria-checked')).toBe('false'));
  });
});

describe('the claims of the active event', () => {
  test('are listed by respawn, date and hour, below the event’s banner', async () => {
    await open();
    expect(
      screen.getByRole('heading', { name: 'Double week' }).parentElement?.textContent,
    ).toContain('Sun, 15 Nov 2026 to Sat, 28 Nov 2026');
    expect(
      screen.getByRole('heading', { name: 'Double week' }).parentElement?.textContent,
    ).toContain('4 claims');
    expect(respawns()).toEqual(['Asura Palace', 'Fire Library']);
    expect(lines().map((line) => line.replace(/Edit.*/, ''))).toEqual([
      'SS+2 to SS+6Mira Stormcrowelite',
      'SS+10 to SS+14Arden Valemember',
      'SS+10 to SS+14Jorun Pikemember',
      'SS+10 to SS+14Nim FarrowmemberSecondary (P5)',
    ]);
    expect(within(list()).getByRole('heading', { name: /Sat, 21 Nov 2026/ }).textContent).toContain(
      'Today',
    );
  });

  test('of past dates follow upcoming ones', async () => {
    await open({
      ...board,
      claim: [
        aClaim({ id: 8, ...inWeek, date: '2026-11-20' }),
        arden,
        jorun,
        aClaim({ id: 9, ...inWeek, date: '2026-11-18' }),
      ],
    });
    const dates = within(list())
      .getAllByRole('heading', { level: 3 })
      .map((heading) => heading.textContent);
    expect(dates).toEqual([
      'Sat, 21 Nov 2026Today',
      'Fri, 20 Nov 2026past',
      'Wed, 18 Nov 2026past',
      'Mon, 23 Nov 2026',
    ]);
  });

  test('are searched by character or respawn, and the address keeps it', async () => {
    await open();
    await userEvent.type(screen.getByLabelText('Search by character or spot'), 'mira PALACE');
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toContain('Mira Stormcrow');
    expect(screen.getByText('1 of 4 claims')).toBeTruthy();
    await waitFor(() => expect(address()).toBe(`${TAB}?search=mira+PALACE&day=all`));
    await press('Clear Filters');
    expect(lines()).toHaveLength(4);
  });

  test('are filtered by member type, as the address says', async () => {
    await open(board, '&type=elite');
    expect(lines()).toHaveLength(1);
    expect(screen.getByLabelText('Member type')).toHaveProperty('value', 'elite');
    await userEvent.selectOptions(screen.getByLabelText('Member type'), 'All member types');
    expect(lines()).toHaveLength(4);
  });

  test('of a member type that was deleted are still found', async () => {
    await open({
      ...board,
      claim: [
        arden,
        aClaim({
          id: 9,
          ...inWeek,
          member_type: 'trial',
          character_name: 'Odo Holt',
          hour_start: 20,
          hour_end: 24,
        }),
      ],
    });
    await userEvent.selectOptions(screen.getByLabelText('Member type'), 'trial');
    expect(lines()).toHaveLength(1);
  });

  test('offer a way back when nothing matches', async () => {
    await open(board, '&search=nobody');
    expect(screen.getByText('No matching claims')).toBeTruthy();
    await userEvent.click(within(list()).getByRole('button', { name: 'Clear Filters' }));
    expect(lines()).toHaveLength(4);
  });

  test('appear, move and disappear live, and the filter stays', async () => {
    await open(board, '&search=palace');
    const button = screen.getByRole('button', { name: /^Edit… Arden/ });
    act(() => button.focus());
    push({ op: 'put', kind: 'claim', record: { ...mira, hour_start: 18, hour_end: 22 } });
    expect(lines().map((line) => line.slice(0, 14))).toEqual(['SS+10 to SS+14', 'SS+18 to SS+22']);
    push({
      op: 'put',
      kind: 'claim',
      record: aClaim({ id: 5, ...inWeek, character_name: 'Odo Holt', hour_start: 0, hour_end: 2 }),
    });
    expect(lines()).toHaveLength(3);
    expect(document.activeElement).toBe(button);
    push({ op: 'remove', kind: 'claim', id: mira.id });
    expect(lines()).toHaveLength(2);
    expect(screen.getByLabelText('Search by character or spot')).toHaveProperty('value', 'palace');
  });

  test('that go away with the focus leave it to the list', async () => {
    await open();
    act(() => screen.getByRole('button', { name: /^Delete claim of Jorun/ }).focus());
    push(
      { op: 'remove', kind: 'claim', id: jorun.id },
      { op: 'remove', kind: 'claim', id: waiting.id },
    );
    expect(document.activeElement).toBe(list());
  });

  test('that are shown are saved as a table', async () => {
    const saved = savedFiles();
    await open(
      { ...board, claim: [arden, mira, { ...jorun, standing_id: 4 }, waiting] },
      '&search=library',
    );
    await press('Download CSV');
    await waitFor(() => expect(saved[0]?.text).toContain('Nim Farrow'));
    expect(saved[0]?.name).toBe('claims-2026-11-21.csv');
    expect(saved[0]?.text.split('\r\n').slice(1)).toEqual([
      '"Fire Library","2026-11-23","10","14","Jorun Pike","member","","","Double week","2026-11-20T12:00:00Z","4"',
      '"Fire Library","2026-11-23","10","14","Nim Farrow","member","","5","Double week","2026-11-20T12:00:00Z",""',
      '',
    ]);
  });

  test('of a split claim appear on both spots and count once; only their character can be changed, and the dialog says why', async () => {
    const parts = [
      { part_number: 1, respawn_id: 1, hour_start: 10, duration: 2 },
      { part_number: 2, respawn_id: 2, hour_start: 14, duration: 2 },
    ];
    await open({
      ...board,
      claim: [aClaim({ id: 6, ...inWeek, is_split_claim: 1, hour_end: 12, split_parts: parts })],
    });
    expect(lines()).toHaveLength(2);
    expect(list().textContent).toContain('1 claim');
    expect(lines()[1]).toContain('part 2 of 2');
    const [edit] = screen.getAllByRole('button', { name: /^Edit…/ });
    await userEvent.click(edit ?? document.body);
    const dialog = screen.getByRole('dialog', { name: 'Edit claim' });
    expect(dialog.textContent).toContain('Only the character of a split claim can be changed.');
    expect(within(dialog).queryAllByRole('spinbutton')).toEqual([]);
    expect(within(dialog).queryByRole('combobox', { name: 'Spot' })).toBeNull();
    expect(within(dialog).getByRole('combobox', { name: 'Character' })).toBeTruthy();
  });
});

/** The newest claims that the board does not hold. */
const EARLIER = 'GET /api/admin/claims?to=2026-11-20';

describe('without an active event', () => {
  const past = aClaimRow({ id: 20, date: '2026-10-01', character_name: 'Old Bram' });
  const today = aClaim({ id: 21 });
  const none: Snapshot = { respawn: [palace, library], claim: [today] };
  const all = { [EARLIER]: () => ok([past, aClaimRow({ id: 21 })]) };

  test('all claims are shown, those that the board does not hold among them, each once', async () => {
    const answer = Promise.withResolvers<Response>();
    mockServer({ [EARLIER]: () => answer.promise });
    await open(none);
    expect(screen.getByText('No active event - showing all claims')).toBeTruthy();
    expect(screen.getByText('Loading…')).toBeTruthy();
    answer.resolve(
      ok([past, aClaimRow({ ...past, id: 19, hour_start: 2, hour_end: 4 }), aClaimRow({ id: 21 })]),
    );
    await waitFor(() => expect(lines()).toHaveLength(3));
    expect(lines()[1]).toContain('SS+2 to SS+4Old Bram');
    expect(lines()[2]).toContain('SS+10 to SS+14Old Bram');
    expect(screen.getByText('3 claims', { selector: 'p' })).toBeTruthy();
  });

  test('a claim of the board is newer than the answer', async () => {
    mockServer(all);
    await open(none);
    await waitFor(() => expect(lines()).toHaveLength(2));
    push({ op: 'remove', kind: 'claim', id: 21 });
    expect(lines()).toHaveLength(1);
  });

  test('reloads claims off the board when the log reports changes to them', async () => {
    let rows = [past];
    const sent = mockServer({ [EARLIER]: () => ok(rows) });
    await open(none);
    await waitFor(() => expect(lines()).toHaveLength(2));
    push({
      op: 'put',
      kind: 'activity',
      record: anEntry({
        id: 50,
        action: 'claim_created',
        details: { claim_id: 30, date: '2026-11-25' },
      }),
    });
    rows = [];
    push({
      op: 'put',
      kind: 'activity',
      record: anEntry({
        id: 51,
        action: 'claim_deleted',
        details: { claim_id: 20, date: '2026-10-01' },
      }),
    });
    await waitFor(() => expect(lines()).toHaveLength(1));
    expect(sent).toHaveLength(2);
  });

  test('changes while they are read are read once more when that has ended, however many they are', async () => {
    // The absence of a request can't be awaited.
    const longEnoughToAskAgain = (): Promise<void> =>
      act(() => new Promise<void>((resolve) => setTimeout(resolve, 700)));
    const first = Promise.withResolvers<Response>();
    const answers = [first.promise, ok([]), ok([past])];
    const sent = mockServer({ [EARLIER]: () => answers.shift() ?? ok([]) });
    await open(none);
    await waitFor(() => expect(sent).toHaveLength(1));
    const change = (id: number): void =>
      push({
        op: 'put',
        kind: 'activity',
        record: anEntry({ id, action: 'claim_updated', details: { date: '2026-10-01' } }),
      });
    for (let id = 50; id < 60; id++) change(id);
    await longEnoughToAskAgain();
    expect(sent).toHaveLength(1);
    first.resolve(ok([past]));
    await waitFor(() => expect(lines()).toHaveLength(2));
    await waitFor(() => expect(lines()).toHaveLength(1));
    await longEnoughToAskAgain();
    expect(sent).toHaveLength(2);
  });

  test('while they are read the board’s are shown, and none is saved as if they were all', async () => {
    const saved = savedFiles();
    const first = Promise.withResolvers<Response>();
    mockServer({ [EARLIER]: () => first.promise });
    await open(none);
    expect(lines()).toHaveLength(1);
    expect(screen.getByText('Loading…')).toBeTruthy();
    const download = screen.getByRole('button', { name: 'Download CSV' });
    expect(download.getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(download);
    expect(download.getAttribute('aria-describedby')).toBe('tip');
    first.resolve(ok([past]));
    await waitFor(() => expect(lines()).toHaveLength(2));
    expect(saved).toEqual([]);
    await press('Download CSV');
    await waitFor(() => expect(saved[0]?.text).toContain('Old Bram'));
  });

  test('after a failed load, saving reloads all, each once; if that fails too, nothing is saved', async () => {
    const saved = savedFiles();
    let answer = refused(500, 'server.failed');
    mockServer({ [EARLIER]: () => answer.clone() });
    await open(none);
    await screen.findByRole('alert');
    await press('Download CSV');
    await screen.findByText(/^Couldn't download/);
    expect(saved).toEqual([]);
    answer = ok([past, aClaimRow({ id: 21 })]);
    await press('Download CSV');
    await waitFor(() => expect(saved[0]?.text).toContain('Old Bram'));
    expect(saved[0]?.text.trimEnd().split('\r\n')).toHaveLength(3);
  });

  test('a failure shows an alert and the known claims, and can be retried; Clear All is blocked', async () => {
    let answer = refused(500, 'server.failed');
    mockServer({ [EARLIER]: () => answer.clone() });
    await open(none);
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch claims');
    expect(lines()).toHaveLength(1);
    expect(
      screen
        .getByRole('button', { name: /^Clear All .* of Asura Palace$/ })
        .getAttribute('aria-disabled'),
    ).toBe('true');
    answer = ok([past]);
    await press('Try again');
    await waitFor(() => expect(lines()).toHaveLength(2));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('an empty list explains what will appear', async () => {
    mockServer({ [EARLIER]: () => ok([]) });
    await open({ respawn: [palace] });
    expect(await screen.findByText('No claims yet')).toBeTruthy();
  });

  test('of five thousand claims only the visible ones are rendered', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) =>
      aClaim({
        id: at + 100,
        respawn_id: (at % 50) + 1,
        date: `2026-12-${String((at % 28) + 1).padStart(2, '0')}`,
        hour_start: at % 23,
      }),
    );
    mockServer({ [EARLIER]: () => ok([]) });
    await open({
      respawn: Array.from({ length: 50 }, (_, at) =>
        aRespawn({ id: at + 1, name: `Spot ${at + 1}` }),
      ),
      claim: many,
    });
    expect(await screen.findByText('5000 claims', {}, { timeout: 15_000 })).toBeTruthy();
    expect(list().querySelectorAll('[data-index]').length).toBeGreaterThan(5);
    expect(list().querySelectorAll('[data-index]').length).toBeLessThan(60);
  }, 20_000);
});

describe('deleting and clearing', () => {
  test('deleting names the claim, and its message offers to undo it', async () => {
    const sent = mockServer({
      'DELETE /api/admin/claims/2': () => ok(),
      'POST /api/admin/activity-log/60/undo': () => ok({ restored_claims: 1, left_claims: 0 }),
    });
    await open();
    await press(/^Delete claim of Mira/);
    const dialog = screen.getByRole('alertdialog', { name: 'Delete the claim of Mira Stormcrow?' });
    expect(dialog.textContent).toContain('Asura Palace');
    expect(dialog.textContent).toContain('SS+2 to SS+6');
    await press('Delete claim');
    expect(await screen.findByText('Claim deleted successfully')).toBeTruthy();
    push(
      { op: 'remove', kind: 'claim', id: mira.id },
      {
        op: 'put',
        kind: 'activity',
        record: anEntry({
          id: 60,
          action: 'claim_deleted',
          details: { claim_id: 2 },
          undo: 'possible',
        }),
      },
    );
    expect(lines()).toHaveLength(3);
    await press('Undo');
    expect(await screen.findByText('Restored 1 claim')).toBeTruthy();
    expect(writesIn(sent)).toEqual([
      'DELETE /api/admin/claims/2',
      'POST /api/admin/activity-log/60/undo',
    ]);
  });

  test('an undo that some hours are taken from asks whether to restore the other claims', async () => {
    const claims = [
      {
        id: 9,
        character_name: 'Nim Farrow',
        respawn_name: 'Asura Palace',
        date: '2026-11-23',
        hour_start: 2,
        hour_end: 4,
      },
    ];
    const params = { count: 1, list: '…', claims, partial: true, restorable: 16, left: 1 };
    const answers = [
      refused(409, 'activity.hoursTaken', params),
      ok({ restored_claims: 16, left_claims: 1 }),
    ];
    const sent = mockServer({
      'DELETE /api/admin/claims/2': () => ok(),
      'POST /api/admin/activity-log/60/undo': () => answers.shift() ?? ok(),
    });
    await open();
    await press(/^Delete claim of Mira/);
    await press('Delete claim');
    await screen.findByText('Claim deleted successfully');
    push({
      op: 'put',
      kind: 'activity',
      record: anEntry({
        id: 60,
        action: 'claim_deleted',
        details: { claim_id: 2 },
        undo: 'possible',
      }),
    });
    await press('Undo');
    const dialog = await screen.findByRole('alertdialog', { name: /^1 claim conflicts with it/ });
    expect(within(dialog).getByRole('list', { name: 'Conflicting claims' }).textContent).toContain(
      'Nim Farrow',
    );
    await press('Restore the other 16');
    expect(await screen.findByText('Restored 16 claims. 1 claim was not restored.')).toBeTruthy();
    expect(sent.at(-1)?.body).toEqual({ partial: true });
  });

  test('a claim can be moved from here', async () => {
    const sent = mockServer({ 'PUT /api/claims/admin/2': () => ok(mira) });
    await open();
    await press(/^Edit… Mira/);
    expect(screen.getByRole('dialog', { name: 'Edit claim' }).textContent).toContain(
      'Mira Stormcrow',
    );
    await userEvent.click(screen.getByRole('radio', { name: /22 November/ }));
    await press('Save changes');
    await waitFor(() =>
      expect(sent.find(({ call }) => call.startsWith('PUT'))?.body).toMatchObject({
        date: '2026-11-22',
      }),
    );
  });

  test('a claim can be moved to another character, and the undo is that of the activity log', async () => {
    const sent = mockServer({
      'PUT /api/claims/admin/2/character': () => ok([mira]),
      'POST /api/admin/activity-log/62/undo': () => ok({ restored_claims: 0, left_claims: 0 }),
    });
    await open();
    await press(/^Edit… Mira/);
    const character = screen.getByRole('combobox', { name: 'Character' });
    await userEvent.clear(character);
    await userEvent.type(character, 'Odo Holt');
    await press('Save changes');
    expect(await screen.findByText('The claim now belongs to Odo Holt')).toBeTruthy();
    push({
      op: 'put',
      kind: 'activity',
      record: anEntry({
        id: 62,
        action: 'claim_updated',
        details: { claim_id: 2 },
        undo: 'possible',
      }),
    });
    await press('Undo');
    expect(await screen.findByText('The claim belongs to Mira Stormcrow again')).toBeTruthy();
    expect(writesIn(sent)).toEqual([
      'PUT /api/claims/admin/2/character',
      'POST /api/admin/activity-log/62/undo',
    ]);
  });

  test('a refused undo names the conflicting claims; without the live entry the server is asked for it', async () => {
    const entry = anEntry({
      id: 61,
      action: 'claim_deleted',
      details: { claim_id: 2 },
      undo: 'possible',
    });
    mockServer({
      'DELETE /api/admin/claims/2': () => ok(),
      'GET /api/admin/activity-log?action=claim_deleted&limit=100&page=1': () =>
        ok({ logs: [entry], total: 1, filtered: 1 }),
      'POST /api/admin/activity-log/61/undo': () =>
        refused(409, 'activity.hoursTaken', { count: 1, list: 'Odo Holt, Asura Palace' }),
    });
    await open();
    await press(/^Delete claim of Mira/);
    await press('Delete claim');
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(
      await screen.findByText("Couldn't restore: 1 claim is in the way: Odo Holt, Asura Palace"),
    ).toBeTruthy();
  });

  test('without the live connection an older entry of the same claim is not taken for the new one', async () => {
    const entryOf = (id: number) =>
      anEntry({ id, action: 'claim_updated', details: { claim_id: 2 }, undo: 'possible' });
    const sent = mockServer({
      'GET /api/events/7/claims': () => ok([aClaimRow(mira)]),
      'PUT /api/claims/admin/2/character': () => ok([mira]),
      'GET /api/admin/activity-log?action=claim_updated&limit=100&page=1': () =>
        ok({ logs: [entryOf(63), entryOf(62)], total: 2, filtered: 2 }),
      'POST /api/admin/activity-log/63/undo': () => ok({ restored_claims: 0, left_claims: 0 }),
    });
    await open({ ...board, activity: [entryOf(62)] });
    act(() => setConnection('polling'));
    await press(/^Edit… Mira/);
    const character = screen.getByRole('combobox', { name: 'Character' });
    await userEvent.clear(character);
    await userEvent.type(character, 'Odo Holt');
    await press('Save changes');
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('The claim belongs to Mira Stormcrow again')).toBeTruthy();
    expect(sent.at(-1)?.call).toBe('POST /api/admin/activity-log/63/undo');
  });

  test('deleting a split claim says that both parts go', async () => {
    const parts = [1, 2].map((part_number) => ({
      part_number,
      respawn_id: part_number,
      hour_start: 10 + 4 * part_number,
      duration: 2,
    }));
    await open({
      ...board,
      claim: [aClaim({ id: 6, ...inWeek, is_split_claim: 1, split_parts: parts })],
    });
    await userEvent.click(
      screen.getAllByRole('button', { name: /^Delete claim/ })[0] ?? document.body,
    );
    expect(screen.getByRole('alertdialog').textContent).toContain(
      'Both parts of this split claim are deleted',
    );
  });

  test('a failure stays in the dialog', async () => {
    mockServer({ 'DELETE /api/admin/claims/2': () => refused(404, 'claim.notFound') });
    await open();
    await press(/^Delete claim of Mira/);
    await press('Delete claim');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Failed to delete claim' + 'This claim no longer exists.',
    );
  });

  test('the confirmation to clear says how many and which, regardless of the filter, live', async () => {
    mockServer({ 'DELETE /api/claims/admin/respawn/1': () => ok({ deletedCount: 3 }) });
    showAdmin(`${TAB}?day=2026-11-21&search=mira`, board);
    await screen.findByRole('region', { name: 'Claims' });
    expect(screen.getByRole('button', { name: /^Clear All .* of Asura Palace$/ }).textContent).toBe(
      'Clear All (2)',
    );
    await press(/^Clear All .* of Asura Palace$/);
    const dialog = screen.getByRole('alertdialog', { name: 'Clear all claims of Asura Palace?' });
    expect(dialog.textContent).toContain('2 claims are deleted');
    expect(
      within(dialog)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      'Mira StormcrowSat, 21 Nov 2026SS+2 to SS+6',
      'Arden ValeSat, 21 Nov 2026SS+10 to SS+14',
    ]);
    push({
      op: 'put',
      kind: 'claim',
      record: aClaim({
        id: 5,
        ...inWeek,
        character_name: 'Odo Holt',
        hour_start: 20,
        hour_end: 24,
      }),
    });
    await press('Clear 3 claims');
    expect(await screen.findByText('Successfully cleared 3 claims for Asura Palace')).toBeTruthy();
    expect(document.activeElement).toBe(list());
  });

  test('clearing that fails says so', async () => {
    mockServer({ 'DELETE /api/claims/admin/respawn/1': () => refused(500, 'server.failed') });
    await open();
    await press(/^Clear All .* of Asura Palace$/);
    await press('Clear 2 claims');
    expect((await screen.findByRole('alert')).textContent).toContain(
      'Failed to clear claims for Asura Palace',
    );
  });
});
