import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { NeedsLook } from '../../../../shared/schemas/needs-look.ts';
import { queryClient } from '../../../api/query.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aConfig, aKey } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { openAdmin, push } from '../test/show-admin.tsx';
// Loaded already, so that no test waits for it.
import './people-list.tsx';

const READ = 'GET /api/admin/needs-look';
const keys = ['Arden Vale', 'Mira Stormcrow', 'Jorun Pike'].map((character_name, nth) =>
  aKey({ id: nth + 1, character_name }),
);
const need = (id: number, change: Partial<NeedsLook>): NeedsLook => ({
  id,
  character_name: keys[id - 1]?.character_name ?? '',
  kind: 'left',
  fact: null,
  new_type: null,
  read_at: '2026-11-21T12:00:00.000Z',
  ...change,
});
const NEEDS = [
  need(1, { fact: 'Others' }),
  need(2, { kind: 'rank', fact: 'Veteran', new_type: 'elite' }),
  need(3, { kind: 'traded' }),
];

const openList = (facts_enabled: 0 | 1 = 1): Promise<void> =>
  openAdmin('/admin/dashboard/keys', {
    access_key: keys,
    config: [aConfig({ facts_enabled })],
  });
const list = (): Promise<HTMLElement> => screen.findByRole('region', { name: 'Needs a look' });
const texts = async (): Promise<(string | null)[]> =>
  within(await list())
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
const press = async (name: string): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));

beforeEach(() => {
  clearBoard();
  queryClient.clear();
});
afterEach(() => vi.unstubAllGlobals());

test('names what changed, and leaves out a key that is revoked meanwhile', async () => {
  mockServer({ [READ]: () => ok(NEEDS) });
  await openList();
  expect(await texts()).toEqual([
    expect.stringMatching(/^Arden ValeNo longer in the guild, now in Others/),
    expect.stringMatching(/^Mira StormcrowNew rank: Veteran \(member → elite\)/),
    expect.stringMatching(/^Jorun PikeThe character was traded/),
  ]);
  push({ op: 'put', kind: 'access_key', record: aKey({ ...keys[2], is_revoked: 1 }) });
  await waitFor(async () => expect(await texts()).toHaveLength(2));
});

test('keeps, changes the type, and asks before it revokes', async () => {
  let left = [...NEEDS];
  const sent = mockServer({
    [READ]: () => ok(left),
    'POST /api/admin/needs-look/1/keep': () => {
      left = left.filter(({ id }) => id !== 1);
      return ok();
    },
    'POST /api/admin/needs-look/2/change-type': () => {
      left = left.filter(({ id }) => id !== 2);
      return ok();
    },
    'PUT /api/admin/access-keys/3/revoke': () => ok({ ...keys[2], is_revoked: 1 }),
  });
  await openList();
  await press('Keep Arden Vale');
  await screen.findByText("Arden Vale is kept until the game's data change again");
  await press("Change Mira Stormcrow's type to elite");
  await screen.findByText('Mira Stormcrow is now elite');
  await press("Revoke Jorun Pike's key");
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke access' }));
  await waitFor(() =>
    expect(sent.filter(({ call }) => !call.startsWith('GET'))).toEqual([
      { call: 'POST /api/admin/needs-look/1/keep', body: { kind: 'left' } },
      { call: 'POST /api/admin/needs-look/2/change-type', body: undefined },
      { call: 'PUT /api/admin/access-keys/3/revoke', body: undefined },
    ]),
  );
});

test('says why it refused, and reads the list again', async () => {
  let reads = 0;
  mockServer({
    [READ]: () => {
      reads += 1;
      return ok(NEEDS);
    },
    'POST /api/admin/needs-look/1/keep': () => refused(409, 'facts.changed'),
  });
  await openList();
  await press('Keep Arden Vale');
  await screen.findByText("The game's data changed meanwhile. The list has been updated.");
  await waitFor(() => expect(reads).toBe(2));
});

test('switched off, asks for nothing', async () => {
  const sent = mockServer({});
  await openList(0);
  await screen.findByRole('table');
  expect(sent).toEqual([]);
});
