import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  claimButton,
  freeHour,
  resetScene,
  setUpScene,
  show,
  strip,
} from '../test/claim-scene.tsx';

beforeEach(setUpScene);
afterEach(resetScene);

test('with the keyboard Shift and arrows choose a stretch in the grid, Enter asks, Escape gives up', async () => {
  await show();
  const user = userEvent.setup();
  act(() => freeHour(14).focus());
  await user.keyboard('{Shift>}{ArrowRight}{ArrowRight}{/Shift}');
  expect(await screen.findByText(/^SS\+14 to SS\+17/)).toBeTruthy();
  expect(document.activeElement).toBe(freeHour(14));
  await user.keyboard('{Escape}');
  expect(screen.queryByText(/^SS\+14 to SS\+17/)).toBeNull();
  await user.keyboard('{Shift>}{ArrowRight}{/Shift}{Enter}');
  expect(await claimButton(2)).toBeTruthy();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(freeHour(14));
});

test('in a card’s strip arrows point at hours that can be had, and Shift takes several', async () => {
  await show('/');
  const user = userEvent.setup();
  act(() => strip().focus());
  await user.keyboard('{ArrowRight}');
  expect(await screen.findByText(/^SS\+12 to SS\+16 ·/)).toBeTruthy();
  await user.keyboard('{ArrowRight}{ArrowRight}{Shift>}{ArrowRight}{/Shift}');
  expect(await screen.findByText(/^SS\+14 to SS\+16/)).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(await claimButton(2)).toBeTruthy();
});
