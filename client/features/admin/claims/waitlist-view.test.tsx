import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../../../shared/live.ts';
import type { WaitAndEnd } from '../../../../shared/schemas/wait.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aClaim, aConfig, aRespawn, aWait } from '../../../test/records.ts';
import { savedFiles } from '../test/saved-files.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
// Loaded when the tab is opened: here it is there before the first test's time runs.
import './claims-tab.tsx';

const until = { held_until: '2026-11-21T18:07:00.000Z' };
const hold = aClaim({
  id: 30,
  character_name: 'Sable Quinn',
  hour_start: 18,
  hour_end: 20,
  is_held: 1,
  ...until,
});
const offered = aWait({
  id: 2,
  character_name: 'Sable Quinn',
  position: 1,
  status: 'offered',
  held_claim_id: 30,
  ...until,
});
const board: Snapshot = {
  respawn: [aRespawn(), aRespawn({ id: 2, name: 'Fire Library' })],
  claim: [hold],
  wait: [
    aWait({ id: 1, respawn_id: 2, date: '2026-11-22' }),
    offered,
    aWait({ id: 3, character_name: 'Old Bram', position: 2 }),
  ],
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

const open = async (snapshot: Snapshot = board, query = '?view=waitlist'): Promise<HTMLElement> => {
  showAdmin(`/admin/dashboard/claims${query}`, { config: [aConfig()], ...snapshot });
  return screen.findByRole('region', { name: 'Waitlist entries' });
};
const rows = (list: HTMLElement): string[] =>
  within(list)
    .getAllByRole('row')
    .slice(1)
    .map((row) => (row.textContent ?? '').replace(/\s+/g, ' '));

test('lists waitlist entries and held hours by date and place, each with its actions', async () => {
  const list = await open();
  expect(rows(list).map((row) => row.slice(0, 60))).toEqual([
    expect.stringMatching(/^Sable Quinn member.*Asura Palace/),
    expect.stringMatching(/^Old Bram member.*Asura Palace/),
    expect.stringMatching(/^Arden Vale member.*Fire Library/),
  ]);
  expect(rows(list)[0]).toContain('held, 7 min left SS+18 to SS+20End hold');
  expect(rows(list)[1]).toContain('2waitingRemove');
  expect(screen.getByRole('radio', { name: 'Waitlist (3)' })).toHaveProperty('checked', true);
});

test('a search finds characters and spots', async () => {
  const list = await open();
  await userEvent.type(screen.getByRole('searchbox'), 'library');
  expect(rows(list)).toHaveLength(1);
  await userEvent.type(screen.getByRole('searchbox'), ' nobody');
  expect(list.textContent).toContain('No matching waitlist entries');
});

test('removes a waitlist entry with the admin’s token, after a confirmation that names the consequence', async () => {
  const sent = mockServer({ 'DELETE /api/waits/3': () => ok() });
  await open();
  await userEvent.click(
    screen.getByRole('button', { name: 'Remove Old Bram from the waitlist for Asura Palace' }),
  );
  const question = screen.getByRole('alertdialog', { name: 'Remove Old Bram from the waitlist?' });
  expect(question.textContent).toContain('those behind move up');
  await userEvent.click(within(question).getByRole('button', { name: 'Remove from waitlist' }));
  expect(sent.map(({ call }) => call)).toEqual(['DELETE /api/waits/3']);
  expect(await screen.findByText('Old Bram was removed from the waitlist')).toBeTruthy();
});

test('ends a hold as a claim; an entry offered during the question is ended, not withdrawn', async () => {
  const sent = mockServer({
    'DELETE /api/admin/claims/30': () => ok(),
    'DELETE /api/admin/claims/31': () => refused(404, 'claim.notFound'),
  });
  await open();
  await userEvent.click(
    screen.getByRole('button', { name: 'End the hold of Sable Quinn on Asura Palace' }),
  );
  await userEvent.click(
    within(screen.getByRole('alertdialog')).getByRole('button', { name: 'End hold' }),
  );
  expect(await screen.findByText('The hold of Sable Quinn ended')).toBeTruthy();
  await userEvent.click(
    screen.getByRole('button', { name: 'Remove Old Bram from the waitlist for Asura Palace' }),
  );
  push({
    op: 'put',
    kind: 'wait',
    record: aWait({
      id: 3,
      character_name: 'Old Bram',
      status: 'offered',
      held_claim_id: 31,
      ...until,
    }),
  });
  await userEvent.click(
    within(screen.getByRole('alertdialog', { name: 'End the hold of Old Bram?' })).getByRole(
      'button',
      { name: 'End hold' },
    ),
  );
  expect((await screen.findByRole('alert')).textContent).toContain("Couldn't end the hold: ");
  expect(sent.map(({ call }) => call)).toEqual([
    'DELETE /api/admin/claims/30',
    'DELETE /api/admin/claims/31',
  ]);
});

test('an empty waitlist explains what will appear, or that waitlists are off', async () => {
  const list = await open({ ...board, wait: [], claim: [] });
  expect(list.textContent).toContain('No one is on a waitlist');
  push({ op: 'put', kind: 'config', record: aConfig({ waits_enabled: 0 }) });
  expect(list.textContent).toContain('Waitlists are off in the guild settings.');
});

test('in the list of claims a hold is marked, cannot be edited, and is ended where a claim is deleted', async () => {
  const sent = mockServer({ 'DELETE /api/admin/claims/30': () => ok() });
  showAdmin('/admin/dashboard/claims?day=all', { config: [aConfig()], ...board });
  const line = await screen.findByRole('listitem', {}, { timeout: 20_000 });
  expect(line.textContent).toContain('held, 7 min left');
  const edit = within(line).getByRole('button', { name: /^Edit… Sable Quinn/ });
  expect(edit.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(within(line).getByRole('button', { name: /^End the hold of Sable Quinn/ }));
  await userEvent.click(
    within(screen.getByRole('alertdialog', { name: 'End the hold of Sable Quinn?' })).getByRole(
      'button',
      { name: 'End hold' },
    ),
  );
  // Earlier claims are read meanwhile, or are yet to be.
  expect(sent.map(({ call }) => call).filter((call) => !call.startsWith('GET '))).toEqual([
    'DELETE /api/admin/claims/30',
  ]);
});

const AT = 'GET /api/admin/waits?state=ended';
const anEndedEntry = (id: number, change: Partial<WaitAndEnd> = {}): WaitAndEnd => ({
  ...aWait({ id, status: 'withdrawn', position: 0 }),
  ended_at: '2026-11-20T20:00:00Z',
  ...change,
});
const page = (data: WaitAndEnd[], total: number): Response =>
  Response.json({ success: true, data }, { headers: { 'X-Total-Count': String(total) } });

test('past entries have a view of their own with time, outcome, member and hours, kept in the address', async () => {
  const sent = mockServer({
    [`${AT}&limit=100`]: () =>
      page(
        [
          anEndedEntry(9, { status: 'accepted' }),
          anEndedEntry(8, { character_name: 'Old Bram', status: 'lapsed' }),
        ],
        2,
      ),
    [`${AT}&from=2026-11-20&limit=100`]: () => page([], 0),
  });
  await open();
  await userEvent.click(
    within(screen.getByRole('radiogroup', { name: 'Current or past entries' })).getByRole('radio', {
      name: 'Past',
    }),
  );
  const list = await screen.findByRole('region', { name: 'Past waitlist entries' });
  await within(list).findByText('2 past entries');
  expect(rows(list)).toEqual([
    '20 Nov 2026, 20:00Arden Vale memberAsura PalaceSat, 21 Nov 2026SS+10 to SS+14Took the hours',
    '20 Nov 2026, 20:00Old Bram memberAsura PalaceSat, 21 Nov 2026SS+10 to SS+14Offer expired',
  ]);
  fireEvent.change(screen.getByLabelText('From date'), { target: { value: '2026-11-20' } });
  expect(await screen.findByText('No matching past entries')).toBeTruthy();
  await waitFor(() =>
    expect(screen.getByLabelText('address').textContent).toContain('waits=ended'),
  );
  await userEvent.click(screen.getByRole('radio', { name: 'Current' }));
  await screen.findByRole('region', { name: 'Waitlist entries' });
  // Earlier claims are read meanwhile, or are yet to be.
  const ofEntries = sent.map(({ call }) => call).filter((call) => call.startsWith(AT));
  expect(ofEntries).toEqual([`${AT}&limit=100`, `${AT}&from=2026-11-20&limit=100`]);
});

test('they are read page by page, and all that match are saved as a table', async () => {
  const saved = savedFiles();
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => anEndedEntry(last - at));
  mockServer({
    [`${AT}&limit=100`]: () => page(from(402, 501), 501),
    [`${AT}&limit=100&before=402`]: () => page(from(302, 401), 501),
    [`${AT}&limit=500`]: () => page(from(2, 501), 501),
    [`${AT}&limit=500&before=2`]: () =>
      page([anEndedEntry(1, { character_name: '=1+1', status: 'void' })], 501),
  });
  showAdmin('/admin/dashboard/claims?view=waitlist&waits=ended', { config: [aConfig()], ...board });
  await userEvent.click(await screen.findByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('Showing 200 of 501')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  await waitFor(() => expect(saved[0]?.text).toBeTruthy());
  const lines = (saved[0]?.text ?? '').trim().split('\r\n');
  expect(saved[0]?.name).toBe('waits-2026-11-21.csv');
  expect(lines).toHaveLength(502);
  expect(lines[1]).toContain(
    '"2026-11-20T20:00:00Z","Left the waitlist","Asura Palace","2026-11-21","10","14","Arden Vale","member",',
  );
  // Typed text is escaped, so that a spreadsheet runs no formula.
  expect(lines.at(-1)).toContain(`"Cancelled","Asura Palace","2026-11-21","10","14","'=1+1"`);
});

test('a failed load shows an error and a retry button; an empty list explains what will appear', async () => {
  let isDown = true;
  mockServer({
    [`${AT}&limit=100`]: () => (isDown ? refused(503, 'server.stopping') : page([], 0)),
  });
  showAdmin('/admin/dashboard/claims?view=waitlist&waits=ended', { config: [aConfig()], ...board });
  expect((await screen.findByRole('alert')).textContent).toContain(
    "Past waitlist entries couldn't be loaded",
  );
  isDown = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No past waitlist entries')).toBeTruthy();
});
