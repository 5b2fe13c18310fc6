import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  applySnapshot,
  clearBoard,
  setConnection,
  useBoard,
} from '../../../../state/board-store.ts';
import { useServerSaveClock } from '../../../../state/clock.ts';
import { closeOverlay, openOverlay, useOverlays } from '../../../../state/overlays.ts';
import { useSession } from '../../../../state/session-store.ts';
import {
  aClaim,
  aClaimOnRespawn,
  aClaimRow,
  aConfig,
  anEntry,
  aRespawn,
} from '../../../../test/records.ts';
import { LocalTimeContext } from '../../../../ui/hours/hours-text.tsx';
import { ToastHost } from '../../../../ui/toast.tsx';
import { mockServer, ok, refused, type Sent } from '../../test/server.ts';
import { push } from '../../test/show-admin.tsx';
import { BarActions } from './bar-actions.tsx';

const arden = aClaim({ id: 1 });
const mira = aClaim({
  id: 2,
  respawn_id: 2,
  character_name: 'Mira Stormcrow',
  hour_start: 12,
  hour_end: 16,
});
const spots = [
  aRespawn(),
  aRespawn({ id: 2, name: 'Fire Library' }),
  aRespawn({ id: 3, name: 'Ingol' }),
  aRespawn({ id: 4, name: 'Shut', is_enabled: 0 }),
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
  useSession.setState({
    status: 'ready',
    admin: { username: 'Thora', token: 'token', role: 'owner' },
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  act(() => closeOverlay('claimActions'));
  clearBoard();
});

/** A bar as the timeline has it, and what the app shows for it. */
function Board(): ReactNode {
  const bar = useRef<HTMLButtonElement>(null);
  const actions = useOverlays(({ open }) => open.claimActions);
  const claim = useBoard((board) => board.claimsByRespawn.get(1)?.[0]);
  return (
    <LocalTimeContext value={(_, hour) => `${hour}:00`}>
      <main tabIndex={-1}>
        <button
          ref={bar}
          type="button"
          onClick={() =>
            claim &&
            bar.current &&
            openOverlay('claimActions', { request: { claim, anchor: bar.current } })
          }
        >
          The bar
        </button>
      </main>
      {actions ? (
        <BarActions
          key={actions.id}
          {...actions.props}
          onClose={() => closeOverlay('claimActions', actions.id)}
        />
      ) : null}
      <ToastHost />
    </LocalTimeContext>
  );
}
const bar = (): HTMLElement => screen.getByRole('button', { name: 'The bar', hidden: true });
const chooseSpot = async (name: string): Promise<void> => {
  await userEvent.click(screen.getByRole('combobox', { name: 'Spot' }));
  await userEvent.click(screen.getByRole('option', { name: new RegExp(name) }));
};
const choose = async (name: string): Promise<void> =>
  userEvent.click(await screen.findByRole('menuitem', { name }));
const press = (name: string): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name }));
async function open(
  answers: Parameters<typeof mockServer>[0] = {},
  claim = arden,
): Promise<Sent[]> {
  const sent = mockServer({
    'GET /api/respawns/1/claims/2026-11-21': () => ok([aClaimRow(claim)]),
    'GET /api/respawns/2/claims/2026-11-21': () => ok([aClaimRow(mira)]),
    'GET /api/respawns/3/claims/2026-11-21': () => ok([]),
    ...answers,
  });
  applySnapshot(1, { respawn: spots, claim: [claim, mira], activity: [] });
  setConnection('live');
  render(<Board />);
  bar().focus();
  await userEvent.keyboard('{Enter}');
  return sent;
}

test('Enter on a bar opens its menu, the destructive last; Escape gives the focus back', async () => {
  await open();
  const menu = screen.getByRole('menu', { name: 'The bar' });
  const items = within(menu).getAllByRole('menuitem');
  expect(items.map((item) => item.textContent)).toEqual(['Edit…', 'Delete']);
  expect(document.activeElement).toBe(items[0]);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(document.activeElement).toBe(bar());
});

test('the menu lets an admin join the waitlist, where they may', async () => {
  await open();
  await userEvent.keyboard('{Escape}');
  act(() =>
    openOverlay('claimActions', {
      request: { claim: aClaimOnRespawn({ id: 1 }), anchor: bar(), waitlist_date: '2026-11-21' },
    }),
  );
  await choose('Join waitlist for these hours');
  expect(screen.queryByRole('menu')).toBeNull();
  const { respawn_id, hour_start, hour_end } = arden;
  const request = useOverlays.getState().open.joinWaitlist?.props.request;
  expect(request).toMatchObject({ respawn_id, date: '2026-11-21', hour_start, hour_end });
  // Compare identity: a deep comparison of elements would walk the whole page.
  expect(request?.anchor).toBe(bar());
  act(() => closeOverlay('joinWaitlist'));
});

