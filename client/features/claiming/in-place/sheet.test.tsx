import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  claimButton,
  freeHour,
  middleOf,
  resetScene,
  server,
  setUpScene,
  show,
} from '../test/claim-scene.tsx';

beforeEach(setUpScene);
afterEach(resetScene);

let isCoarse = true;
const listeners = new Set<() => void>();
const connectMouse = (): void => {
  isCoarse = false;
  act(() => {
    for (const listener of listeners) listener();
  });
};

beforeEach(() => {
  isCoarse = true;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('coarse') && isCoarse,
    addEventListener: (_: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: () => void) => listeners.delete(listener),
  }));
});

test('an open sheet stays one, with its hours and the focus, when a mouse is connected', async () => {
  await show();
  fireEvent.click(freeHour(14));
  const button = await claimButton(4);
  connectMouse();
  expect((await claimButton(4)) === button && document.activeElement === button).toBe(true);
});

test('a finger that moves paints nothing; a tap proposes, and both ends can be moved', async () => {
  await show();
  fireEvent.pointerDown(freeHour(14), { pointerType: 'touch', clientX: middleOf(14) });
  fireEvent.pointerMove(document, { pointerType: 'touch', clientX: middleOf(16) });
  fireEvent.pointerUp(document, { pointerType: 'touch' });
  expect(screen.queryByRole('status', { name: /SS/ })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(freeHour(14));
  expect(await claimButton(4)).toBeTruthy();
  const start = screen.getByRole('slider', { name: 'Start' });
  const end = screen.getByRole('slider', { name: 'End' });
  expect(start.getAttribute('aria-valuetext')).toBe('SS+14, 14:00 your time');
  fireEvent.keyDown(start, { key: 'ArrowRight' });
  expect(await claimButton(3)).toBeTruthy();
  // SS+19 is Mira's.
  for (let i = 0; i < 4; i += 1) fireEvent.keyDown(end, { key: 'ArrowRight' });
  expect(end.getAttribute('aria-valuenow')).toBe('19');
  fireEvent.keyDown(end, { key: 'Home' });
  expect(await claimButton(1)).toBeTruthy();
  await userEvent.click(await claimButton(1));
  await vi.waitFor(
    () =>
      expect(server.posted[0]?.body).toMatchObject({ claims: [{ hour_start: 15, hour_end: 16 }] }),
    { timeout: 20_000 },
  );
});
