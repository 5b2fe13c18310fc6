import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AdminRole } from '../../../../shared/rules/roles.ts';
import { queryClient } from '../../../api/query.ts';
import { applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { dismissToasts } from '../../../test/dismiss-toasts.ts';
import {
  aClaim,
  aClaimRow,
  aKey,
  anEnding,
  anEntry,
  aRespawn,
  aType,
  aVerifiedCode,
  aWait,
  aWeeklyClaim,
} from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { chooseAction, openAdmin, push, renderAdmin, showAdmin } from '../test/show-admin.tsx';
// Here before the first test, which would otherwise wait for it.
import '../people/people-list.tsx';
import './member-page.tsx';

const NAME = 'Mira Stormcrow';
const AT = '/admin/dashboard/member/mira%20stormcrow';
const key = aKey({
  id: 2,
  character_name: NAME,
  member_type: 'elite',
  key_value: 'H6VB-7JQP-2MEX',
});
const record = aVerifiedCode({
  id: 4,
  character_name: NAME,
  verified_at: '2026-11-16T12:00:00Z',
  access_key: key.key_value,
});
const claim = aClaim({
  id: 7,
  character_name: NAME,
  date: '2026-11-22',
  hour_start: 10,
  hour_end: 13,
});
const other = aClaim({
  id: 8,
  character_name: 'Arden Vale',
  date: '2026-11-22',
  hour_start: 14,
  hour_end: 15,
});
const wait = aWait({ id: 3, character_name: NAME });
const all = {
  access_key: [key],
  verified_code: [record],
  respawn: [aRespawn()],
  claim: [claim, other],
  wait: [wait],
};
const ended = anEnding({ id: 5, character_name: NAME, reason: 'no_show', by: null });

const NO_SHOWS = 'GET /api/admin/endings?character=Mira+Stormcrow&reason=no_show&limit=1';
const LISTED = 'GET /api/admin/endings?character=Mira+Stormcrow&reason=no_show&limit=100';
const EARLIER = 'GET /api/admin/claims?character=mira+stormcrow&to=2026-11-20&limit=100';
const earlier = aClaimRow({
  id: 5,
  character_name: NAME,
  date: '2026-11-02',
  hour_start: 3,
  hour_end: 6,
});
const page = (records: unknown[], total: number): Response =>
  new Response(JSON.stringify({ success: true, data: records }), {
    headers: { 'x-total-count': `${total}` },
  });

beforeEach(() => {
  clearBoard();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T18:00:00Z') });
});
afterEach(() => {
  dismissToasts();
  queryClient.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const serve = (answers: Parameters<typeof mockServer>[0] = {}) =>
  mockServer({
    [NO_SHOWS]: () => page([ended], 3),
    [LISTED]: () => page([], 0),
    [EARLIER]: () => page([], 0),
    ...answers,
  });
const part = (name: string): HTMLElement => screen.getByRole('region', { name });
const address = (): string | null => screen.getByLabelText('address').textContent;

test('shows all there is about a character that is named in any case', async () => {
  serve();
  await openAdmin(AT, all);
  expect(await screen.findByRole('heading', { name: NAME })).toBeTruthy();
  expect(part('Access key').textContent).toContain('H6VB-7JQP-2MEX');
  expect(part('Access key').textContent).toContain('Verified');
  const rows = within(part('Claims')).getAllByRole('listitem');
  expect(rows).toHaveLength(1);
  expect(rows[0]?.textContent).toContain('SS+10 to SS+13');
  expect(within(part('Waitlist')).getAllByRole('row')).toHaveLength(2);
  expect(screen.getByRole('link', { name: 'Activity Log' }).getAttribute('href')).toBe(
    '/admin/dashboard/activity?search=Mira+Stormcrow',
  );
  const noShows = screen.getByText('No-shows').nextElementSibling;
  await waitFor(() => expect(noShows?.textContent).toBe('3'));
  expect(
    screen.getByRole('link', { name: 'Character page on tibia.com' }).getAttribute('href'),
  ).toContain('name=Mira+Stormcrow');
});

test('has no two regions of one name', async () => {
  serve({ [LISTED]: () => page([{ ...ended, date: '2026-11-20' }], 1) });
  const standing_claim = [aWeeklyClaim({ character_name: NAME })];
  await openAdmin(AT, { ...all, standing_claim });
  await screen.findByRole('button', { name: /^Excuse / });
  const names = screen.getAllByRole('region').map((region) => {
    const heading = document.getElementById(region.getAttribute('aria-labelledby') ?? '');
    return region.getAttribute('aria-label') ?? heading?.textContent;
  });
  expect(names).toContain('Weekly claims');
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

test('has the actions of the tabs, and is live', async () => {
  serve({
    'PUT /api/admin/access-keys/2/revoke': () => ok({ ...key, is_revoked: 1 }),
    'PUT /api/admin/access-keys/2': () => ok({ ...key, member_type: 'vice' }),
    'DELETE /api/claims/admin/7': () => ok(),
  });
  await openAdmin(AT, all);
  await userEvent.click(await screen.findByRole('button', { name: `Edit member type of ${NAME}` }));
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: `Member type of ${NAME}` }),
    'vice',
  );
  expect(screen.getByRole('button', { name: `Save member type of ${NAME}` })).toBeTruthy();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('combobox', { name: `Member type of ${NAME}` })).toBeNull();
  await chooseAction(NAME, `Revoke access of ${NAME}`);
  await userEvent.click(await screen.findByRole('button', { name: 'Revoke access' }));
  expect(await screen.findByText('Access key revoked successfully')).toBeTruthy();
  push({ op: 'put', kind: 'access_key', record: { ...key, is_revoked: 1 } });
  expect(within(part('Access key')).getByText('Revoked')).toBeTruthy();
  push({ op: 'remove', kind: 'claim', id: 7 });
  expect(part('Claims').textContent).toContain('No claims.');
  push({ op: 'remove', kind: 'access_key', id: 2 });
  expect(within(part('Access key')).getByRole('link', { name: 'Generate key' })).toBeTruthy();
});

test('a claim that another admin gives to another character stays in its dialog', async () => {
  serve({ 'GET /api/respawns/1/claims/2026-11-22': () => ok([]) });
  await openAdmin(AT, all);
  await userEvent.click(await within(part('Claims')).findByRole('button', { name: /^Edit/ }));
  push({ op: 'put', kind: 'claim', record: { ...claim, character_name: 'Old Bram' } });
  expect(await screen.findByText(/^This claim was just changed/)).toBeTruthy();
  expect(screen.getByLabelText('Character')).toHaveProperty('value', 'Old Bram');
  expect(screen.queryByText('This claim was deleted.')).toBeNull();
});

test('lists claims of past dates below those on the board, with their actions, and reads them again after a change', async () => {
  let noShows = 3;
  const sent = serve({
    // The board has the first.
    [EARLIER]: () => page([aClaimRow({ ...claim, id: 7 }), earlier], 2),
    [NO_SHOWS]: () => page([ended], noShows),
  });
  await openAdmin(AT, all);
  const rows = await within(part('Claims')).findAllByRole('listitem');
  await waitFor(() => expect(within(part('Claims')).getAllByRole('listitem')).toHaveLength(2));
  expect(rows[0]?.textContent).toContain('SS+10 to SS+13');
  const past = within(part('Claims')).getAllByRole('listitem')[1];
  expect(past?.textContent).toContain('SS+3 to SS+6');
  expect(within(past as HTMLElement).getByRole('button', { name: /^Delete/ })).toBeTruthy();
  const fact = (name: string): string =>
    screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent ?? '';
  expect(fact('Claims')).toBe('2');
  const reads = (call: string): number => sent.filter((one) => one.call === call).length;
  expect([reads(EARLIER), reads(NO_SHOWS)]).toEqual([1, 1]);
  noShows = 4;
  const noShow = (id: number, character_name: string): void =>
    push({
      op: 'put',
      kind: 'activity',
      record: anEntry({
        id,
        action: 'claim_no_show',
        details: { date: '2026-11-20', character_name },
      }),
    });
  noShow(90, NAME);
  await waitFor(() => expect(fact('No-shows')).toBe('4'));
  await waitFor(() => expect([reads(EARLIER), reads(NO_SHOWS)]).toEqual([2, 2]));
  noShow(91, 'Arden Vale');
  // A read would begin at once.
  await act(() => Promise.resolve());
  expect([reads(EARLIER), reads(NO_SHOWS)]).toEqual([2, 2]);
});

test('reads lists again for changes that arrive during a read, the first one too', async () => {
  const first = Promise.withResolvers<Response>();
  const second = Promise.withResolvers<Response>();
  const answers = [first.promise, second.promise];
  const sent = serve({ [EARLIER]: () => answers.shift() ?? page([earlier], 1) });
  const reads = (): number => sent.filter(({ call }) => call === EARLIER).length;
  const change = (id: number): void =>
    push({
      op: 'put',
      kind: 'activity',
      record: anEntry({
        id,
        action: 'claim_no_show',
        details: { date: '2026-11-20', character_name: NAME },
      }),
    });
  showAdmin(AT, all);
  await waitFor(() => expect(reads()).toBe(1));
  change(90);
  first.resolve(page([], 0));
  await waitFor(() => expect(reads()).toBe(2));
  change(91);
  change(92);
  second.resolve(page([], 0));
  await waitFor(() => expect(reads()).toBe(3));
  await waitFor(() => expect(within(part('Claims')).getAllByRole('listitem')).toHaveLength(2));
});

test('says it when claims of past dates can’t be read', async () => {
  serve({ [EARLIER]: () => refused(500, 'server.failed') });
  await openAdmin(AT, all);
  expect(await within(part('Claims')).findByText('Failed to fetch claims')).toBeTruthy();
  expect(within(part('Claims')).getAllByRole('listitem')).toHaveLength(1);
});

test('keeps the number of claims while more are loaded, and when that fails', async () => {
  const next = Promise.withResolvers<Response>();
  serve({ [EARLIER]: () => page([earlier], 2), [`${EARLIER}&before=5`]: () => next.promise });
  await openAdmin(AT, all);
  const count = (): string =>
    screen.getByText('Claims', { selector: 'dt' }).nextElementSibling?.textContent ?? '';
  await waitFor(() => expect(count()).toBe('3'));
  await userEvent.click(within(part('Claims')).getByRole('button', { name: 'Load more' }));
  expect(count()).toBe('3');
  next.resolve(refused(500, 'server.failed'));
  expect(await within(part('Claims')).findByText('Failed to fetch claims')).toBeTruthy();
  expect(count()).toBe('3');
});

test('is opened from a list, and leads back to it with its filters', async () => {
  serve();
  await openAdmin('/admin/dashboard/keys?type=elite', all);
  await userEvent.click(screen.getByRole('link', { name: `Details of ${NAME}` }));
  expect(address()).toBe('/admin/dashboard/member/Mira%20Stormcrow');
  await userEvent.click(await screen.findByRole('link', { name: 'Keys' }));
  expect(address()).toBe('/admin/dashboard/keys?type=elite');
});

test('of a member without a verification offers it', async () => {
  const sent = serve({ 'POST /api/admin/verify-character': () => ok(record) });
  await openAdmin(AT, { ...all, verified_code: [] });
  await chooseAction(NAME, `Verify ${NAME} manually`);
  expect(await screen.findByText(`${NAME} is verified`)).toBeTruthy();
  expect(sent.some(({ call }) => call.startsWith('POST'))).toBe(true);
});

test.each<AdminRole>(['viewer', 'moderator'])(
  'shows a %s neither key nor verification',
  async (role) => {
    serve();
    useSession.setState({ status: 'ready', admin: { username: 'Vera', token: 'token', role } });
    applySnapshot(1, {
      member_type: [aType('member')],
      access_key: [],
      respawn: [aRespawn()],
      claim: [claim],
    });
    renderAdmin(AT);
    expect(await screen.findByRole('heading', { name: NAME })).toBeTruthy();
    expect(screen.queryByRole('region', { name: 'Access key' })).toBeNull();
    expect(within(part('Claims')).getAllByRole('listitem')).toHaveLength(1);
  },
);

test('lists no-shows, each of which is excused by one press, with an undo', async () => {
  let excused_by: string | null = null;
  const excuse = vi.fn(() => {
    excused_by = 'Thora';
    return ok({ ids: [5], activity_id: 77 });
  });
  const undo = vi.fn(() => ok({ restored_claims: 0, left_claims: 0 }));
  serve({
    [LISTED]: () => page([{ ...ended, date: '2026-11-20', excused_by }], 1),
    'POST /api/admin/endings/5/excuse': excuse,
    'POST /api/admin/activity-log/77/undo': undo,
  });
  await openAdmin(AT, all);
  await userEvent.click(await screen.findByRole('button', { name: /^Excuse Asura Palace, / }));
  expect(await screen.findByText("No-show excused. It doesn't count any more.")).toBeTruthy();
  push({
    op: 'put',
    kind: 'activity',
    record: anEntry({ id: 77, action: 'no_show_excused', details: { character_name: NAME } }),
  });
  expect(await screen.findByText('Excused by Thora')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Excuse / })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(undo).toHaveBeenCalled());
  expect(excuse).toHaveBeenCalledOnce();
});
