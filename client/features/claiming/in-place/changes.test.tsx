import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyPresence } from '../../../state/presence-store.ts';
import { aClaim } from '../../../test/records.ts';
import {
  claimArrives,
  claimButton,
  drag,
  ok,
  popover,
  refused,
  releasePointer,
  resetScene,
  server,
  setUpScene,
  show,
  stored,
  TODAY,
} from '../test/claim-scene.tsx';

vi.mock('../../../live/announce-choosing.ts', { spy: true });
const { announceChoosing } = await import('../../../live/announce-choosing.ts');

beforeEach(setUpScene);
afterEach(resetScene);

test('hours that another member takes are deselected at once, with a message', async () => {
  await show();
  await drag(15, 18);
  releasePointer();
  await claimButton(4);
  claimArrives({ respawn_id: 1, character_name: 'Sable Quinn', hour_start: 17, hour_end: 19 });
  expect(await claimButton(2)).toBeTruthy();
  expect(
    screen.getByText('Sable Quinn took SS+17 to SS+19. SS+15 to SS+17 is still free.'),
  ).toBeTruthy();
  claimArrives(
    { id: 10, respawn_id: 1, character_name: 'Old Bram', hour_start: 13, hour_end: 17 },
    3,
  );
  expect(await screen.findByText(/None of these hours are left/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Claim' }));
  expect(server.posted).toEqual([]);
});

test('refusals that only the server can know, such as claims of other events, shorten the selection too', async () => {
  server.elsewhere = [
    aClaim({ id: 77, respawn_id: 1, character_name: 'Old Bram', hour_start: 17, hour_end: 18 }),
  ];
  await show();
  await drag(15, 18);
  releasePointer();
  expect(await claimButton(2)).toBeTruthy();
  expect(screen.getByText(/^Old Bram took SS\+17 to SS\+18/)).toBeTruthy();
});

test('other members choosing are named; one’s own choice is announced to them and withdrawn', async () => {
  await show();
  const choices = [{ respawn_id: 1, date: TODAY, hour_start: 15, hour_end: 17 }];
  act(() => applyPresence({ op: 'put', chooser: { id: 'a', name: 'Sable Quinn', choices } }));
  await drag(15, 16);
  releasePointer();
  expect(within(await popover()).getByText('Sable Quinn is choosing')).toBeTruthy();
  expect(announceChoosing).toHaveBeenLastCalledWith([
    { respawn_id: 1, date: TODAY, hour_start: 15, hour_end: 17 },
  ]);
  await userEvent.keyboard('{Escape}');
  expect(announceChoosing).toHaveBeenLastCalledWith(null);
});

test('a refusal is shown in place, and the input is kept', async () => {
  await show();
  server.answer = () => refused(409, 'claim.timeConflict', { date: TODAY, hour: 16 });
  await drag(16, 17);
  releasePointer();
  await userEvent.click(await claimButton(2));
  expect((await screen.findByRole('alert')).textContent).toMatch(/already a claim that overlaps/);
  expect(await claimButton(2)).toBeTruthy();
});

test('a refused claim that the board then cuts can be claimed as it is left, and names who took the hours', async () => {
  await show();
  server.answer = () => refused(409, 'claim.timeConflict', { date: TODAY, hour: 17 });
  await drag(15, 18);
  releasePointer();
  const button = await claimButton(4);
  await userEvent.click(button);
  expect(await screen.findByText(/already a claim that overlaps/)).toBeTruthy();
  expect(button.getAttribute('aria-disabled')).toBe('true');
  const bram = { respawn_id: 1, character_name: 'Old Bram', hour_start: 17, hour_end: 19 };
  claimArrives(bram);
  expect(await claimButton(2)).toBe(button);
  expect(button.getAttribute('aria-disabled')).toBeNull();
  expect(screen.getByText(/^Old Bram took SS\+17 to SS\+19/)).toBeTruthy();
  expect(screen.queryByText(/already a claim that overlaps/)).toBeNull();
  // The second refusal, of the hours left, blocks too.
  await userEvent.click(button);
  expect(await screen.findByText(/already a claim that overlaps/)).toBeTruthy();
  expect(button.getAttribute('aria-disabled')).toBe('true');
  claimArrives({ ...bram, id: 10, hour_start: 15, hour_end: 17 }, 3);
  expect(screen.getByText(/None of these hours are left/)).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Next free day/ })).toBeTruthy();
});

/** Lets the test decide when the next claim is answered. */
function heldAnswer(): (answer: Response) => Promise<void> {
  let give: (answer: Response) => void = () => {};
  const answer = new Promise<Response>((resolve) => {
    give = resolve;
  });
  server.answer = () => answer;
  return (response) => act(async () => give(response));
}

test('the answer to a first claim leaves the second selection open', async () => {
  const answer = heldAnswer();
  await show();
  await drag(14, 15);
  releasePointer();
  await userEvent.click(await claimButton(2));
  await userEvent.keyboard('{Escape}');
  await drag(16, 18);
  releasePointer();
  expect(await claimButton(3)).toBeTruthy();
  await answer(ok([stored({ hour_start: 14, hour_end: 16 })], 201));
  expect(await screen.findByText(/You claimed Fire Library/)).toBeTruthy();
  expect(await claimButton(3)).toBeTruthy();
});

test('a refusal is shown even if its selection was closed meanwhile', async () => {
  const answer = heldAnswer();
  await show();
  await drag(14, 15);
  releasePointer();
  await userEvent.click(await claimButton(2));
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await answer(refused(409, 'claim.timeConflict', { date: TODAY, hour: 14 }));
  expect(await screen.findByText(/already a claim that overlaps/)).toBeTruthy();
});

test('a lost response is requested again with the same idempotency key', async () => {
  await show();
  server.answer = () => {
    throw new TypeError('Failed to fetch');
  };
  await drag(16, 18);
  releasePointer();
  await userEvent.click(await claimButton(3));
  const again = await screen.findByRole('button', { name: 'Try again' });
  // It was stored after all: that is no conflict.
  claimArrives({ respawn_id: 1, character_name: 'Arden Vale', hour_start: 16, hour_end: 19 });
  server.answer = () => ok([stored()], 201);
  await userEvent.click(again);
  expect(await screen.findByText(/You claimed Fire Library/)).toBeTruthy();
  expect(server.posted[1]).toEqual(server.posted[0]);
});
