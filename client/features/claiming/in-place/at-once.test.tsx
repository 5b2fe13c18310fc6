import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSession } from '../../../state/session-store.ts';
import { aConfig, anActiveEvent, aType } from '../../../test/records.ts';
import {
  arden,
  claimArrives,
  refused,
  resetScene,
  riley,
  server,
  setUpScene,
  show,
} from '../test/claim-scene.tsx';

beforeEach(() => {
  localStorage.clear();
  setUpScene();
});
afterEach(resetScene);

const FREE = '/?free=16&for=2';
const pressTile = async (): Promise<void> =>
  userEvent.click(
    screen.getAllByRole('link', { name: /^Claim .+ SS\+16 to SS\+18$/ })[0] ?? document.body,
  );

test('where a member can undo it, one press on a tile claims the searched hours', async () => {
  await show(FREE, { config: [aConfig({ release_enabled: 1 })] });
  await pressTile();
  await screen.findByText(/^You claimed/);
  expect(server.posted).toHaveLength(1);
  expect(server.posted[0]?.body).toMatchObject({ claims: [{ hour_start: 16, hour_end: 18 }] });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a refusal is shown in the panel, and nothing is sent again by itself', async () => {
  server.answer = () => refused(409, 'claim.characterHasClaim', { date: '2026-11-21' });
  await show(FREE, { config: [aConfig({ release_enabled: 1 })] });
  await pressTile();
  await screen.findByRole('alert');
  expect((await screen.findByRole('dialog')).querySelector('[role="alert"]')).toBeTruthy();
  expect(server.posted).toHaveLength(1);
});

test.each([
  ['release is off', FREE, 0],
  ['the first hour runs', '/?free=12&for=2', 1],
] as const)('the panel asks first where %s', async (_, address, release_enabled) => {
  await show(address, { config: [aConfig({ release_enabled })] });
  await userEvent.click(
    screen.getAllByRole('link', { name: /^Claim .+ SS\+\d+ to SS\+\d+$/ })[0] ?? document.body,
  );
  await screen.findByRole('dialog');
  expect(server.posted).toEqual([]);
});

test('a claim of a whole event, which nobody can release, is asked about', async () => {
  await show(FREE, {
    config: [aConfig({ release_enabled: 1 })],
    event: [anActiveEvent({ type: 'single_claim' })],
  });
  await pressTile();
  await screen.findByRole('dialog');
  expect(server.posted).toEqual([]);
});

test('a double click sends one claim', async () => {
  let answer = (): void => {};
  const stored = server.answer;
  server.answer = () =>
    new Promise((resolve) => {
      answer = () => resolve(stored());
    });
  await show(FREE, { config: [aConfig({ release_enabled: 1 })] });
  await pressTile();
  await vi.waitFor(() => expect(server.posted).toHaveLength(1));
  await pressTile();
  answer();
  await screen.findByText(/^You claimed/);
  expect(server.posted).toHaveLength(1);
});

test('another character than the selected one is named before anything is sent', async () => {
  useSession.setState({ current: arden, profiles: [arden, riley] });
  await show(FREE, {
    config: [aConfig({ release_enabled: 1 })],
    member_type: [aType('member', { can_submit: 0 }), aType('elite')],
  });
  await pressTile();
  expect((await screen.findByRole('dialog')).textContent).toContain('Riley Ashdown');
  expect(server.posted).toEqual([]);
});

test('hours that were taken since the press are asked about, and adjusting them sends nothing', async () => {
  await show(FREE, { config: [aConfig({ release_enabled: 1 })] });
  const [tile] = screen.getAllByRole('link', { name: /^Claim .+ SS\+16 to SS\+18$/ });
  const respawn_id = Number(tile?.closest('[data-spot]')?.getAttribute('data-spot'));
  // In one batch, as where the panel's code still loads.
  act(() => {
    tile?.click();
    claimArrives({
      id: 77,
      respawn_id,
      character_name: 'Mira Stormcrow',
      hour_start: 17,
      hour_end: 18,
    });
  });
  expect((await screen.findByRole('dialog')).textContent).toContain('is still free');
  const [start] = screen.getAllByRole('slider', { name: 'Start' });
  if (start) fireEvent.keyDown(start, { key: 'ArrowLeft' });
  expect(server.posted).toEqual([]);
});
