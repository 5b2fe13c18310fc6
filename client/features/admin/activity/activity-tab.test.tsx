import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ACTIVITY_ACTIONS } from '../../../../shared/activity-actions.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { queryClient } from '../../../api/query.ts';
import { applyChanges, clearBoard, useBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import { anEntry } from '../../../test/records.ts';
import { savedFiles } from '../test/saved-files.ts';
import { mockServer, ok, refused, type Sent } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
import './activity-tab.tsx';

// Loaded when the tab is opened: here it is there before the first test's time runs.

const TAB = '/admin/dashboard/activity';
const FIRST = 'GET /api/admin/activity-log?limit=100&page=1';
const OLDER = 'GET /api/admin/activity-log?limit=100&page=1&before=';

const moved = anEntry({
  id: 4,
  action: 'claim_updated',
  details: {
    claim_id: 9,
    character_name: 'Mira Stormcrow',
    date: '2026-11-23',
    event_id: null,
    places: [{ respawn_id: 2, respawn_name: 'Fire Library', hour_start: 12, hour_end: 16 }],
    changed: {
      hour_start: { from: 10, to: 12 },
      hour_end: { from: 16, to: 16 },
      secondary_hour_end: { from: 24, to: 22 },
    },
  },
});
const made = anEntry({
  id: 3,
  action: 'claim_created',
  actor_kind: 'member',
  actor_name: 'Arden Vale',
  admin_id: null,
  admin_username: null,
  details: { by: 'Arden Vale', character_name: 'Arden Vale' },
});
const requestedEntry = anEntry({
  id: 2,
  action: 'verification_started',
  actor_kind: 'visitor',
  actor_name: null,
  admin_id: null,
  admin_username: null,
  details: { character_name: 'Odo Holt' },
});
const addedEntry = anEntry({
  id: 1,
  action: 'admin_added',
  actor_kind: 'command_line',
  actor_name: null,
  admin_id: null,
  admin_username: null,
  details: { username: 'Kael', by: 'command line' },
});
const logs = [moved, made, requestedEntry, addedEntry];
const cleared = anEntry({
  id: 5,
  action: 'claims_cleared',
  details: { respawn_id: 2, respawn_name: 'Fire Library', event_id: null, deleted_count: 3 },
  undo: 'possible',
});

beforeEach(() => {
  clearBoard();
  localStorage.setItem('activityLog', 'all');
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  dismissToasts();
  window.scrollTo(0, 0);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const page = (
  entries: readonly ActivityEntry[],
  total = entries.length,
  filtered = total,
): Response => ok({ logs: entries, total, filtered });

async function open(answers: Parameters<typeof mockServer>[0], query = ''): Promise<Sent[]> {
  const sent = mockServer(answers);
  queryClient.setQueryData(['admins'], {
    admins: ['Thora', 'Kael'].map((username) => ({ id: 1, username })),
    invitations: [],
  });
  showAdmin(TAB + query);
  await screen.findByText(/\d+ of \d+ entr/);
  return sent;
}
const rows = (): HTMLElement[] => within(screen.getByRole('table')).getAllByRole('row').slice(1);
const texts = (): (string | null)[] => rows().map((row) => row.textContent);
const address = (): string | null => screen.getByLabelText('address').textContent;
const press = (name: string | RegExp): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));
const scrollTo = (top: number): void =>
  act(() => {
    window.scrollTo(0, top);
    window.dispatchEvent(new Event('scroll'));
  });

describe('an entry', () => {
  test('shows time, action, actor and details in words', async () => {
    await open({ [FIRST]: () => page(logs) });
    expect(texts()).toEqual([
      expect.stringContaining(
        'Claim updatedThoraMira StormcrowFire LibrarySS+12 to SS+16Mon, 23 Nov 2026Start hour: SS+10 → SS+12End of the secondary claim: SS+24 → SS+22',
      ),
      expect.stringContaining('Claim createdArden Vale (member)Arden Vale'),
      expect.stringContaining('Verification starteda visitorOdo Holt'),
      expect.stringContaining('Admin addedthe command lineKael'),
    ]);
    expect(texts()[0]).not.toContain('End hour');
    const time = rows()[0]?.querySelector('time');
    expect(time?.textContent).toContain('21 Nov 2026');
    expect(time?.title).toMatch(/Saturday.* 21 November 2026.*:00/);
  });

  test('with an unknown action are skipped, also when they arrive live', async () => {
    const later = {
      ...anEntry({ id: 6, details: { raid: { size: 5 }, respawn_name: 'Fire Library' } }),
      action: 'raid_planned',
    };
    await open({ [FIRST]: () => ok({ logs: [later, ...logs], total: 4, filtered: 4 }) });
    expect(texts()).toHaveLength(4);
    // @ts-expect-error: as a newer server sends it
    push({ op: 'put', kind: 'activity', record: { ...later, id: 7 } });
    push({ op: 'put', kind: 'activity', record: { ...cleared, id: 8 } });
    await waitFor(() => expect(texts()[0]).toContain('Claims cleared'));
    expect(texts()).toHaveLength(5);
    expect(screen.queryByText(/raid/)).toBeNull();
  });

  test('that is long unfolds, and folds again', async () => {
    const template = 'Bring your own prey. '.repeat(20);
    const entry = anEntry({
      action: 'event_updated',
      details: { name: 'Rush', changed: { single_claim_template: { from: null, to: template } } },
    });
    await open({ [FIRST]: () => page([entry]) });
    expect(texts()[0]).toContain('Template: none → Bring');
    expect(texts()[0]?.length).toBeLessThan(300);
    await press('Show all details of this entry');
    expect(texts()[0]).toContain(template.trim());
    await press('Show fewer details of this entry');
    expect(texts()[0]).not.toContain(template.trim());
  });

  test('shows codes and times in words', async () => {
    const turnedOff = anEntry({
      id: 3,
      action: 'destination_switched_off',
      details: { name: 'Loot bot', kind: 'discord', switched_off: 'gone' },
    });
    const updated = anEntry({
      id: 2,
      action: 'destination_updated',
      details: {
        name: 'Loot bot',
        changed: { events: { from: ['claim.created'], to: ['claim.created', 'hold.offered'] } },
      },
    });
    const offered = anEntry({
      id: 1,
      action: 'hold_offered',
      details: { character_name: 'Mira', held_until: '2026-11-21T18:07:00.000Z' },
    });
    await open({ [FIRST]: () => page([turnedOff, updated, offered]) });
    expect(texts()[0]).toContain('Type: DiscordReason: the address no longer exists');
    expect(texts()[1]).toContain('Notifies about: Claim created → Claim created, Hours offered');
    expect(texts()[2]).toMatch(/Held until: 21 Nov 2026, \d\d:07/);
  });

  test('never shows JSON, and skips unknown fields', async () => {
    const entry = anEntry({
      action: 'config_updated',
      details: {
        changed: {
          submission_enabled: { from: 1, to: 0 },
          some_thing: { from: { a: [1, 2] }, to: true },
        },
        more: { b: 7 },
      },
    });
    await open({ [FIRST]: () => page([entry]) });
    expect(texts()[0]).toContain('some thing: a: 1, 2 → yes');
    expect(texts()[0]).toContain('Claims open: yes → no');
    expect(texts()[0]).not.toContain('more');
    expect(texts()[0]).not.toMatch(/[{}[\]"]/);
  });
});

describe('what an action caused', () => {
  const deleted = anEntry({
    id: 11,
    action: 'claim_deleted',
    clock: 5,
    details: { character_name: 'Arden Vale' },
  });
  const byServer = {
    actor_kind: 'server',
    actor_name: null,
    admin_id: null,
    admin_username: null,
  } as const;
  const offered = anEntry({
    id: 12,
    action: 'hold_offered',
    clock: 5,
    ...byServer,
    details: { character_name: 'Mira Stormcrow' },
  });
  const lapsed = anEntry({
    id: 10,
    action: 'hold_lapsed',
    clock: 5,
    ...byServer,
    details: { character_name: 'Odo Holt' },
  });

  test('is folded under its entry; a deadline of the same write is not', async () => {
    await open({ [FIRST]: () => page([offered, deleted, lapsed]) });
    expect(rows()).toHaveLength(2);
    expect(screen.getByText('3 of 3 entries')).toBeTruthy();
    expect(texts()[0]).toContain('Claim deleted');
    expect(texts()[0]).not.toContain('Mira Stormcrow');
    expect(texts()[1]).toContain('Odo Holt');
    await press('1 more entry');
    expect(texts()[0]).toContain('Mira Stormcrow');
    expect(screen.getByRole('button', { name: '1 more entry' }).getAttribute('aria-expanded')).toBe(
      'true',
    );
    await press('1 more entry');
    expect(texts()[0]).not.toContain('Mira Stormcrow');
  });

  test('comes along where the filter leaves it out, and live', async () => {
    localStorage.removeItem('activityLog');
    await open({
      [`${FIRST}&by=admins`]: () =>
        ok({ logs: [deleted], related: [offered], total: 9, filtered: 1 }),
    });
    // The filter counts one.
    expect(screen.getByText('1 of 9 entries')).toBeTruthy();
    await press('1 more entry');
    expect(texts()[0]).toContain('Mira Stormcrow');
    push(
      { op: 'put', kind: 'activity', record: { ...deleted, id: 21, clock: 6 } },
      { op: 'put', kind: 'activity', record: { ...offered, id: 22, clock: 6 } },
    );
    await waitFor(() =>
      expect(screen.getAllByRole('button', { name: '1 more entry' })).toHaveLength(2),
    );
    expect(rows()).toHaveLength(2);
  });

  test('is the command where its parts come first: a cleared spot and its claims are one row', async () => {
    const parts = [11, 12].map((id) =>
      anEntry({
        id,
        action: 'claim_deleted',
        clock: 5,
        details: { character_name: `Holder ${id}`, cleared: true },
      }),
    );
    const clearing = { ...cleared, id: 13, clock: 5 };
    const held = { ...offered, id: 14 };
    await open({ [FIRST]: () => page([held, clearing, ...parts.toReversed(), lapsed]) });
    expect(rows()).toHaveLength(2);
    expect(texts()[0]).toContain('Claims cleared');
    await press('3 more entries');
    for (const name of ['Holder 11', 'Holder 12', 'Mira Stormcrow'])
      expect(texts()[0]).toContain(name);
    expect(texts()[1]).toContain('Odo Holt');
  });

  test('is the undo where it comes last: also the offers it withdrew and the weekly claim', async () => {
    const undone = anEntry({
      id: 14,
      action: 'claims_restored',
      clock: 5,
      details: { undid: 3, undid_action: 'standing_ended', restored_claims: 2 },
    });
    const withdrawn = { ...offered, id: 11, action: 'hold_withdrawn' } as const;
    const reopened = anEntry({
      id: 12,
      action: 'waits_reopened',
      clock: 5,
      details: { count: 1, names: ['Bruni Feld'] },
    });
    const resumed = anEntry({
      id: 13,
      action: 'standing_resumed',
      clock: 5,
      ...byServer,
      details: { character_name: 'Arden Vale' },
    });
    const parts = [resumed, reopened, withdrawn];
    await open({ [FIRST]: () => page([{ ...offered, id: 15 }, undone, ...parts, lapsed]) });
    expect(rows()).toHaveLength(2);
    expect(texts()[0]).toContain('Claims restored');
    await press('4 more entries');
    expect(texts()[1]).toContain('Odo Holt');
  });

  test('is the end of a weekly claim, under which the claims it released are', async () => {
    const byMember = { actor_kind: 'member', actor_name: 'Arden Vale', clock: 5 } as const;
    const released = [11, 12].map((id) =>
      anEntry({
        id,
        action: 'claim_released',
        ...byMember,
        details: { character_name: 'Arden Vale' },
      }),
    );
    const ended = anEntry({
      id: 13,
      action: 'standing_ended',
      ...byMember,
      details: { character_name: 'Arden Vale', reason: 'ended', released_claims: 2 },
    });
    await open({
      [FIRST]: () => page([{ ...offered, id: 14 }, ended, ...released.toReversed(), lapsed]),
    });
    expect(rows()).toHaveLength(2);
    expect(texts()[0]).toContain('Weekly claim ended');
    await press('3 more entries');
    expect(texts()[0]).toContain('Claim released');
  });

  test('is a part of the same command, as both claims of a swap', async () => {
    const byMember = { actor_kind: 'member', actor_name: 'Arden Vale', clock: 5 } as const;
    const parts = [11, 12].map((id) =>
      anEntry({
        id,
        action: 'claim_updated',
        ...byMember,
        details: { character_name: `Holder ${id}` },
      }),
    );
    await open({ [FIRST]: () => page([...parts.toReversed(), lapsed]) });
    expect(rows()).toHaveLength(2);
    expect(texts()[0]).toContain('Holder 11');
    expect(texts()[0]).not.toContain('Holder 12');
    await press('1 more entry');
    expect(texts()[0]).toContain('Holder 12');
  });

  test('is an entry of its own where its cause is not listed', async () => {
    const query = '&action=hold_offered';
    await open(
      {
        [FIRST + query]: () =>
          ok({ logs: [offered], related: [deleted, lapsed], total: 9, filtered: 1 }),
      },
      '?action=hold_offered',
    );
    expect(rows()).toHaveLength(1);
    expect(texts()[0]).toContain('Mira Stormcrow');
    expect(screen.queryByRole('button', { name: /more entr/ })).toBeNull();
  });
});

describe('the search', () => {
  test('asks the server for a character’s or a spot’s entries, also members’, and takes live ones of the name', async () => {
    localStorage.removeItem('activityLog');
    const sent = await open({
      [`${FIRST}&by=admins`]: () => page(logs),
      [`${FIRST}&name=mira+st`]: () => page([moved], 9, 1),
    });
    fireEvent.change(screen.getByLabelText('Search by character or spot'), {
      target: { value: 'mira st' },
    });
    await screen.findByText('1 of 9 entries');
    expect(texts()).toHaveLength(1);
    await waitFor(() => expect(address()).toContain('search=mira+st'));
    push(
      { op: 'put', kind: 'activity', record: { ...moved, id: 7 } },
      { op: 'put', kind: 'activity', record: { ...made, id: 8 } },
    );
    await waitFor(() => expect(texts()).toHaveLength(2));
    expect(sent.map(({ call }) => call)).toEqual([`${FIRST}&by=admins`, `${FIRST}&name=mira+st`]);
  });

  test.each(['H6VB-7JQP-2MEX', 'HVBK-JQPA-MEXR', 'CLAIM-7KQ2M9XA'])(
    'keeps the key or code %s out of the address and does not send it',
    async (key) => {
      const sent = await open({ [FIRST]: () => page(logs) });
      fireEvent.change(screen.getByLabelText('Search by character or spot'), {
        target: { value: key },
      });
      await screen.findByText('0 of 4 entries');
      expect(await screen.findByText('No matching entries')).toBeTruthy();
      expect(address()).not.toContain('search');
      expect(new Set(sent.map(({ call }) => call))).toEqual(new Set([FIRST]));
    },
  );

  test('of the claim history is a choice among the actions', async () => {
    await open(
      { [`${FIRST}&action=claim_history`]: () => page([moved], 9, 1) },
      '?action=claim_history',
    );
    expect(screen.getByLabelText('Action')).toHaveProperty('value', 'claim_history');
    push(
      { op: 'put', kind: 'activity', record: { ...made, id: 7 } },
      { op: 'put', kind: 'activity', record: { ...cleared, id: 8 } },
    );
    await waitFor(() => expect(texts()[0]).toContain('Claims cleared'));
    expect(texts()).toHaveLength(2);
  });
});

describe('the filters', () => {
  test('are sent to the server and kept in the address', async () => {
    const filters = 'action=claim_created&admin=Thora&from=2026-11-01&to=2026-11-20';
    const sent = await open({
      [FIRST]: () => page(logs, 40),
      [`${FIRST}&${filters}`]: () => page([made], 40, 1),
    });
    expect(screen.getByText('40 of 40 entries')).toBeTruthy();
    // At once, so that a slow machine does not ask in between.
    const choose = (label: string, value: string): boolean =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    choose('Action', 'claim_created');
    choose('Admin', 'Thora');
    choose('From date', '2026-11-01');
    choose('To date', '2026-11-20');
    expect(await screen.findByText('1 of 40 entries')).toBeTruthy();
    expect(rows()).toHaveLength(1);
    expect(sent).toHaveLength(2);
    await waitFor(() =>
      expect(address()).toBe(
        `${TAB}?action=claim_created&admin=Thora&from=2026-11-01&to=2026-11-20`,
      ),
    );
    await press('Clear Filters');
    expect(await screen.findByText('40 of 40 entries')).toBeTruthy();
    await waitFor(() => expect(address()).toBe(TAB));
  });

  test('offer all admins by name, and a former one of the address', async () => {
    await open({ [`${FIRST}&admin=Odo`]: () => page([], 40, 0) }, '?admin=Odo');
    const admins = within(screen.getByLabelText('Admin')).getAllByRole('option');
    expect(admins.map((option) => option.textContent)).toEqual([
      'All admins',
      'Odo',
      'Kael',
      'Thora',
    ]);
    expect(screen.getByLabelText('Admin')).toHaveProperty('value', 'Odo');
  });

  test('are read from the address; invalid values are ignored', async () => {
    await open(
      { [`${FIRST}&action=user_banned`]: () => page([], 40, 0) },
      '?action=user_banned&from=yesterday',
    );
    expect(screen.getByLabelText('Action')).toHaveProperty('value', 'user_banned');
    expect(screen.getByText('No matching entries')).toBeTruthy();
  });
});

describe('dates in the address', () => {
  test.each(['2026-99-99', '2026-02-30', '0000-01-01', '9999-12-31'])(
    'that are invalid, such as %s, filter nothing',
    async (date) => {
      const sent = await open({ [FIRST]: () => page(logs, 40) }, `?from=${date}&to=${date}`);
      push({ op: 'put', kind: 'activity', record: cleared });
      await waitFor(() => expect(rows()).toHaveLength(5));
      expect(sent).toHaveLength(1);
      await press('Clear Filters');
      await waitFor(() => expect(address()).toBe(TAB));
    },
  );

  test('show what is typed: the first digits of a year are no date yet', async () => {
    await open({
      [FIRST]: () => page(logs, 40),
      [`${FIRST}&from=2026-11-21`]: () => page([made], 40, 1),
    });
    for (const typed of ['0002-11-21', '0020-11-21', '0202-11-21']) {
      fireEvent.change(screen.getByLabelText('From date'), { target: { value: typed } });
      expect(screen.getByLabelText('From date')).toHaveProperty('value', typed);
    }
    fireEvent.change(screen.getByLabelText('From date'), { target: { value: '2026-11-21' } });
    expect(await screen.findByText('1 of 40 entries')).toBeTruthy();
  });
});

describe('the log', () => {
  test('that cannot be read says so, and can be tried again', async () => {
    let answer = refused(500, 'server.failed');
    mockServer({ [FIRST]: () => answer.clone() });
    showAdmin(TAB);
    expect((await screen.findByRole('alert')).textContent).toContain(
      "The activity log couldn't be loaded",
    );
    answer = page(logs);
    await press('Try again');
    expect(await screen.findByText('4 of 4 entries')).toBeTruthy();
  });

  test('loads page after page, each from the last entry of the previous one', async () => {
    const hundred = Array.from({ length: 100 }, (_, at) => anEntry({ id: 200 - at }));
    let answer: Response = refused(500, 'server.failed');
    await open({ [FIRST]: () => page(hundred, 104), [`${OLDER}101`]: () => answer.clone() });
    await press('Load more');
    expect((await screen.findByRole('alert')).textContent).toContain(
      "The activity log couldn't be loaded",
    );
    answer = page(logs, 104);
    await press('Try again');
    expect(await screen.findByText("You've reached the start of the log.")).toBeTruthy();
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('105');
  });

  test('says of a deletion that was too big that it cannot be restored', async () => {
    const many = { ...cleared.details, deleted_count: 40_000, beyond_undo: true };
    await open({ [FIRST]: () => page([{ ...cleared, details: many, undo: null }, ...logs], 40) });
    expect(texts()[0]).toContain('Fire Librarytoo many to restoreClaims deleted: 40000');
  });

  test('shows new entries at the top live, and counts them', async () => {
    await open({ [FIRST]: () => page(logs, 40) });
    push({ op: 'put', kind: 'activity', record: cleared });
    await waitFor(() =>
      expect(texts()[0]).toContain('Claims clearedThoraFire LibraryClaims deleted: 3'),
    );
    expect(rows()).toHaveLength(5);
    expect(screen.getByText('41 of 41 entries')).toBeTruthy();
  });

  test('shows only new entries that match the filters', async () => {
    await open(
      { [`${FIRST}&action=claims_cleared&to=2026-11-21`]: () => page([], 40, 0) },
      '?action=claims_cleared&to=2026-11-21',
    );
    push({ op: 'put', kind: 'activity', record: anEntry({ id: 6 }) });
    push({
      op: 'put',
      kind: 'activity',
      record: { ...cleared, id: 7, timestamp: '2026-11-22T12:00:00.000Z' },
    });
    expect(screen.getByText('0 of 42 entries')).toBeTruthy();
    push({ op: 'put', kind: 'activity', record: { ...cleared, id: 8 } });
    await waitFor(() => expect(screen.getByText('1 of 43 entries')).toBeTruthy());
    expect(rows()).toHaveLength(1);
  });

  test('keeps still while one reads further down, and says how much is new', async () => {
    await open({ [FIRST]: () => page(logs) });
    scrollTo(900);
    push({ op: 'put', kind: 'activity', record: cleared });
    push({ op: 'put', kind: 'activity', record: anEntry({ id: 6 }) });
    expect(rows()).toHaveLength(4);
    await press('2 new entries');
    expect(rows()).toHaveLength(6);
    expect(window.scrollY).toBe(0);
  });
});

describe('a log of more entries than are kept', () => {
  const later = (from: number, to: number): ActivityEntry[] =>
    Array.from({ length: to - from + 1 }, (_, at) => anEntry({ id: from + at }));
  const arrive = (entries: readonly ActivityEntry[]): void =>
    act(() => {
      for (const record of entries) {
        applyChanges({
          clock: useBoard.getState().clock + 1,
          changes: [{ op: 'put', kind: 'activity', record }],
        });
      }
    });
  /** A hundred at a time, as changes between two renders arrive together. */
  const arriveAll = (from: number, to: number): void => {
    for (let id = from; id <= to; id += 100) arrive(later(id, Math.min(to, id + 99)));
  };

  test('keeps the newest thousand on the screen, counts all, and reads the others again where the list ends', async () => {
    // The end of the list is out of view.
    vi.stubGlobal(
      'IntersectionObserver',
      class extends IntersectionObserver {
        override observe(): void {}
      },
    );
    const sent = await open({ [FIRST]: () => page(logs, 4), [`${OLDER}206`]: () => page([], 4) });
    arriveAll(6, 1_205);
    await waitFor(() => expect(screen.getByText('1204 of 1204 entries')).toBeTruthy());
    expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('1001');
    await press('Load more');
    await waitFor(() => expect(sent.at(-1)?.call).toBe(`${OLDER}206`));
    expect(useBoard.getState().byKind.activity.size).toBeLessThanOrEqual(1_000);
  });

  test("counts entries that don't match without keeping them", async () => {
    await open(
      { [`${FIRST}&action=claims_cleared`]: () => page([], 40, 0) },
      '?action=claims_cleared',
    );
    arriveAll(6, 1_105);
    await waitFor(() => expect(screen.getByText('0 of 1140 entries')).toBeTruthy());
  });

  test('is loaded again if more entries arrived than are kept while the reader was further down', async () => {
    const sent = await open({ [FIRST]: () => page(logs, 4) });
    scrollTo(900);
    arriveAll(6, 1_205);
    const newest = later(1_106, 1_205).reverse();
    vi.unstubAllGlobals();
    const again = mockServer({
      [FIRST]: () => page(newest, 1_204),
      [`${OLDER}1106`]: () => page([], 1_204),
    });
    await press(/new entries$/);
    await waitFor(() => expect(screen.getByText('1204 of 1204 entries')).toBeTruthy());
    expect(sent).toHaveLength(1);
    expect(again[0]?.call).toBe(FIRST);
  });
});

describe('restoring', () => {
  const UNDO = 'POST /api/admin/activity-log/5/undo';
  const restore = async (): Promise<void> => {
    await press(/^Restore: Claims cleared/);
    await userEvent.click(
      within(screen.getByRole('dialog')).getByRole('button', { name: 'Restore' }),
    );
  };

  test('is offered for entries that can be restored, names the record before and marks the entry after', async () => {
    const sent = await open({
      [FIRST]: () => page([cleared, ...logs]),
      [UNDO]: () => ok({ restored_claims: 3, left_claims: 0 }),
    });
    expect(screen.getAllByRole('button', { name: /^Restore/ })).toHaveLength(1);
    await press(/^Restore: Claims cleared, Fire Library/);
    const dialog = screen.getByRole('dialog', { name: 'Restore these claims?' });
    expect(dialog.textContent).toContain('3 claims are restored. If some of their hours are taken');
    expect(dialog.textContent).toContain('Fire Library');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Restore' }));
    expect(await screen.findByText('Restored 3 claims')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(sent.at(-1)?.call).toBe(UNDO);
    push({ op: 'put', kind: 'activity', record: { ...cleared, undo: 'done' } });
    expect(texts()[0]).toContain('Restored');
    expect(screen.queryByRole('button', { name: /^Restore/ })).toBeNull();
  });

  test('of an event mentions its claims', async () => {
    const gone = anEntry({
      id: 5,
      action: 'event_deleted',
      details: { event_id: 7, name: 'Double week', claim_count: 1 },
      undo: 'possible',
    });
    await open({
      [FIRST]: () => page([gone]),
      [UNDO]: () => ok({ restored_claims: 1, left_claims: 0 }),
    });
    await press(/^Restore: Event deleted, Double week/);
    const dialog = screen.getByRole('dialog', { name: 'Restore this event?' });
    expect(dialog.textContent).toContain('with its 1 claim');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Restore' }));
    expect(await screen.findByText('Event and 1 claim restored')).toBeTruthy();
  });

  test.each([
    [
      'respawn_deleted',
      { respawn_id: 1, name: 'Gone', claim_count: 2 },
      2,
      'spot',
      'with its picture, its category and 2 claims',
      'Spot and 2 claims restored',
    ],
    [
      'category_deleted',
      { category_id: 2, name: 'Gone', respawns_moved: 3 },
      0,
      'category',
      'except those moved since',
      'Restored',
    ],
    [
      'member_type_deleted',
      { member_type: 'Gone', access_keys: 1, claims: 0 },
      0,
      'member type',
      'applies again to every key with its name',
      'Restored',
    ],
    [
      'access_key_deleted',
      { access_key_id: 4, character_name: 'Gone', member_type: 'member' },
      0,
      'access key',
      'waitlist entries',
      'Restored',
    ],
    [
      'verification_deleted',
      { verification_id: 4, character_name: 'Gone' },
      0,
      'verification record',
      'record is restored',
      'Restored',
    ],
  ] as const)(
    'of %s names what comes back with it, and what does not',
    async (action, details, restored_claims, what, text, message) => {
      const entry = anEntry({ id: 5, action, details, undo: 'possible' });
      await open({ [FIRST]: () => page([entry]), [UNDO]: () => ok({ restored_claims }) });
      await press(/^Restore: .*Gone/);
      const dialog = screen.getByRole('dialog', { name: `Restore this ${what}?` });
      expect(dialog.textContent).toContain(text);
      await userEvent.click(within(dialog).getByRole('button', { name: 'Restore' }));
      expect(await screen.findByText(message)).toBeTruthy();
    },
  );

  test('is offered to those whose role may do it', async () => {
    const spot = anEntry({
      id: 6,
      action: 'respawn_deleted',
      details: { respawn_id: 1, name: 'Gone', claim_count: 0 },
      undo: 'possible',
    });
    await open({ [FIRST]: () => page([spot, cleared]) });
    expect(screen.getAllByRole('button', { name: /^Restore/ })).toHaveLength(2);
    act(() =>
      useSession.setState({ admin: { username: 'Thora', token: 'token', role: 'moderator' } }),
    );
    expect(screen.getAllByRole('button', { name: /^Restore/ })).toHaveLength(1);
    expect(screen.getByRole('button', { name: /^Restore: Claims cleared/ })).toBeTruthy();
  });

  test('refused because hours were taken lists the conflicting claims', async () => {
    const claims = [
      {
        id: 31,
        character_name: 'Nim Farrow',
        respawn_name: 'Fire Library',
        date: '2026-11-23',
        hour_start: 10,
        hour_end: 12,
      },
    ];
    await open({
      [FIRST]: () => page([cleared]),
      [UNDO]: () => refused(409, 'activity.hoursTaken', { count: 1, list: '…', claims }),
    });
    await restore();
    const list = await screen.findByRole('list', { name: 'Conflicting claims' });
    expect(list.textContent).toBe('Nim FarrowFire LibraryMon 23 NovSS+10 to SS+12');
    expect(document.activeElement?.contains(list)).toBe(true);
    expect(screen.queryByRole('button', { name: /^Restore the other/ })).toBeNull();
  });

  test('refused because some hours were taken offers to restore the other claims', async () => {
    const claims = [
      {
        id: 31,
        character_name: 'Nim Farrow',
        respawn_name: 'Fire Library',
        date: '2026-11-23',
        hour_start: 10,
        hour_end: 12,
      },
    ];
    const params = { count: 1, list: '…', claims, partial: true, restorable: 2, left: 1 };
    const answers = [
      refused(409, 'activity.hoursTaken', params),
      ok({ restored_claims: 2, left_claims: 1 }),
    ];
    const sent = await open({
      [FIRST]: () => page([cleared]),
      [UNDO]: () => answers.shift() ?? ok(),
    });
    await restore();
    expect((await screen.findByRole('list', { name: 'Conflicting claims' })).textContent).toContain(
      'Nim Farrow',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Restore the other 2' }));
    expect(await screen.findByText('Restored 2 claims. 1 claim was not restored.')).toBeTruthy();
    expect(sent.filter(({ call }) => call === UNDO).map(({ body }) => body)).toEqual([
      undefined,
      { partial: true },
    ]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test.each([
    [
      'activity.goneMeanwhile',
      { list: 'Fire Library' },
      "Couldn't restore: It belonged to something that no longer exists: Fire Library. If the log offers to restore that, do so first.",
    ],
    ['activity.alreadyUndone', {}, "Couldn't restore: This has already been restored."],
  ])('that is refused as %s says why', async (code, params, message) => {
    await open({ [FIRST]: () => page([cleared]), [UNDO]: () => refused(409, code, params) });
    await restore();
    expect((await screen.findByRole('alert')).textContent).toBe(message);
  });
});

describe('saving the log as a table', () => {
  const many = Array.from({ length: 500 }, (_, at) => anEntry({ id: 900 - at }));
  const ALL = 'GET /api/admin/activity-log?limit=500&page=1';

  test('reads every page that matches', async () => {
    const saved = savedFiles();
    await open({
      [FIRST]: () => page(logs, 504),
      [ALL]: () => page(many, 504),
      [`${ALL}&before=401`]: () => page(logs, 504),
    });
    await press('Download CSV');
    await waitFor(() => expect(saved[0]?.text).toContain('Fire Library'));
    expect(saved[0]?.name).toBe('activity-2026-11-21.csv');
    const lines = saved[0]?.text.split('\r\n') ?? [];
    expect(lines).toHaveLength(506);
    expect(lines[501]).toBe(
      '"2026-11-21T12:00:00.000Z","Claim updated","Thora","Mira Stormcrow; Fire Library; SS+12 to SS+16; Mon, 23 Nov 2026; Start hour: SS+10 → SS+12; End of the secondary claim: SS+24 → SS+22"',
    );
  });

  test('says how far it is, and can be stopped', async () => {
    const saved = savedFiles();
    const never = new Promise<Response>(() => {});
    await open({
      [FIRST]: () => page(logs, 504),
      [ALL]: () => page(many, 504),
      [`${ALL}&before=401`]: () => never,
    });
    await press('Download CSV');
    expect(await screen.findByText('500 of 504 entries')).toBeTruthy();
    await press('Cancel');
    expect(saved).toEqual([]);
  });

  test('that fails says why', async () => {
    await open({ [FIRST]: () => page(logs), [ALL]: () => refused(500, 'server.failed') });
    await press('Download CSV');
    expect(await screen.findByText(/^Couldn't download the activity log: /)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Download CSV' })).toBeTruthy();
  });
});

describe('the default entries', () => {
  const ADMINS = 'GET /api/admin/activity-log?limit=100&page=1&by=admins';
  const everything = { logs, total: 4, filtered: 4 };
  beforeEach(() => localStorage.removeItem('activityLog'));

  test('are those of admins, live too; a switch that is remembered adds the others', async () => {
    const sent = mockServer({
      [ADMINS]: () => ok({ logs: [moved, addedEntry], total: 4, filtered: 2 }),
      [FIRST]: () => ok(everything),
    });
    showAdmin(TAB);
    await screen.findByText('2 of 4 entries');
    push({ op: 'put', kind: 'activity', record: { ...made, id: 6 } });
    expect(screen.getByText('2 of 5 entries')).toBeTruthy();
    await userEvent.click(screen.getByLabelText('Also show members and automatic entries'));
    await waitFor(() => expect(sent.at(-1)?.call).toBe(FIRST));
    expect(localStorage.getItem('activityLog')).toBe('all');
    await userEvent.click(screen.getByLabelText('Also show members and automatic entries'));
    expect(localStorage.getItem('activityLog')).toBeNull();
  });

  test('are no choice while a search or an action is shown, which has those of all', async () => {
    mockServer({
      [ADMINS]: () => ok({ logs: [moved, addedEntry], total: 4, filtered: 2 }),
      [`${FIRST}&name=mira`]: () => ok(everything),
    });
    showAdmin(`${TAB}?search=mira`);
    await screen.findByText(/entries$/);
    expect(screen.queryByLabelText('Also show members and automatic entries')).toBeNull();
  });

  test('include all actors at a press, if no admin has done anything', async () => {
    mockServer({
      [ADMINS]: () => ok({ logs: [], total: 4, filtered: 0 }),
      [FIRST]: () => ok(everything),
    });
    showAdmin(TAB);
    expect(await screen.findByText('No admin actions yet')).toBeTruthy();
    expect(screen.queryByText('No activity yet')).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show all entries' }));
    expect(await screen.findByText('4 of 4 entries')).toBeTruthy();
    expect(localStorage.getItem('activityLog')).toBe('all');
  });

  test('include all actors if an action is chosen', async () => {
    const sent = mockServer({
      [`${FIRST}&action=claim_created`]: () => ok({ logs: [made], total: 4, filtered: 1 }),
    });
    showAdmin(`${TAB}?action=claim_created`);
    await screen.findByText('1 of 4 entries');
    expect(sent.filter(({ call }) => call.includes('activity-log'))).toHaveLength(1);
  });
});

test('each action is in the list once, in its group', async () => {
  mockServer({ [FIRST]: () => ok({ logs, total: 4, filtered: 4 }) });
  showAdmin(TAB);
  const select = await screen.findByLabelText('Action');
  const values = [...select.querySelectorAll('optgroup option')].map((option) =>
    option.getAttribute('value'),
  );
  expect(values.toSorted()).toEqual([...ACTIVITY_ACTIONS].toSorted());
  expect(
    select.querySelector('optgroup[label="Claims"] option[value="claim_deleted"]'),
  ).toBeTruthy();
});
