import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StandingClaim } from '../../../../shared/schemas/standing-claim.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aConfig, aRespawn, aWeeklyClaim } from '../../../test/records.ts';
import { mockServer, ok } from '../test/server.ts';
import { push, showAdmin } from '../test/show-admin.tsx';
import '../../my-claims/weekly-claim-dialog.tsx';
import './claims-tab.tsx';

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = (weeklyClaims: StandingClaim[], standing_enabled: 0 | 1 = 1): void =>
  showAdmin('/admin/dashboard/claims?view=weekly', {
    config: [aConfig({ standing_enabled })],
    respawn: [aRespawn()],
    standing_claim: weeklyClaims,
  });

test('lists all weekly claims; admins pause and end them', async () => {
  const sent = mockServer({
    'PUT /api/standing/4': () => ok(aWeeklyClaim({ is_paused: 1 })),
    'GET /api/standing/4/claims': () => ok({ count: 0 }),
    'DELETE /api/standing/4?claims=keep': () => ok(),
    'GET /api/admin/standing?state=ended&limit=100': () =>
      ok([
        aWeeklyClaim({
          id: 3,
          character_name: 'Gone Gwen',
          respawn_name: 'The Gloom',
          ended_at: '2026-11-20T10:00:00Z',
          end_reason: 'spot',
        }),
      ]),
  });
  show([
    aWeeklyClaim({ skipped: [{ date: '2026-11-24', code: 'budget.day', wait_id: 3 }] }),
    aWeeklyClaim({ id: 5, character_name: 'Old Bram', is_paused: 1, next_date: null }),
  ]);
  const list = await screen.findByRole('region', { name: 'Weekly claims' });
  const rows = within(list)
    .getAllByRole('row')
    .slice(1)
    .map((row) => (row.textContent ?? '').replace(/\s+/g, ' '));
  expect(rows[0]).toContain('Old Bram memberAsura PalaceTue, ThuSS+10 to SS+14PausedNone');
  expect(rows[1]).toContain(
    'Tue, 1 Dec 20261 date skippedTue 24 Nov: over the limit for the day, joined the waitlist',
  );
  expect(screen.getByRole('radio', { name: 'Weekly (2)' })).toHaveProperty('checked', true);
  await userEvent.click(screen.getByRole('button', { name: 'Pause Sable Quinn, Asura Palace' }));
  await userEvent.click(screen.getByRole('button', { name: 'End… Sable Quinn, Asura Palace' }));
  await userEvent.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', {
      name: 'End weekly claim',
    }),
  );
  expect(await screen.findByText('Weekly claim ended: Asura Palace')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Undo' })).toBeTruthy();
  const ended = await screen.findByRole('region', { name: 'Ended' });
  expect(ended.textContent).toContain(
    'Gone Gwen, The Gloom, Tue, Thu, SS+10 to SS+14: the spot was deleted, 20 Nov 2026',
  );
  expect(sent.filter(({ call }) => !call.includes('/admin/'))).toEqual([
    { call: 'PUT /api/standing/4', body: { is_paused: 1 } },
    { call: 'GET /api/standing/4/claims', body: undefined },
    { call: 'DELETE /api/standing/4?claims=keep', body: undefined },
  ]);
});

test('is there only where the guild has weekly claims, or had', async () => {
  mockServer({});
  show([], 0);
  await screen.findByRole('radio', { name: 'Claims' });
  expect(screen.queryByRole('radio', { name: /^Weekly/ })).toBeNull();
  push({ op: 'put', kind: 'standing_claim', record: aWeeklyClaim() });
  await userEvent.click(screen.getByRole('radio', { name: 'Weekly (1)' }));
  const list = await screen.findByRole('region', { name: 'Weekly claims' });
  expect(list.textContent).toContain('Weekly claims are off.');
  expect(within(list).queryByRole('button', { name: /^Pause/ })).toBeNull();
  expect(within(list).getByRole('button', { name: /^End/ })).toBeTruthy();
});
