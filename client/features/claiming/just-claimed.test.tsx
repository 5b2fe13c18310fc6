import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aConfig } from '../../test/records.ts';
import {
  claimButton,
  drag,
  ok,
  releasePointer,
  resetScene,
  server,
  setUpScene,
  show,
  stored,
  TODAY,
} from './test/claim-scene.tsx';

beforeEach(setUpScene);
afterEach(resetScene);

const canRelease = { config: [aConfig({ release_enabled: 1 })] };
const claimBy = async (from: number, to: number): Promise<void> => {
  await drag(from, to);
  releasePointer();
  await userEvent.click(await claimButton(to - from + 1));
  await screen.findByText(/^You claimed Fire Library, /);
};
const undo = (): HTMLElement | null => screen.queryByRole('button', { name: 'Undo' });

test('the message shows spot, day and local time, and its hours never wrap', async () => {
  server.answer = () => ok([stored({ date: TODAY })], 201);
  await show();
  await claimBy(16, 18);
  expect(screen.getByText('You claimed Fire Library, SS+16 to SS+19').textContent).toContain(
    'SS+16\u00a0to\u00a0SS+19',
  );
  expect(screen.getByText('Today · 16:00 to 19:00 your time')).toBeTruthy();
  // R9.20: this guild lets no member release hours.
  expect(undo()).toBeNull();
});

test('where members may release hours, Undo releases the claim by its own key; a press beside it leaves Undo in place', async () => {
  server.answer = () => ok([stored({ date: TODAY })], 201);
  await show('/?view=timeline', canRelease);
  await claimBy(16, 18);
  const copied = vi.fn(async () => {});
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(copied);
  await userEvent.click(screen.getByRole('button', { name: 'Copy for Discord' }));
  const at = (time: string): number => Date.parse(time) / 1000;
  expect(copied).toHaveBeenCalledWith(
    `**Fire Library** · Arden Vale · SS+16 to SS+19 · <t:${at('2026-11-22T01:00Z')}:f> – <t:${at('2026-11-22T04:00Z')}:t>`,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Claim undone')).toBeTruthy();
  expect(server.released).toEqual([{ path: '/claims/50/release', body: {}, key: 'K' }]);
  expect(undo()).toBeNull();
});

test('a claim whose first hour runs cannot be undone: that hour would stay', async () => {
  server.answer = () => ok([stored({ date: TODAY, hour_start: 12, hour_end: 14 })], 201);
  await show('/?view=timeline', canRelease);
  await claimBy(12, 13);
  expect(undo()).toBeNull();
});
