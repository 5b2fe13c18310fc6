import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_BULK } from '../../../../shared/schemas/bulk.ts';
import { queryClient } from '../../../api/query.ts';
import { clearBoard } from '../../../state/board-store.ts';
import { aClaim, aKey, aVerifiedCode } from '../../../test/records.ts';
import { mockServer, ok, refused } from '../test/server.ts';
import { chooseAction, openAdmin, push } from '../test/show-admin.tsx';
// Loaded already, so that no test waits for it.
import './people-list.tsx';
import { actionsFor, countPendingVerifications, peopleOf } from './person.ts';

const arden = aVerifiedCode();
const jorun = aVerifiedCode({
  id: 2,
  character_name: 'Jorun Pike',
  code: 'CB-AAAA2222',
  access_key: null,
  access_member_type: null,
  created_at: '2026-11-20T12:00:00Z',
  verified_at: null,
});
const mira = aVerifiedCode({
  id: 3,
  character_name: 'Mira Stormcrow',
  member_type: 'elite',
  access_key: 'H6VB-7JQP-2MEX',
  access_revoked: 1,
});
const sable = aVerifiedCode({
  id: 4,
  character_name: 'Sable Quinn',
  code: null,
  created_at: '2026-11-10T12:00:00Z',
  banned: 1,
});
const keys = [
  aKey(),
  aKey({
    id: 3,
    character_name: 'Mira Stormcrow',
    member_type: 'elite',
    key_value: 'H6VB-7JQP-2MEX',
    is_revoked: 1,
  }),
  aKey({ id: 4, character_name: 'Sable Quinn', key_value: 'AAAA-BBBB-CCCC' }),
  aKey({
    id: 5,
    character_name: 'Uxc Vice',
    key_value: 'DDDD-EEEE-FFFF',
    created_at: '2026-11-01T12:00:00Z',
  }),
];
const all = { access_key: keys, verified_code: [arden, jorun, mira, sable] };

const AT = '/admin/dashboard/verified';
beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

const rowOf = (name: string): HTMLElement => screen.getByRole('row', { name: new RegExp(name) });
const words = (name: string): (string | null)[] =>
  within(rowOf(name))
    .getAllByRole('button')
    .map((button) => button.textContent)
    .filter(Boolean);
const names = (): (string | null | undefined)[] =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('td')?.textContent);
const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }));
const address = (): string | null => screen.getByLabelText('address').textContent;
const dialogText = async (): Promise<string | null> =>
  (await screen.findByRole('alertdialog')).textContent;

