import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { applyChanges, useBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { aClaim, aConfig, anActiveEvent, aType } from '../../../test/records.ts';
import {
  address,
  arden,
  claimButton,
  drag,
  freeHour,
  ok,
  popover,
  releasePointer,
  resetScene,
  riley,
  server,
  setUpScene,
  show,
  stored,
  TODAY,
  taken,
} from '../test/claim-scene.tsx';

beforeEach(setUpScene);
afterEach(resetScene);

describe('nothing is offered that the server refuses', () => {
  const pressed = async (): Promise<string> => {
    fireEvent.click(freeHour(14));
    return (await screen.findByRole('alert')).textContent ?? '';
  };

  test('submission is closed', async () => {
    await show('/?view=timeline', { config: [aConfig({ submission_enabled: 0 })] });
    fireEvent.click(freeHour(14));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  test('submission is closed while the user chooses', async () => {
    await show('/?view=timeline', { config: [aConfig()] });
    fireEvent.click(freeHour(14));
    const button = await claimButton(4);
    act(() => {
      const record = aConfig({ submission_enabled: 0 });
      applyChanges({
        clock: useBoard.getState().clock + 1,
        changes: [{ op: 'put', kind: 'config', record }],
      });
    });
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Claim submission is currently disabled',
    );
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });
  test('the type may not', async () => {
    await show('/?view=timeline', { member_type: [aType('member', { can_submit: 0 })] });
    fireEvent.click(freeHour(14));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  test('the character has a claim on that day, as the board knows or only the server', async () => {
    await show('/?view=timeline', {
      claim: [taken, aClaim({ id: 3, respawn_id: 2, hour_start: 2, hour_end: 6 })],
    });
    expect(await pressed()).toMatch(/^CHARACTER ALREADY HAS A CLAIM FOR THIS DATE/);
    const own = within(screen.getByRole('alert')).getByRole('link', { name: /, SS\+2 to SS\+6$/ });
    expect(own.textContent).toBe(
      `${useBoard.getState().byKind.respawn.get(2)?.name}, SS+2 to SS+6`,
    );
    expect(screen.getAllByText('CHARACTER ALREADY HAS A CLAIM FOR THIS DATE')).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Next free day: Tomorrow' })).toBeTruthy();
    // Another try would be refused, too.
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    await userEvent.click(own);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
  test('"in a single_claim event there is no per-date choice": the character with a claim is not asked for another day', async () => {
    const event = anActiveEvent({ type: 'single_claim' });
    const own = aClaim({
      id: 3,
      respawn_id: 2,
      hour_start: 2,
      hour_end: 6,
      date: null,
      event_id: event.id,
    });
    await show('/?view=timeline', { event: [event], claim: [own] });
    await drag(14, 18);
    releasePointer();
    expect((await screen.findByRole('alert')).textContent).toMatch(
      /^CHARACTER ALREADY HAS A CLAIM FOR THIS DATE.*SS\+2 to SS\+6$/,
    );
    expect(screen.queryByRole('button', { name: /^Next free day/ })).toBeNull();
  });
  test('the first of several characters that may claim is chosen, with its own voucher', async () => {
    useSession.setState({ profiles: [arden, riley] });
    await show('/?view=timeline', {
      claim: [taken, aClaim({ id: 3, respawn_id: 2, hour_start: 2, hour_end: 6 })],
    });
    await drag(14, 18);
    releasePointer();
    await claimButton(2);
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Character' }).value).toBe(
      'Riley Ashdown',
    );
    await userEvent.click(await claimButton(2));
    await vi.waitFor(
      () => expect(server.posted[0]?.body).toMatchObject({ access_key: 'R', member_type: 'elite' }),
      { timeout: 20_000 },
    );
  });
  test('another character than the one that a day refused gets hours of that day', async () => {
    useSession.setState({ profiles: [arden, riley] });
    await show('/?view=timeline', {
      claim: [
        taken,
        aClaim({ id: 3, respawn_id: 2, hour_start: 2, hour_end: 6 }),
        aClaim({
          id: 4,
          respawn_id: 2,
          character_name: 'Riley Ashdown',
          date: '2026-11-22',
          hour_start: 2,
          hour_end: 6,
        }),
      ],
    });
    await drag(14, 15);
    releasePointer();
    await claimButton(2);
    // Riley has a claim tomorrow, Arden has none then.
    await userEvent.click(within(await popover()).getByRole('button', { name: 'Next day' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^CHARACTER ALREADY HAS/);
    await userEvent.selectOptions(
      screen.getByRole('combobox', { name: 'Character' }),
      'Arden Vale',
    );
    expect(await claimButton(2)).toBeTruthy();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByText(/SS\+14 to SS\+16/)).toBeTruthy();
  });
  test('a claim of a single_claim event has no date, and is described as the whole event', async () => {
    await show('/?view=timeline', { claim: [], event: [anActiveEvent({ type: 'single_claim' })] });
    vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
      if (url === '/api/claims')
        server.posted.push({ body: JSON.parse(String(init.body)), key: null });
      return url === '/api/claims' ? ok([stored({ date: null })], 201) : ok([]);
    });
    fireEvent.click(freeHour(14));
    await userEvent.click(await claimButton(4));
    await vi.waitFor(() => expect(server.posted).toHaveLength(1), { timeout: 20_000 });
    expect(server.posted[0]?.body).not.toHaveProperty('claims.0.date');
  });
});

test('a visitor of a public board goes to the login page, which keeps the selection', async () => {
  useSession.setState({ current: null, profiles: [] });
  await show();
  await drag(15, 17);
  releasePointer();
  expect(address()).toBe('/login?type=access-key');
  expect(screen.getByTestId('asked').textContent).toBe(`?respawn=1&date=${TODAY}&hour=15&hours=3`);
});

test('More options opens the form with the whole selection', async () => {
  useSession.setState({ profiles: [arden, riley] });
  await show();
  await drag(15, 17);
  releasePointer();
  await claimButton(3);
  await userEvent.selectOptions(
    screen.getByRole('combobox', { name: 'Character' }),
    'Riley Ashdown',
  );
  expect(await claimButton(2)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'More options' }));
  expect(address()).toBe(`/input?respawn=1&date=${TODAY}&hour=15&hours=2`);
  expect(useSession.getState().current).toEqual(riley);
});

describe('an admin without a character', () => {
  beforeEach(() =>
    useSession.setState({
      current: null,
      profiles: [],
      admin: { username: 'Thora', token: 'T', role: 'owner' },
    }),
  );

  test('names the claimant, also while submission is closed, and can undo it', async () => {
    await show('/?view=timeline', { config: [aConfig({ submission_enabled: 0 })] });
    await drag(15, 16);
    releasePointer();
    await userEvent.click(await claimButton(2));
    expect(screen.getByText('Character name is required')).toBeTruthy();
    expect(server.posted).toEqual([]);
    await userEvent.type(
      screen.getByRole('combobox', { name: 'Character name' }),
      'Sable Quinn{Enter}',
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(server.posted[0]?.body).toMatchObject({ admin_submission: true, member_type: 'member' });
    expect(await screen.findByText('Claim undone')).toBeTruthy();
  });

  test('gets hours once the name is no longer one that the day refuses', async () => {
    await show('/?view=timeline', {
      claim: [
        taken,
        aClaim({ id: 3, respawn_id: 2, date: '2026-11-22', hour_start: 2, hour_end: 6 }),
      ],
    });
    await drag(14, 15);
    releasePointer();
    const name = await screen.findByRole('combobox', { name: 'Character name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'Arden Vale');
    await userEvent.click(within(await popover()).getByRole('button', { name: 'Next day' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^CHARACTER ALREADY HAS/);
    await userEvent.clear(name);
    await userEvent.type(name, 'Old Bram');
    expect(await claimButton(2)).toBeTruthy();
  });

  test('takes the name along to the form, in the history', async () => {
    await show();
    await drag(15, 16);
    releasePointer();
    const name = await screen.findByRole('combobox', { name: 'Character name' });
    await userEvent.clear(name);
    await userEvent.type(name, 'Old Bram');
    await userEvent.click(screen.getByRole('button', { name: 'More options' }));
    expect(address()).toBe(`/admin/input?respawn=1&date=${TODAY}&hour=15&hours=2`);
    expect(screen.getByTestId('claimant').textContent).toBe(
      JSON.stringify({ character_name: 'Old Bram', member_type: 'member' }),
    );
  });
});
