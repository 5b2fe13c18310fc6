import { act, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../../../shared/live.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { applyChanges, useBoard } from '../../../state/board-store.ts';
import { useSession } from '../../../state/session-store.ts';
import { descriptionOf } from '../../../test/description.ts';
import { aClaim, aConfig, anActiveEvent, aType, aWait } from '../../../test/records.ts';
import {
  arden,
  middleOf,
  mouse,
  ok,
  refused,
  resetScene,
  riley,
  server,
  setUpScene,
  show,
  TODAY,
  taken,
} from '../test/claim-scene.tsx';

beforeEach(setUpScene);
afterEach(resetScene);

// Mira has SS+19 to SS+22 of Fire Library; SS+12 is running, and a member's voucher is four hours.
const ofMira = (change: Partial<Wait> = {}): Wait =>
  aWait({ date: TODAY, hour_start: 19, hour_end: 22, ...change });
const card = (spot = 'Fire Library'): HTMLElement => {
  const found = screen
    .getAllByRole('article')
    .find((each) => within(each).queryByRole('heading', { name: new RegExp(spot) }));
  if (!found) throw new Error(`${spot} has no card`);
  return found;
};
const toWait = (): HTMLElement =>
  within(card()).getByRole('button', { name: /Mira Stormcrow.*Join waitlist for these hours$/ });
const noWait = (): void =>
  expect(screen.queryByRole('button', { name: /Join waitlist for these hours/ })).toBeNull();
const submit = (hours = 3): Promise<HTMLElement> =>
  screen.findByRole('button', { name: `Join waitlist for ${hours} h` });
const waitArrives = (record: Wait): void =>
  act(
    () =>
      void applyChanges({
        clock: useBoard.getState().clock + 1,
        changes: [{ op: 'put', kind: 'wait', record }],
      }),
  );

test('a claim on a card can be waited for: its hours are proposed, and one press gets in line by the character’s key', async () => {
  server.waitAnswer = () => ok(ofMira({ position: 2 }), 201);
  await show('/', { claim: [taken], wait: [ofMira({ id: 7, character_name: 'Sable Quinn' })] });
  await userEvent.click(toWait());
  const dialog = await screen.findByRole('dialog', { name: 'Waitlist: Fire Library' });
  expect(within(dialog).getByText('SS+19 to SS+22 · 19:00 to 22:00')).toBeTruthy();
  expect(within(dialog).getByRole('list', { name: 'Claimed by' }).textContent).toContain(
    'Mira Stormcrow',
  );
  expect(within(dialog).getByText('Sable Quinn').closest('li')?.textContent).toMatch(/^1\./);
  await userEvent.selectOptions(
    within(dialog).getByRole('combobox', { name: "Shortest offer you'd take" }),
    '2',
  );
  expect(document.activeElement?.textContent).not.toBe('');
  await userEvent.click(await submit());
  expect(
    await screen.findByText(
      'Arden Vale is number 2 on the waitlist for Fire Library, SS+19 to SS+22',
    ),
  ).toBeTruthy();
  const body = {
    respawn_id: 1,
    date: TODAY,
    hour_start: 19,
    hour_end: 22,
    min_hours: 2,
    access_key: 'K',
  };
  expect(server.waits).toEqual([{ method: 'POST', path: '/waits', body, key: 'K' }]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('Enter joins the waitlist, and the focus returns to the pressed element', async () => {
  await show('/');
  await userEvent.click(toWait());
  await submit();
  await vi.waitFor(() =>
    expect(document.activeElement).toBe(
      screen.getByRole('button', { name: 'Join waitlist for 3 h' }),
    ),
  );
  await userEvent.keyboard('{Enter}');
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.waits).toHaveLength(1);
  expect(document.activeElement).toBe(toWait());
});

test('the answer to a first question leaves the second one open', async () => {
  let give: (answer: Response) => void = () => {};
  server.waitAnswer = () =>
    new Promise((resolve) => {
      give = resolve;
    });
  const other = aClaim({
    id: 2,
    respawn_id: 2,
    character_name: 'Sable Quinn',
    hour_start: 19,
    hour_end: 21,
  });
  await show('/', { claim: [taken, other] });
  await userEvent.click(toWait());
  await userEvent.click(await submit());
  await userEvent.keyboard('{Escape}');
  await userEvent.click(
    within(card('Cobra Bastion')).getByRole('button', {
      name: /Sable Quinn.*Join waitlist for these hours$/,
    }),
  );
  expect(await screen.findByRole('dialog', { name: 'Waitlist: Cobra Bastion' })).toBeTruthy();
  await act(async () => give(ok(ofMira(), 201)));
  expect(
    await screen.findByText(/Arden Vale is number \d on the waitlist for Fire Library/),
  ).toBeTruthy();
  expect(screen.getByRole('dialog', { name: 'Waitlist: Cobra Bastion' })).toBeTruthy();
});

test('a bar of the timeline, and taken hours of a card’s strip, ask the same', async () => {
  await show();
  await userEvent.click(
    screen.getByRole('button', {
      name: /^Mira Stormcrow, SS\+19 to SS\+22.*Join waitlist for these hours$/,
    }),
  );
  expect(await submit()).toBeTruthy();
});

test('taken hours of a card’s strip ask the same', async () => {
  await show('/');
  fireEvent.click(within(card()).getByLabelText(/(Taken|Free): SS\+/), {
    ...mouse,
    clientX: middleOf(20, 0),
  });
  expect(await submit()).toBeTruthy();
});

test('on a phone it is a sheet, and both ends can be moved within the voucher, also over free hours', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('coarse'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  await show('/');
  await userEvent.click(toWait());
  const start = await screen.findByRole('slider', { name: 'Start' });
  for (let i = 0; i < 4; i += 1) fireEvent.keyDown(start, { key: 'ArrowLeft' });
  expect(screen.getByText(/^SS\+18 to SS\+22/)).toBeTruthy();
  expect(await submit(4)).toBeTruthy();
});

test('hours of the range that are free are claimed at once, by the same character', async () => {
  await show('/');
  await userEvent.click(toWait());
  await submit();
  expect(screen.queryByText('Free now:')).toBeNull();
  const end = screen.getByRole('slider', { name: 'End' });
  fireEvent.keyDown(end, { key: 'ArrowRight' });
  expect(await submit(4)).toBeTruthy();
  expect(screen.getByText('Free now:').textContent).toBe('Free now: SS+22 to SS+23');
  await userEvent.click(screen.getByRole('button', { name: 'Claim free hours…' }));
  expect(screen.queryByRole('dialog', { name: 'Waitlist: Fire Library' })).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Claim 1 h' }));
  await vi.waitFor(() =>
    expect(server.posted[0]?.body).toMatchObject({
      claims: [{ respawn_id: 1, hour_start: 22, hour_end: 23 }],
    }),
  );
  expect(server.waits).toEqual([]);
});

test('a character on the waitlist of a spot and date does not join again for other hours: it says for which ones it waits', async () => {
  await show('/', {
    claim: [taken],
    wait: [ofMira({ id: 8, character_name: 'arden vale', hour_start: 20, hour_end: 21 })],
  });
  await userEvent.click(toWait());
  const refusal =
    'Arden Vale is already on the waitlist for SS+20 to SS+21 on Sat 21 Nov. Leave it first to choose other hours.';
  expect((await screen.findByRole('alert')).textContent).toBe(refusal);
  await userEvent.click(
    within(screen.getByRole('dialog')).getByRole('button', { name: 'Leave waitlist' }),
  );
  // It asks in place of the panel, and the focus does not get lost between the two.
  const question = await screen.findByRole('alertdialog', {
    name: 'Leave the waitlist for Fire Library?',
  });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(question.contains(document.activeElement)).toBe(true);
});

test('an offer is no part of the waitlist on the card: who else waits is', async () => {
  const until = { held_until: '2026-11-21T21:37:00Z' };
  const hold = aClaim({
    id: 30,
    respawn_id: 1,
    hour_start: 19,
    hour_end: 22,
    character_name: 'Arden Vale',
    is_held: 1,
    ...until,
  });
  await show('/', {
    claim: [hold],
    wait: [
      ofMira({
        id: 8,
        character_name: 'Arden Vale',
        status: 'offered',
        held_claim_id: 30,
        ...until,
      }),
    ],
  });
  expect(within(card()).queryByRole('button', { name: /waiting/ })).toBeNull();
  waitArrives(ofMira({ id: 9, position: 2, character_name: 'Sable Quinn' }));
  expect(within(card()).getByRole('button', { name: '1 waiting' })).toBeTruthy();
});

test('the waitlist is explained beside its note', async () => {
  await show('/', { claim: [taken] });
  await userEvent.click(toWait());
  const help = await screen.findByRole('button', { name: 'Help: Waitlist' });
  expect(descriptionOf(help)).toMatch(
    /^Join the waitlist for hours that another member has claimed/,
  );
});

test('whether a sound is played is a choice in words', async () => {
  vi.stubGlobal('AudioContext', class {});
  await show('/', { claim: [taken] });
  await userEvent.click(toWait());
  const choice = await screen.findByRole('checkbox', {
    name: 'Play a sound when hours are held for me',
  });
  expect(choice.matches(':checked')).toBe(false);
});

test('hours of a running claim can be waited for from the current hour on, up to the voucher', async () => {
  await show('/', {
    claim: [
      aClaim({
        id: 1,
        respawn_id: 1,
        character_name: 'Mira Stormcrow',
        hour_start: 10,
        hour_end: 20,
      }),
    ],
  });
  await userEvent.click(toWait());
  expect(await screen.findByText(/^SS\+12 to SS\+16/)).toBeTruthy();
});

test('shows a count and a list with positions; one’s own entry is marked and can be left', async () => {
  const own = ofMira({
    id: 8,
    position: 2,
    character_name: 'arden vale',
    hour_start: 20,
    hour_end: 21,
  });
  await show('/', {
    claim: [taken],
    wait: [ofMira({ id: 7, character_name: 'Sable Quinn', position: 1 }), own],
  });
  expect(toWait().querySelector('[data-count]')?.getAttribute('data-count')).toBe('2');
  const line = within(card()).getByRole('button', { name: /2 waiting.*you're number 2/ });
  await userEvent.click(line);
  const places = within(card())
    .getAllByRole('listitem')
    .map((item) => item.textContent)
    .filter((text) => /^\d\./.test(text ?? ''));
  expect(places).toEqual([
    '1.SS+19 to SS+22Sable Quinn',
    '2.SS+20 to SS+21arden valeyouLeave waitlist',
  ]);
  server.waitAnswer = () => ok(null);
  await userEvent.click(within(card()).getByRole('button', { name: 'Leave waitlist' }));
  const question = await screen.findByRole('alertdialog', {
    name: 'Leave the waitlist for Fire Library?',
  });
  expect(question.textContent).toContain("You're number 2.");
  expect(server.waits).toEqual([]);
  await userEvent.click(within(question).getByRole('button', { name: 'Leave waitlist' }));
  expect(await screen.findByText('You left the waitlist for Fire Library')).toBeTruthy();
  expect(server.waits).toEqual([{ method: 'DELETE', path: '/waits/8', body: null, key: 'K' }]);
});

test('in the timeline a bar says how many wait for it, and which place is one’s own', async () => {
  await show('/?view=timeline', {
    claim: [taken],
    wait: [ofMira({ id: 7, character_name: 'Sable Quinn' }), ofMira({ id: 8, position: 2 })],
  });
  expect(
    screen.getByRole('button', { name: /^Mira Stormcrow, .*2 waiting, you're number 2/ }),
  ).toBeTruthy();
});

test('hours freed during the question cannot be waited for: it says so and offers to claim', async () => {
  await show('/');
  await userEvent.click(toWait());
  const button = await submit();
  act(
    () => void applyChanges({ clock: 2, changes: [{ op: 'remove', kind: 'claim', id: taken.id }] }),
  );
  expect((await screen.findByRole('alert')).textContent).toBe(
    'No other member has any of these hours. Claim them instead.',
  );
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await userEvent.click(button);
  expect(server.waits).toEqual([]);
});

test('a refusal is shown in place, and the next attempt clears it', async () => {
  await show('/');
  server.waitAnswer = () => refused(409, 'wait.lineFull');
  await userEvent.click(toWait());
  await userEvent.click(await submit());
  expect((await screen.findByRole('alert')).textContent).toBe('This waitlist is full.');
  server.waitAnswer = () => {
    throw new TypeError('Failed to fetch');
  };
  await userEvent.click(await submit());
  expect((await screen.findByRole('alert')).textContent).toMatch(/Network error/);
  server.waitAnswer = () => ok(ofMira(), 201);
  await userEvent.click(await submit());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the first of several characters that may join does, with its own voucher', async () => {
  useSession.setState({ profiles: [arden, riley] });
  const busy = aClaim({ id: 3, respawn_id: 2, hour_start: 2, hour_end: 6 });
  await show('/', {
    claim: [taken, busy],
    member_type: [aType('member'), aType('elite', { voucher_duration_hours: 2 })],
  });
  await userEvent.click(toWait());
  expect(
    (await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Character' })).value,
  ).toBe('Riley Ashdown');
  await userEvent.click(await submit(2));
  await vi.waitFor(() =>
    expect(server.waits[0]).toMatchObject({
      key: 'R',
      body: { access_key: 'R', hour_start: 19, hour_end: 21 },
    }),
  );
});

test('an admin names the character', async () => {
  useSession.setState({
    current: null,
    profiles: [],
    admin: { username: 'Thora', token: 'T', role: 'owner' },
  });
  await show('/');
  await userEvent.click(toWait());
  await userEvent.type(
    await screen.findByRole('combobox', { name: 'Character name' }),
    'Sable Quinn{Enter}',
  );
  await vi.waitFor(() =>
    expect(server.waits[0]?.body).toMatchObject({
      character_name: 'Sable Quinn',
      member_type: 'member',
      hour_start: 19,
    }),
  );
});

describe('nothing is offered that the server refuses', () => {
  test.each<[string, Snapshot]>([
    ['waits are switched off', { config: [aConfig({ waits_enabled: 0 })] }],
    ['submission is closed', { config: [aConfig({ submission_enabled: 0 })] }],
    ['a single_claim event is on', { event: [anActiveEvent({ type: 'single_claim' })] }],
    [
      'the character has a claim on that date',
      { claim: [taken, aClaim({ id: 3, respawn_id: 2, hour_start: 2, hour_end: 6 })] },
    ],
    [
      'the hours are over',
      {
        claim: [
          aClaim({
            id: 1,
            respawn_id: 1,
            character_name: 'Mira Stormcrow',
            hour_start: 8,
            hour_end: 12,
          }),
        ],
      },
    ],
    [
      'it is one’s own',
      { claim: [aClaim({ id: 1, respawn_id: 1, hour_start: 19, hour_end: 22 })] },
    ],
  ])('%s', async (_, change) => {
    await show('/', change);
    noWait();
    fireEvent.click(within(card()).getByLabelText(/(Taken|Free): SS\+/), {
      ...mouse,
      clientX: middleOf(20, 0),
    });
    expect(screen.queryByRole('dialog', { name: /^Waitlist/ })).toBeNull();
  });

  test('with the waitlist switched off no position is shown either, and this follows the setting live', async () => {
    await show('/', {
      claim: [taken],
      wait: [ofMira({ character_name: 'Sable Quinn' })],
      config: [aConfig({ waits_enabled: 0 })],
    });
    expect(screen.queryByText('1 waiting')).toBeNull();
    act(
      () =>
        void applyChanges({
          clock: 2,
          changes: [{ op: 'put', kind: 'config', record: aConfig() }],
        }),
    );
    expect(await within(card()).findByText('1 waiting')).toBeTruthy();
    expect(toWait()).toBeTruthy();
  });

  test('the limit of three waitlists is shown before anything is sent', async () => {
    const others = [1, 2, 3].map((id) =>
      ofMira({ id, respawn_id: 2, hour_start: id, hour_end: id + 2 }),
    );
    await show('/', { claim: [taken], wait: others });
    await userEvent.click(toWait());
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Arden Vale is already on 3 waitlists.',
    );
    expect((await submit()).getAttribute('aria-disabled')).toBe('true');
  });

  test('a visitor of a public board is led to the login', async () => {
    useSession.setState({ current: null, profiles: [] });
    await show('/');
    noWait();
  });
});

test('a wait that arrives is in the line at once', async () => {
  await show('/');
  waitArrives(ofMira({ id: 9, character_name: 'Old Bram' }));
  expect(await within(card()).findByText('1 waiting')).toBeTruthy();
});
