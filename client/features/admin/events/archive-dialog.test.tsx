import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { omit } from '../../../../shared/omit.ts';
import type { ArchivedEvent } from '../../../../shared/schemas/archive.ts';
import type { ClaimRow } from '../../../../shared/schemas/claim.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aClaim, anEvent } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { showAdmin } from '../test/show-admin.tsx';

const event = omit(anEvent({ id: 7, name: 'Autumn', claim_count: 101 }), 'is_active');
const archived: ArchivedEvent = { ...event, archived_at: '2026-11-01T09:00:00.000Z' };
const rows = (from: number, to: number): ClaimRow[] =>
  Array.from({ length: to - from + 1 }, (_n, index) => ({
    ...aClaim({ id: from + index, event_id: 7, character_name: `Hunter ${from + index}` }),
    split_group_id: null,
    split_part_number: null,
    respawn_name: 'Banuta',
    respawn_image: '',
    respawn_image_url: '',
    category_id: null,
    category_name: null,
  }));
const page = (data: unknown, total: number): Response =>
  Response.json({ success: true, data }, { headers: { 'X-Total-Count': String(total) } });

const ANY = 'GET /api/admin/archive/events?limit=1';
const EVENTS = 'GET /api/admin/archive/events?limit=100';
const CLAIMS = 'GET /api/admin/archive/events/7/claims?limit=100';

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

async function open(answers: Parameters<typeof mockServer>[0]): Promise<HTMLElement> {
  mockServer({ [ANY]: () => page([archived], 1), ...answers });
  showAdmin('/admin/dashboard/events');
  await userEvent.click(await screen.findByRole('button', { name: 'Archive' }));
  return screen.findByRole('dialog', { name: 'Archived events' });
}

test('is not offered without an archived event', async () => {
  const sent = mockServer({ [ANY]: () => page([], 0) });
  showAdmin('/admin/dashboard/events');
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'Archive' })).toBeNull();
});

test('shows an archived event with its claims, newest first, page by page', async () => {
  await open({
    [EVENTS]: () => page([archived], 1),
    [CLAIMS]: () => page(rows(2, 101), 101),
    [`${CLAIMS}&before=2`]: () => ok(rows(1, 1)),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Claims of Autumn' }));
  const dialog = screen.getByRole('dialog', { name: 'Claims of Autumn' });
  expect(await within(dialog).findByText('Showing 100 of 101')).toBeTruthy();
  const lines = () =>
    within(dialog)
      .getAllByRole('listitem')
      .map((line) => line.textContent);
  expect(lines()[0]).toContain('Hunter 101');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Load more' }));
  expect(await within(dialog).findByText('Hunter 1')).toBeTruthy();
  expect(lines()).toHaveLength(101);
  expect(within(dialog).queryByRole('button', { name: 'Load more' })).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'All archived events' }));
  expect(screen.getByRole('button', { name: 'Claims of Autumn' })).toBeTruthy();
});

test('a failed load shows the reason, and is retried', async () => {
  const answers = [refused(500, 'internal'), page([archived], 1)];
  const dialog = await open({ [EVENTS]: () => answers.shift() ?? page([], 0) });
  expect((await within(dialog).findByRole('alert')).textContent).toContain(
    "The archive couldn't be loaded",
  );
  await userEvent.click(within(dialog).getByRole('button', { name: 'Try again' }));
  expect(await within(dialog).findByRole('heading', { name: /^Autumn/ })).toBeTruthy();
});
