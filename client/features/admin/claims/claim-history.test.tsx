import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Ending } from '../../../../shared/schemas/ending.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aConfig, anEnding } from '../../../test/records.ts';
import { savedFiles } from '../test/saved-files.ts';
import { mockServer, refused, type Sent } from '../test/server.ts';
import { showAdmin } from '../test/show-admin.tsx';
// Loaded when the tab is opened: here it is there before the first test's time runs.
import './claims-tab.tsx';

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const AT = 'GET /api/admin/endings';
const page = (data: Ending[], total: number): Response =>
  Response.json({ success: true, data }, { headers: { 'X-Total-Count': String(total) } });
const endings = (from: number, to: number): Ending[] =>
  Array.from({ length: to - from + 1 }, (_n, index) =>
    anEnding({ id: to - index, character_name: `Hunter ${to - index}` }),
  );

async function open(answers: Parameters<typeof mockServer>[0], query = ''): Promise<Sent[]> {
  const sent = mockServer(answers);
  showAdmin(`/admin/dashboard/claims?view=history${query}`, { config: [aConfig()] });
  await screen.findByRole('region', { name: 'Claim history' });
  return sent;
}
const rows = (): string[] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => (row.textContent ?? '').replace(/\s+/g, ' '));

test('shows time, reason and actor of the end, the character and the hours', async () => {
  const released = anEnding({ id: 1, reason: 'no_show', by: null, character_name: 'Old Bram' });
  await open({ [`${AT}?limit=100`]: () => page([anEnding({ id: 2 }), released], 2) });
  await screen.findByText('2 ended claims');
  expect(rows()).toEqual([
    '20 Nov 2026, 20:00Arden Vale memberAsura PalaceFri, 20 Nov 2026SS+10 to SS+14Deleted by an adminThora',
    '20 Nov 2026, 20:00Old Bram memberAsura PalaceFri, 20 Nov 2026SS+10 to SS+14No-showautomatic',
  ]);
});

test('they are read page by page', async () => {
  await open({
    [`${AT}?limit=100`]: () => page(endings(3, 102), 102),
    [`${AT}?limit=100&before=3`]: () => page(endings(1, 2), 102),
  });
  expect(await screen.findByText('Showing 100 of 102')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Load more' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull());
});

test('filters by reason and dates, kept in the address; an unknown reason is ignored', async () => {
  const sent = await open(
    {
      [`${AT}?limit=100`]: () => page(endings(1, 3), 3),
      [`${AT}?reason=no_show&limit=100`]: () => page([anEnding({ reason: 'no_show' })], 1),
      [`${AT}?reason=no_show&from=2026-11-20&limit=100`]: () => page([], 0),
    },
    '&reason=toString',
  );
  await screen.findByText('3 ended claims');
  await userEvent.selectOptions(screen.getByLabelText('Reason'), 'No-show');
  await screen.findByText('1 ended claim');
  await waitFor(() =>
    expect(screen.getByLabelText('address').textContent).toContain('view=history&reason=no_show'),
  );
  await userEvent.type(screen.getByLabelText('From'), '2026-11-20');
  expect(await screen.findByText('No matching claims')).toBeTruthy();
  await userEvent.click(
    within(screen.getByRole('region', { name: 'Claim history' })).getByRole('button', {
      name: 'Clear Filters',
    }),
  );
  await screen.findByText('3 ended claims');
  expect(sent.map(({ call }) => call).at(-1)).toBe(`${AT}?limit=100`);
});

test('a failed load shows an error and a retry button', async () => {
  let isDown = true;
  await open({
    [`${AT}?limit=100`]: () => (isDown ? refused(503, 'server.stopping') : page([], 0)),
  });
  expect((await screen.findByRole('alert')).textContent).toContain(
    "The claim history couldn't be loaded",
  );
  isDown = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No claims have ended early')).toBeTruthy();
});

test('all that match are saved as a table, those too that are not shown', async () => {
  const saved = savedFiles();
  await open(
    {
      [`${AT}?reason=admin&limit=100`]: () => page(endings(402, 501), 501),
      [`${AT}?reason=admin&limit=500`]: () => page(endings(2, 501), 501),
      [`${AT}?reason=admin&limit=500&before=2`]: () =>
        page([anEnding({ id: 1, by: '=HYPERLINK("x")' })], 501),
    },
    '&reason=admin',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }));
  await waitFor(() => expect(saved[0]?.text).toBeTruthy());
  const lines = (saved[0]?.text ?? '').trim().split('\r\n');
  expect(saved[0]?.name).toBe('endings-2026-11-21.csv');
  expect(lines).toHaveLength(502);
  expect(lines[0]).toContain('"Ended","Reason","By","Spot","Date"');
  expect(lines[1]).toBe(
    '"2026-11-20T20:00:00Z","Deleted by an admin","Thora","Asura Palace","2026-11-20","10","14","Hunter 501","member","","2026-11-19T12:00:00Z",""',
  );
  // Typed text is escaped, so that a spreadsheet runs no formula.
  expect(lines.at(-1)).toContain(`"'=HYPERLINK(""x"")"`);
});