test('the menu lets an admin release the rest of their own running claim', async () => {
  useServerSaveClock.setState({ ss_time_zone: 'UTC', ss_hour: 7, ahead_ms: 0 });
  useSession.setState({
    profiles: [
      {
        characterName: 'Arden Vale',
        memberType: 'member',
        accessKey: 'K',
        isVerified: true,
        createdAt: '',
      },
    ],
  });
  await open();
  // SS+11 of SS+10 to SS+14 runs, and the guild has no release.
  expect(screen.queryByRole('menuitem', { name: 'Release the rest' })).toBeNull();
  push({ op: 'put', kind: 'config', record: aConfig({ release_enabled: 1 }) });
  await choose('Release the rest');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(useOverlays.getState().open.release?.props.claim).toMatchObject({ id: 1 });
  act(() => closeOverlay('release'));
  useSession.setState({ profiles: [] });
  useServerSaveClock.setState({ ss_time_zone: 'America/Los_Angeles', ss_hour: 1, ahead_ms: 0 });
});

test('Edit opens the dialog of the claims tab, which gives the focus back to the bar', async () => {
  const sent = await open({ 'PUT /api/claims/admin/1': () => ok(arden) });
  await choose('Edit…');
  expect(screen.getByRole('dialog', { name: 'Edit claim' }).textContent).toContain(
    'Arden Vale at Asura Palace',
  );
  const end = screen.getByLabelText('End (SS+)');
  await userEvent.clear(end);
  await userEvent.type(end, '16');
  await press('Save changes');
  expect(await screen.findByText('Claim updated successfully')).toBeTruthy();
  expect(sent.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({
    hour_start: 10,
    hour_end: 16,
    seen: SEEN,
  });
  await waitFor(() => expect(document.activeElement).toBe(bar()));
});

test('dragged hours appear in the dialog at once; taken hours cannot be saved, and their holder is named', async () => {
  const sent = await open({
    'GET /api/respawns/1/claims/2026-11-21': () =>
      ok([aClaimRow(arden), aClaimRow({ ...mira, respawn_id: 1, hour_start: 15 })]),
  });
  await userEvent.keyboard('{Escape}');
  act(() =>
    openOverlay('claimActions', {
      request: {
        claim: aClaimOnRespawn({ id: 1 }),
        anchor: bar(),
        action: 'edit',
        times: { hour_start: 10, hour_end: 16 },
      },
    }),
  );
  expect(
    await screen.findByText('Already claimed by Mira Stormcrow. Choose other hours.'),
  ).toBeTruthy();
  expect(screen.getByLabelText('End (SS+)')).toHaveProperty('value', '16');
  expect(screen.getByRole('button', { name: 'Save changes' }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  await press('Save changes');
  expect(sent.some(({ call }) => call.startsWith('PUT'))).toBe(false);
  await press('Cancel');
  await waitFor(() => expect(document.activeElement).toBe(bar()));
});

const SEEN = { respawn_id: 1, date: '2026-11-21', hour_start: 10, hour_end: 14 };

const UNDO = {
  'POST /api/admin/activity-log/5/undo': () => ok({ restored_claims: 1, left_claims: 0 }),
};
const moveLogged = {
  op: 'put',
  kind: 'activity',
  record: anEntry({ id: 5, action: 'claim_updated', details: { claim_id: 1 }, undo: 'possible' }),
} as const;

test('a move to taken hours names the holder and is not offered; to a free spot it is made and can be undone', async () => {
  const sent = await open({
    'PUT /api/claims/admin/1': () => ok({ ...arden, respawn_id: 3 }),
    ...UNDO,
  });
  await choose('Edit…');
  await chooseSpot('Fire Library');
  expect(
    await screen.findByText('Already claimed by Mira Stormcrow. Choose other hours.'),
  ).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Save changes' }).getAttribute('aria-disabled')).toBe(
    'true',
  );
  await press('Save changes');
  expect(sent.some(({ call }) => call.startsWith('PUT'))).toBe(false);
  await chooseSpot('Ingol');
  await press('Save changes');
  expect(await screen.findByText('Arden Vale moved to Ingol')).toBeTruthy();
  push(moveLogged);
  await press('Undo');
  expect(await screen.findByText('The claim is back on Asura Palace')).toBeTruthy();
  expect(sent.filter(({ call }) => call.startsWith('PUT')).map(({ body }) => body)).toEqual([
    { respawn_id: 3, hour_start: 10, hour_end: 14, seen: SEEN },
  ]);
});

test('a move asks before it overwrites the move of another admin', async () => {
  const sent = await open({
    'PUT /api/claims/admin/1': () => ok({ ...arden, respawn_id: 3 }),
  });
  await choose('Edit…');
  // Nothing is chosen yet: the dialog follows, and would not move the claim back.
  push({
    op: 'put',
    kind: 'claim',
    record: { ...arden, respawn_id: 2, hour_start: 18, hour_end: 22 },
  });
  expect(await screen.findByText(/^This claim was just changed/)).toBeTruthy();
  expect(screen.getByRole('combobox', { name: 'Spot' })).toHaveProperty('value', 'Fire Library');
  expect(screen.getByLabelText('Start (SS+)')).toHaveProperty('value', '18');
  await chooseSpot('Ingol');
  push({
    op: 'put',
    kind: 'claim',
    record: { ...arden, respawn_id: 1, hour_start: 18, hour_end: 22 },
  });
  expect(await screen.findByText('This claim was changed')).toBeTruthy();
  await press('Save changes');
  expect(sent.some(({ call }) => call.startsWith('PUT'))).toBe(false);
  await press('Keep mine');
  await press('Save changes');
  await screen.findByText('Arden Vale moved to Ingol');
  expect(sent.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({
    respawn_id: 3,
    hour_start: 18,
    hour_end: 22,
    seen: { ...SEEN, hour_start: 18, hour_end: 22 },
  });
});

test('a move can change the day on the same spot', async () => {
  const sent = await open({
    'PUT /api/claims/admin/1': () => ok({ ...arden, date: '2026-11-22' }),
    ...UNDO,
  });
  await choose('Edit…');
  await userEvent.click(screen.getByRole('radio', { name: /22 Nov/ }));
  await press('Save changes');
  expect(await screen.findByText(/^Arden Vale moved to Asura Palace, Sun/)).toBeTruthy();
  push(moveLogged);
  await press('Undo');
  await waitFor(() => expect(sent.at(-1)?.call).toBe('POST /api/admin/activity-log/5/undo'));
  expect(sent.find(({ call }) => call.startsWith('PUT'))?.body).toEqual({
    date: '2026-11-22',
    hour_start: 10,
    hour_end: 14,
    seen: SEEN,
  });
});

test('a refused move shows the reason and keeps the choice', async () => {
  await open({ 'PUT /api/claims/admin/1': () => refused(409, 'secondary.samePrimary') });
  await choose('Edit…');
  await chooseSpot('Ingol');
  await press('Save changes');
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Failed to update claim: /);
  expect(screen.getByRole('combobox', { name: 'Spot' })).toHaveProperty('value', 'Ingol');
  await press('Cancel');
  await waitFor(() => expect(document.activeElement).toBe(bar()));
});

test('Delete asks, and can be undone', async () => {
  const sent = await open({
    'DELETE /api/admin/claims/1': () => ok(),
    'POST /api/admin/activity-log/5/undo': () => ok({ restored_claims: 1, left_claims: 0 }),
  });
  await choose('Delete');
  await press('Delete claim');
  push(
    { op: 'remove', kind: 'claim', id: 1 },
    {
      op: 'put',
      kind: 'activity',
      record: anEntry({
        id: 5,
        action: 'claim_deleted',
        details: { claim_id: 1 },
        undo: 'possible',
      }),
    },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent.at(-1)?.call).toBe('POST /api/admin/activity-log/5/undo'));
});

test('the menu of a split claim lets its character be edited; it closes when the claim is deleted', async () => {
  const parts = [1, 2].map((part_number) => ({
    part_number,
    respawn_id: part_number,
    hour_start: 6 + 4 * part_number,
    duration: 2,
  }));
  await open({}, aClaim({ id: 1, is_split_claim: 1, split_parts: parts }));
  expect(screen.getByRole('menuitem', { name: 'Edit…' }).getAttribute('aria-disabled')).toBeNull();
  push({ op: 'remove', kind: 'claim', id: 1 });
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
});
