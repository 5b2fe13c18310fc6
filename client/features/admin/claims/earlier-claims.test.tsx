import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClaimRow } from '../../../../shared/schemas/claim.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { setServerSaveClock, useServerSaveClock } from '../../../state/clock.ts';
import { aClaim, aClaimRow, anEntry, aRespawn } from '../../../test/records.ts';
import { savedFiles } from '../test/saved-files.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
// Loaded when the tab is opened: here it is there before the first test's time runs.
import './claims-tab.tsx';

/** A tenth of the real limits, which are many rows. */
const { MAX_LIST, MAX_PAGE } = vi.hoisted(() => ({ MAX_LIST: 1_000, MAX_PAGE: 50 }));
vi.mock('../../../../shared/schemas/fields.ts', async (original) => ({
  ...(await original()),
  MAX_LIST,
  MAX_PAGE,
}));

/** As many as are loaded at first, plus two pages, of which the last is not full. */
const ALL = 1_060;
const FIRST = 'GET /api/admin/claims?to=2026-11-20';
const beyond = (before: number): string => `${FIRST}&limit=${MAX_PAGE}&before=${before}`;
const SPOTS = 50;
const palace = aRespawn({ total_claims: 30_000 });
const spots = [
  palace,
  ...Array.from({ length: SPOTS - 1 }, (_, at) => aRespawn({ id: at + 2, name: `Spot ${at + 2}` })),
];
const LONG_TIMEOUT = { timeout: 20_000 };

const hunter = (id: number): ClaimRow => {
  const date = `2026-10-${String((id % 28) + 1).padStart(2, '0')}`;
  return aClaimRow({ id, date, respawn_id: (id % SPOTS) + 1, character_name: `Hunter ${id}` });
};
/** The claims from one id up to another, in the order in which they were made. */
const hunters = (first: number, end: number): ClaimRow[] =>
  Array.from({ length: end - first }, (_, at) => hunter(first + at));
const newest = (last: number): Response =>
  Response.json(
    { success: true, data: hunters(last + 1 - MAX_LIST, last + 1) },
    { headers: { 'X-Total-Count': String(last) } },
  );

/** The newest at once, and full pages before them. */
function pages(): Parameters<typeof mockServer>[0] {
  const answers: Parameters<typeof mockServer>[0] = { [FIRST]: () => newest(ALL) };
  for (let before = ALL + 1 - MAX_LIST; before > 1; before -= MAX_PAGE)
    answers[beyond(before)] = () => ok(hunters(Math.max(before - MAX_PAGE, 1), before));
  return answers;
}

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const press = (name: string | RegExp): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));
const open = async (): Promise<void> => {
  showAdmin('/admin/dashboard/claims?day=all', { respawn: spots, claim: [aClaim({ id: 20_000 })] });
  await screen.findByText(
    '1000 of 1060 earlier claims loaded. Search and filters cover these only.',
    {},
    LONG_TIMEOUT,
  );
};

test('more earlier claims than are read unasked are read when asked for', async () => {
  const sent = mockServer(pages());
  await open();
  expect(sent).toHaveLength(1);
  expect(screen.getByText('1001 claims', { selector: 'p' })).toBeTruthy();
  await press('Load earlier claims');
  expect(await screen.findByText('1061 claims', { selector: 'p' }, LONG_TIMEOUT)).toBeTruthy();
  expect(screen.queryByText(/earlier claims are loaded/)).toBeNull();
}, 60_000);

test('pages requested during a reload continue from the reloaded ones, without gaps', async () => {
  const reload = Promise.withResolvers<Response>();
  const firsts = [newest(ALL), reload.promise];
  const from = ALL + 2 - MAX_LIST;
  const sent = mockServer({
    [FIRST]: () => firsts.shift() ?? ok([]),
    [beyond(from)]: () => ok(hunters(from - MAX_PAGE, from)),
    [beyond(from - MAX_PAGE)]: () => ok(hunters(1, from - MAX_PAGE)),
  });
  await open();
  push({
    op: 'put',
    kind: 'activity',
    record: anEntry({ id: 50, action: 'claim_created', details: { date: '2026-10-01' } }),
  });
  await waitFor(() => expect(sent).toHaveLength(2));
  await press('Load earlier claims');
  reload.resolve(newest(ALL + 1));
  expect(
    await screen.findByText(`${ALL + 2} claims`, { selector: 'p' }, LONG_TIMEOUT),
  ).toBeTruthy();
  expect(screen.queryByText(/earlier claims are loaded/)).toBeNull();
}, 60_000);