describe('the table', () => {
  test('says the status of each in a word, and links to the game', async () => {
    await openAdmin(AT, all);
    for (const [name, status] of [
      ['Arden Vale', 'Verified'],
      ['Jorun Pike', 'Pending'],
      ['Mira Stormcrow', 'Revoked'],
      ['Sable Quinn', 'Banned'],
      ['Uxc Vice', 'Not verified'],
    ] as const) {
      expect(within(rowOf(name)).getByText(status)).toBeTruthy();
    }
    const link = screen.getByRole('link', { name: 'Mira Stormcrow' });
    expect(link.getAttribute('href')).toBe('https://www.tibia.com/community/?name=Mira+Stormcrow');
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toContain('noopener');
  });

  test('shows code, key, type and both dates, or that they are missing', async () => {
    await openAdmin(AT, all);
    expect(rowOf('Mira Stormcrow').textContent).toContain('H6VB-7JQP-2MEX');
    expect(within(rowOf('Mira Stormcrow')).getByText('elite')).toBeTruthy();
    expect(rowOf('Jorun Pike').textContent).toContain('CB-AAAA2222');
    expect(rowOf('Jorun Pike').textContent).toContain('20 Nov 2026');
    expect(within(rowOf('Jorun Pike')).getAllByText('none')).toHaveLength(3);
    expect(rowOf('Arden Vale').textContent).toContain('19 Nov 2026');
  });

  test('offers the actions of its state, destructive ones last', () => {
    const people = peopleOf(keys, all.verified_code, new Map());
    const actions = (name: string) =>
      people.filter(({ character_name }) => character_name === name).flatMap(actionsFor);
    expect(actions('Arden Vale')).toEqual(['revoke', 'ban', 'delete', 'deleteKey']);
    expect(actions('Jorun Pike')).toEqual(['verify', 'delete']);
    expect(actions('Mira Stormcrow')).toEqual(['restore', 'ban', 'delete', 'deleteKey']);
    expect(actions('Sable Quinn')).toEqual(['revoke', 'unban', 'deleteKey']);
    expect(actions('Uxc Vice')).toEqual(['verify', 'revoke', 'ban', 'deleteKey']);
  });

  test("a code that a visitor requests for a member's name leaves the member verified", async () => {
    const requested = aVerifiedCode({ id: 9, code: 'CB-BBBB3333', verified_at: null });
    await openAdmin(AT, { ...all, verified_code: [...all.verified_code, requested] });
    expect(within(rowOf('Arden Vale')).getByText('Verified')).toBeTruthy();
    expect(rowOf('Arden Vale').textContent).toContain('19 Nov 2026');
    expect(countPendingVerifications([arden, jorun, requested])).toBe(1);
    const [person] = peopleOf([], [requested, arden], new Map());
    // Its key was deleted: only verifying it gives it a new one.
    expect(person && actionsFor(person)).toEqual(['verify', 'ban', 'delete']);
  });

  test('all records of a character are deleted together, alone or among others', async () => {
    const requested = aVerifiedCode({ id: 9, code: 'CB-BBBB3333', verified_at: null });
    const sent = mockServer({
      'POST /api/admin/verified-codes/bulk': () => ok({ changed: 2, unchanged: 0, activity_id: 7 }),
    });
    await openAdmin(AT, { ...all, verified_code: [...all.verified_code, requested] });
    await chooseAction('Arden Vale', 'Delete verification record of Arden Vale');
    await press('Delete record');
    expect(await screen.findByText('Verification record of Arden Vale deleted')).toBeTruthy();
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Arden Vale' }));
    await press('Delete records');
    await press('Delete 2 records');
    await waitFor(() => expect(sent).toHaveLength(2));
    for (const { body } of sent) expect(body).toEqual({ ids: [1, 9], command: { do: 'delete' } });
  });

  test('more records than one call deletes are not offered, however few characters they have', async () => {
    const requested = Array.from({ length: MAX_BULK }, (_, at) =>
      aVerifiedCode({ id: 100 + at, code: `CB-${at}`, verified_at: null }),
    );
    await openAdmin(AT, { ...all, verified_code: [...all.verified_code, ...requested] });
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select Arden Vale' }));
    const button = screen.getByRole('button', { name: 'Delete records' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });

  test.each([
    ['a record', ['Arden Vale'], ['verified-codes 1,10']],
    ['only a key', ['Uxc Vice'], ['access-keys 5', 'verified-codes 10']],
  ])(
    'a verified character without a key is banned in bulk beside one with %s',
    async (_, others, calls) => {
      const answer = () => ok({ changed: 1, unchanged: 0, activity_id: 7 });
      const sent = mockServer({
        'POST /api/admin/access-keys/bulk': answer,
        'POST /api/admin/verified-codes/bulk': answer,
      });
      const keyless = aVerifiedCode({ id: 10, character_name: 'Odo Holt', access_key: null });
      await openAdmin(AT, { ...all, verified_code: [...all.verified_code, keyless] });
      for (const name of [...others, 'Odo Holt', 'Jorun Pike'])
        await userEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
      await press('Ban');
      await press('Ban 2 characters');
      await waitFor(() =>
        expect(sent.map(({ call, body }) => `${call.split('/')[3]} ${Object(body).ids}`)).toEqual(
          calls,
        ),
      );
    },
  );

  test.each(['keys', 'verified'])('%s lists everybody, with the same actions', async (tab) => {
    await openAdmin(`/admin/dashboard/${tab}`, all);
    expect(names()).toHaveLength(5);
    expect(words('Jorun Pike')).toEqual(['Verify']);
    await userEvent.click(screen.getByRole('button', { name: 'More actions for Uxc Vice' }));
    const items = await screen.findAllByRole('menuitem');
    expect(items.map(({ textContent }) => textContent)).toEqual([
      'Verify',
      'Revoke access',
      'Ban',
      'Delete key',
    ]);
  });

  test('a member whose key an admin made can be banned, in one call for many', async () => {
    const sent = mockServer({
      'POST /api/admin/ban-character': () => ok(),
      'POST /api/admin/access-keys/bulk': () => ok({ changed: 1, unchanged: 0, activity_id: 7 }),
    });
    await openAdmin(AT, all);
    await chooseAction('Uxc Vice', 'Ban Uxc Vice');
    await press('Ban character');
    expect(await screen.findByText('Uxc Vice is banned')).toBeTruthy();
    expect(sent[0]?.body).toEqual({ character_name: 'Uxc Vice' });
    for (const name of ['Uxc Vice', 'Jorun Pike', 'Sable Quinn'])
      await userEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
    await press('Ban');
    await press('Ban 1 character');
    await waitFor(() => expect(sent[1]?.body).toEqual({ ids: [5], command: { do: 'ban' } }));
  });

  test('says when each has claimed last, by the server and the board', async () => {
    mockServer({
      'GET /api/admin/last-claims': () =>
        ok([
          { id: 5, last_claim_date: '2026-10-02' },
          { id: 1, last_claim_date: '2026-11-02' },
        ]),
    });
    await openAdmin(AT, { ...all, claim: [aClaim({ id: 1, date: '2026-11-22' })] });
    await waitFor(() => expect(rowOf('Uxc Vice').textContent).toContain('2 Oct 2026'));
    expect(rowOf('Arden Vale').textContent).toContain('22 Nov 2026');
    queryClient.clear();
  });

  test('copies code and key', async () => {
    const user = userEvent.setup();
    await openAdmin(AT, all);
    await user.click(screen.getByRole('button', { name: 'Copy verification code of Jorun Pike' }));
    expect(await navigator.clipboard.readText()).toBe('CB-AAAA2222');
    await user.click(screen.getByRole('button', { name: 'Copy access key of Mira Stormcrow' }));
    expect(await navigator.clipboard.readText()).toBe('H6VB-7JQP-2MEX');
  });

  test('sorts recent first, verified first, or by a column; the address keeps it', async () => {
    await openAdmin(AT, all);
    expect(names()).toEqual([
      'Jorun Pike',
      'Arden Vale',
      'Mira Stormcrow',
      'Sable Quinn',
      'Uxc Vice',
    ]);
    expect(screen.getByRole('button', { name: 'Recent First' }).getAttribute('aria-pressed')).toBe(
      'true',
    );
    await press('Verified First');
    expect(names()).toEqual([
      'Arden Vale',
      'Jorun Pike',
      'Uxc Vice',
      'Mira Stormcrow',
      'Sable Quinn',
    ]);
    await waitFor(() => expect(address()).toBe(`${AT}?sort=verified-first`));
    await press(/^Character/);
    await press(/^Character/);
    expect(names()[0]).toBe('Uxc Vice');
    await waitFor(() => expect(address()).toBe(`${AT}?sort=-name`));
    await press('Recent First');
    await waitFor(() => expect(address()).toBe(AT));
  });

  test('is searched and filtered by status, and the address keeps both', async () => {
    await openAdmin(AT, all);
    await userEvent.type(screen.getByLabelText('Search characters'), 'quinn');
    expect(names()).toEqual(['Sable Quinn']);
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Banned');
    expect(names()).toEqual(['Sable Quinn']);
    expect(screen.getByText('1 of 5 characters')).toBeTruthy();
    await waitFor(() => expect(address()).toBe(`${AT}?search=quinn&status=banned`));
  });

  test.each([
    ['k7qm', 1],
    ['CB-AAAA2222', 1],
    ['cb', 3],
    ['H6VB-7JQP-2MEX', 1],
  ])(
    'a search for the key or code %s works and is never written to the address',
    async (secret, found) => {
      await openAdmin(`${AT}?search=quinn`, all);
      await userEvent.clear(screen.getByLabelText('Search characters'));
      await userEvent.paste(secret);
      expect(names()).toHaveLength(found);
      await press('Verified First');
      await waitFor(() => expect(address()).toBe(`${AT}?sort=verified-first`));
      expect(screen.getByLabelText('Search characters')).toHaveProperty('value', secret);
    },
  );

  test('is shown as the address says, and offers a way back when nothing matches', async () => {
    await openAdmin(`${AT}?search=nobody&status=revoked`, all);
    expect(screen.getByText('No matching characters')).toBeTruthy();
    await press('Clear search and filter');
    expect(names()).toHaveLength(5);
  });

  test('shows another admin’s changes live', async () => {
    await openAdmin(AT, all);
    push(
      { op: 'put', kind: 'verified_code', record: { ...arden, banned: 1 } },
      { op: 'remove', kind: 'verified_code', id: 2 },
    );
    expect(within(rowOf('Arden Vale')).getByText('Banned')).toBeTruthy();
    expect(names()).not.toContain('Jorun Pike');
  });

  test('explains on an empty tab how records are created', async () => {
    await openAdmin(AT);
    expect(screen.getByText('No members yet')).toBeTruthy();
  });
});

describe('verifying by hand', () => {
  test('of a pending row is one press; the focus stays in the row', async () => {
    mockServer({ 'POST /api/admin/verify-character': () => ok(arden) });
    await openAdmin(AT, all);
    await press('Verify Jorun Pike manually');
    push({
      op: 'put',
      kind: 'verified_code',
      record: { ...jorun, verified_at: '2026-11-21T12:00:00Z', access_key: 'NEWK-EEEE-YYYY' },
    });
    push({ op: 'put', kind: 'access_key', record: aKey({ id: 9, character_name: 'Jorun Pike' }) });
    expect(await screen.findByText('Jorun Pike is verified')).toBeTruthy();
    expect(rowOf('Jorun Pike').contains(document.activeElement)).toBe(true);
  });
});

describe.each([
  {
    press: 'Revoke access of Arden Vale',
    call: 'POST /api/admin/revoke-character-access',
    says: 'signed out at once',
    confirm: 'Revoke access',
    done: 'Access of Arden Vale revoked',
    failed: 'Failed to revoke character access: Access key not found',
    refusal: 'key.notFound',
  },
  {
    press: 'Ban Arden Vale',
    call: 'POST /api/admin/ban-character',
    says: "It can't sign in or verify until you unban it",
    confirm: 'Ban character',
    done: 'Arden Vale is banned',
    failed: 'Failed to ban character: Arden Vale is already banned.',
    refusal: 'character.alreadyBanned',
  },
  {
    press: 'Unban Sable Quinn',
    call: 'POST /api/admin/unban-character',
    says: 'works again at once',
    confirm: 'Unban character',
    done: 'Sable Quinn is no longer banned',
    failed: 'Failed to unban character: Sable Quinn is not banned.',
    refusal: 'character.notBanned',
  },
  {
    press: 'Delete verification record of Arden Vale',
    call: 'DELETE /api/admin/verified-codes/1',
    says: 'The access key keeps working',
    confirm: 'Delete record',
    done: 'Verification record of Arden Vale deleted',
    failed: 'Failed to delete verification record: This verification record no longer exists.',
    refusal: 'verification.notFound',
  },
])('$confirm', (action) => {
  const character_name = action.press.includes('Sable') ? 'Sable Quinn' : 'Arden Vale';

  test('asks for confirmation, and lists the records that are deleted as well', async () => {
    const sent = mockServer({ [action.call]: () => ok() });
    await openAdmin(AT, all);
    await chooseAction(character_name, action.press);
    expect(await dialogText()).toContain(action.says);
    expect(sent).toEqual([]);
    await press(action.confirm);
    expect(await screen.findByText(action.done)).toBeTruthy();
    expect(sent).toEqual([
      { call: action.call, body: action.call.startsWith('POST') ? { character_name } : undefined },
    ]);
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  });

  test('that is refused stays in the dialog with the reason', async () => {
    mockServer({ [action.call]: () => refused(409, action.refusal, { character_name }) });
    await openAdmin(AT, all);
    await chooseAction(character_name, action.press);
    await press(action.confirm);
    expect((await screen.findByRole('alert')).textContent).toBe(action.failed);
  });
});

describe('explains the consequences for each kind of record', () => {
  test.each([
    ['Delete verification record of Jorun Pike', jorun, 'Its verification code stops working'],
    [
      'Unban Sable Quinn',
      { ...sable, access_revoked: 1 as const },
      'stays revoked until you restore access',
    ],
    [
      'Unban Sable Quinn',
      { ...sable, access_key: null, verified_at: null },
      'The character can verify again.',
    ],
  ])('%s', async (button, record, says) => {
    const { character_name, access_key, access_revoked: is_revoked } = record;
    const key = aKey({ character_name, is_revoked });
    await openAdmin(AT, {
      access_key: access_key === null ? [] : [key],
      verified_code: [record],
    });
    await chooseAction(character_name, button);
    expect(await dialogText()).toContain(says);
  });
});

test('access is restored at once, and its button keeps the focus', async () => {
  const sent = mockServer({ 'POST /api/admin/restore-character-access': () => ok() });
  await openAdmin(AT, all);
  await chooseAction('Mira Stormcrow', 'Restore access of Mira Stormcrow');
  push({ op: 'put', kind: 'verified_code', record: { ...mira, access_revoked: 0 } });
  expect(await screen.findByText('Access of Mira Stormcrow restored')).toBeTruthy();
  expect(sent[0]?.body).toEqual({ character_name: 'Mira Stormcrow' });
  expect(document.activeElement).toBe(
    screen.getByRole('button', { name: 'More actions for Mira Stormcrow' }),
  );
});

test('a restoring that fails says why', async () => {
  mockServer({ 'POST /api/admin/restore-character-access': () => refused(404, 'key.notFound') });
  await openAdmin(AT, all);
  await chooseAction('Mira Stormcrow', 'Restore access of Mira Stormcrow');
  expect(
    await screen.findByText("Couldn't restore the character's access: Access key not found"),
  ).toBeTruthy();
});
