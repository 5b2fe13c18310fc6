import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { aConfig } from '../../../test/records.ts';
import { refused, resetScene, server, setUpScene, show } from '../test/claim-scene.tsx';

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