test('claims that the board shows are not counted among the earlier ones', async () => {
  mockServer(pages());
  showAdmin('/admin/dashboard/claims?day=all', {
    respawn: spots,
    claim: [ALL, ALL - 1].map((id) => aClaim({ id, date: '2026-11-20' })),
  });
  await screen.findByText(
    '998 of 1058 earlier claims loaded. Search and filters cover these only.',
    {},
    LONG_TIMEOUT,
  );
  expect(screen.getByText('1000 claims', { selector: 'p' })).toBeTruthy();
}, 60_000);

test('at a server save the earlier claims stay while those up to the new day cannot be read', async () => {
  mockServer({
    [FIRST]: () => ok([hunter(1), hunter(2)]),
    'GET /api/admin/claims?to=2026-11-21': () => refused(503, 'server.stopping'),
  });
  showAdmin('/admin/dashboard/claims?day=all', { respawn: spots });
  await screen.findByText('2 claims', { selector: 'p' }, LONG_TIMEOUT);
  act(() =>
    setServerSaveClock({
      ss_time_zone: 'America/Los_Angeles',
      ss_hour: 1,
      server_time: '2026-11-22T18:00:00Z',
    }),
  );
  await screen.findByRole('alert', {}, LONG_TIMEOUT);
  expect(screen.getByText('2 claims', { selector: 'p' })).toBeTruthy();
  act(() => useServerSaveClock.setState({ ahead_ms: 0 }));
}, 60_000);

test('after a failed read at a server save, loading more includes the day that ended', async () => {
  const NEW_FIRST = 'GET /api/admin/claims?to=2026-11-21';
  mockServer({ ...pages(), [NEW_FIRST]: () => refused(503, 'server.stopping') });
  await open();
  act(() =>
    setServerSaveClock({
      ss_time_zone: 'America/Los_Angeles',
      ss_hour: 1,
      server_time: '2026-11-22T18:00:00Z',
    }),
  );
  await screen.findByRole('alert', {}, LONG_TIMEOUT);
  const yesterday = aClaimRow({
    id: ALL + 1,
    date: '2026-11-21',
    respawn_id: 2,
    character_name: 'Hunter of yesterday',
  });
  const answers = pages();
  const first = (): Response =>
    Response.json(
      { success: true, data: [...hunters(ALL + 1 - MAX_LIST, ALL + 1), yesterday] },
      { headers: { 'X-Total-Count': String(ALL + 1) } },
    );
  mockServer({
    ...Object.fromEntries(
      Object.entries(answers).map(([call, answer]) => [
        call.replace('2026-11-20', '2026-11-21'),
        answer,
      ]),
    ),
    [NEW_FIRST]: first,
  });
  await press('Load earlier claims');
  expect(
    await screen.findByText(`${ALL + 2} claims`, { selector: 'p' }, LONG_TIMEOUT),
  ).toBeTruthy();
  act(() => useServerSaveClock.setState({ ahead_ms: 0 }));
}, 60_000);

test('the saved table has those too that are not loaded; it says how far it is, and can be stopped', async () => {
  const saved = savedFiles();
  const answers = pages();
  const slow = Promise.withResolvers<Response>();
  mockServer({ ...answers, [beyond(ALL + 1 - MAX_LIST)]: () => slow.promise });
  await open();
  await press('Download CSV');
  expect(screen.getByText('1000 of 1060 earlier claims')).toBeTruthy();
  await press('Cancel');
  slow.reject(new DOMException('stopped', 'AbortError'));
  mockServer(answers);
  await userEvent.click(await screen.findByRole('button', { name: 'Download CSV' }));
  await waitFor(() => expect(saved[0]?.text).toContain('"Hunter 1",'), LONG_TIMEOUT);
  expect(saved).toHaveLength(1);
  expect(saved[0]?.text.trimEnd().split('\r\n')).toHaveLength(1 + ALL + 1);
}, 60_000);

test('clearing counts all claims, loaded or not, and warns if they are too many to restore', async () => {
  mockServer({
    [FIRST]: () => ok([aClaimRow({ id: 1, date: '2026-10-01' })]),
    'DELETE /api/claims/admin/respawn/1': () => ok({ deletedCount: 30_000 }),
  });
  showAdmin('/admin/dashboard/claims?day=all', {
    respawn: [palace],
    claim: [aClaim({ id: 20_000 })],
  });
  await screen.findByText('2 claims', { selector: 'p' }, LONG_TIMEOUT);
  await press(/^Clear All .* of Asura Palace$/);
  const dialog = screen.getByRole('alertdialog');
  expect(dialog.textContent).toContain('30000 claims are deleted');
  expect(dialog.textContent).toContain('and 29998 more');
  expect(dialog.textContent).toContain(
    "This can't be undone: there are too many claims to restore.",
  );
  await press('Clear 30000 claims');
  expect(
    await screen.findByText('Successfully cleared 30000 claims for Asura Palace'),
  ).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
}, 60_000);
